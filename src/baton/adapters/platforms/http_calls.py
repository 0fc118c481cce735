"""HTTP calls to a platform, and what a failed one says about the message it carried. Imports httpx2: import it late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx2

from baton.core.errors import SendLater, SendUnsure

CONNECT, TOTAL = 5.0, 30.0
_NEVER_LEFT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.InvalidURL,
    httpx2.LocalProtocolError,
)


def new_client(*, reuse: bool) -> httpx2.AsyncClient:
    """Follows no redirects and ignores proxies of the environment. Without `reuse` each call opens its own connection,
    so a call never fails merely because the other side had closed an idle connection.
    """
    limits = httpx2.Limits(max_connections=20, max_keepalive_connections=5 if reuse else 0)
    timeout = httpx2.Timeout(TOTAL, connect=CONNECT, pool=CONNECT)
    return httpx2.AsyncClient(timeout=timeout, limits=limits, follow_redirects=False, trust_env=False)


@asynccontextmanager
async def write_call(platform: str) -> AsyncGenerator[None]:
    """For a call that changes something. One that never left is `SendLater`; one that left and was not answered in time
    is `SendUnsure`.
    """
    try:
        async with asyncio.timeout(TOTAL):
            yield
    except _NEVER_LEFT as error:
        raise SendLater(platform=platform, reason=_describe(error)) from None
    except (httpx2.HTTPError, TimeoutError, OSError) as error:
        raise SendUnsure(platform=platform, reason=_describe(error)) from None


@asynccontextmanager
async def read_call(platform: str) -> AsyncGenerator[None]:
    """For a call that changes nothing visible: any failure is `SendLater`."""
    try:
        async with write_call(platform):
            yield
    except SendUnsure as unsure:
        raise SendLater(**unsure.facts) from None


def _describe(error: BaseException) -> str:
    """Only the kind of error: its text may hold an address, and an address may hold a token."""
    return f"the connection failed ({type(error).__name__})"
