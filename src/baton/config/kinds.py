"""What a value may be: each kind reads it from text, says what is allowed, and describes itself to editors."""

from __future__ import annotations

import re
from typing import Protocol, TypeVar

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
    """Text of one form.

    `pattern` describes the whole text in the syntax that Python and JavaScript share; `form` says it to a person.
    Nothing of an `opaque` one is ever shown.
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
