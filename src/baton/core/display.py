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
_OBEYED = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"  # controls, halves of characters
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction
    "\u180e\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # no width, other line ends, annotations
    "\U000e0000-\U000e007f"  # tags: whole sentences that nobody sees
)
_HIDDEN = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u200c\u200d\u2800\u3164\uffa0"  # joiners, fillers, blanks
    "\ufe00-\ufe0f\U000e0080-\U000e0fff\U0001d173-\U0001d17a"  # variants, the other ignorable ones
    "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"  # spaces that are none to a shell
    "\ue000-\uf8ff\U000f0000-\U0010ffff"  # private: whatever a font makes of them
)
"""Writing needs some of these, in Persian words or in emoji; in what you approve they are spelled out too."""

_WIDE, _TALL = 40, 5
"""Longer runs of blanks or of empty lines push what follows out of sight."""


def plain(text: str) -> str:
    """Without escape sequences, control and bidirectional characters; line feeds and tabs stay."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    escapes, controls = _patterns()
    return controls.sub("", escapes.sub("", text))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compiled when first needed: that takes longer than everything else `sessions list` does."""
    return re.compile(_ESCAPES), re.compile(f"[{_OBEYED}]")


@cache
def _unseen() -> re.Pattern[str]:
    return re.compile(f"[{_OBEYED}{_HIDDEN}]")


def one_line(text: str, width: int) -> str:
    """`plain`, on one line of at most `width` characters."""
    flat = " ".join(plain(text[: width * 8]).split())
    return flat if len(flat) <= width else f"{flat[: max(0, width - 1)]}…"


def spell_out(text: str) -> str:
    """Every character that a terminal would hide or obey, as an escape: you must see what you approve."""
    return text if text.isascii() and text.isprintable() else _unseen().sub(_escape, text)


def spell_name(name: str) -> str:
    """`spell_out` on one line, for a name or a path: that may hold line ends, and a whole question after them."""
    return spell_out(name).replace("\n", "\\n").replace("\t", "\\t")


def reveal(text: str) -> str:
    """The text with long runs of blanks and empty lines counted instead of drawn, so that nothing is out of sight."""
    counted = re.sub(rf"[ \t]{{{_WIDE},}}", lambda run: f" ⟨{len(run[0])} blanks⟩ ", text)
    return re.sub(rf"(?:\n[ \t]*){{{_TALL},}}\n", lambda run: f"\n⟨{run[0].count(chr(10)) - 1} empty lines⟩\n", counted)


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number > 0xFFFF:
        return f"\\U{number:08x}"
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
