"""An outside shape, declared once: the fields of a JSON object, each with its type, its meaning and its source.

`as_dict` makes the object, `schema` describes it to programs, and `baton.surfaces.api.reference` to people. Objects may
grow: clients ignore what they do not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, Generic, TypeVar

from baton.core.value import value
from baton.surfaces.words import fields as words

T = TypeVar("T")
U = TypeVar("U")


@value
class Type:
    """What a field may hold: as JSON Schema for programs, in a word or two for people. `shape` is that of an object, or
    of each of `many`.
    """

    schema: Mapping[str, Any]
    label: str
    shape: Shape[Any] | None = None
    many: bool = False


TEXT = Type({"type": "string"}, words.TYPE_TEXT)
COUNT = Type({"type": "integer", "minimum": 0}, words.TYPE_COUNT)
FLAG = Type({"type": "boolean"}, words.TYPE_FLAG)
TIME = Type({"type": "string", "format": "date-time"}, words.TYPE_TIME)
MICROS = Type({**COUNT.schema, "description": words.MICROS}, words.TYPE_MICROS)
OBJECT = Type({"type": "object"}, words.TYPE_OBJECT)


def one_of(*texts: str) -> Type:
    return Type({"type": "string", "enum": list(texts)}, ", ".join(f"`{text}`" for text in texts))


def nullable(of: Type) -> Type:
    return Type({**of.schema, "type": [of.schema["type"], "null"]}, words.OR_NULL.format(type=of.label))


def list_of(of: Type) -> Type:
    label = words.LISTS.get(of.label) or words.LIST_OF_OTHERS.format(type=of.label)
    return Type({"type": "array", "items": of.schema}, label, of.shape, many=True)


class Field(Generic[T]):
    """One field of a shape. Without `take` it is the value's attribute of the same name. An optional field is left out
    where it would be None.
    """

    def __init__(
        self, name: str, type_: Type, doc: str, take: Callable[[T], Any] | None = None, *, optional: bool = False
    ) -> None:
        self.name = name
        self.type = type_
        self.doc = doc
        self.take: Callable[[T], Any] = take or attrgetter(name)
        self.optional = optional

    def schema(self) -> dict[str, Any]:
        """As JSON Schema. What the type says of itself follows what the field means."""
        about = " ".join([self.doc, *filter(None, [self.type.schema.get("description")])])
        return {**self.type.schema, "description": about}


class Shape(Generic[T]):
    """A JSON object made of a `T`; its fields keep their order."""

    def __init__(self, name: str, *fields: Field[T] | tuple[Field[T], ...]) -> None:
        self.name = name
        self.fields = tuple(field for each in fields for field in (each if isinstance(each, tuple) else (each,)))

    def as_dict(self, of: T, *names: str) -> dict[str, Any]:
        """The object, or only these fields of it."""
        fields = [self._field(name) for name in names] if names else self.fields
        found = ((field, field.take(of)) for field in fields)
        return {field.name: taken for field, taken in found if taken is not None or not field.optional}

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {
            "type": "object",
            "required": [field.name for field in self.fields if not field.optional],
            "properties": {field.name: field.schema() for field in self.fields},
        }

    @property
    def type(self) -> Type:
        """For a field that holds such an object."""
        return Type(self.schema(), words.TYPE_OBJECT, self)

    def part(self, take: Callable[[U], T], *names: str) -> tuple[Field[U], ...]:
        """These fields, or all of them, for the shape of a value that a `T` is part of."""
        fields = [self._field(name) for name in names] if names else self.fields
        return tuple(_through(take, field) for field in fields)

    def optional_part(self, take: Callable[[U], T | None], *names: str) -> tuple[Field[U], ...]:
        """As `part`; the fields are left out where there is no such part."""
        return tuple(_through_optional(take, self._field(name)) for name in names)

    def _field(self, name: str) -> Field[T]:
        return next(field for field in self.fields if field.name == name)


def objects(name: str, shape: Shape[U], doc: str, take: Callable[[T], Iterable[U]] | None = None) -> Field[T]:
    """A field that holds a list of objects."""
    taken: Callable[[T], Iterable[U]] = take or attrgetter(name)
    return Field(name, list_of(shape.type), doc, lambda of: [shape.as_dict(each) for each in taken(of)])


def _through(take: Callable[[U], T], field: Field[T]) -> Field[U]:
    return Field(field.name, field.type, field.doc, lambda of: field.take(take(of)), optional=field.optional)


def _through_optional(take: Callable[[U], T | None], field: Field[T]) -> Field[U]:
    def taken(of: U) -> Any:
        part = take(of)
        return None if part is None else field.take(part)

    return Field(field.name, field.type, field.doc, taken, optional=True)
