"""Who decides about a tool call, and the decisions that are remembered."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from baton.core.agent.choice import NO
from baton.core.value import value

if TYPE_CHECKING:
    from baton.core.agent.event import ApprovalAsked


@value
class Answer:
    """`choice` is one of `core.agent.choice.CHOICES`: what was said, and how far a yes reaches. `comment` are the
    person's own words, for the model. `nobody` if there is no one to ask. `elsewhere` says in words how and where it
    was answered, if not by the approver that was asked.
    """

    choice: str
    comment: str = ""
    nobody: bool = False
    elsewhere: str = ""

    @property
    def allowed(self) -> bool:
        return self.choice != NO


class Approver(Protocol):
    async def ask(self, asked: ApprovalAsked) -> Answer:
        """Waits for your answer. If nobody can answer, it is no. Cancelled once it was answered elsewhere."""
        ...


class Memory(Protocol):
    """Calls remembered as allowed, by fingerprint, for one workspace."""

    def list_allowed(self) -> Collection[str]: ...

    def remember(self, fingerprint: str, title: str) -> None: ...
