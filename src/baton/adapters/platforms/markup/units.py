"""How long a text is, in the units that platforms count."""

from __future__ import annotations

import unicodedata


def utf16(text: str) -> int:
    """UTF-16 code units: an emoji outside the basic plane counts as two."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)


def utf8(text: str) -> int:
    """Bytes in UTF-8. A lone surrogate counts as the replacement character it would become."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def columns(text: str) -> int:
    """Cells of a fixed-width font."""
    return len(text) if text.isascii() else sum(map(_column, text))


def _column(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
