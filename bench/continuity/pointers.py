"""Pointers of a document into its transcript: whether the entry that one names is about what the line says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from baton.core.log.entry import Entry, strings
from bench.continuity.document import Document
from bench.continuity.folding import bare

_FULL = re.compile(r"\bg(?:en(?:eration)? ?)?(\d{1,4}) ?#(\d{1,7})\b")
_SHORT = re.compile(r"[(\[](?:[^()\[\]]{0,40}\s)?#(\d{1,7})[)\]]\W*$")
_WORD = re.compile(r"[\w./:-]{3,}|[\u3040-\u9fff]{2}")
SHARE = 0.5
"""So many of a line's words must be in the entry, its call or its result."""


def pointers(document: Document, generations: Sequence[Sequence[Entry]]) -> tuple[int, list[str]]:
    """How many pointers there are, and the lines whose pointer names another entry."""
    wrong: list[str] = []
    count = 0
    for line in document.lines:
        full, short = _FULL.search(line.text), _SHORT.search(line.text)
        found = full or short
        if found is None:
            continue
        said = f"{line.text[: found.start()]} {line.text[found.end() :]}"
        words = _WORD.findall(bare(said).lower())
        if len(words) < 2:
            continue
        count += 1
        number, seq = (int(full[1]), int(full[2])) if full else (len(generations), int(found[1]))
        if not _names(words, _around(generations, number, seq)):
            wrong.append(line.text[:160])
    return count, wrong


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
    return (
        {str(data.get("id", ""))} | {str(call.get("id")) for call in data.get("calls") or ()} - {""} if data else set()
    )
