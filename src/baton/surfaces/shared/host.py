"""What the gateway needs of the program around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from baton.core.log.conversation import Conversation
    from baton.engine.turns.parts import Parts
    from baton.surfaces.shared.chat import Agent


class Host(Protocol):
    """Wiring implements it."""

    @property
    def workspace(self) -> str:
        """Where conversations begun in a channel work."""
        ...

    @property
    def model(self) -> str:
        """What they are begun with."""
        ...

    def agent(self, conversation: Conversation) -> Agent:
        """The agent of a conversation, with its own model and mode. Blocks for a moment the first time."""
        ...

    async def parts(self, conversation_id: str) -> Parts:
        """What the next turn of a conversation is made of."""
        ...

    async def forget_idle(self, unused_for: float, is_busy: Callable[[str], bool]) -> None:
        """Closes agents that were not asked for so many seconds, unless their conversation is busy. What was chosen
        for one (its model, its mode) stays.
        """
        ...

    def clean(self, text: str, conversation_id: str = "") -> str:
        """The text without secrets: those of the conversation's own workspace, if it has one."""
        ...

    def target(self, text: str) -> str:
        """The target a person means: a platform, a name from the configuration, a place's key, or `terminal`;
        `TransferError` if it cannot be reached now.
        """
        ...
