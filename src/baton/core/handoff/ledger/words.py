"""Cutting what was said: beginnings, ends, both with a count between, and the sentences of a text.

A sentence does not end at a dot inside code, a name, a number or a file name: only where a space or the end follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from baton.core.text import fold_spaces

_ENDS = re.compile(r"(?<=[.!?…])[\"'”’)\]*_`]{0,3}\s+(?=[^\sa-z])|(?<=[。！？])|\n+")
_ABBREVIATIONS = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|z\.B|bzw|p\.ex|No|Nr|Dr|Mr|Ms|St))\.\s*$", re.IGNORECASE
)
_QUOTED_CODE = re.compile(r"```.{0,4000}?(?:```|\Z)|`[^`\n]{1,400}`", re.DOTALL)
_ASKING = re.compile(r"\?[\"'”’»)\]*_!?]{0,4}(?=\s|\Z)|[？؟]")
_OPTION = re.compile(r"[-*•(\[]{0,3} ?(?:[0-9]{1,2}|[a-zA-Z])[.):\]]\W? ?\S")
_LITTLE = 40
_END = 1200
_LINK = re.compile(r"https?://\S{1,500}")


def keep_ends(text: str, limit: int, end: float = 0.5) -> str:
    """Beginning and end of a text, and how much was left out between them. `end` is the end's share."""
    if len(text) <= limit:
        return text
    room = max(2, limit - 30)
    tail = max(1, int(room * end))
    head = max(1, room - tail)
    return f"{text[:head].rstrip()} […{len(text) - head - tail:,} characters…] {text[-tail:].lstrip()}"


def keep_start(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, folded, without empty ones."""
    found: list[str] = []
    held = ""
    for part in _ENDS.split(text):
        held = f"{held} {part}" if held else part
        if not _ABBREVIATIONS.search(held[-12:]):
            found.append(held)
            held = ""
    return [folded for each in (*found, held) if (folded := fold_spaces(each))]


def last_words(text: str, limit: int) -> str:
    """As many whole sentences from the end as fit, at least the end of the last one."""
    kept: list[str] = []
    spent = 0
    for sentence in reversed(sentences(text[-4 * limit :])):
        spent += len(sentence) + 1
        if spent > limit:
            break
        kept.append(sentence)
    return " ".join(reversed(kept)) or f"…{fold_spaces(text[-limit:])}"


def is_asking(text: str) -> bool:
    """Whether a text ends by asking something: one of its last sentences, or of those before the options it ends with,
    has a question mark that is no part of code or of a link.
    """
    said = sentences(_QUOTED_CODE.sub("`…`", text[-_END:]))
    return any(map(_is_question, (*said[-3:], *said[: len(said) - _count_options(said)][-1:])))


def closing_words(text: str, limit: int) -> str:
    """The last sentence. One that says little by itself, such as "Which one?" or an option, comes with as many before
    it as fit.
    """
    said = sentences(text[-_END:])
    if not said or (len(said[-1]) > _LITTLE and not _count_options(said)):
        return said[-1] if said else ""
    return last_words(text, limit)


def _count_options(said: Sequence[str]) -> int:
    """How many sentences at the end are items of a list: "a) yes", "2. Cache it"."""
    return len(list(takewhile(_OPTION.match, reversed(said))))


def _is_question(sentence: str) -> bool:
    return _ASKING.search(_LINK.sub(_keep_mark, sentence)) is not None


def _keep_mark(link: re.Match[str]) -> str:
    """A mark right after a link ends the sentence, not the link."""
    return "?" if link[0].endswith("?") else "…"
