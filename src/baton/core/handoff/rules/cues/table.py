"""What a language says rules with: patterns by what they prove, one file per language beside this one.

A file has a section per kind: after its name in brackets, one pattern per line, and `<NAME>` stands for a term of the
file. They match folded sentences and are folded themselves, so they may be written as usual.

- `words`: the small words by which a language is known; after a word of `joints` a clause begins.
- `opens` counts at the beginning of a clause, `says` anywhere; of `hints` and `general` it takes two.
- `tells` speaks for a report, `never` rules a rule out.
- `general` makes a rule standing, `passing` makes it one of the task.
- `takes` takes a rule back, `allows` permits what it forbids; `lasting` permits it for good.
- `replaces` stands before what something else takes the place of.
- `announces` and `closes` begin a message that begins a task, `follows` one that belongs to the running task.
"""

from __future__ import annotations

import os
import re
from functools import cache

from baton.core.handoff.rules.cues.patterns import Patterns
from baton.core.handoff.rules.folding import Folded, strip_marks

LATIN = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr")
CYRILLIC = ("ru", "uk")
DENSE = ("zh", "ja", "ko", "ar", "hi")
"""Languages by their letters; where words run into each other, patterns are tried everywhere."""

_TERM = re.compile(r"<([A-Z]{2,20})>")
_CLAUSE = re.compile(r"[,;:(–—،，、；：।…。]\s?|\s-{1,2}\s")
_LEADING = re.compile(r"\W{0,4}")


class Cues:
    """The tables of one language. Each is compiled when it is first asked for."""

    def __init__(self, language: str) -> None:
        self._sections = _read(language)
        self._spaced = language not in DENSE
        self._tables: dict[str, Patterns] = {}

    def get(self, section: str) -> Patterns:
        if section not in self._tables:
            lines = self._sections.get(section, [])
            if section == "joints" and self._spaced:
                lines = [rf"(?:{line})(?!\w)" for line in lines]
            self._tables[section] = Patterns(lines, spaced=self._spaced)
        return self._tables[section]

    def find_opening(self, sentence: Folded) -> int | None:
        """Where the first clause begins that begins like a rule."""
        opens, text = self.get("opens"), sentence.text
        leading = _LEADING.match(text)
        clauses = [leading.end() if leading else 0, *(match.end() for match in _CLAUSE.finditer(text))]
        clauses += [_skip(text, end) for _, end in self.get("joints").find_spans(sentence)]
        return next((at for at in sorted(clauses) if opens.match_at(text, at)), None)


@cache
def load_cues(language: str) -> Cues:
    """Read on first use: most commands never look for a rule."""
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
            if line.startswith("[") and line.endswith("]") and line.isascii() and line[1:-1].isalpha():
                sections[line[1:-1]] = []
            elif line and not line.startswith("# "):
                sections[next(reversed(sections))].append(strip_marks(line))
    terms = dict(line.split(" = ", 1) for line in sections.pop("terms", []))
    return {
        name: [_TERM.sub(lambda match: terms[match[1]], line) for line in lines] for name, lines in sections.items()
    }


def _skip(text: str, at: int) -> int:
    """Past a comma or colon and a space after a joint."""
    at += text[at : at + 1] in (",", ":")
    return at + (text[at : at + 1] == " ")
