"""What a value may be: each kind reads it from text, says what is allowed, and describes itself to editors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

N = TypeVar("N", int, float)


class Kind(Protocol):
    """One sort of value.

    `read` gets the text as written and whether it was `bare`, that is without quotes; it returns the value or raises
    `ValueError`. `schema` accepts the same values, as JSON Schema.
    """

    @property
    def name(self) -> str: ...
    @property
    def allowed(self) -> str: ...
    def read(self, text: str, *, bare: bool) -> object: ...
    def schema(self) -> dict[str, object]: ...


class Flag:
    name = "flag"
    allowed = "true or false"

    def read(self, text: str, *, bare: bool) -> bool:
        if not bare or text not in ("true", "false"):
            raise ValueError
        return text == "true"

    def schema(self) -> dict[str, object]:
        return {"type": "boolean"}


class Whole:
    """A whole number within bounds, in decimal digits."""

    name = "whole number"

    def __init__(self, minimum: int, maximum: int = 1_000_000_000) -> None:
        self.minimum, self.maximum = minimum, maximum

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.minimum} to {self.maximum}"

    def read(self, text: str, *, bare: bool) -> int:
        if not bare or not re.fullmatch(r"-?(0|[1-9][0-9]*)", text):
            raise ValueError
        return _within(int(text), self.minimum, self.maximum)

    def schema(self) -> dict[str, object]:
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}


class Seconds:
    """A duration within bounds, as a decimal number."""

    name = "seconds"

    def __init__(self, minimum: float, maximum: float) -> None:
        self.minimum, self.maximum = minimum, maximum

    @property
    def allowed(self) -> str:
        return f"a number of seconds from {self.minimum:g} to {self.maximum:g}"

    def read(self, text: str, *, bare: bool) -> float:
        number = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"
        if not bare or not re.fullmatch(number, text):
            raise ValueError
        return _within(float(text), self.minimum, self.maximum)

    def schema(self) -> dict[str, object]:
        return {"type": "number", "minimum": self.minimum, "maximum": self.maximum}


class Share(Seconds):
    """A part of a whole, within bounds, as a decimal number."""

    name = "share"

    @property
    def allowed(self) -> str:
        return f"a number from {self.minimum:g} to {self.maximum:g}"


class Choice:
    """One of a few words."""

    name = "choice"

    def __init__(self, *words: str) -> None:
        self.words = words

    @property
    def allowed(self) -> str:
        return f"{', '.join(self.words[:-1])} or {self.words[-1]}"

    def read(self, text: str, *, bare: bool) -> str:
        del bare
        if text not in self.words:
            raise ValueError
        return text

    def schema(self) -> dict[str, object]:
        return {"type": "string", "enum": list(self.words)}


class Text:
    """Text of one form. `pattern` describes the whole text in the syntax that Python and JavaScript share; `form`
    describes it in words. An `opaque` one is never shown, not even in part.
    """

    name = "text"

    def __init__(self, pattern: str, form: str, *, longest: int, opaque: bool = False) -> None:
        self.pattern, self.form, self.longest, self.opaque = pattern, form, longest, opaque

    @property
    def allowed(self) -> str:
        return f"{self.form} (at most {self.longest} characters)"

    def read(self, text: str, *, bare: bool) -> str:
        del bare
        text.encode()  # a lone surrogate raises UnicodeEncodeError, which is a ValueError
        if len(text) > self.longest or not re.fullmatch(self.pattern, text):
            raise ValueError
        return text

    def schema(self) -> dict[str, object]:
        return {"type": "string", "pattern": f"^(?:{self.pattern})$", "maxLength": self.longest}


def _within(number: N, minimum: N, maximum: N) -> N:
    if not minimum <= number <= maximum:
        raise ValueError
    return number


class ListOf:
    """Texts of one form, in order. In a variable or a flag they are written with commas between them."""

    name = "list"

    def __init__(self, item: Text, form: str, *, most: int) -> None:
        self.item, self.form, self.most = item, form, most

    @property
    def allowed(self) -> str:
        return f"a list of {self.form} (at most {self.most})"

    def read(self, text: str, *, bare: bool) -> tuple[str, ...]:
        parts = [part.strip() for part in text.split(",")] if text.strip() else []
        return self.collect([(part, bare) for part in parts])

    def collect(self, items: list[tuple[str, bool]]) -> tuple[str, ...]:
        """The value of these texts, each with whether it was bare; raises `ValueError` when it is not allowed."""
        if len(items) > self.most:
            raise ValueError
        return tuple(self.item.read(text, bare=bare) for text, bare in items)

    def schema(self) -> dict[str, object]:
        return {"type": "array", "items": self.item.schema(), "maxItems": self.most}


class MapOf:
    """Names with a text each. In a variable or a flag they are written as name=text, with commas between them."""

    name = "names with texts"

    def __init__(self, names: Text, texts: Text, form: str, *, most: int) -> None:
        self.names, self.texts, self.form, self.most = names, texts, form, most

    @property
    def allowed(self) -> str:
        return f"{self.form} (at most {self.most})"

    def read(self, text: str, *, bare: bool) -> dict[str, str]:
        pairs: dict[str, tuple[str, bool]] = {}
        for part in text.split(",") if text.strip() else ():
            name, equals, held = part.partition("=")
            if not equals or name.strip() in pairs:
                raise ValueError
            pairs[name.strip()] = (held.strip(), bare)
        return self.collect(pairs)

    def collect(self, pairs: dict[str, tuple[str, bool]]) -> dict[str, str]:
        if len(pairs) > self.most:
            raise ValueError
        return {
            self.names.read(name, bare=True): self.texts.read(text, bare=bare) for name, (text, bare) in pairs.items()
        }

    def schema(self) -> dict[str, object]:
        names, texts = self.names.schema(), self.texts.schema()
        return {"type": "object", "propertyNames": names, "additionalProperties": texts, "maxProperties": self.most}


class TableOf:
    """Names with a group of keys each, declared by the settings class `record`.

    Exactly one of the keys `one_of` must be given. In a variable or a flag the whole table is written as JSON.
    """

    name = "table"

    def __init__(self, names: Text, record: type[Any], *, one_of: tuple[str, str], most: int) -> None:
        self.names, self.record, self.one_of, self.most = names, record, one_of, most

    @property
    def allowed(self) -> str:
        from baton.core.value import fields

        keys = ", ".join(each.name for each in fields(self.record))
        return f"names ({self.names.form}), at most {self.most}, each with the keys {keys}"

    @property
    def one(self) -> str:
        """What every record must have."""
        return f"{' or '.join(self.one_of)}, and not both"

    def read(self, text: str, *, bare: bool) -> dict[str, Any]:
        del text, bare
        raise ValueError

    def complete(self, record: object) -> bool:
        first, second = (bool(getattr(record, name)) for name in self.one_of)
        return first != second

    def schema(self, record: Callable[[type[Any]], dict[str, object]] | None = None) -> dict[str, object]:
        """`record` says what the schema of a settings class is."""
        inner = record(self.record) if record else {}
        inner |= {"type": "object", "oneOf": [{"required": [name]} for name in self.one_of]}
        names = self.names.schema()
        return {"type": "object", "propertyNames": names, "additionalProperties": inner, "maxProperties": self.most}
