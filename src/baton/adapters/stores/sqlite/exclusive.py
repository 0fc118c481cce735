"""Makes sure that nobody else uses a database while it is replaced.

The writers' queue keeps writers away. A process that merely has the database open would continue with the old file, and
SQLite would remove the new one's log when that process ends; so the lock that every connection shares is taken too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import contextmanager

from baton.adapters.stores.sqlite.files import Files
from baton.adapters.stores.sqlite.queue import WriterQueue
from baton.core.errors import StoreBusy

try:
    import fcntl
except ImportError:  # no such locks on this system: the caller is trusted
    fcntl = None

_EVERY_CONNECTION = 128
"""The byte of the -shm file that SQLite calls the dead man's switch."""
_NAP = 0.05


@contextmanager
def turn(files: Files, timeout: float) -> Generator[WriterQueue]:
    """This process's turn in the writers' queue; `StoreBusy` if it does not come in time."""
    files.prepare()
    queue = WriterQueue(files.queue)
    try:
        if not queue.enter(timeout):
            raise StoreBusy(path=files.database, holder=f" ({queue.holder()})", seconds=timeout)
        try:
            yield queue
        finally:
            queue.leave()
    finally:
        queue.close()


@contextmanager
def exclusive_turn(files: Files, timeout: float) -> Generator[WriterQueue]:
    """A turn in which no other process has the database open, or can open it; `StoreBusy` if one has.

    This process must not open it either: closing its connection would give the lock away.
    """
    with turn(files, timeout) as queue:
        fd = os.open(files.shared, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            if not _lock(fd, timeout):
                raise StoreBusy(path=files.database, holder=", which has it open,", seconds=timeout)
            yield queue
        finally:
            os.close(fd)


def _lock(fd: int, timeout: float) -> bool:
    if fcntl is None:
        return True
    end = time.monotonic() + timeout
    while True:
        try:
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _EVERY_CONNECTION)
        except OSError:
            if time.monotonic() > end:
                return False
            time.sleep(_NAP)
        else:
            return True
