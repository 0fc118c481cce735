"""One thing the API does: its path, what may be given, what comes back. The document is made from these."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from baton.core.errors import BadInput
from baton.core.ids import ALPHABET, LENGTH, is_id, not_found, quote
from baton.core.text import check_text
from baton.core.value import value
from baton.surfaces.words import api as words

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context
    from baton.surfaces.shared.shapes import Shape


JSON = "application/json"
EVENTS = "text/event-stream"


@value
class Answer:
    """What comes back on success. `shape` is None for text that is not JSON."""

    status: int
    doc: str
    shape: Shape[Any] | None = None
    media: str = JSON


@value
class Operation:
    """`errors` are statuses in addition to those of every operation. A `free` one needs no token."""

    name: str
    method: str
    path: str
    doc: str
    act: Callable[[Context, Call], Awaitable[ASGIApp]]
    answers: tuple[Answer, ...]
    where: tuple[Parameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    body: tuple[Parameter, ...] = ()
    errors: tuple[int, ...] = ()
    resumes: bool = False
    free: bool = False

    @property
    def statuses(self) -> tuple[int, ...]:
        """Every error status it may answer with."""
        usual = (400, 403, 503) if self.free else (400, 401, 403, 429, 503)
        more = (*((404,) if self.where else ()), *((408, 413, 415) if self.body else ()), *self.errors)
        return tuple(sorted({*usual, *more}))


class Parameter(Protocol):
    """What may stand in a path, a query or a body: it describes itself, and reads what was given."""

    @property
    def name(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def required(self) -> bool: ...
    @property
    def default(self) -> Any:
        """The value of a parameter that was not given."""
        ...

    def schema(self) -> dict[str, Any]: ...

    def read(self, given: object) -> Any:
        """The checked value; `BadInput` says what is allowed."""
        ...


@value
class Text:
    """Text of at least one character, without NUL and lone surrogates."""

    name: str
    doc: str
    most: int
    required: bool = True
    default: Any = None

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "maxLength": self.most}

    def read(self, given: object) -> str:
        if not isinstance(given, str) or not given:
            raise _bad(self.name, given, words.TEXT_ALLOWED.format(most=self.most))
        return check_text(self.name, given, self.most)


@value
class Choice:
    name: str
    doc: str
    options: tuple[str, ...]
    required: bool = True
    default: Any = None

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.options)}

    def read(self, given: object) -> str:
        if not isinstance(given, str) or given not in self.options:
            raise _bad(self.name, given, ", ".join(self.options))
        return given


@value
class Whole:
    """A number in a query."""

    name: str
    doc: str
    default: int
    least: int
    most: int
    required: bool = False

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most, "default": self.default}

    def read(self, given: object) -> int:
        known = isinstance(given, str) and given.isascii() and given.isdecimal() and len(given) <= 9
        if not known or not self.least <= int(str(given)) <= self.most:
            raise _bad(self.name, given, words.WHOLE_ALLOWED.format(least=self.least, most=self.most))
        return int(str(given))


@value
class Id:
    """An id in a path. What no id can look like is simply not there."""

    name: str
    noun: str
    required: bool = True
    default: Any = None

    @property
    def doc(self) -> str:
        return words.ID_OF.format(noun=self.noun)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": f"^{self.noun[0]}_[{ALPHABET}]{{{LENGTH}}}$"}

    def read(self, given: object) -> str:
        text = str(given)
        if not is_id(self.noun, text):
            raise not_found(self.noun, text)
        return text


def _bad(name: str, given: object, allowed: str) -> BadInput:
    what = quote(given) if isinstance(given, str) else type(given).__name__
    return BadInput(reason=words.BAD_VALUE.format(name=name, value=what, allowed=allowed))
