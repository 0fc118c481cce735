"""A pull beside the event loop: in a thread that nobody has to wait for, also not at the end of the program."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

from baton.adapters.models.local.catalogue import Weights
from baton.adapters.models.local.pull import Progress, pull


async def pulled(weights: Weights, directory: str, on_pull: Progress | None, *, index_url: str | None = None) -> str:
    """What `pull` gives or raises; `on_pull` is called in the event loop. Cancelling ends the pull within a moment, and
    what it brought is kept.
    """
    loop, cancel = asyncio.get_running_loop(), threading.Event()
    outcome: asyncio.Future[str] = loop.create_future()

    def later(call: Callable[..., object], *args: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(call, *args)

    def report(done: int, total: int, seconds: float) -> None:
        if on_pull:
            later(on_pull, done, total, seconds)

    def work() -> None:
        try:
            later(_settle, outcome, pull(weights, directory, report, cancel=cancel, index_url=index_url))
        except Exception as error:  # noqa: BLE001, carried to the one who waits
            later(_settle, outcome, error)

    threading.Thread(target=work, daemon=True, name="baton-pull").start()
    try:
        return await outcome
    finally:
        cancel.set()


def _settle(outcome: asyncio.Future[str], result: str | Exception) -> None:
    if outcome.done():
        return
    if isinstance(result, Exception):
        outcome.set_exception(result)
    else:
        outcome.set_result(result)
