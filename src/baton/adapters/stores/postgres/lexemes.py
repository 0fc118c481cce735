"""Words as PostgreSQL keeps them for searching, within its limits.

A `tsvector` holds at most 1 MB, 2 KB a word, 255 positions a word and no position above 16,383. PostgreSQL's own parser
is not asked: it would take words apart that are whole for everybody else (`00e1f` becomes `00e1` and `f`).
"""

from __future__ import annotations

from baton.core.log.search import Term
from baton.core.value import value

LONGEST = 400
_LAST_POSITION = 16_383
_POSITIONS = 255
_ROOM = 900_000
_CUT = "…"


@value
class Vector:
    """`text` is a `tsvector`. Unless it is `whole`, some positions or ends of words are missing: it still finds every
    word, but whether words follow each other must be looked up in the entry itself.
    """

    text: str
    whole: bool


def vector(words: str) -> Vector:
    """`words` are separated by single spaces."""
    places: dict[str, list[str]] = {}
    whole, room = True, _ROOM
    for position, word in enumerate(words.split(), 1):
        lexeme = _lexeme(word)
        if lexeme not in places:
            room -= len(lexeme.encode()) + 16
            if room < 0:
                whole = False
                break
        found = places.setdefault(lexeme, [])
        if position <= _LAST_POSITION and len(found) < _POSITIONS and lexeme == word:
            found.append(str(position))
        else:
            whole = False
    return Vector(" ".join(f"'{word}'" + (f":{','.join(at)}" if at else "") for word, at in places.items()), whole)


def all_words(terms: tuple[Term, ...]) -> str:
    """A `tsquery` for entries that hold every word, wherever."""
    return " & ".join(" & ".join(_parts(term)) for term in terms)


def all_phrases(terms: tuple[Term, ...]) -> str:
    """A `tsquery` for entries that hold every term, its words following each other."""
    return " & ".join(f"({' <-> '.join(_parts(term))})" for term in terms)


def holds(words: str, terms: tuple[Term, ...]) -> bool:
    """Whether the words of an entry hold every term."""
    line = f" {words} "
    return all(f" {' '.join(term.words)}{'' if term.prefix else ' '}" in line for term in terms)


def _parts(term: Term) -> list[str]:
    parts = [f"'{_lexeme(word)}'" for word in term.words]
    return [*parts[:-1], parts[-1] + ":*"] if term.prefix else parts


def _lexeme(word: str) -> str:
    """A long word is cut, and marked so that it never equals a word that just ends there."""
    return word if len(word) <= LONGEST else word[:LONGEST] + _CUT
