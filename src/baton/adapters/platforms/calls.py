"""HTTP calls to a platform: what a failed one says about the message it carried. Imports httpx2: import it late."""

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


def client(*, reuse: bool) -> httpx2.AsyncClient:
    """Follows no redirect and uses no proxy of the environment. Without `reuse`, each call has a connection of its own:
    then a call that breaks was not one whose connection the other side had closed long ago.
    """
    limits = httpx2.Limits(max_connections=20, max_keepalive_connections=5 if reuse else 0)
    timeout = httpx2.Timeout(TOTAL, connect=CONNECT, pool=CONNECT)
    return httpx2.AsyncClient(timeout=timeout, limits=limits, follow_redirects=False, trust_env=False)


@asynccontextmanager
async def sending(platform: str) -> AsyncGenerator[None]:
    """A call that never left is `SendLater`; one that left and was not answered in time is `SendUnsure`."""
    try:
        async with asyncio.timeout(TOTAL):
            yield
    except _NEVER_LEFT as error:
        raise SendLater(platform=platform, reason=_said(error)) from None
    except (httpx2.HTTPError, TimeoutError, OSError) as error:
        raise SendUnsure(platform=platform, reason=_said(error)) from None


@asynccontextmanager
async def asking(platform: str) -> AsyncGenerator[None]:
    """A call that changes nothing visible: whatever broke, it is `SendLater`."""
    try:
        async with sending(platform):
            yield
    except SendUnsure as unsure:
        raise SendLater(**unsure.facts) from None


def _said(error: BaseException) -> str:
    """The kind only: the text of some of them has the address, and an address may have a token."""
    return f"the connection failed ({type(error).__name__})"
