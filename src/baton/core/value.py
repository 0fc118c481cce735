"""Frozen, slotted values: what `@dataclass(frozen=True, slots=True)` gives, at a fraction of its price at import.

Making one dataclass costs about a millisecond, and the `dataclasses` module itself pulls in `inspect`; with thirty
values that is a third of the time `baton sessions list` may take. Here only `__init__` is generated.
Type checkers treat a `@value` as a frozen dataclass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn, TypeVar, cast, dataclass_transform

T = TypeVar("T")
MISSING: Any = object()
_NO_METADATA: Mapping[str, Any] = MappingProxyType({})


class Field:
    """A field as it was declared; `default` and `default_factory` are `MISSING` where there is none."""

    __slots__ = ("default", "default_factory", "metadata", "name", "repr", "type")

    def __init__(self, default: Any, default_factory: Any, repr_: bool, metadata: Mapping[str, Any]) -> None:
        self.name = ""
        self.type = ""
        self.default = default
        self.default_factory = default_factory
        self.repr = repr_
        self.metadata = metadata


def field(
    *,
    default: Any = MISSING,
    default_factory: Callable[[], Any] = MISSING,
    repr: bool = True,  # noqa: A002
    metadata: Mapping[str, Any] = _NO_METADATA,
) -> Any:
    """Declares a field with more than a default."""
    return Field(default, default_factory, repr, metadata)


class Frozen:
    """What every value has: equality and hash by class and fields, and no way to change it."""

    __slots__ = ()
    __fields__: ClassVar[tuple[Field, ...]] = ()
    __key__: ClassVar[Any]

    def __eq__(self, other: object) -> bool:
        return self.__key__(self) == self.__key__(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self) -> int:
        return hash(self.__key__(self))

    def __repr__(self) -> str:
        shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in self.__fields__ if each.repr)
        return f"{self.__class__.__qualname__}({shown})"

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return self.__class__, self.__key__(self)

    def __setattr__(self, name: str, _: object) -> NoReturn:
        raise AttributeError(f"{self.__class__.__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{self.__class__.__name__} is frozen: {name} cannot be deleted")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """The class again, its annotations turned into slots that only `__init__` fills.

    `repr`, `match`, pickle and copy work. A `__post_init__` is called last.
    """
    found = tuple(_field(cls, name, str(type_)) for name, type_ in cls.__annotations__.items())
    names = tuple(each.name for each in found)
    body = {name: held for name, held in vars(cls).items() if name not in (*names, "__dict__", "__weakref__")}
    body |= {"__slots__": names, "__match_args__": names, "__fields__": found, "__key__": staticmethod(_key(names))}
    made = type(cls)(cls.__name__, (Frozen,), body)
    _init_later(made, found, post_init="__post_init__" in body)
    return cast("type[T]", made)


def fields(of: Any) -> tuple[Field, ...]:
    """The fields of a value or its class, in order."""
    return of.__fields__


def replace(of: T, **changes: Any) -> T:
    """A copy with some fields changed."""
    kept = {each.name: getattr(of, each.name) for each in fields(of)}
    return type(of)(**{**kept, **changes})


def asdict(of: Any) -> dict[str, Any]:
    """The fields by name. Values inside are not taken apart."""
    return {each.name: getattr(of, each.name) for each in fields(of)}


def _field(cls: type, name: str, type_: str) -> Field:
    given = vars(cls).get(name, MISSING)
    found = given if isinstance(given, Field) else Field(given, MISSING, True, _NO_METADATA)
    found.name, found.type = name, type_
    return found


def _key(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _init_later(cls: Any, found: tuple[Field, ...], *, post_init: bool) -> None:
    """Generates `__init__` when the first value is made: most classes that a process imports it never uses."""

    def begin(self: Any, *given: Any, **named: Any) -> None:
        if cls.__init__ is begin:
            cls.__init__ = _init(found, post_init=post_init)
        cls.__init__(self, *given, **named)

    cls.__init__ = begin


def _init(found: tuple[Field, ...], *, post_init: bool) -> Any:
    """An `__init__` with the signature of the fields; factories are called for what was not given."""
    given: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    parameters: list[str] = []
    lines: list[str] = []
    for each in found:
        source = each.name
        if each.default_factory is not MISSING:
            given[f"_make_{each.name}"] = each.default_factory
            parameters.append(f"{each.name}=_missing")
            source = f"_make_{each.name}() if {each.name} is _missing else {each.name}"
        elif each.default is not MISSING:
            given[f"_default_{each.name}"] = each.default
            parameters.append(f"{each.name}=_default_{each.name}")
        else:
            parameters.append(each.name)
        lines.append(f"  _set(self, {each.name!r}, {source})")
    lines += ["  self.__post_init__()"] if post_init else []
    code = f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(lines or ["  pass"])
    exec(code, given)  # noqa: S102, the names are identifiers of our own classes
    return given["__init__"]
