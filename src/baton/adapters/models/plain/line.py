"""The HTTP connections of one model. Imports the HTTP library: only `model` imports this, in a thread."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from ssl import SSLContext

import httpx2

from baton import __version__
from baton.adapters.models import failure
from baton.adapters.models.failure import Case
from baton.adapters.models.plain.dialect import Ask, Dialect, Refused
from baton.adapters.models.plain.fields import write

CONNECT = 10.0
AGENT = {"user-agent": f"baton/{__version__}"}
_ERROR_BODY = 64 * 1024
_CONNECTING = (httpx2.ConnectError, httpx2.ConnectTimeout)


class Line:
    """Proxies and certificates are those of the environment. Used from one event loop."""

    def __init__(self, timeout: float) -> None:
        limits = httpx2.Timeout(timeout, connect=min(timeout, CONNECT), pool=None)
        pool = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)
        self._http = httpx2.AsyncClient(timeout=limits, limits=pool, headers=AGENT, follow_redirects=True)

    @asynccontextmanager
    async def ask(self, dialect: Dialect, ask: Ask, case: Case) -> AsyncGenerator[AsyncIterator[bytes]]:
        """The body of the answer as it comes; leaving the block ends the request. Raises `Refused`, or a `ModelError`
        for what the network did.
        """
        url = dialect.base.rstrip("/") + ask.path
        headers = {"content-type": "application/json", "accept": "text/event-stream", **dialect.headers}
        try:
            async with self._http.stream("POST", url, content=write(ask.body), headers=headers) as response:
                if not response.is_success:
                    body = await read_error(response.aiter_bytes())
                    raise Refused(dialect.refusal(response.status_code, body, retry_after(response.headers)))
                yield response.aiter_bytes()
        except httpx2.TimeoutException as error:
            if isinstance(error, _CONNECTING):
                raise failure.connection_error(case, connecting=True) from None
            raise failure.silence_error(case) from None
        except httpx2.TransportError as error:
            raise failure.connection_error(case, connecting=isinstance(error, _CONNECTING)) from None

    async def close(self) -> None:
        await self._http.aclose()


def trusted_certificates() -> SSLContext:
    """Those of the environment."""
    return httpx2.create_ssl_context()


async def read_error(chunks: AsyncIterator[bytes]) -> object:
    """As JSON, if it is; no more of it than an error needs."""
    body = b""
    async for chunk in chunks:
        body += chunk
        if len(body) > _ERROR_BODY:
            break
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, which the header gives as a number or as a time."""
    told = headers.get("retry-after", "").strip()
    try:
        seconds = float(headers.get("retry-after-ms") or "") / 1000
        return seconds if seconds >= 0 else None
    except ValueError:
        pass
    try:
        seconds = float(told)
    except ValueError:
        found = email.utils.parsedate_tz(told)
        seconds = email.utils.mktime_tz(found) - time.time() if found else -1.0
    return seconds if 0 <= seconds < float("inf") else None
