"""Text from models, tools and people, made safe for a terminal."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_ESCAPES = (
    r"\x1b\[[0-?]*[ -/]*[@-~]?"  # CSI
    r"|\x1b[PX^_][^\x1b\x07\x9c]*(?:\x1b\\|\x07|\x9c)?"  # DCS, SOS, PM, APC
    r"|\x1b\][^\x1b\x07\x9c]*(?:\x1b\\|\x07|\x9c)?"  # OSC
    r"|\x9b[0-?]*[ -/]*[@-~]?|[\x90\x98\x9d-\x9f][^\x1b\x07\x9c]*(?:\x1b\\|\x07|\x9c)?"  # the same as C1 bytes
    r"|\x1b[ -/]*[0-~]?"  # two-character escapes
)
_CONTROLS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\ud800-\udfff]"


def plain(text: str) -> str:
    """Without escape sequences, control and bidirectional characters; line feeds and tabs stay."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    escapes, controls = _patterns()
    return controls.sub("", escapes.sub("", text))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compiled when first needed: that takes longer than everything else `sessions list` does."""
    return re.compile(_ESCAPES), re.compile(_CONTROLS)


def one_line(text: str, width: int) -> str:
    """`plain`, on one line of at most `width` characters."""
    flat = " ".join(plain(text[: width * 8]).split())
    return flat if len(flat) <= width else f"{flat[: max(0, width - 1)]}…"


def spell_out(text: str) -> str:
    """Every character that a terminal would hide or obey, as an escape: you must see what you approve."""
    return _patterns()[1].sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\u{number:04x}" if number > 255 else f"\\x{number:02x}"


def columns(text: str) -> int:
    """How many columns a terminal needs for `text`: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def fit(text: str, width: int) -> str:
    """`text` on one line of exactly `width` columns: cut with an ellipsis, or filled with spaces."""
    line = one_line(text, width)
    while columns(line) > width:
        line = f"{line[:-2]}…"
    return line + " " * (width - columns(line))
