"""Words, queries and snippets: one notion of a word for every index, so that all stores find the same entries.

Text becomes lower-case words without accents; underscores and punctuation separate, and each Chinese, Japanese or
Korean character is a word of its own. A term of the query that holds several words (`foo_bar`, `"two words"`) must
be found as a phrase; a trailing `*` finds words with this beginning. All terms must be found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from baton.core.errors import BadInput
from baton.core.log.entry import body_text, said_text
from baton.core.value import value

INDEXED_LIMIT = 65_536
TERM_LIMIT = 32

_WORD = re.compile(r"[^\W_]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_WIDE = re.compile("([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])")
_TERM = re.compile(r'"([^"]*)"?|(\S+)')


@value
class Term:
    words: tuple[str, ...]
    prefix: bool = False


@value
class Hit:
    """An entry that fits. `spans` are the found words inside `snippet`, for a surface to highlight."""

    conversation_id: str
    title: str
    session_id: str
    seq: int
    kind: str
    at: int
    snippet: str
    spans: tuple[tuple[int, int], ...]


def words(text: str) -> list[str]:
    """The words of (the first part of) a text, in order."""
    text = text[:INDEXED_LIMIT]
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return _WORD.findall(_WIDE.sub(r" \1 ", _plain(text)))


def is_wide(word: str) -> bool:
    """Whether a word is one Chinese, Japanese or Korean character."""
    return _WIDE.fullmatch(word) is not None


def _plain(text: str) -> str:
    """Letters that only look special may be capitals (`™`, `𝕳`), so they are taken apart first."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", "".join(c for c in folded if not unicodedata.combining(c)))


def parse_query(query: str) -> tuple[Term, ...]:
    """The terms of what you typed; `BadInput` if there is no word in it."""
    terms = tuple(term for match in _TERM.finditer(query) if (term := _term(match)).words)
    if not terms:
        raise BadInput(reason='The search text has no word in it. Allowed: words, "phrases" and beginnings* of words.')
    if len(terms) > TERM_LIMIT:
        raise BadInput(reason=f"The search text has {len(terms)} terms; at most {TERM_LIMIT} are allowed.")
    return terms


def _term(match: re.Match[str]) -> Term:
    quoted, plain = match.groups()
    text = plain if quoted is None else quoted
    return Term(tuple(words(text)), prefix=quoted is None and text.endswith("*"))


def snippet(text: str, terms: tuple[Term, ...], width: int = 120) -> tuple[str, tuple[tuple[int, int], ...]]:
    """One line around the first found term, and where the terms stand in it."""
    flat, pattern = " ".join(text[:INDEXED_LIMIT].split()), _pattern(terms)
    found = next(_spans(flat, pattern), None)
    start = max(0, found[0] - width // 3) if found else 0
    cut = flat[start : start + width]
    line = ("…" if start else "") + cut + ("…" if start + width < len(flat) else "")
    return line, tuple(_spans(line, pattern))


def snippet_of(body: str, terms: tuple[Term, ...]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A snippet of what was said in an entry; of everything in its body, if the terms stand only in the rest."""
    line, spans = snippet(said_text(body), terms)
    return (line, spans) if spans else snippet(body_text(body), terms)


def _pattern(terms: tuple[Term, ...]) -> re.Pattern[str]:
    phrases = [
        r"[\W_]*".join(map(re.escape, term.words)) + (r"[^\W_]*" if term.prefix else r"(?![^\W_])") for term in terms
    ]
    return re.compile("|".join(rf"(?<![^\W_]){phrase}" for phrase in phrases))


def _spans(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where the pattern stands in a text; it is searched in the form in which the text is indexed."""
    plain, origins = (text.lower(), range(len(text) + 1)) if text.isascii() else _align(text)
    for match in pattern.finditer(plain):
        yield origins[match.start()], max(origins[match.end()], origins[match.end() - 1] + 1)


def _align(text: str) -> tuple[str, Sequence[int]]:
    """The form in which a text is indexed, and for each of its characters where it came from."""
    pieces = [_piece(character) for character in text]
    origins = [position for position, piece in enumerate(pieces) for _ in piece]
    return "".join(pieces), [*origins, len(text)]


@lru_cache(maxsize=4096)
def _piece(character: str) -> str:
    return _WIDE.sub(r" \1 ", _plain(character))
