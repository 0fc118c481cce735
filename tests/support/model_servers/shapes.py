"""What requests must look like. Each check yields one sentence per fault."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any


def keys(what: str, given: Any, needed: Collection[str], allowed: Collection[str] = ()) -> Iterator[str]:
    """An object with all that is needed and nothing that is not allowed."""
    if not isinstance(given, Mapping):
        yield f"{what} is not an object: {given!r}"
        return
    yield from (f"{what} has no {key}" for key in needed if key not in given)
    yield from (f"{what} has an unknown {key}" for key in given if key not in needed and key not in allowed)


def text(what: str, given: Any) -> Iterator[str]:
    if not isinstance(given, str) or not given.strip():
        yield f"{what} is empty: {given!r}"


def schema(what: str, given: Any) -> Iterator[str]:
    if not isinstance(given, Mapping) or given.get("type") != "object":
        yield f"{what} is not a schema of an object: {given!r}"


def paired(calls: list[str], results: list[str]) -> Iterator[str]:
    """Each call has its result, in the same order."""
    if calls != results:
        yield f"calls {calls} are followed by results {results}"


def header(headers: Mapping[str, str], name: str, value: str) -> Iterator[str]:
    if headers.get(name) != value:
        yield f"the header {name} is {headers.get(name)!r}"
