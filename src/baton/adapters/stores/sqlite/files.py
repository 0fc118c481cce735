"""The files of a SQLite store: made private, and looked at before SQLite opens them.

baton.db  baton.db-wal  baton.db-shm     the database, 0600
baton.db.d/                              0700
  queue                                  the writers' queue, and the last acknowledged entry
  wake-log  wake-work                    touched after each commit
  search.db                              the full-text index: may be deleted at any time
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from baton.core.errors import StoreDamaged, StoreReadOnly

_MAGIC = b"SQLite format 3\0"


class Files:
    def __init__(self, path: str) -> None:
        self.database = os.path.abspath(path)
        self.log = f"{self.database}-wal"
        self.side = f"{self.database}.d"
        self.queue = os.path.join(self.side, "queue")
        self.search = os.path.join(self.side, "search.db")

    def wake(self, topic: str) -> str:
        return os.path.join(self.side, f"wake-{topic}")

    def prepare(self) -> None:
        """Makes directory and files where they are missing, private to this user; never loosens or follows a link."""
        try:
            os.makedirs(os.path.dirname(self.database), mode=0o700, exist_ok=True)
            _make_file(self.database)
            with suppress(FileExistsError):
                os.mkdir(self.side, 0o700)
            self._tighten()
        except OSError as error:
            raise StoreReadOnly(path=self.database, reason=_reason(error)) from error

    def examine(self) -> None:
        """`StoreDamaged` for a file that is visibly not, or no longer, a whole database."""
        size = os.path.getsize(self.database)
        with open(self.database, "rb") as file:
            header = file.read(100)
        if size == 0:
            return
        if size < 100 or header[:16] != _MAGIC:
            raise StoreDamaged(path=self.database, reason="it does not begin like a SQLite database")
        page = int.from_bytes(header[16:18], "big")
        expected = int.from_bytes(header[28:32], "big") * (65536 if page == 1 else page)
        if size < expected and not self.has_log():
            reason = f"it is cut off: {size:,} of {expected:,} bytes are there"
            raise StoreDamaged(path=self.database, reason=reason)

    def has_log(self) -> bool:
        try:
            return os.path.getsize(self.log) > 0
        except OSError:
            return False

    def size(self) -> int:
        total = 0
        for path in (self.database, self.log, self.search, f"{self.search}-wal"):
            with suppress(OSError):
                total += os.path.getsize(path)
        return total

    def _tighten(self) -> None:
        for path in (self.database, self.log, f"{self.database}-shm"):
            with suppress(FileNotFoundError):
                _only_ours(path, 0o600)
        _only_ours(self.side, 0o700)


def _make_file(path: str) -> None:
    if os.path.isdir(path):
        raise IsADirectoryError(21, "it is a directory")
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _only_ours(path: str, mode: int) -> None:
    found = os.stat(path)
    if stat.S_IMODE(found.st_mode) & 0o077 and found.st_uid == os.geteuid():
        os.chmod(path, mode)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
