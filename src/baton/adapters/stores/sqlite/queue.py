"""A fair queue in front of SQLite's single writer, and the note of what was last acknowledged.

SQLite lets waiting writers sleep and try again, so one may starve for seconds. Each writer therefore first takes a
`flock` on a file beside the database: the kernel serves waiters in turn and frees the lock of a dead process. A
`flock` cannot time out, so a contended wait happens in a helper thread. If the time is over it keeps its place in the
queue for the next attempt: however often a writer tries while another process hangs, there is one thread.

The same file holds (unsynced, written after each commit) the last acknowledged entry: if the write-ahead log is
deleted, the database alone would not know that anything is missing.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import threading
import time
from contextlib import suppress

try:
    import fcntl
except ImportError:  # no flock on this system: SQLite's own waiting remains
    fcntl = None

_MARK = struct.Struct("<qq")
_HOLDER = struct.Struct("<q")
_GLANCE = 0.0001


class WriterQueue:
    """One per connection. `enter` and `leave` are called by one thread at a time.

    Two locks make it fair: a writer first becomes the next in line, then waits for its turn, then lets somebody else be
    next. A writer that comes back finds the line taken and cannot overtake.
    """

    def __init__(self, path: str) -> None:
        self._fd = _open(path)
        self._line = _Line(f"{path}-next")
        self._pid = _HOLDER.pack(os.getpid())

    def enter(self, timeout: float) -> bool:
        """True once it is this writer's turn, False if that took longer than `timeout` seconds."""
        if fcntl is None:
            return True
        end = time.monotonic() + timeout
        if not self._line.enter(timeout):
            return False
        try:
            while not _try(self._fd):
                if time.monotonic() > end:
                    return False
                time.sleep(_GLANCE)  # nobody else tries: looking again loses no place
        finally:
            self._line.leave()
        with suppress(OSError):  # a full disk must not keep anybody from reading or freeing space
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
        """Remembers what was acknowledged, or with zeros that nothing is expected; the latter is on disk when this
        returns. On a full disk the older mark stays, which is still true.
        """
        with suppress(OSError):
            os.pwrite(self._fd, _MARK.pack(entry_id, checksum), 0)
            if not entry_id:
                os.fsync(self._fd)

    def read_mark(self) -> tuple[int, int]:
        return _read_mark(self._fd)

    def close(self) -> None:
        os.close(self._fd)
        self._line.close()


class _Line:
    """The place of the next in line: a `flock` that the kernel grants in turn."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = _open(path)
        self._waiting: _Wait | None = None

    def enter(self, timeout: float) -> bool:
        return _try(self._fd) or self._wait(timeout)

    def leave(self) -> None:
        assert fcntl is not None
        fcntl.flock(self._fd, fcntl.LOCK_UN)

    def close(self) -> None:
        os.close(self._fd)

    def _wait(self, timeout: float) -> bool:
        fd = self._waiting.within(timeout) if self._waiting else None
        if self._waiting is None or (fd is None and self._waiting.over):
            self._waiting = _Wait(_open(self._path))
            fd = self._waiting.within(timeout)
        if fd is None:
            return False
        self._waiting = None
        os.close(self._fd)
        self._fd = fd
        return True


class _Wait:
    """A blocking `flock` in a thread of its own. If its turn comes while nobody waits, it lets the next one pass."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._decision = threading.Lock()
        self._got = threading.Event()
        self._wanted = True
        self.over = False
        threading.Thread(target=self._block, name="baton-writer-queue", daemon=True).start()

    def within(self, timeout: float) -> int | None:
        """The locked descriptor, which is the caller's then; None if the time or the wait is over."""
        with self._decision:
            if self.over and not self._got.is_set():
                return None
            self._wanted = True
        self._got.wait(timeout)
        with self._decision:
            self._wanted = self._got.is_set()
            return self._fd if self._wanted else None

    def _block(self) -> None:
        assert fcntl is not None
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        with self._decision:
            self.over = True
            if self._wanted:
                self._got.set()
            else:
                os.close(self._fd)


def _try(fd: int) -> bool:
    assert fcntl is not None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def read_mark(path: str) -> tuple[int, int]:
    """The last acknowledged entry as the queue at `path` knows it, and its checksum; zeros if it knows none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return 0, 0
    try:
        return _read_mark(fd) if stat.S_ISREG(os.fstat(fd).st_mode) else (0, 0)
    finally:
        os.close(fd)


def _read_mark(fd: int) -> tuple[int, int]:
    raw = os.pread(fd, _MARK.size, 0)
    return _MARK.unpack(raw) if len(raw) == _MARK.size else (0, 0)


def _open(path: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    fd = os.open(path, flags, 0o600)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    return fd
