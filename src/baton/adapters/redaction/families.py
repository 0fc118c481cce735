"""Values that stand among others of their kind, as parts of a program do and secrets do not."""

from __future__ import annotations

import re
from operator import ne

from baton.adapters.redaction.names import strength_of
from baton.adapters.redaction.span import Span
from baton.adapters.redaction.thresholds import (
    CALLS_AROUND,
    FAMILY_AROUND,
    FAMILY_BEGINS,
    FEWEST_CALLS_ALIKE,
    FEWEST_OF_FAMILY,
    FEWEST_OTHER_NAMES,
    SHORTEST_LONG,
    SHORTEST_TOKEN,
)

_MANY_OF = re.compile(rb"[A-Za-z_][\w.]*[ \t]*[:=]{1,2}[ \t]*[\"']\Z")
_CALL = re.compile(rb"\w[\w.]*\((?:[\w.]*\()?[\"'`]\Z")
_LOOSE_NAME = re.compile(rb"(?:[A-Z]{0,4}[a-z]++|[A-Z]{1,6}+|[0-9]{1,4}+|[_-])++")
_CAPITALISED = re.compile(rb"[A-Z][a-z]{3,}")
_CAMEL_CASE = re.compile(rb"[A-Z]?[a-z]++(?:[A-Z]++[a-z]++){2,}+")
_FILLED_IN = re.compile(rb"[\"']\s{0,40}\.format\(")
_HOLE = re.compile(rb"\{\w{0,20}\}")


def is_value_of_others(data: bytes, start: int, value: bytes) -> bool:
    """Whether names that say nothing of a secret have the same value near by: `"gone": "x-y", "creds": "x-y"`."""
    if len(value) < SHORTEST_TOKEN:
        return False
    first = max(0, start - FAMILY_AROUND)
    around = data[first : start + FAMILY_AROUND]
    if around.count(value) <= FEWEST_OTHER_NAMES:
        return False
    given = re.findall(rb"[\"']([^\"'\n]{1,60})[\"'][ \t]*[:=][ \t]*[\"']" + re.escape(value) + rb"[\"']", around)
    return len({name for name in given if strength_of(name) is None}) >= FEWEST_OTHER_NAMES


def is_of_family(data: bytes, start: int, value: bytes, least_words: int = 2) -> bool:
    """Whether other names near by begin the same: `V1beta1WorkloadList`, `V1beta1WorkloadSpec`."""
    if _LOOSE_NAME.fullmatch(value) is None or len(_CAPITALISED.findall(value)) < least_words:
        return False
    around = data[max(0, start - FAMILY_AROUND) : start + FAMILY_AROUND]
    return around.count(value[:FAMILY_BEGINS]) - around.count(value) >= FEWEST_OF_FAMILY


def is_one_of_many_values(data: bytes, start: int, value: bytes, before: bytes) -> bool:
    """Whether the same name gets many short values, as in the cases of a switch."""
    given = _MANY_OF.search(before[-40:])
    if given is None or len(value) >= SHORTEST_LONG:
        return False
    return data.count(given[0], max(0, start - FAMILY_AROUND), start + FAMILY_AROUND) >= FEWEST_CALLS_ALIKE


def is_one_of_series(data: bytes, start: int, value: bytes) -> bool:
    """Whether other strings near by differ from it in a few characters only, as drawn values never do: `cl_B7d111AAA`,
    `cl_B7d222AAA`.
    """
    around = data[max(0, start - FAMILY_AROUND) : start + FAMILY_AROUND]
    if not SHORTEST_TOKEN <= len(value) < SHORTEST_LONG * 4:
        return False
    alike = re.findall(rb"(?<=[\"'`])[^\"'`\n]{%d}(?=[\"'`])" % len(value), around)
    differences = (sum(map(ne, each, value)) for each in {*alike})
    return sum(0 < each * 3 <= len(value) for each in differences) >= FEWEST_OF_FAMILY


def is_one_of_many_calls(data: bytes, start: int, before: bytes) -> bool:
    """Whether the same calls stand beside it, each with data of its own: `Lm:()=>new t(r("wVRB…`."""
    call = _CALL.search(before[-24:])
    if call is None or len(call[0]) < 4:
        return False
    return data.count(call[0], max(0, start - CALLS_AROUND), start + CALLS_AROUND) >= FEWEST_CALLS_ALIKE


def _is_called(data: bytes, start: int, value: bytes) -> bool:
    """Whether it is an operation, by words in capitals that are called near by: `closeDoorsOfHall(`."""
    if _CAMEL_CASE.fullmatch(value) is None:
        return False
    first, last = max(0, start - CALLS_AROUND), start + CALLS_AROUND
    return any(data.find(name + b"(", first, last) >= 0 for name in (value, value[:1].lower() + value[1:]))


def _is_filled_in(data: bytes, end: int, value: bytes) -> bool:
    """Whether a program puts something into it: `"rule_|-{}/ca.crl".format(`."""
    return b"{" in value and _FILLED_IN.match(data, end) is not None and _HOLE.search(value) is not None


def is_put_together(data: bytes, span: Span, value: bytes) -> bool:
    """Whether it is what a program calls, or what it puts something into."""
    return _is_called(data, span.start, value) or _is_filled_in(data, span.end, value)
