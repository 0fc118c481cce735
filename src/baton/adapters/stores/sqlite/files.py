"""The files of a SQLite store: looked at before SQLite opens them, and made private.

baton.db  baton.db-wal  baton.db-shm     the database, 0600
baton.db.d/                              0700
  queue  queue-next                      the writers' queue, and the last acknowledged entry
  wake-log  wake-work                    touched after each commit
  search.db                              the full-text index: may be deleted at any time
baton.db.repairing  baton.db.repaired    a repair under way, and one that only has to be put in place
baton.db.damaged-20260527T123456Z        what a repair found, kept forever
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from baton.adapters.stores.sqlite.errors import translate_os_error
from baton.adapters.stores.sqlite.migrate import APPLICATION_ID
from baton.adapters.stores.sqlite.queue import read_mark
from baton.core.errors import StoreDamaged, StoreReadOnly

MAGIC = b"SQLite format 3\0"
_HEADER = 100


class Files:
    def __init__(self, path: str) -> None:
        self.database = os.path.abspath(path)
        self.log = f"{self.database}-wal"
        self.shared = f"{self.database}-shm"
        self.side = f"{self.database}.d"
        self.queue = os.path.join(self.side, "queue")
        self.search = os.path.join(self.side, "search.db")
        self.repairing = f"{self.database}.repairing"
        self.repaired = f"{self.database}.repaired"

    def wake(self, topic: str) -> str:
        return os.path.join(self.side, f"wake-{topic}")

    def examine(self) -> None:
        """Looks, and changes nothing: `StoreDamaged` for a file that is visibly not, or no longer, a whole database of
        Baton, `StoreReadOnly` for what is not a file at all. No file is fine, unless there was one before.
        """
        written = self.has_log() or any(read_mark(self.queue))  # asked first: only a database that exists is written to
        size, header = self._read_header()
        if os.path.exists(self.repaired):
            raise self._damage("a repair of it was interrupted")
        if size == 0 and written:
            raise self._damage("it is empty or gone, although it was written to before")
        if size == 0:
            return
        if size < _HEADER or header[:16] != MAGIC:
            raise self._damage("it does not begin like a SQLite database")
        self._compare(size, header)

    def _compare(self, size: int, header: bytes) -> None:
        page = int.from_bytes(header[16:18], "big")
        page = 65536 if page == 1 else page
        expected = int.from_bytes(header[28:32], "big") * page
        identity = int.from_bytes(header[68:72], "big")
        if identity != APPLICATION_ID and (identity or size > page):
            raise self._damage("it is a database of another program, or its header is damaged")
        if size < expected and not self.has_log() and self._read_header()[0] < expected:
            # asked again: another process may have written its log back and closed between the questions
            raise self._damage(f"it is cut off: {size:,} of {expected:,} bytes are there")

    def _read_header(self) -> tuple[int, bytes]:
        try:
            with open(os.open(self.database, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
                    raise StoreReadOnly(path=self.database, reason="it is not a regular file")
                return found.st_size, file.read(_HEADER)
        except FileNotFoundError as error:
            if os.path.islink(self.database):
                reason = f"it is a link to {os.readlink(self.database)}, which does not exist"
                raise StoreReadOnly(path=self.database, reason=reason) from error
            return 0, b""
        except IsADirectoryError as error:
            raise StoreReadOnly(path=self.database, reason="it is a directory") from error
        except OSError as error:
            raise translate_os_error(error, self.database) from error

    def _damage(self, reason: str) -> StoreDamaged:
        return StoreDamaged(path=self.database, reason=reason)

    def prepare(self) -> None:
        """Makes directories and files where they are missing, private to this user; never loosens or follows a link."""
        try:
            make_directories(os.path.dirname(self.database))
            with suppress(FileExistsError):
                os.close(os.open(self.database, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            make_directories(self.side)
            self._tighten()
        except OSError as error:
            raise translate_os_error(error, self.database) from error

    def is_only_readable(self) -> bool:
        """Whether there is a database here, and this user may only read where it lies."""
        if not os.path.isfile(self.database) or not os.path.getsize(self.database):
            return False
        return not all(os.access(path, os.W_OK) for path in (self.database, os.path.dirname(self.database)))

    def has_log(self) -> bool:
        try:
            return os.path.getsize(self.log) > 0
        except OSError:
            return False

    def identity(self) -> tuple[int, int] | None:
        """Which file has the database's name now."""
        try:
            found = os.stat(self.database)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def size(self) -> int:
        total = 0
        for path in (self.database, self.log, self.search, f"{self.search}-wal"):
            with suppress(OSError):
                total += os.path.getsize(path)
        return total

    def _tighten(self) -> None:
        for path in (self.database, self.log, self.shared):
            with suppress(FileNotFoundError):
                _only_ours(path, 0o600)
        _only_ours(self.side, 0o700)


def make_directories(path: str) -> None:
    """All that are missing, each 0700 whatever the umask allows."""
    if not os.path.isdir(path):
        make_directories(os.path.dirname(path))
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)


def _only_ours(path: str, mode: int) -> None:
    found = os.stat(path)
    if stat.S_IMODE(found.st_mode) & 0o077 and found.st_uid == os.geteuid():
        os.chmod(path, mode)
