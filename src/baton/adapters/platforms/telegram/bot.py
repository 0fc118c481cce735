"""The Bot API over python-telegram-bot's `Bot`, and nothing else of that library.

Its own receiving acknowledges messages before they are kept, and reads a batch as a whole or not at all; so updates
come as the server sent them. Its log has the token in every line; so it is silent.
"""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar, cast
from urllib.parse import quote, urlsplit

import httpx
from telegram import Bot
from telegram.request import HTTPXRequest

from baton.adapters.platforms.addresses import is_loopback
from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.adapters.platforms.telegram.errors import Answered, explained
from baton.adapters.platforms.telegram.place import NAME
from baton.core.errors import SendUnsure

CONNECT, TOTAL = 5.0, 30.0
POLL = 20
"""How long the server keeps a question for updates, in seconds."""

MOST = 100
"""Updates in one answer."""

_LOGGERS = ("httpx", "httpcore", "telegram")

T = TypeVar("T")


class Api(Bot):
    """The methods of `Bot`, each to be awaited through `ask`."""

    def __init__(self, token: str, base: str, *, patience: float = TOTAL) -> None:
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._patience = patience
        options = _options(base)
        self._requests = (_Request(POLL + CONNECT, 1, options), _Request(patience, 16, options))
        polling, calling = self._requests
        super().__init__(token, f"{base}/bot", f"{base}/file/bot", calling, polling)

    async def ask(self, answer: Awaitable[T], *, within: float | None = None) -> T:
        """The answer, or a `PlatformError`."""
        try:
            async with asyncio.timeout(within or self._patience):
                return await answer
        except Exception as error:  # noqa: BLE001, whatever the libraries raise may hold the token
            raise explained(error) from None

    async def updates(self, offset: int | None, kinds: Sequence[str]) -> list[object]:
        """What has come, at once or as soon as something does. Acknowledges everything before `offset`."""
        asked = {"offset": offset, "limit": MOST, "timeout": POLL, "allowed_updates": list(kinds)}
        found = await self.ask(self._post("getUpdates", asked), within=TOTAL)
        if not isinstance(found, list):
            raise SendUnsure(platform=NAME, reason="the answer is no list of updates")
        return cast("list[object]", found)

    async def content(self, file_id: str) -> bytes:
        """Always from the server: the library would take a local file of the same path."""
        return await self.ask(self._content(file_id))

    async def _content(self, file_id: str) -> bytes:
        try:
            path = Fields(await self._post("getFile", {"file_id": file_id})).text("file_path")
        except Malformed:
            path = ""
        if not path:
            raise Answered(400, "the file is not available")
        try:
            return await self.request.retrieve(f"{self.base_file_url}/{quote(path)}")
        except Answered as answer:
            raise Answered(400, "the file is gone") if answer.code == 404 else answer from None

    async def close_connections(self) -> None:
        for each in self._requests:
            await each.shutdown()


class _Request(HTTPXRequest):
    """Raises every answer that is no success as it is, with its code."""

    def __init__(self, read: float, pool: int, options: dict[str, Any]) -> None:
        super().__init__(pool, read, read, CONNECT, CONNECT, media_write_timeout=read, httpx_kwargs=options)

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        code, payload = await super().do_request(*args, **kwargs)
        if not 200 <= code < 300:
            raise _answered(code, payload)
        return code, payload


def _options(base: str) -> dict[str, Any]:
    """One set of certificates for all connections, and none where there is no TLS: reading them takes a while.
    The environment's proxy is used, since Telegram is not reachable without one everywhere; never to this machine.
    """
    address = urlsplit(base)
    encrypted = address.scheme == "https"
    trusted = httpx.create_ssl_context() if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return {"verify": trusted, "trust_env": not is_loopback(address.hostname or "")}


def _answered(code: int, payload: bytes) -> Answered:
    """Whatever stands before the server may answer in its place, in any form."""
    try:
        held = Fields(json.loads(payload))
        more = held.optional_object("parameters") or Fields({})
        return Answered(
            code,
            held.text("description"),
            after=more.optional_number("retry_after"),
            moved_to=more.optional_number("migrate_to_chat_id"),
        )
    except (ValueError, RecursionError, Malformed):
        return Answered(code)
