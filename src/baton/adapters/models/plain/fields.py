"""Reading JSON that somebody else wrote: what is not of the kind that is asked for is not there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

Json = Mapping[str, object]


class Unreadable(Exception):
    """What came is not of the protocol."""


def parse(text: str) -> Json:
    """One JSON object; raises `Unreadable`."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable from error
    if not isinstance(found, dict):
        raise Unreadable
    return cast("Json", found)


def at(data: object, *path: str) -> object:
    for step in path:
        if not isinstance(data, Mapping):
            return None
        data = cast("Json", data).get(step)
    return data


def text_at(data: object, *path: str) -> str:
    found = at(data, *path)
    return found if isinstance(found, str) else ""


def count_at(data: object, *path: str) -> int:
    found = at(data, *path)
    return int(found) if isinstance(found, int | float) and found > 0 else 0


def object_at(data: object, *path: str) -> Json:
    found = at(data, *path)
    return cast("Json", found) if isinstance(found, Mapping) else {}


def objects_at(data: object, *path: str) -> Sequence[Json]:
    found = at(data, *path)
    listed = cast("list[object]", found) if isinstance(found, list) else []
    return [cast("Json", each) for each in listed if isinstance(each, Mapping)]


def write(data: object) -> bytes:
    """As JSON in UTF-8. Half a surrogate pair cannot be sent and becomes a question mark; a number that JSON has no
    word for becomes null.
    """
    try:
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(data), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _finite(data: object) -> object:
    if isinstance(data, float):
        return data if data - data == 0 else None
    if isinstance(data, Mapping):
        return {key: _finite(held) for key, held in cast("Mapping[str, object]", data).items()}
    if isinstance(data, list | tuple):
        return [_finite(each) for each in cast("Sequence[object]", data)]
    return data
