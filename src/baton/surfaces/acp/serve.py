"""The agent on a pair of pipes, from the first line to a clean exit."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from baton.surfaces.acp import frames
from baton.surfaces.acp.agent import Agent
from baton.surfaces.acp.client import Client
from baton.surfaces.acp.frames import RpcError
from baton.surfaces.acp.peer import Peer
from baton.surfaces.acp.stdio import Wire, own_pipes

if TYPE_CHECKING:
    from baton.surfaces.acp.host import Host

CLOSING = 1.2
LATEST = 1.8


def serve_stdio(host: Host, *, unstable: bool = False) -> int:
    """Serves until standard input ends or a signal comes. Shutting down takes less than two seconds, whatever hangs."""
    given, taken = own_pipes()
    asyncio.run(_until_told(host, given, taken, unstable=unstable))
    return 0


async def _until_told(host: Host, given: int, taken: int, *, unstable: bool) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with suppress(NotImplementedError, ValueError):
            loop.add_signal_handler(number, stop.set)
    await serve(host, given, taken, stop, unstable=unstable)
    latest = threading.Timer(LATEST - CLOSING, os._exit, (0,))
    latest.daemon = True
    latest.start()


async def serve(host: Host, given: int, taken: int, stop: asyncio.Event, *, unstable: bool = False) -> None:
    """Reads from one descriptor and writes to the other, until the input ends or `stop` is set."""
    wire = Wire(given, taken, lambda line: receive(line), stop.set)
    peer, warmed = Peer(wire.write), asyncio.Event()
    agent = Agent(host, Client(peer), wire.room, warmed, unstable=unstable)
    peer.serve(agent.on_request, agent.on_notification)

    def receive(line: bytes | None) -> None:
        if line is None:
            peer.refuse(RpcError(frames.INVALID_REQUEST, frames.TOO_LONG))
        else:
            peer.receive(line)

    wire.start()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_warm, args=(host, lambda: loop.call_soon_threadsafe(warmed.set)), daemon=True).start()
    await stop.wait()
    await asyncio.gather(peer.close(CLOSING), agent.sessions.close_all(CLOSING))
    await wire.flush(CLOSING / 4)


def _warm(host: Host, done: Callable[[], object]) -> None:
    """Loads what the first session needs while the client initializes. What fails is reported when it is needed."""
    with suppress(Exception):
        for name in ("options", "session", "provenance"):
            import_module(f"baton.surfaces.acp.{name}")
        host.store()
        host.defaults(os.getcwd())
    with suppress(RuntimeError):
        done()
