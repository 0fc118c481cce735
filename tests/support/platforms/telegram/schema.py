"""Requests and answers judged by the published schema of the Bot API, where it can be found beside the project.

The judge is strict: a field that the schema does not name is an error, in both directions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).resolve().parents[5] / "shared" / "schemas" / "telegram-bot-api-10.1.json"
_ARRAY = "Array of "
_SIMPLE: Mapping[str, tuple[type, ...]] = {"String": (str,), "Integer": (int,), "Float": (float, int)}
_INTEGERS = ("chat_id", "user_id", "message_id", "message_thread_id", "offset", "limit", "timeout")
_OBJECTS = ("entities", "caption_entities", "commands", "allowed_updates", "reply_markup", "link_preview_options")
_BY_HAND: Mapping[str, list[str]] = {name: ["Other"] for name in (*_INTEGERS, *_OBJECTS, "drop_pending_updates")}
"""What is not text, for when there is no schema."""


class Upload:
    """A file within a request."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data


@cache
def schema() -> dict[str, Any] | None:
    return json.loads(_FILE.read_text()) if _FILE.is_file() else None


def typed(method: str, given: Mapping[str, str | Upload]) -> dict[str, Any]:
    """The parameters of a form with the types they are meant to have."""
    known = schema()
    fields = known["methods"].get(method, {}).get("fields", []) if known else []
    wanted = {field["name"]: field["types"] for field in fields} or _BY_HAND
    return {name: _typed(value, wanted.get(name, ["String"])) for name, value in given.items()}


def _typed(value: str | Upload, types: list[str]) -> Any:
    if isinstance(value, Upload) or set(types) <= {"String", "InputFile"}:
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def request_faults(method: str, given: Mapping[str, Any]) -> list[str]:
    known = schema()
    if known is None:
        return []
    if method not in known["methods"]:
        return [f"{method} is no method"]
    return list(_fields(known["methods"][method], given, method))


def answer_faults(method: str, result: Any) -> list[str]:
    known = schema()
    if known is None:
        return []
    return list(_any_of(known["methods"][method]["returns"], result, f"{method} →"))


def update_faults(update: Any) -> list[str]:
    return list(_any_of(["Update"], update, "update")) if schema() else []


def _fields(kind: Mapping[str, Any], given: Any, where: str) -> Iterator[str]:
    if not isinstance(given, Mapping):
        yield f"{where}: an object was expected, not {type(given).__name__}"
        return
    named = {field["name"]: field for field in kind.get("fields", [])}
    for name in given.keys() - named.keys():
        yield f"{where}: {name} is not in the schema"
    for name, field in named.items():
        if name in given:
            yield from _any_of(field["types"], given[name], f"{where}.{name}")
        elif field["required"]:
            yield f"{where}: {name} is missing"


def _any_of(types: list[str], given: Any, where: str) -> Iterator[str]:
    """The faults by the type that fits best."""
    tries = [list(_one(each, given, where)) for each in types]
    yield from min(tries, key=len)


def _one(kind: str, given: Any, where: str) -> Iterator[str]:
    if kind.startswith(_ARRAY):
        if not isinstance(given, list):
            yield f"{where}: a list was expected"
            return
        for position, each in enumerate(given):
            yield from _one(kind.removeprefix(_ARRAY), each, f"{where}[{position}]")
    elif kind == "Boolean":
        if not isinstance(given, bool):
            yield f"{where}: a boolean was expected, not {given!r}"
    elif kind in _SIMPLE:
        if isinstance(given, bool) or not isinstance(given, _SIMPLE[kind]):
            yield f"{where}: {kind} was expected, not {given!r}"
    elif kind == "InputFile":
        if not isinstance(given, Upload):
            yield f"{where}: a file was expected"
    else:
        yield from _object(kind, given, where)


def _object(kind: str, given: Any, where: str) -> Iterator[str]:
    known = schema()
    assert known is not None
    found = known["types"].get(kind)
    if found is None:
        yield f"{where}: {kind} is no type"
    elif found.get("subtypes"):
        yield from _any_of(found["subtypes"], given, where)
    else:
        yield from _fields(found, given, f"{where}({kind})")
