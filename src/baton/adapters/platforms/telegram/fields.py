"""What the Bot API sent, read with care: it is other people's input."""

from __future__ import annotations

from typing import cast

from baton.adapters.platforms.json_fields import storable

_MOST = 2**62


class Malformed(Exception):
    """It does not have the published form. The text names the field, never its content."""


class Fields:
    """An object of the Bot API. What is absent is empty; what has another type is `Malformed`."""

    def __init__(self, held: object) -> None:
        if not isinstance(held, dict):
            raise Malformed("an object was expected")
        self._held = cast("dict[str, object]", held)

    def has(self, name: str) -> bool:
        return self._held.get(name) is not None

    def number(self, name: str) -> int:
        found = self.optional_number(name)
        if found is None:
            raise Malformed(f"{name} is missing")
        return found

    def optional_number(self, name: str) -> int | None:
        found = self._held.get(name)
        if found is None:
            return None
        if not isinstance(found, int) or isinstance(found, bool) or abs(found) > _MOST:
            raise Malformed(f"{name} is not a number")
        return found

    def text(self, name: str) -> str:
        found = self._held.get(name)
        if found is None:
            return ""
        if not isinstance(found, str):
            raise Malformed(f"{name} is not text")
        return storable(found)

    def flag(self, name: str) -> bool:
        return self._held.get(name) is True

    def object(self, name: str) -> Fields:
        found = self.optional_object(name)
        if found is None:
            raise Malformed(f"{name} is missing")
        return found

    def optional_object(self, name: str) -> Fields | None:
        found = self._held.get(name)
        return None if found is None else Fields(found)

    def objects(self, name: str) -> list[Fields]:
        found = self._held.get(name)
        if found is None:
            return []
        if not isinstance(found, list):
            raise Malformed(f"{name} is not a list")
        return [Fields(each) for each in cast("list[object]", found)]
