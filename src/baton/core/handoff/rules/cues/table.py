"""What a language says rules with: patterns by what they prove, one file per language beside this one.

A file has a section per kind: after its name in brackets, one pattern per line, and `<NAME>` stands for a term of the
file. Sections: `words` are the small words by which a language is known; after a word of `joints` a clause begins.
`opens` counts at the beginning of a clause, `says` anywhere; of `hints` and `general` it takes two. `tells` speaks for
a report, `never` rules a rule out. `general` makes a rule standing, `passing` makes it one of the task.

Patterns match folded sentences: lower case, straight apostrophes, one space between words, Latin and Cyrillic letters
without their marks, quoted words and code taken out. They are folded themselves, so they may be written as usual.
"""

from __future__ import annotations

import os
import re
import unicodedata
from functools import cache
from itertools import islice

SPACED = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ru", "uk")
DENSE = ("zh", "ja", "ko", "ar", "hi")
"""Languages whose words end where a pattern expects it, and those where they run into each other."""

QUOTE = "\u00a4"
"""Stands where quoted words or code were."""

_MARKS = re.compile("[\u0300-\u036f]")
_LETTERS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "ł": "l", "ø": "o", "ı": "i", "\u00a0": " "})
_QUOTED = re.compile(
    r"`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|„[^“”\n]{1,200}[“”]|「[^」\n]{1,200}」"
)
_TERM = re.compile(r"<([A-Z]{2,20})>")
_CLAUSE = r"^\W{0,4}|[,;:(–—،，、；：।…。]\s?|\s-{1,2}\s"


def fold(text: str) -> str:
    """The form of a sentence that patterns match."""
    return " ".join(strip_marks(_QUOTED.sub(QUOTE, text).casefold()).split())


def strip_marks(text: str) -> str:
    plain = text.translate(_LETTERS)
    return (
        plain if plain.isascii() else unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", plain)))
    )


class Table:
    """Patterns of one kind. Those that begin with `^` are tried at the beginning only, which is where most belong."""

    __slots__ = ("_anywhere", "_at_start")

    def __init__(self, patterns: list[str], edge: str) -> None:
        self._at_start = _join([line[1:] for line in patterns if line.startswith("^")])
        self._anywhere = _join([line for line in patterns if not line.startswith("^")], edge)

    def matches(self, folded: str) -> bool:
        return self.count(folded, 1) > 0

    def count(self, folded: str, most: int) -> int:
        """How many patterns are found, up to `most`."""
        found = int(self._at_start is not None and self._at_start.match(folded) is not None)
        rest = self._anywhere.finditer(folded) if self._anywhere is not None and found < most else ()
        return found + len(tuple(islice(rest, most - found)))


class Cues:
    """The tables of one language, compiled."""

    def __init__(self, language: str) -> None:
        sections = _read(language)
        edge = r"\b" if language in SPACED else ""
        joints = "|".join(sections["joints"])
        self._starts = re.compile(rf"{_CLAUSE}|{edge}(?:{joints}){edge}[,:]?\s?")
        self._opens = _join(sections["opens"])
        self.says = Table(sections["says"], edge)
        self.hints = Table(sections["hints"], edge)
        self.general = Table(sections["general"], edge)
        self.passing = Table(sections["passing"], edge)
        self.tells = Table(sections["tells"], edge)
        self.never = Table(sections["never"], edge)

    def opens(self, folded: str) -> bool:
        """Whether a clause of the sentence begins like a rule."""
        opens = self._opens
        return opens is not None and any(opens.match(folded, at.end()) for at in self._starts.finditer(folded))


@cache
def load_cues(language: str) -> Cues:
    """Read and compiled on first use: most commands never look for a rule."""
    return Cues(language)


@cache
def small_words(language: str) -> frozenset[str]:
    return frozenset(" ".join(_read(language).get("words", [])).split())


@cache
def _read(language: str) -> dict[str, list[str]]:
    """The sections of a language's file, its terms put in."""
    sections: dict[str, list[str]] = {}
    with open(os.path.join(os.path.dirname(__file__), f"{language}.txt"), encoding="utf-8") as file:
        for line in map(str.strip, file):
            if line.startswith("[") and line.endswith("]") and line[1:-1].isalpha() and line.isascii():
                sections[line[1:-1]] = []
            elif line and not line.startswith("# "):
                sections[next(reversed(sections))].append(strip_marks(line))
    terms = dict(line.split(" = ", 1) for line in sections.pop("terms", []))
    return {
        name: [_TERM.sub(lambda match: terms[match[1]], line) for line in lines] for name, lines in sections.items()
    }


def compile_section(name: str, section: str) -> re.Pattern[str]:
    """One section of a file beside this one, its patterns as alternatives."""
    return re.compile("|".join(f"(?:{each})" for each in _read(name)[section]))


def _join(patterns: list[str], edge: str = "") -> re.Pattern[str] | None:
    return re.compile(f"{edge}(?:{'|'.join(f'(?:{each})' for each in patterns)})") if patterns else None
