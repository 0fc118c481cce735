"""Rows in pages: SQLite's b-trees read cell by cell, each on its own, so that one bad cell costs one row.

    tree      root page ─▶ interior pages ─▶ leaf pages; a table without rowid keeps rows in its interior pages too
    page      kind, list of offsets, … cells from the end towards the list
    cell      payload length, row id (in tables that have one), payload, and the first overflow page if it is long
    payload   length and type of each column, then the columns

A page whose list of offsets is damaged is searched byte by byte; a page that no tree leads to any more is taken for
the table whose rows it fits. What fits is decided by the columns' types and lengths, which must add up exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from baton.adapters.stores.sqlite.recovery.pages import Pages
from baton.core.value import value

Value = int | str | bytes | None

_FIXED = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
_FIRST_TEXT = 13
_HEADER_ON_PAGE_1 = 100


@value
class Shape:
    """What the rows of one tree look like. A column that is the row id itself is stored as NULL: `alias`."""

    name: str
    columns: tuple[str, ...]
    texts: tuple[bool, ...]
    nullable: tuple[bool, ...]
    root: int
    has_rowid: bool
    alias: str = ""

    @property
    def leaf(self) -> int:
        return 13 if self.has_rowid else 10

    @property
    def interior(self) -> int:
        return 5 if self.has_rowid else 2

    def fits(self, types: Sequence[int]) -> bool:
        return len(types) == len(self.columns) and all(map(_is_allowed, types, self.texts, self.nullable))


def _is_allowed(kind: int, text: bool, nullable: bool) -> bool:
    if kind == 0:
        return nullable
    return kind >= _FIRST_TEXT and kind % 2 == 1 if text else 0 < kind <= 6 or kind in (8, 9)


class Cell(NamedTuple):
    """A row's place: cheap to keep for millions of rows. `start` to `end` is what of the payload is on the page."""

    page: int
    rowid: int
    size: int
    start: int
    end: int


class Trees:
    """Reads trees and remembers which pages they led to."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._reached: set[int] = set()
        self.broken = False

    def cells(self, shape: Shape) -> Iterator[Cell]:
        """Every row of the tree that can be reached; those that the page itself lists come first."""
        for number, data in self._nodes(shape):
            yield from _cells_of(shape, number, data)

    def loose(self, shapes: Sequence[Shape]) -> Iterator[tuple[Shape, Cell]]:
        """Rows on pages that no tree leads to, if the way to some page was lost. Ask when all trees were read."""
        if not self.broken:
            return
        known = self._reached | self._pages.free()
        for number in range(2, self._pages.count + 1):
            data = None if number in known else self._pages.page(number)
            shape = _best(shapes, number, data) if data else None
            if data and shape:
                yield from ((shape, cell) for cell in _cells_of(shape, number, data))

    def read(self, shape: Shape, cell: Cell) -> dict[str, Value] | None:
        """The row, a text that is not UTF-8 as bytes; None if a part of it is gone."""
        payload = self._payload(cell)
        if payload is None:
            return None
        row = dict(zip(shape.columns, _values(payload), strict=True))
        if shape.alias:
            row[shape.alias] = cell.rowid
        return row

    def _nodes(self, shape: Shape) -> Iterator[tuple[int, bytes]]:
        waiting, seen = [shape.root], set[int]()
        while waiting:
            number = waiting.pop()
            data = self._pages.page(number)
            if data is None or number in seen:
                self.broken = True
                continue
            seen.add(number)
            kind = data[_base(number)]
            if kind == shape.interior:
                waiting += self._children(number, data)
            elif kind != shape.leaf:
                self.broken = True
            if kind != shape.interior or not shape.has_rowid:
                yield number, data
        self._reached |= seen

    def _children(self, number: int, data: bytes) -> list[int]:
        base = _base(number)
        offsets = _offsets(data, base, 12)
        self.broken |= offsets is None
        links = [base + 8, *(offsets or ())]
        return [int.from_bytes(data[link : link + 4], "big") for link in reversed(links)]

    def _payload(self, cell: Cell) -> bytes | None:
        data = self._pages.page(cell.page)
        if data is None:
            return None
        parts, left = [data[cell.start : cell.end]], cell.size - (cell.end - cell.start)
        following = int.from_bytes(data[cell.end : cell.end + 4], "big")
        while left > 0:
            data = self._pages.page(following)
            if data is None:
                return None
            parts.append(data[4 : 4 + left])
            following, left = int.from_bytes(data[:4], "big"), left - len(parts[-1])
        return b"".join(parts)


def _best(shapes: Sequence[Shape], number: int, data: bytes) -> Shape | None:
    """The shape that most of a page's cells have."""

    def hits(shape: Shape) -> int:
        kinds = (shape.leaf,) if shape.has_rowid else (shape.leaf, shape.interior)
        return sum(1 for _ in _list_cells(shape, number, data)) if data[0] in kinds else 0

    best = max(shapes, key=hits)
    return best if hits(best) else None


