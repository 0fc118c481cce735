"""Who decides about a tool call, and the decisions that are remembered."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from baton.core.value import value

if TYPE_CHECKING:
    from baton.core.agent.event import ApprovalAsked


@value
class Answer:
    """`remember` asks to allow exactly this call in this workspace from now on. `nobody` if there is no one to ask."""

    allowed: bool
    remember: bool = False
    comment: str = ""
    nobody: bool = False


class Approver(Protocol):
    async def ask(self, asked: ApprovalAsked) -> Answer:
        """Waits for your answer. If nobody can answer, it is no."""
        ...


class Memory(Protocol):
    """Calls remembered as allowed, by fingerprint, for one workspace."""

    def list_allowed(self) -> Collection[str]: ...

    def remember(self, fingerprint: str, title: str) -> None: ...
