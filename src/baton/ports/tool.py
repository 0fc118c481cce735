"""A tool the model may call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from baton.core.value import field, value

if TYPE_CHECKING:
    from baton.core.agent.message import ToolSpec

READ = "read"
EDIT = "edit"
EXECUTE = "execute"
FETCH = "fetch"
PLAN = "plan"
EFFECTS = (READ, EDIT, EXECUTE, FETCH, PLAN)


@value
class Outcome:
    """`text` goes to the model, bounded. `details` are facts for the record: exit, diff, files, log, items."""

    text: str
    ok: bool = True
    details: Mapping[str, Any] = field(default_factory=dict)


@value
class Intent:
    """What a call would do, for whoever decides: `title` in one line, `preview` (a diff, a command) whole.

    `outside` names what it would touch outside the workspace; `paths` are workspace files it would change; links in
    both are followed. `runner` identifies what carries it out, where that may change between two equal calls.

    `asks` is the question for a person, if it is not simply the title. `begins` are the words by which commands like it
    could be allowed, `beginnings` all words by which this one may have been.
    """

    title: str
    effect: str
    preview: str = ""
    paths: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    runner: str = ""
    asks: str = ""
    begins: tuple[str, ...] = ()
    beginnings: tuple[tuple[str, ...], ...] = ()

    @property
    def question(self) -> str:
        return self.asks or f"{self.title}?"


class Output(Protocol):
    """Where a running tool sends its output."""

    def __call__(self, text: str) -> None: ...


class Tool(Protocol):
    @property
    def spec(self) -> ToolSpec: ...

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        """What this call would do; changes nothing. Raises `BadArguments`."""
        ...

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        """Does it. Cancelling the task stops it within a second and leaves no process behind."""
        ...
