"""A table as lines of a fixed-width font."""

from __future__ import annotations

from collections.abc import Sequence

from baton.adapters.platforms.markup.units import columns

_WIDEST = 40
"""Columns are padded up to here; a longer cell moves the rest of its line."""


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """The rows with aligned columns, a rule below the first."""
    widths = [min(_WIDEST, max(map(columns, cells))) for cells in zip(*rows, strict=True)]
    lines = [_line(row, widths) for row in rows]
    lines.insert(1, "  ".join("─" * max(width, 1) for width in widths))
    return "\n".join(lines)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True))
    return "  ".join(padded).rstrip()
