"""What a helper program says, whole or cut."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from subprocess import DEVNULL

from baton.adapters.tools.running.process import Ended, run_process
from baton.adapters.tools.running.programs import environment
from baton.core.value import value


@value
class Collected:
    """`cut` when there was more than was asked for, or it took too long; `exit` is -1 then."""

    data: bytes
    exit: int
    cut: bool


async def collect(
    argv: Sequence[str], *, cwd: str, seconds: float, cap: int, stdin: int = DEVNULL, errors: bool = False
) -> Collected:
    """Runs a program until it ends, has said `cap` bytes or took too long; it is gone afterwards in any case.

    Raises `OSError` when it cannot be started.
    """
    said = bytearray()
    enough = asyncio.Event()

    def feed(data: bytes) -> None:
        if not enough.is_set():
            said.extend(data)
        if len(said) > cap:
            enough.set()

    env = environment(os.environ) | {"LC_ALL": "C.UTF-8"}
    running = asyncio.ensure_future(
        run_process(argv, cwd=cwd, env=env, seconds=seconds, feed=feed, stdin=stdin, errors=errors)
    )
    stop = asyncio.ensure_future(enough.wait())
    try:
        await asyncio.wait([running, stop], return_when=asyncio.FIRST_COMPLETED)
    finally:
        stop.cancel()
        ended = await _ended(running)
    cut = ended is None or ended.timed_out or enough.is_set()
    return Collected(bytes(said[:cap]), -1 if cut or ended is None else ended.exit, cut)


async def _ended(running: asyncio.Future[Ended]) -> Ended | None:
    running.cancel()
    await asyncio.wait([running])
    return None if running.cancelled() else running.result()
