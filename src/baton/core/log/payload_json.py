"""The JSON form of what entries hold: a value's fields by name, without those that have their default, unless its
class names them in `always`.

Reading never fails. Fields that this version does not know are ignored, and one that is missing or of another type
reads as empty, so that no entry makes a conversation unreadable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from baton.core.agent.message import Call, Image, Link, Usage
from baton.core.log.kept import KeptMessage
from baton.core.value import MISSING, Field, Frozen, fields

_T = TypeVar("_T")
_AS_THEY_ARE = (str, bool, int, float, type(None))


def write_value(holds: object) -> dict[str, Any]:
    """The JSON object of a value; values inside it become objects of their own."""
    always: tuple[str, ...] = getattr(holds, "always", ())
    return {
        each.name: _plain(held)
        for each in fields(holds)
        if (held := getattr(holds, each.name)) != each.default or each.default is MISSING or each.name in always
    }


def _plain(held: object) -> object:
    if type(held) in _AS_THEY_ARE:
        return held
    if isinstance(held, tuple):
        return [_plain(each) for each in cast("tuple[object, ...]", held)]
    if isinstance(held, Usage):
        return {each.name: getattr(held, each.name) for each in fields(held)}
    if isinstance(held, Frozen):
        return write_value(held)
    return dict(cast("Mapping[str, Any]", held)) if isinstance(held, Mapping) else held


def read_value(cls: type[_T], data: Mapping[str, Any]) -> _T:
    """A value of this class from its JSON object."""
    return cls(*[reader(data[name]) if name in data else empty for name, reader, empty in _plan(cls)])


@cache
def _plan(cls: type) -> tuple[tuple[str, Callable[[object], object], object], ...]:
    """How each field of a class is read, in order, and what stands for it if it is missing."""
    return tuple((each.name, _READERS[each.type], _empty(each)) for each in fields(cls))


def _empty(each: Field) -> object:
    return _READERS[each.type](None) if each.default is MISSING else each.default


def read_text(held: object) -> str:
    return held if isinstance(held, str) else "" if held is None else str(held)


def _whole(held: object) -> int:
    return int(held) if isinstance(held, int | float) else 0


def _share(held: object) -> float:
    return float(held) if isinstance(held, int | float) else 0.0


def _as_mapping(held: object) -> Mapping[str, Any]:
    return cast("dict[str, Any]", held) if isinstance(held, dict) else {}


def read_usage(held: object) -> Usage | None:
    """What a provider counted, from its JSON object."""
    if not isinstance(held, dict):
        return None
    found = cast("dict[str, Any]", held)
    cost = found.get("cost")
    counts = (_whole(found.get(name)) for name in ("input", "output", "cached"))
    return Usage(*counts, cost=None if cost is None else _share(cost))


def _each(item: Callable[[Any], _T]) -> Callable[[object], tuple[_T, ...]]:
    def read_all(held: object) -> tuple[_T, ...]:
        return tuple(item(each) for each in cast("Sequence[Any]", held)) if isinstance(held, list | tuple) else ()

    return read_all


_READERS: dict[str, Callable[[object], object]] = {
    "str": read_text,
    "bool": bool,
    "int": _whole,
    "float": _share,
    "Usage | None": read_usage,
    "Mapping[str, Any]": _as_mapping,
    "tuple[str, ...]": _each(read_text),
    "tuple[Image, ...]": _each(lambda held: read_value(Image, _as_mapping(held))),
    "tuple[Link, ...]": _each(lambda held: read_value(Link, _as_mapping(held))),
    "tuple[Call, ...]": _each(lambda held: read_value(Call, _as_mapping(held))),
    "tuple[KeptMessage, ...]": _each(lambda held: read_value(KeptMessage, _as_mapping(held))),
    "tuple[Mapping[str, Any], ...]": _each(_as_mapping),
}
"""How a field is read, by the type it is declared with."""
