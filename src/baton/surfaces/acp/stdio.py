"""Standard input and output as lines of bytes: a thread reads, a thread writes, and neither waits for the other.

While it is open nobody else can write to the output: what a library prints goes to standard error, and a child process
gets an empty standard input.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from baton.surfaces.acp.frames import MOST_IN

_PIECE = 1 << 18
_AHEAD = 256


class Wire:
    """`on_line` and `on_end` are called in the event loop, in order; `on_line` gets None for a line that was too long.

    Reading pauses while many lines wait to be handled. Written lines stay in memory until the other side reads them;
    `room` waits until few are left.
    """

    def __init__(
        self, given: int, taken: int, on_line: Callable[[bytes | None], None], on_end: Callable[[], None]
    ) -> None:
        self._given = given
        self._taken = taken
        self._on_line = on_line
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._ahead = threading.Semaphore(_AHEAD)
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting = 0
        self._lock = threading.Lock()
        self._broken = False

    def start(self) -> None:
        for name, work in (("acp-reader", self._read), ("acp-writer", self._work)):
            threading.Thread(target=work, name=name, daemon=True).start()

    def write(self, line: bytes) -> None:
        with self._lock:
            self._waiting += len(line)
        self._lines.put(line)

    async def room(self, most: int = 4 * 1024 * 1024) -> None:
        """Returns once at most `most` bytes wait to be read by the other side."""
        while self._waiting > most and not self._broken:
            await asyncio.sleep(0.005)

    async def flush(self, within: float) -> None:
        deadline = time.monotonic() + within
        while self._waiting and not self._broken and time.monotonic() < deadline:
            await asyncio.sleep(0.002)

    def _read(self) -> None:
        for line in _lines(self._given):
            self._ahead.acquire()
            if not self._tell(self._take, line):
                return
        self._tell(self._on_end)

    def _take(self, line: bytes | None) -> None:
        self._ahead.release()
        self._on_line(line)

    def _tell(self, act: Callable[..., None], *arguments: object) -> bool:
        """False if the event loop has ended."""
        try:
            self._loop.call_soon_threadsafe(act, *arguments)
        except RuntimeError:
            return False
        return True

    def _work(self) -> None:
        while (line := self._lines.get()) is not None:
            if not self._broken:
                try:
                    _write_all(self._taken, line)
                except OSError:
                    self._broken = True
                    self._tell(self._on_end)
            with self._lock:
                self._waiting -= len(line)


def _write_all(descriptor: int, line: bytes) -> None:
    view = memoryview(line)
    while view:
        view = view[os.write(descriptor, view) :]


def _lines(descriptor: int) -> Iterator[bytes | None]:
    """Lines without their newlines, to the end of input; None in place of one that is too long. A last line without a
    newline counts.
    """
    parts: list[bytes] = []
    length = 0
    while piece := _piece(descriptor):
        *whole, rest = piece.split(b"\n")
        for line in whole:
            too_long = length + len(line) > MOST_IN
            yield None if too_long else b"".join([*parts, line])
            parts, length = [], 0
        length += len(rest)
        parts = [*parts, rest] if length <= MOST_IN else []
    if length:
        yield b"".join(parts) if length <= MOST_IN else None


def _piece(descriptor: int) -> bytes:
    with suppress(OSError):
        return os.read(descriptor, _PIECE)
    return b""


def own_pipes() -> tuple[int, int]:
    """Takes standard input and output for ourselves; everybody else reads nothing and writes to standard error."""
    given, taken = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return given, taken
