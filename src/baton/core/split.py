"""Splitting Markdown into parts of a limited size, never inside what a reader takes for one character.

That is a letter with its accents, emoji joined into one picture, or a flag. A code fence that is cut is closed in one
part and opened again in the next.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator

from baton.core.value import value

_JOINER = "\u200d"
_FURTHEST = 64


def before(text: str, at: int, floor: int) -> int:
    """The last place up to `at`, and above `floor`, that is not inside a character; `at` if there is none."""
    for place in range(at, max(floor, at - _FURTHEST), -1):
        if not _is_joined(text, place):
            return place
    return at


def _is_joined(text: str, at: int) -> bool:
    """Whether the characters on both sides of this place belong together."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    if left.isascii() and right.isascii():
        return left == "\r" and right == "\n"
    if left == _JOINER or right == _JOINER or _extends(right):
        return True
    if "\ud800" <= left <= "\udbff":
        return "\udc00" <= right <= "\udfff"
    return _is_flag_half(right) and _flag_halves(text, at) % 2 == 1


def _extends(character: str) -> bool:
    """Marks, skin tones, tags, and the later parts of a Korean syllable."""
    return (
        unicodedata.category(character)[0] == "M"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or "\u1160" <= character <= "\u11ff"
    )


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_halves(text: str, at: int) -> int:
    """How many regional letters stand directly before this place, up to `_FURTHEST`."""
    start = at
    while start > 0 and at - start < _FURTHEST and _is_flag_half(text[start - 1]):
        start -= 1
    return at - start


_OPENING = re.compile(r"^((?:[ \t]|>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])*)((`{3,})[^`\n]*|(~{3,})[^\n]*)$", re.MULTILINE)
_MARKER = re.compile(r"[^ \t>]")


@value
class Fence:
    """Offsets into the text: the opening line, its first line of code, the closing line (or the end of the text).

    `opening` and `closing` are the lines that open and close it again, without line breaks. `indent` is how far a list
    moves it to the right.
    """

    start: int
    inside: int
    closed: int
    end: int
    opening: str
    closing: str
    indent: int

    def at_margin(self, text: str) -> str:
        """Its lines without the indentation of the list they stood in."""
        return re.sub(rf"^[ \t]{{1,{self.indent}}}", "", text, flags=re.MULTILINE) if self.indent else text


def fences(text: str) -> list[Fence]:
    """In order; none overlaps another. A fence that is never closed reaches to the end."""
    found: list[Fence] = []
    at = 0
    while at < len(text) and (opening := _OPENING.search(text, at)):
        found.append(_fence(text, opening))
        at = found[-1].end
    return found


def _fence(text: str, opening: re.Match[str]) -> Fence:
    ticks = opening[3] or opening[4]
    inside = min(opening.end() + 1, len(text))
    closing = re.compile(rf"^[ \t>]*{re.escape(ticks[0])}{{{len(ticks)},}}[ \t]*$", re.MULTILINE).search(text, inside)
    lead = _MARKER.sub(" ", opening[1])
    indent = 0 if lead.strip() else len(lead)
    return Fence(
        opening.start(),
        inside,
        closing.start() if closing else len(text),
        closing.end() if closing else len(text),
        lead[indent:] + opening[2].rstrip(),
        closing[0] if closing else lead + ticks,
        indent,
    )


Size = Callable[[str], int]

_SENTENCE = re.compile(r"[.!?…][\"')\]]?\s|[。！？]")
_SPACE = re.compile(r"\s")
_LONGEST_CLUSTER = 16


def split(text: str, limit: int, size: Size) -> list[str]:
    """Parts in order. They end at a blank line, a line, a sentence or a word, if there is one in the second half of the
    part.
    """
    return list(_Splitter(text, max(limit, 1), size).parts())


class _Splitter:
    def __init__(self, text: str, limit: int, size: Size) -> None:
        self._text = text
        self._limit = limit
        self._size = size
        self._fences = [fence for fence in fences(text) if size(f"{fence.opening}\n{fence.closing}") <= limit // 2]
        self._starts = [fence.start for fence in self._fences]
        self._window = limit

    def parts(self) -> Iterator[str]:
        at = 0
        while at < len(self._text):
            end = self._end(at)
            yield self._part(at, end) if self._fits(at, end) else self._text[at:end]
            self._window = max(end - at, 1)
            at = end

    def _end(self, at: int) -> int:
        furthest = self._legal(self._furthest(at, *self._bracket(at)))
        if furthest <= at:
            return self._least(at)
        if furthest == len(self._text):
            return furthest
        for good in self._candidates(at, furthest):
            end = self._legal(before(self._text, good, at))
            if at < end <= furthest and self._fits(at, end):
                return end
        return furthest

    def _least(self, at: int) -> int:
        """If not even one character fits, it stands alone, with its accents if they still fit."""
        whole = at + 1
        while whole < len(self._text) and whole - at < _LONGEST_CLUSTER and before(self._text, whole, at) != whole:
            whole += 1
        return whole if self._fits(at, whole) else at + 1

    def _bracket(self, at: int) -> tuple[int, int]:
        """An end that fits and one that does not, by doubling a guess; both are the text's end if all fits."""
        length = len(self._text)
        fitting, window = at, self._window
        while True:
            end = min(at + window, length)
            if not self._fits(at, end):
                return fitting, end
            if end == length:
                return end, end
            fitting, window = end, window * 2

    def _furthest(self, at: int, fitting: int, too_far: int) -> int:
        """About the last end that fits: to within a sixty-fourth of the part."""
        while too_far - fitting > 1 and (fitting == at or too_far - fitting > (fitting - at) // 64):
            middle = (fitting + too_far) // 2
            if self._fits(at, middle):
                fitting = middle
            else:
                too_far = middle
        return fitting

    def _candidates(self, at: int, furthest: int) -> Iterator[int]:
        """Good ends, the best first."""
        text, half = self._text, at + (furthest - at) // 2
        fence = self._fence_at(furthest)
        if fence and fence.start > half:
            yield fence.start
        for mark in ("\n\n", "\n"):
            if (found := text.rfind(mark, half, furthest)) >= 0:
                yield found + len(mark)
        if not fence:
            for pattern in (_SENTENCE, _SPACE):
                yield max((found.end() for found in pattern.finditer(text, half, furthest)), default=at)
        yield furthest

    def _legal(self, end: int) -> int:
        """The nearest place to cut at: not within the lines that open and close a fence."""
        fence = self._fence_at(end)
        if fence and end <= fence.inside:
            return fence.start
        return fence.end if fence and end >= fence.closed else end

    def _fits(self, at: int, end: int) -> bool:
        return self._size(self._part(at, self._legal(end))) <= self._limit

    def _part(self, at: int, end: int) -> str:
        """What is sent of the text from `at` to `end`: with a fence opened again, and closed, where they cut one."""
        body = self._text[at:end]
        begun, left = self._fence_at(at), self._fence_at(end)
        closing = left.closing if left else ""
        if begun and at > begun.inside:
            own = begun.at_margin(self._text[at : min(end, begun.end)])
            body = f"{begun.opening}\n{own}{self._text[begun.end : end]}"
            closing = begun.at_margin(closing) if begun is left else closing
        if closing and body:
            body += closing if body.endswith("\n") else f"\n{closing}"
        return body

    def _fence_at(self, at: int) -> Fence | None:
        """The fence that a cut here would be in, if any."""
        index = bisect_right(self._starts, at - 1) - 1
        if index < 0:
            return None
        fence = self._fences[index]
        return fence if at < fence.end else None
