"""Output of programs as it comes, made safe for a terminal piece by piece."""

from __future__ import annotations

import re

from baton.core.display import plain

_OPEN = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*\Z"  # CSI
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x1b\x07\x9c]*\Z"  # OSC, DCS and their kind
    r"|\x1b[ -/]*\Z"
)
_INTRODUCER = re.compile("[\x1b\x90\x98\x9b\x9d-\x9f]")
_LONGEST = 4096
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\ud800-\udfff]"
)


class Cleaner:
    """What `core.display.plain` gives for the whole, given in pieces: a sequence split between two pieces is held back.

    A carriage return overwrites its line, as on a terminal; what of the line was already given stays.
    """

    def __init__(self) -> None:
        self._held = ""
        self._line_begun = False

    @property
    def idle(self) -> bool:
        """Whether nothing is held back."""
        return not self._held

    def clean(self, text: str) -> str:
        text = self._held + text
        cut = _unfinished(text)
        self._held = text[cut:]
        return self._take(text[:cut])

    def rest(self) -> str:
        """What was held back when no more comes."""
        text, self._held = self._held, ""
        return self._take(text)

    def passed(self, text: str) -> None:
        """Text that needs no cleaning was given without this."""
        self._line_begun = not text.endswith("\n")

    def _take(self, text: str) -> str:
        if "\r" in text:
            text = self._without_returns(text.replace("\r\n", "\n"))
        text = plain(text)
        if text:
            self._line_begun = not text.endswith("\n")
        return text

    def _without_returns(self, text: str) -> str:
        lines = text.split("\n")
        begun = self._line_begun and "\r" in lines[0]
        return ("\n" if begun else "") + "\n".join(line.rpartition("\r")[2] for line in lines)


def _unfinished(text: str) -> int:
    """Where a sequence begins that the end of `text` cuts off; its length if there is none."""
    if text.endswith("\r"):
        return len(text) - 1
    end = len(text)
    begin = max(0, end - _LONGEST)
    starts = [found.start() for found in _INTRODUCER.finditer(text, begin)]
    return starts[-1] if starts and _OPEN.match(text, starts[-1]) else end


def visible(text: str) -> str:
    """Every character that a terminal would hide or obey, spelled out: who approves must see what will run."""
    return _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}" if ord(found[0]) > 255 else f"\\x{ord(found[0]):02x}", text)
