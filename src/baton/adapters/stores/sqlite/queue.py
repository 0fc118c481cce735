"""A fair queue in front of SQLite's single writer, and the note of what was last acknowledged.

SQLite lets waiting writers sleep and try again, so one may starve for seconds. Each writer therefore first takes a
`flock` on a file beside the database: the kernel serves waiters in turn and frees the lock of a dead process. A
`flock` cannot time out, so a contended wait happens in a helper thread that is left behind if the time is over.

The same file holds (unsynced, written after each commit) the last acknowledged entry: if the write-ahead log is
deleted, the database alone would not know that anything is missing.
"""

from __future__ import annotations

import os
import struct
import threading

try:
    import fcntl
except ImportError:  # no flock on this system: SQLite's own waiting remains
    fcntl = None

_MARK = struct.Struct("<qq")
_HOLDER = struct.Struct("<q")


class WriterQueue:
    """One per connection. `enter` and `leave` are called by one thread at a time."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = _open(path)
        self._pid = _HOLDER.pack(os.getpid())

    def enter(self, timeout: float) -> bool:
        """True once it is this writer's turn, False if that took longer than `timeout` seconds."""
        if fcntl is None:
            return True
        if not self._try() and not self._wait(timeout):
            return False
        os.pwrite(self._fd, self._pid, _MARK.size)
        return True

    def leave(self) -> None:
        if fcntl is not None:
            fcntl.flock(self._fd, fcntl.LOCK_UN)

    def holder(self) -> int:
        """The process that last had its turn."""
        raw = os.pread(self._fd, _HOLDER.size, _MARK.size)
        return _HOLDER.unpack(raw)[0] if len(raw) == _HOLDER.size else 0

    def mark(self, entry_id: int, checksum: int) -> None:
        os.pwrite(self._fd, _MARK.pack(entry_id, checksum), 0)

    def marked(self) -> tuple[int, int]:
        raw = os.pread(self._fd, _MARK.size, 0)
        return _MARK.unpack(raw) if len(raw) == _MARK.size else (0, 0)

    def close(self) -> None:
        os.close(self._fd)

    def _try(self) -> bool:
        assert fcntl is not None
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait(self, timeout: float) -> bool:
        wait = _Wait(self._fd)
        if wait.within(timeout):
            return True
        self._fd = _open(self._path)
        return False


class _Wait:
    """A blocking `flock` in a thread of its own. Given up, the thread closes the descriptor when its turn comes."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._decision = threading.Lock()
        self._got = threading.Event()
        self._given_up = False
        threading.Thread(target=self._block, name="baton-writer-queue", daemon=True).start()

    def within(self, timeout: float) -> bool:
        if self._got.wait(timeout):
            return True
        with self._decision:
            self._given_up = not self._got.is_set()
            return not self._given_up

    def _block(self) -> None:
        assert fcntl is not None
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        with self._decision:
            if self._given_up:
                os.close(self._fd)
            else:
                self._got.set()


def _open(path: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, flags, 0o600)
