"""Pointers of a document into its transcript: whether the entry that one names is about what the line says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from baton.core.log.entry import Entry, strings
from bench.continuity.document import Document
from bench.continuity.folding import bare

_FULL = re.compile(r"[(\[][^()\[\]]{0,40}?\bg(?:en(?:eration)? ?)?(\d{1,4}) ?#(\d{1,7})\b[^()\[\]]{0,40}[)\]]")
_SHORT = re.compile(r"[(\[](?:[^()\[\]]{0,40}\s)?#(\d{1,7})[)\]]\W*$")
_WORD = re.compile(r"[\w./:-]{3,}|[\u3040-\u9fff]{2}")
_PARTS = re.compile(r" → | \(to: |: |, but see ")
SHARE = 0.5
"""So many words of a line, or of one of its parts, must be in the entry, its call or its result."""


def pointers(document: Document, generations: Sequence[Sequence[Entry]]) -> tuple[int, list[str]]:
    """How many pointers there are, and the lines whose pointer names another entry."""
    wrong: list[str] = []
    count = 0
    for text, number, seq in _pointing(document, len(generations)):
        parts = [words for part in (text, *_PARTS.split(text)) if len(words := _WORD.findall(bare(part).lower())) >= 2]
        if not parts:
            continue
        count += 1
        named = _around(generations, number, seq)
        whole = [bare(part).lower().strip("-*> ") for part in _PARTS.split(text)]
        if not any(part and part in named for part in whole) and not any(_names(words, named) for words in parts):
            wrong.append(text[:160])
    return count, wrong


def _pointing(document: Document, last: int) -> Iterator[tuple[str, int, int]]:
    """Each line with a pointer, without it; a line that ends with a colon goes on in the next."""
    for place, line in enumerate(document.lines):
        full, short = _FULL.search(line.text), _SHORT.search(line.text)
        found = full or short
        if found is None:
            continue
        text = f"{line.text[: found.start()]}{line.text[found.end() :]}".strip()
        if text.endswith(":") and place + 1 < len(document.lines):
            text = document.lines[place + 1].text
        yield (text, int(full[1]), int(full[2])) if full else (text, last, int(found[1]))


def _names(words: Sequence[str], text: str) -> bool:
    return bool(text) and sum(word in text for word in words) >= SHARE * len(words)


def _around(generations: Sequence[Sequence[Entry]], number: int, seq: int) -> str:
    """The entry's text and that of the call or result it belongs to."""
    if not 1 <= number <= len(generations) or not 1 <= seq <= len(generations[number - 1]):
        return ""
    entries = generations[number - 1]
    named = entries[seq - 1]
    ids = _ids(named)
    near = [each for each in entries[max(0, seq - 12) : seq + 12] if ids & _ids(each)]
    return bare(" ".join(text for each in (named, *near) for text in strings(each.data))).lower()


def _ids(entry: Entry) -> set[str]:
    data = entry.data
    called = {str(call.get("id")) for call in data.get("calls") or ()}
    return (called | {str(data.get("id", ""))}) - {""}
