"""What a reader takes for one character: letters with their accents, emoji joined into one picture, flags."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_FURTHEST = 64


def before(text: str, at: int, floor: int) -> int:
    """The last place up to `at`, and above `floor`, that is inside no such character; `at` if there is none."""
    for place in range(at, max(floor, at - _FURTHEST), -1):
        if not _joined(text, place):
            return place
    return at


def _joined(text: str, at: int) -> bool:
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
    """How many regional letters stand directly before this place, as far as is worth counting."""
    start = at
    while start > 0 and at - start < _FURTHEST and _is_flag_half(text[start - 1]):
        start -= 1
    return at - start
