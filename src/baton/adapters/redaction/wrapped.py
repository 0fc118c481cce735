"""Tokens that a line break parts: which breaks are worth a look, and the text around them without the break."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from baton.adapters.redaction.entropy import is_mixed, is_wordlike
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.thresholds import (
    WRAPPED_AHEAD,
    WRAPPED_BACK,
    WRAPPED_BREAK,
    WRAPPED_HEAD,
    WRAPPED_LINE,
    WRAPPED_WORD,
)
from baton.adapters.redaction.views import View, join_tokens

WRAPPED = Anchor(r"[A-Za-z0-9_+/=$.-]{12}[ \t]?(?:\\?\r?\n|\\n)[ \t]{0,12}[A-Za-z0-9_+/=$-]{6}")
_INDENT = b" \t\r\n\\"
_COMMIT = b"0123456789abcdef"
_WITHIN_NAME = b"+-=_/."
_GOES_ON = re.compile(rb"(?:[ \t]*+(?:\\?\r?\n|\\r\\n|\\n)[ \t]*+[A-Za-z0-9_+/=$.-]++)++[^\n]{0,200}+")
_BREAK = re.compile(rb"[ \t]*+(?:\\\r?\n|\r?\n|\\r\\n|\\n)[ \t]*+")
_RUN_END = re.compile(rb"[A-Za-z0-9_+/=$.-](?=[ \t]*+(?:\\?\r?\n|\\r\\n|\\n))")


def views_across_lines(data: bytes, ends: Sequence[int], hits_in: Callable[[bytes], list[Hit]]) -> Iterator[View]:
    """A view around each break behind which a token goes on.

    All candidates are put one below the other and scanned at once: nearly none holds a token, and to build a view and
    scan it costs fifty times as much as to copy a candidate.
    """
    breaks = [end for end in _apart(sorted(ends)) if _may_continue(data, end)]
    pieces: list[bytes] = []
    starts: list[int] = []
    joints: list[int] = []
    joins: list[tuple[int, Sequence[int]]] = []
    length = 0
    for end in breaks:
        before, whole, once = _joined(data, end)
        joint = len(before) - len(before.rsplit(None, 1)[-1]) if before.strip() else len(before)
        for after, most in ((whole, (0, 1)),) if whole == once else ((whole, (0,)), (once, (1,))):
            pieces += (before, after, b"\n")
            starts.append(length)
            joints.append(length + joint)
            joins.append((end, most))
            length += len(before) + len(after) + 1
    wanted: set[int] = set()
    for _, at in hits_in(b"".join(pieces)) if pieces else ():
        number = bisect_right(starts, at - 1) - 1
        if at > joints[number]:
            wanted.add(number)
    for number in sorted(wanted):
        end, breaks_out = joins[number]
        first = max(0, end - WRAPPED_BREAK)
        for most in breaks_out:
            yield join_tokens(data, max(0, end - WRAPPED_BACK), first, min(len(data), end + WRAPPED_AHEAD), most)


def continues(rest: bytes) -> bool:
    """Whether what follows a token on the next line belongs to it."""
    return is_mixed(rest) and not is_wordlike(rest)


def _apart(ends: Sequence[int]) -> Iterator[int]:
    """Of breaks in a row the first two, which reach far enough."""
    last = before_last = -2 * WRAPPED_LINE
    for end in ends:
        if end - before_last >= 2 * WRAPPED_LINE:
            yield end
        before_last, last = last, end


def _joined(data: bytes, end: int) -> tuple[bytes, bytes, bytes]:
    """The text before the break that a hit at `end` tells of, and what follows: without all the breaks that come next,
    and without that break only, for a token may end with the second line.
    """
    first = _RUN_END.search(data, max(0, end - WRAPPED_BREAK - 2), end)
    at = first.end() if first else end
    follows = _GOES_ON.match(data, at, end + WRAPPED_AHEAD)
    text = follows.group() if follows else b""
    whole, breaks = _BREAK.subn(b"", text)
    return data[max(0, end - WRAPPED_BACK) : at], whole, whole if breaks < 2 else _BREAK.sub(b"", text, count=1)


def _may_continue(data: bytes, end: int) -> bool:
    """Whether the line before a break ends like a token: not with a commit, a word, a path or a line of dashes."""
    words = data[max(0, end - WRAPPED_WORD) : end - WRAPPED_HEAD].rstrip(_INDENT).rsplit(None, 1)
    if not words or not words[-1].strip(_COMMIT):
        return False
    letters = words[-1].translate(None, _WITHIN_NAME)
    return letters != b"" and not (letters.isalpha() and letters[1:].islower())
