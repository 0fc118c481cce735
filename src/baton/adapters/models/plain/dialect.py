"""One wire format: how a prompt is asked, and how its answer is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from baton.adapters.models.answer import WrittenCall
from baton.adapters.models.failure import Refusal
from baton.adapters.models.plain.events import Event
from baton.adapters.models.replies import Replies
from baton.core.agent.message import Prompt
from baton.core.value import value
from baton.ports.model import Reasoning, Text

Kept = object
"""An answer with calls as its dialect wants it back: with signatures, and in its own order."""


class Refused(Exception):
    """The provider reported an error."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.status)
        self.refusal = refusal


class BrokenOff(Exception):
    """The answer came to no end of its own."""


@value
class Ask:
    """A request: where, and what. `repeats` says that it carries kept answers."""

    path: str
    body: Mapping[str, object]
    repeats: bool = False


@value
class Tokens:
    """As the provider counted them. `input` is all of it; `cached` and `written` to the cache are parts of it."""

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0


@value
class Ending:
    """What is known once an answer is whole. `model` is what answered, `cost` what it was said to cost in US dollars;
    a `refusal` is said beside the text.
    """

    calls: tuple[WrittenCall, ...]
    tokens: Tokens
    stop: str = "stop"
    refusal: str = ""
    kept: Kept | None = None
    model: str = ""
    cost: float | None = None


class Reader(Protocol):
    """Reads one answer."""

    def read(self, event: Event) -> Iterator[Text | Reasoning]:
        """What the event says; an empty `Reasoning` for a part of a call. Raises `Refused` or `Unreadable`."""
        ...

    def end(self) -> Ending:
        """Once no more events come; raises `BrokenOff` if that was too early."""
        ...


class Dialect(Protocol):
    """`base` is the address of the API, `headers` go with each request."""

    @property
    def base(self) -> str: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    def ask(self, prompt: Prompt, replies: Replies[Kept], *, images: bool) -> Ask: ...

    def reader(self) -> Reader: ...

    def refusal(self, status: int, body: object, after: float | None) -> Refusal:
        """An error that came in place of an answer."""
        ...
