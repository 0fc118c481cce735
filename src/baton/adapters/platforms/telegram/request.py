"""How python-telegram-bot reaches the server: over aiohttp, which takes a fifth of the time that its own way over httpx
takes for a message. Where the environment names a proxy the library's own way is used, which knows every kind of them.
"""

from __future__ import annotations

import json
import ssl
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit
from urllib.request import getproxies

import aiohttp
import httpx
from telegram.error import TelegramError
from telegram.request import BaseRequest, HTTPXRequest

from baton.adapters.platforms.addresses import is_loopback
from baton.adapters.platforms.json_fields import Fields, Malformed

if TYPE_CHECKING:
    from telegram.request import RequestData

CONNECT = 5.0
NEVER_SENT = (
    aiohttp.ClientConnectorError,
    aiohttp.ConnectionTimeoutError,
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
)
"""Errors after which the server has certainly not seen the request."""
_PLAIN_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TIMED_OUT = (TimeoutError, httpx.TimeoutException)


class Refused(TelegramError):
    """An answer that is no success. Without a description it was not the Bot API that answered."""

    def __init__(
        self, code: int, description: str = "", *, after: float | None = None, moved_to: int | None = None
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.after = after
        self.moved_to = moved_to

    def says(self, words: str) -> bool:
        return words.lower() in self.description.lower()


def make_requests(base: str, *reads: tuple[float, int]) -> tuple[BaseRequest, ...]:
    """One for each (seconds to wait for an answer, connections). One set of certificates for all of them, and none
    without TLS, because loading them takes a while. The environment's proxy is used, since some networks reach Telegram
    only through one; never for this machine.
    """
    address = urlsplit(base)
    encrypted = address.scheme == "https"
    trusted = httpx.create_ssl_context() if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if getproxies() and not is_loopback(address.hostname or ""):
        return tuple(_ProxiedRequest(read, pool, trusted) for read, pool in reads)
    return tuple(_Request(read, pool, trusted) for read, pool in reads)


class _Request(BaseRequest):
    """Raises every answer that is no success as `Refused`, with its code. A request is never sent twice."""

    def __init__(self, read: float, pool: int, trusted: ssl.SSLContext) -> None:
        self._read = read
        self._pool = pool
        self._trusted = trusted
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        return self._read

    async def initialize(self) -> None:
        self._open()

    async def shutdown(self) -> None:
        if self._session is not None:
            await self._session.close()

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._pool, ssl=self._trusted)
            timeout = aiohttp.ClientTimeout(total=None, connect=CONNECT, sock_connect=CONNECT, sock_read=self._read)
            agent = {"User-Agent": self.USER_AGENT}
            self._session = aiohttp.ClientSession(
                connector=connector, timeout=timeout, headers=agent, cookie_jar=aiohttp.DummyCookieJar()
            )
        return self._session

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_: Any, **__: Any
    ) -> tuple[int, bytes]:
        body, headers = _body(request_data)
        async with self._open().request(method, url, data=body, headers=headers, allow_redirects=False) as answer:
            payload = await answer.read()
        if not 200 <= answer.status < 300:
            raise _read_refusal(answer.status, payload)
        return answer.status, payload


class _ProxiedRequest(HTTPXRequest):
    """The same, through the environment's proxy."""

    def __init__(self, read: float, pool: int, trusted: ssl.SSLContext) -> None:
        options = {"verify": trusted, "trust_env": True}
        super().__init__(pool, read, read, CONNECT, CONNECT, media_write_timeout=read, httpx_kwargs=options)

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        code, payload = await super().do_request(*args, **kwargs)
        if not 200 <= code < 300:
            raise _read_refusal(code, payload)
        return code, payload


def _body(given: RequestData | None) -> tuple[aiohttp.FormData | bytes | None, dict[str, str]]:
    """The parameters; with files as parts of their own. aiohttp takes five times as long to write a plain form."""
    if given is None:
        return None, {}
    if not given.contains_files:
        return urlencode(given.json_parameters).encode(), _PLAIN_FORM
    form = aiohttp.FormData(given.json_parameters, quote_fields=False)
    for name, (filename, content, media_type) in (given.multipart_data or {}).items():
        form.add_field(name, content, filename=filename, content_type=media_type)
    return form, {}


def _read_refusal(code: int, payload: bytes) -> Refused:
    """A proxy may answer in the server's place, in any form."""
    try:
        held = Fields(json.loads(payload))
        more = held.optional_object("parameters") or Fields({})
        return Refused(
            code,
            held.text("description"),
            after=more.optional_number("retry_after"),
            moved_to=more.optional_number("migrate_to_chat_id"),
        )
    except (ValueError, RecursionError, Malformed):
        return Refused(code)
