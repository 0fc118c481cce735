"""Everything readable in a damaged database: rows with the fields that can be true, and what their indexes tell of
rows that are gone.

Where a table is comes from the database's own schema, or, if that is gone, from a new database: the same migrations
put the same tables on the same pages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

from baton.adapters.stores.sqlite import migrate
from baton.adapters.stores.sqlite.recovery.cells import Cell, Shape, Trees
from baton.adapters.stores.sqlite.recovery.fields import CHECKS, INDEXED_TOO, KEYS, Facts, true_fields
from baton.adapters.stores.sqlite.recovery.pages import Pages
from baton.core.value import replace

_SCHEMA = Shape(
    "sqlite_master",
    columns=("type", "name", "tbl_name", "rootpage", "sql"),
    texts=(True, True, True, False, True),
    nullable=(False, False, False, False, True),
    root=1,
    has_rowid=True,
)


class Found:
    """What was read: table → key → fields, and where each entry is. A field that cannot be true is left out."""

    def __init__(self, pages: Pages) -> None:
        self._trees = Trees(pages)
        self._version = int.from_bytes(pages.header[60:64], "big")
        self._entry: Shape
        self._spare: dict[int, list[Cell]] = {}
        self.room = pages.count * pages.size
        self.entries: dict[int, Cell] = {}
        self.rows: dict[str, dict[Any, Facts]] = {table: {} for table in CHECKS}
        self.hints: dict[str, dict[Any, Facts]] = {table: {} for table in CHECKS}

    def whole(self, table: str, key: Any) -> bool:
        return len(self.rows[table].get(key, ())) == len(CHECKS[table])

    def keys(self, table: str) -> list[Any]:
        """Of every row that is or was there."""
        return sorted(self.rows[table].keys() | self.hints[table].keys())

    def facts(self, table: str, key: Any) -> Facts:
        """All that is known of a row; the name of a partial index is true if the row was in it."""
        return {**self.hints[table].get(key, {}), **self.rows[table].get(key, {})}

    def entry(self, entry_id: int) -> Iterator[Facts]:
        """Every version of an entry that is somewhere; normally one."""
        for cell in (self.entries.get(entry_id), *self._spare.get(entry_id, ())):
            row = self._trees.read(self._entry, cell) if cell else None
            if row is not None:
                yield row

    def empty(self) -> bool:
        return not any((self.entries, *self.rows.values(), *self.hints.values()))

    def read(self) -> None:
        tables, indexes = _shapes(self._trees, self._version)
        self._entry = next(shape for shape in tables if shape.name == "entry")
        for shape in tables:
            for cell in self._trees.cells(shape):
                self._take(shape, cell)
        for table, shape in indexes:
            self._take_hints(table, shape)
        named = (facts for facts in self.hints["packet"].values() if "id" in facts)
        self.hints["packet"] = {facts["id"]: facts for facts in named}
        for shape, cell in self._trees.loose(tables):
            self._take(shape, cell)

    def _take(self, shape: Shape, cell: Cell) -> None:
        if shape.name != "entry":
            facts = true_fields(CHECKS[shape.name], self._trees.read(shape, cell) or {})
            key = facts.get(KEYS[shape.name])
            if key is not None and len(facts) > len(self.rows[shape.name].get(key, ())):
                self.rows[shape.name][key] = facts
        elif self.entries.setdefault(cell.rowid, cell) is not cell:
            self._spare.setdefault(cell.rowid, []).append(cell)

    def _take_hints(self, table: str, shape: Shape) -> None:
        """An index holds some fields of each row, and a partial one tells something by holding the row at all."""
        key_name = "rowid" if table == "packet" else KEYS[table]
        for cell in self._trees.cells(shape):
            facts = true_fields({**CHECKS[table], **INDEXED_TOO}, self._trees.read(shape, cell) or {})
            key = facts.get(key_name)
            if key is not None:
                self.hints[table].setdefault(key, {}).update(facts, **{shape.name: True})


def _shapes(trees: Trees, version: int) -> tuple[list[Shape], list[tuple[str, Shape]]]:
    """The shapes of all tables we keep rows of, and of their indexes, as they were in this version or are now."""
    model = sqlite3.connect(":memory:", isolation_level=None)
    try:
        known = migrate.known_migrations()
        migrate.migrate(model, ":memory:", known[:version] or known, 0, lambda _: "")
        names = model.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master").fetchall()
        own = {row["name"]: row for cell in trees.cells(_SCHEMA) if (row := trees.read(_SCHEMA, cell))}
        tables: dict[str, Shape] = {}
        indexes: list[tuple[str, Shape]] = []
        for kind, name, table, root, sql in names:
            there = own.get(name, {})
            place = there["rootpage"] if there.get("sql") == sql and isinstance(there.get("rootpage"), int) else root
            if kind == "table" and (name in CHECKS or name == "entry"):
                tables[name] = replace(_table(model, name), root=place)
            elif kind == "index" and table in CHECKS:
                indexes.append((table, replace(_index(model, name, tables[table]), root=place)))
    finally:
        model.close()
    return list(tables.values()), indexes


def _table(model: sqlite3.Connection, name: str) -> Shape:
    columns = model.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (name,)).fetchall()
    rowless = model.execute("SELECT wr FROM pragma_table_list(?)", (name,)).fetchone()[0]
    alias = next((column for column, kind, _, key in columns if key and kind == "INTEGER"), "")
    return Shape(
        name,
        columns=tuple(column for column, *_ in columns),
        texts=tuple(kind == "TEXT" for _, kind, *_ in columns),
        nullable=tuple(column == alias or not notnull for column, _, notnull, _ in columns),
        root=0,
        has_rowid=not rowless,
        alias=alias,
    )


def _index(model: sqlite3.Connection, name: str, table: Shape) -> Shape:
    """Its columns, and last what identifies the row: the row id under its own name, or the primary key."""
    found = model.execute("SELECT name FROM pragma_index_xinfo(?)", (name,)).fetchall()
    columns = tuple(column or table.alias or "rowid" for (column,) in found)
    kinds = dict(zip(table.columns, zip(table.texts, table.nullable, strict=True), strict=True))
    kinds[table.alias or "rowid"] = (False, False)
    return Shape(
        name,
        columns=columns,
        texts=tuple(kinds[column][0] for column in columns),
        nullable=tuple(kinds[column][1] for column in columns),
        root=0,
        has_rowid=False,
    )
