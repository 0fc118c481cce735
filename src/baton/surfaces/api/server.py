"""The API's HTTP server, inside the gateway's loop. Imports uvicorn: nothing on the start-up path imports this."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import logging
import socket
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from baton.core.errors import CannotListen
from baton.core.value import value
from baton.surfaces.words import api as words

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.context import Serving

_GRACE = 3
_CONNECTIONS = 300
_LOG = logging.getLogger("baton.api")


@value
class Listener:
    """A bound address. `host` is what it is called in a URL."""

    socket: socket.socket
    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


def bind(address: str) -> Listener:
    """Port 0 means any free port. Raises `CannotListen` if it is taken, or others could reach it."""
    name, _, port = address.rpartition(":")
    host = "127.0.0.1" if name == "localhost" else name.strip("[]")
    try:
        if not ipaddress.ip_address(host).is_loopback:
            raise CannotListen(address=address, reason=words.NOT_LOOPBACK)
    except ValueError:
        raise CannotListen(address=address, reason=words.NOT_LOOPBACK) from None
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, int(port)))
        bound.listen(100)
        bound.setblocking(False)
    except (OSError, OverflowError) as error:
        bound.close()
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = words.TAKEN if taken else getattr(error, "strerror", None) or str(error)
        raise CannotListen(address=address, reason=reason) from None
    shown = f"[{host}]" if ":" in host else host
    return Listener(bound, shown, bound.getsockname()[1])


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals are the program's, not ours."""
        yield


class Server:
    """Use as `async with`: it serves until the block ends; open streams end then too."""

    def __init__(self, app: ASGIApp, listener: Listener, serving: Serving) -> None:
        self._listener = listener
        self._serving = serving
        self._server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                log_level="critical",
                access_log=False,
                lifespan="off",
                http="h11",
                ws="none",
                proxy_headers=False,
                server_header=False,
                limit_concurrency=_CONNECTIONS,
                timeout_graceful_shutdown=_GRACE,
            )
        )
        self._task: asyncio.Task[None]

    async def __aenter__(self) -> Server:
        self._task = asyncio.create_task(self._server.serve(sockets=[self._listener.socket]))
        self._task.add_done_callback(self._log_end)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._serving.closed.set()
        self._server.should_exit = True
        await asyncio.wait([self._task])
        self._listener.socket.close()

    def _log_end(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            _LOG.error("%s", words.ENDED.format(kind=type(error).__name__))
