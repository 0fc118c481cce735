"""One thing the API does: its path, what may be given, what comes back. The document is made from these."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from baton.core.value import value

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.fields import Field
    from baton.surfaces.api.office import Office

JSON = "application/json"
EVENTS = "text/event-stream"


@value
class Answer:
    """What comes back when it was done. `schema` is None for text that is no JSON."""

    status: int
    doc: str
    schema: Mapping[str, Any] | None = None
    media: str = JSON


@value
class Operation:
    """`errors` are statuses beside those that any operation may answer. One that is `free` needs no token."""

    name: str
    method: str
    path: str
    doc: str
    act: Callable[[Office, Call], Awaitable[ASGIApp]]
    answers: tuple[Answer, ...]
    where: tuple[Field, ...] = ()
    query: tuple[Field, ...] = ()
    body: tuple[Field, ...] = ()
    errors: tuple[int, ...] = ()
    resumes: bool = False
    free: bool = False

    @property
    def statuses(self) -> tuple[int, ...]:
        """Every status of an error it may answer."""
        usual = (400, 403, 503) if self.free else (400, 401, 403, 429, 503)
        more = (*((404,) if self.where else ()), *((408, 413, 415) if self.body else ()), *self.errors)
        return tuple(sorted({*usual, *more}))
