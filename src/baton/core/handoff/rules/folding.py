"""The form in which sentences and patterns meet: lower case, straight apostrophes, letters without their marks."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from baton.core.value import value

QUOTE = "\u00a4"
"""Stands where quoted words or code were."""

_MARKS = re.compile("[\u0300-\u036f]")
_LETTERS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "ł": "l", "ø": "o", "ı": "i", "\u00a0": " "})
_QUOTED = re.compile(
    r"`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|„[^“”\n]{1,200}[“”]|「[^」\n]{1,200}」"
)
_WORD = re.compile(r"\w+")


@value
class Folded:
    """A folded text, and where its words begin."""

    text: str
    starts: tuple[int, ...]


@lru_cache(maxsize=512)
def fold(text: str) -> str:
    """One space between words; quoted words and code are taken out."""
    return " ".join(strip_marks(_QUOTED.sub(QUOTE, text).casefold()).split())


@lru_cache(maxsize=512)
def find_words(folded: str) -> Folded:
    return Folded(folded, tuple([word.start() for word in _WORD.finditer(folded)]))


def strip_marks(text: str) -> str:
    """Latin and Cyrillic letters without accents; other scripts as they are."""
    plain = text.translate(_LETTERS)
    if plain.isascii():
        return plain
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", plain)))
