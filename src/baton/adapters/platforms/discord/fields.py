"""Reading JSON that others wrote: every field is looked at before it is believed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from baton.adapters.platforms.json_fields import storable

_SNOWFLAKE = re.compile(r"[0-9]{1,20}")

Fields = dict[str, object]


class Malformed(ValueError):
    """Something is not what Discord's documentation says. The text names the field, never its content."""


def fields(data: object, name: str = "object") -> Fields:
    if not isinstance(data, dict):
        raise Malformed(f"{name} is not an object")
    return cast("Fields", data)


def inner(data: Fields, name: str) -> Fields:
    """An object within; empty if it is missing or null."""
    found = data.get(name)
    return {} if found is None else fields(found, name)


def listed(data: Fields, name: str) -> Iterator[Fields]:
    """The objects of a list within; none if it is missing or null."""
    found = data.get(name)
    if found is None:
        return
    if not isinstance(found, list):
        raise Malformed(f"{name} is not a list")
    for each in cast("list[object]", found):
        yield fields(each, name)


def snowflake(data: Fields, name: str) -> str:
    found = data.get(name)
    if not isinstance(found, str) or _SNOWFLAKE.fullmatch(found) is None:
        raise Malformed(f"{name} is not an id")
    return found


def text(data: Fields, name: str) -> str:
    """A text; empty if it is missing or null. NUL and lone surrogates, which no store keeps, are replaced."""
    found = data.get(name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise Malformed(f"{name} is not a text")
    return storable(found)


def number(data: Fields, name: str) -> int:
    """A whole number; 0 if it is missing or null."""
    found = data.get(name)
    if found is None:
        return 0
    if not isinstance(found, int) or isinstance(found, bool):
        raise Malformed(f"{name} is not a whole number")
    return found
