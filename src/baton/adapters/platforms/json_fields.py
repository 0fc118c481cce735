"""Reading JSON that somebody else wrote: what is not of the wanted kind is as if it were not there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

Json: TypeAlias = Mapping[str, object]
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def parse_json(data: str | bytes) -> object:
    """None for what is no JSON, is nested too deep or has a number too long to read."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def table(given: object) -> Json:
    return cast("Json", given) if isinstance(given, dict) else {}


def tables(given: object) -> Iterator[Json]:
    """The objects of a list, in order."""
    for each in cast("list[object]", given) if isinstance(given, list) else []:
        if isinstance(each, dict):
            yield cast("Json", each)


def first(given: object) -> Json:
    """The first object of a list; an empty one if there is none."""
    return next(tables(given), table(None))


def text(given: object) -> str:
    return storable(given) if isinstance(given, str) else ""


def whole(given: object) -> int:
    """A whole number that is not negative, also as digits; else 0."""
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) <= 18:
        return int(given)
    return given if isinstance(given, int) and not isinstance(given, bool) and given >= 0 else 0


def storable(text: str) -> str:
    """NUL and half characters become the replacement character; everything else stays."""
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)
