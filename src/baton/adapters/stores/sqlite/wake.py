"""Wake-up across processes: a file touched after each commit, watched by the kernel's own means.

A touch is a hint, the database is the truth. Should a hint be lost, `PRAGMA data_version` tells within a second that
somebody committed.
"""

from __future__ import annotations

import os
import select
import sqlite3
import sys
import time
from contextlib import suppress
from typing import Protocol

SAFETY = 1.0
_IN_MODIFY = 0x2
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)


class Signals:
    """The writer's side: one small write per topic after each commit."""

    def __init__(self, paths: dict[str, str]) -> None:
        self._files = {topic: os.open(path, os.O_RDWR | os.O_CREAT | _CLOEXEC, 0o600) for topic, path in paths.items()}

    def send(self, topic: str) -> None:
        with suppress(OSError):  # no room for a hint on a full disk
            os.pwrite(self._files[topic], b"\0", 0)

    def close(self) -> None:
        for file in self._files.values():
            os.close(file)


class _Watch(Protocol):
    def wait(self, timeout: float) -> bool: ...

    def close(self) -> None: ...


class InotifyWatch:
    """Linux."""

    def __init__(self, path: str) -> None:
        import ctypes  # every command writes and few wait

        libc = ctypes.CDLL(None, use_errno=True)
        self._fd = libc.inotify_init1(os.O_NONBLOCK | _CLOEXEC)
        if self._fd < 0 or libc.inotify_add_watch(self._fd, os.fsencode(path), _IN_MODIFY) < 0:
            raise OSError(ctypes.get_errno(), "inotify")
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN)

    def wait(self, timeout: float) -> bool:
        if not self._poll.poll(timeout * 1000):
            return False
        os.read(self._fd, 65536)
        return True

    def close(self) -> None:
        os.close(self._fd)


if sys.platform == "darwin":

    class KqueueWatch:
        def __init__(self, path: str) -> None:
            self._fd = os.open(path, os.O_RDONLY)
            self._queue = select.kqueue()
            flags = select.KQ_EV_ADD | select.KQ_EV_CLEAR
            event = select.kevent(self._fd, select.KQ_FILTER_VNODE, flags, select.KQ_NOTE_WRITE)
            self._queue.control([event], 0)

        def wait(self, timeout: float) -> bool:
            return bool(self._queue.control(None, 1, timeout))

        def close(self) -> None:
            self._queue.close()
            os.close(self._fd)


class SleepWatch:
    """Where the kernel offers nothing: only `data_version` tells, so it is checked often."""

    def wait(self, timeout: float) -> bool:
        time.sleep(min(timeout, 0.05))
        return False

    def close(self) -> None:
        pass


def _watch(path: str) -> _Watch:
    if sys.platform == "linux":
        return InotifyWatch(path)
    if sys.platform == "darwin":
        return KqueueWatch(path)
    return SleepWatch()


class SqliteWaiter:
    """Wakes at a touch of the file at `path`, or once somebody else has committed."""

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._watch = _watch(path)
        self._seen = self._version()

    def wait(self, timeout: float) -> bool:
        end = time.monotonic() + timeout
        while True:
            left = max(0.0, end - time.monotonic())
            hinted = self._watch.wait(min(left, SAFETY))
            seen, self._seen = self._seen, self._version()
            if hinted or seen != self._seen:
                return True
            if not left:
                return False

    def close(self) -> None:
        self._watch.close()
        self._connection.close()

    def _version(self) -> int:
        return self._connection.execute("PRAGMA data_version").fetchone()[0]
