"""The webhook's own HTTP server. Imports uvicorn: only `platform` imports this."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

from baton.adapters.platforms.whatsapp.place import NAME
from baton.core.errors import BadCredentials, SomebodyElse


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals are the program's, not ours."""
        yield


async def listen(app: Starlette, address: str) -> None:
    """Until cancelled; calls that are being taken then come to their end. `SomebodyElse` if the address is in use."""
    with _bound(address) as bound:
        server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                http="h11",
                ws="none",
                proxy_headers=False,
                server_header=False,
                limit_concurrency=100,
                timeout_graceful_shutdown=5,
            )
        )
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        try:
            await asyncio.shield(serving)
        finally:
            server.should_exit = True
            await serving


def _bound(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, int(port)))
        bound.setblocking(False)
    except (OSError, OverflowError) as error:
        bound.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise SomebodyElse(platform=NAME, reason=f"{address} is in use") from None
        reason = f"webhook calls cannot be taken at {address}: {getattr(error, 'strerror', None) or error}"
        raise BadCredentials(platform=NAME, reason=reason) from None
    return bound
