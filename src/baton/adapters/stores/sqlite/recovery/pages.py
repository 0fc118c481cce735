"""A database file as numbered pages, read without SQLite: what is damaged elsewhere does not matter here.

Pages that the write-ahead log holds in a committed transaction come from there, as SQLite itself would read them.
https://www.sqlite.org/fileformat2.html
"""

from __future__ import annotations

import os
import struct
from types import TracebackType

from baton.adapters.stores.sqlite.files import MAGIC

DEFAULT_SIZE = 4096
_FRACTIONS = bytes((64, 32, 32))
_LOG_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_LOG_MAGIC = (0x377F0682, 0x377F0683)


class Pages:
    """Read-only; `close` it. A part that the disk cannot read is as good as missing."""

    def __init__(self, path: str) -> None:
        self._file = _open(path)
        self._log = _open(f"{path}-wal")
        header = _read(self._file, 0, 100)
        self.header = header if _plausible(header) else b""
        self.size = _page_size(self.header)
        self._frames, in_log = _frames(self._log, self.size)
        in_file = -(-_length(self._file) // self.size)
        self.count = max(in_file, in_log)

    def page(self, number: int) -> bytes | None:
        """A whole page, filled up with zeros if the file ends within it; None if there is nothing of it."""
        if not 1 <= number <= self.count:
            return None
        if number in self._frames:
            return _read(self._log, self._frames[number], self.size)
        data = _read(self._file, (number - 1) * self.size, self.size)
        return data.ljust(self.size, b"\0") if data else None

    def free(self) -> set[int]:
        """The pages that SQLite holds ready for new content: what is on them was deleted on purpose."""
        first = self.page(1) if self.header or 1 in self._frames else None
        found: set[int] = set()
        trunk = int.from_bytes(first[32:36], "big") if first else 0
        while trunk not in found and (data := self.page(trunk)) is not None:
            following, count = struct.unpack_from(">2I", data)
            count = min(count, self.size // 4 - 2)
            found.update((trunk, *struct.unpack_from(f">{count}I", data, 8)))
            trunk = following
        return found

    def close(self) -> None:
        for fd in (self._file, self._log):
            if fd is not None:
                os.close(fd)

    def __enter__(self) -> Pages:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()


def _open(path: str) -> int | None:
    try:
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None


def _length(fd: int | None) -> int:
    return 0 if fd is None else os.fstat(fd).st_size


def _read(fd: int | None, at: int, size: int) -> bytes:
    if fd is None:
        return b""
    try:
        return os.pread(fd, size, at)
    except OSError:
        return b""


def _plausible(header: bytes) -> bool:
    """The parts that never change between our databases are as they should be."""
    return len(header) == 100 and header[:16] == MAGIC and header[20:24] == b"\0" + _FRACTIONS


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18], "big") if header else DEFAULT_SIZE
    size = 65536 if size == 1 else size
    return size if 512 <= size <= 65536 and not size & (size - 1) else DEFAULT_SIZE


def _frames(log: int | None, size: int) -> tuple[dict[int, int], int]:
    """Where in the log the newest committed version of each page is, and how many pages the database then has."""
    raw = _read(log, 0, _LOG_HEADER.size)
    frames: dict[int, int] = {}
    if len(raw) < _LOG_HEADER.size:
        return frames, 0
    magic, _, log_size, _, *salts, first, second = _LOG_HEADER.unpack(raw)
    order = ">" if magic & 1 else "<"
    sums = _checksum(raw[:24], order, (0, 0))
    if magic not in _LOG_MAGIC or log_size != size or sums != (first, second):
        return frames, 0
    pending: dict[int, int] = {}
    at, pages = _LOG_HEADER.size, 0
    while len(frame := _read(log, at, _FRAME_HEADER.size + size)) == _FRAME_HEADER.size + size:
        number, committed, *frame_salts, first, second = _FRAME_HEADER.unpack_from(frame)
        sums = _checksum(frame[:8] + frame[_FRAME_HEADER.size :], order, sums)
        if frame_salts != salts or sums != (first, second):
            break
        pending[number] = at + _FRAME_HEADER.size
        if committed:
            frames.update(pending)
            pending, pages = {}, committed
        at += _FRAME_HEADER.size + size
    return frames, pages


def _checksum(data: bytes, order: str, start: tuple[int, int]) -> tuple[int, int]:
    first, second = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