def _cells_of(shape: Shape, number: int, data: bytes) -> Iterator[Cell]:
    found = list(_list_cells(shape, number, data))
    yield from found
    offsets = _offsets(data, _base(number), 8)
    if data[_base(number)] not in (shape.leaf, shape.interior) or offsets is None or len(found) < len(offsets):
        yield from _search_cells(shape, number, data, found)


def _list_cells(shape: Shape, number: int, data: bytes) -> Iterator[Cell]:
    base = _base(number)
    interior = data[base] == shape.interior
    if interior or data[base] == shape.leaf:
        for offset in _offsets(data, base, 12 if interior else 8) or ():
            cell = _cell(shape, number, data, offset + 4 if interior else offset)
            if cell is not None:
                yield cell


def _search_cells(shape: Shape, number: int, data: bytes, found: list[Cell]) -> Iterator[Cell]:
    """Cells anywhere on the page but within those that were found already."""
    taken = {at for cell in found for at in range(cell.start, cell.end)}
    at = _base(number) + 8
    while at < len(data):
        cell = None if at in taken else _cell(shape, number, data, at)
        if cell is not None and cell.start not in taken:
            yield cell
            at = cell.end
        else:
            at += 1


def _base(number: int) -> int:
    return _HEADER_ON_PAGE_1 if number == 1 else 0


def _offsets(data: bytes, base: int, header: int) -> list[int] | None:
    """Where the page says that its cells are; None if it says that there are more than it has room for."""
    count = int.from_bytes(data[base + 3 : base + 5], "big")
    first = base + header
    if first + 2 * count > len(data):
        return None
    return [int.from_bytes(data[at : at + 2], "big") for at in range(first, first + 2 * count, 2)]


def _cell(shape: Shape, number: int, data: bytes, at: int) -> Cell | None:
    """The cell that begins here, if it can be a row of this shape."""
    try:
        size, at = _varint(data, at)
        rowid, at = _varint(data, at) if shape.has_rowid else (0, at)
        types, length = _types(data, at, size)
    except IndexError:
        return None
    local = _local(shape, size, len(data))
    end = at + local + (4 if local < size else 0)
    if end > len(data) or not shape.fits(types) or length + sum(map(_length, types)) != size:
        return None
    return Cell(number, rowid, size, at, at + local)


def _local(shape: Shape, size: int, page: int) -> int:
    """How much of a payload is kept on the page itself."""
    most = page - 35 if shape.has_rowid else (page - 12) * 64 // 255 - 23
    least = (page - 12) * 32 // 255 - 23
    if size <= most:
        return size
    rest = least + (size - least) % (page - 4)
    return rest if rest <= most else least


def _types(data: bytes, at: int, size: int) -> tuple[list[int], int]:
    """The types of a payload's columns, and how long that list itself is; nothing fits a length out of range."""
    length, place = _varint(data, at)
    types: list[int] = []
    if length > min(size, 200):
        return types, length
    while place < at + length:
        kind, place = _varint(data, place)
        types.append(kind)
    return (types if place == at + length else []), length


def _length(kind: int) -> int:
    return _FIXED[kind] if kind < len(_FIXED) else max(0, kind - 12) // 2


def _values(payload: bytes) -> Iterator[Value]:
    types, at = _types(payload, 0, len(payload))
    for kind in types:
        raw = payload[at : at + _length(kind)]
        at += len(raw)
        yield _value(kind, raw)


def _value(kind: int, raw: bytes) -> Value:
    if kind == 0:
        return None
    if kind < _FIRST_TEXT - 1:
        return kind - 8 if kind in (8, 9) else int.from_bytes(raw, "big", signed=True)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """SQLite's own integers: seven bits a byte, the ninth byte whole. `IndexError` beyond the end."""
    value = 0
    for place in range(at, at + 8):
        byte = data[place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64 if value >= 1 << 63 else 0), at + 9
