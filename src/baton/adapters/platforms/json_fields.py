"""Reading JSON that somebody else wrote, in one of two ways.

Lenient: `table`, `tables`, `first`, `text`, `texts` and `whole` treat a value of the wrong type as absent. Strict:
`Fields` raises `Malformed` for it, so that the whole message is skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

Json: TypeAlias = Mapping[str, object]
_LARGEST = 2**62
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def parse_json(data: str | bytes) -> object:
    """None for what is not JSON, is nested too deep or has a number too long to read."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def table(given: object) -> Json:
    """The object; an empty one if it is anything else."""
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


def texts(given: object) -> Iterator[str]:
    """The texts of a list, in order."""
    for each in cast("list[object]", given) if isinstance(given, list) else []:
        if isinstance(each, str):
            yield storable(each)


def whole(given: object) -> int:
    """A whole number that is not negative, even if it is written as a string of digits; else 0."""
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) <= 18:
        return int(given)
    return given if isinstance(given, int) and not isinstance(given, bool) and given >= 0 else 0


def storable(text: str) -> str:
    """The text as a store can keep it: NUL and lone surrogates become the replacement character."""
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)


class Malformed(ValueError):
    """It does not have the published form. The text names the field, never its content."""


class Fields:
    """A JSON object read strictly: what is absent or null is empty, what has another type is `Malformed`."""

    def __init__(self, given: object, name: str = "it") -> None:
        if not isinstance(given, dict):
            raise Malformed(f"{name} is not an object")
        self._given = cast("dict[str, object]", given)

    def __bool__(self) -> bool:
        return bool(self._given)

    def get(self, name: str) -> object:
        """The field as it was sent, unchecked."""
        return self._given.get(name)

    def has(self, name: str) -> bool:
        return self._given.get(name) is not None

    def number(self, name: str, default: int | None = None) -> int:
        """`Malformed` if it is absent and there is no default."""
        found = self.optional_number(name)
        if found is None:
            found = default
        if found is None:
            raise Malformed(f"{name} is missing")
        return found

    def optional_number(self, name: str) -> int | None:
        found = self._given.get(name)
        if found is None:
            return None
        if not isinstance(found, int) or isinstance(found, bool) or abs(found) > _LARGEST:
            raise Malformed(f"{name} is not a whole number")
        return found

    def text(self, name: str) -> str:
        found = self._given.get(name)
        if found is None:
            return ""
        if not isinstance(found, str):
            raise Malformed(f"{name} is not text")
        return storable(found)

    def flag(self, name: str) -> bool:
        return self._given.get(name) is True

    def object(self, name: str) -> Fields:
        found = self.optional_object(name)
        if found is None:
            raise Malformed(f"{name} is missing")
        return found

    def optional_object(self, name: str) -> Fields | None:
        found = self._given.get(name)
        return None if found is None else Fields(found, name)

    def inner(self, name: str) -> Fields:
        """The object; an empty one if it is absent."""
        return self.optional_object(name) or Fields({})

    def objects(self, name: str) -> list[Fields]:
        """The objects of a list, in order."""
        found = self._given.get(name)
        if found is None:
            return []
        if not isinstance(found, list):
            raise Malformed(f"{name} is not a list")
        return [Fields(each, name) for each in cast("list[object]", found)]
