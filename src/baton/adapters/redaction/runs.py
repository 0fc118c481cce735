"""Runs of letters and digits that are lines of data, as base64 is written: of one length, or joined by a sign."""

from __future__ import annotations

import re

from baton.adapters.redaction.thresholds import LONGEST_BARE_TOKEN, LONGEST_OF_DATA, SHORTEST_OF_DATA

IN_RUN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=-")
_SEPARATE = (
    rb"""(?:\\[nr]){0,2}["'`)]{0,2}[ \t]*(?P<sign>[+\\]?)[ \t]*\r?\n"""
    rb"""[ \t/#*>+!"'`|(]*(?:[bBrRuUfF]{1,2}["'`])?"""
)
_RUN = rb"(?P<run>[A-Za-z0-9+/=_-]{20,})"
_RUN_AFTER = re.compile(_SEPARATE + _RUN)
_RUN_BEFORE = re.compile(rb"(?<![A-Za-z0-9+/=_-])(?P<run>[A-Za-z0-9+/=_-]{20,}+)" + _SEPARATE + rb"\Z")
_FLAT = re.compile(rb"(?:\\n|&#10;)[ ]{0,16}+| ")


def is_in_data(data: bytes, start: int, last: int) -> bool:
    """Whether it is part of a run that is too long for a token, or the line before or after is another such run: data
    in lines, joined by a sign or as long as those are.
    """
    line = data.find(b"\n", start, last)
    last = line if line > start else last
    while start and data[start - 1] in IN_RUN and last - start <= LONGEST_BARE_TOKEN:
        start -= 1
    while last < len(data) and data[last] in IN_RUN and last - start <= LONGEST_BARE_TOKEN:
        last += 1
    if last - start > LONGEST_BARE_TOKEN or _is_in_flat_lines(data, start, last):
        return True
    after = _RUN_AFTER.match(data, last, last + LONGEST_BARE_TOKEN)
    first = max(0, start - LONGEST_BARE_TOKEN)
    line = data.rfind(b"\n", first, start)
    before = _RUN_BEFORE.search(data[max(first, data.rfind(b"\n", first, line) + 1) : start]) if line >= 0 else None
    return any(
        found["sign"]
        or SHORTEST_OF_DATA <= max(last - start, len(found["run"])) <= LONGEST_OF_DATA
        or SHORTEST_OF_DATA <= len(found["run"]) == last - start
        for found in (after, before)
        if found
    )


def _is_in_flat_lines(data: bytes, start: int, last: int) -> bool:
    """Whether lines of data stand on one line of the text, a blank or an escape between them: runs of one length, and
    what is left behind two of them.
    """
    size = last - start
    sign = _FLAT.match(data, last) if SHORTEST_OF_DATA <= size <= LONGEST_OF_DATA else None
    if sign is not None:
        following = data[sign.end() : sign.end() + size]
        if len(following) == size and all(byte in IN_RUN for byte in following):
            return True
    before = data[max(0, start - 2 * LONGEST_OF_DATA - 16) : start]
    *_, earlier, line, rest = (b"", b"", b"", *_FLAT.split(before))
    if rest or size > len(line) or not SHORTEST_OF_DATA <= len(line) <= len(earlier):
        return False
    return all(byte in IN_RUN for byte in earlier[-len(line) :] + line)
