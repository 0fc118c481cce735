"""HTTP connections over aiohttp, for a process that asks models all day: a request takes 0.4 ms of CPU over it and 1.3
over `line`, which a terminal needs less time to import. Only `lines` imports this, in a thread.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from ssl import SSLContext

import aiohttp

from baton.adapters.models import failure
from baton.adapters.models.failure import Case
from baton.adapters.models.plain.dialect import Ask, Dialect, Refused
from baton.adapters.models.plain.fields import write
from baton.adapters.models.plain.line import AGENT, CONNECT, read_error, retry_after

_CONNECTIONS = 1000
_LONGEST_HEADER = 64 * 1024


class SharedLine:
    """As `Line`, without proxies. `trusted` says which certificates are. Used from one event loop."""

    def __init__(self, timeout: float, trusted: SSLContext) -> None:
        connect = min(timeout, CONNECT)
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=connect, sock_read=timeout)
        self._trusted = trusted
        self._http: aiohttp.ClientSession | None = None

    @asynccontextmanager
    async def ask(self, dialect: Dialect, ask: Ask, case: Case) -> AsyncGenerator[AsyncIterator[bytes]]:
        """As that of `Line`."""
        url = dialect.base.rstrip("/") + ask.path
        headers = {"content-type": "application/json", "accept": "text/event-stream", **dialect.headers}
        try:
            async with await self._post(url, write(ask.body), headers) as response:
                if not response.ok:
                    body = await read_error(response.content.iter_any())
                    raise Refused(dialect.refusal(response.status, body, retry_after(response.headers)))
                yield response.content.iter_any()
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
            raise failure.connection_error(case, connecting=True) from None
        except aiohttp.ServerTimeoutError:
            raise failure.silence_error(case) from None
        except aiohttp.ClientError:
            raise failure.connection_error(case, connecting=False) from None

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> aiohttp.ClientResponse:
        try:
            return await self._open().post(url, data=body, headers=headers)
        except ValueError as error:  # a key or an address that no request can hold
            raise aiohttp.ClientError from error

    def _open(self) -> aiohttp.ClientSession:
        if self._http is None:
            self._http = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=_CONNECTIONS, ssl=self._trusted),
                timeout=self._timeout,
                headers=AGENT,
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=_LONGEST_HEADER,
                max_field_size=_LONGEST_HEADER,
            )
        return self._http
