"""What the app talks to. Wiring makes it, after the first frame."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from baton.ports.approver import Answer
    from baton.surfaces.cli.app import Offered
    from baton.surfaces.shared.chat import Chat


class Desk:
    """The chat, who hears answers to its questions, what to say first, and which models there are."""

    def __init__(
        self,
        chat: Chat,
        answer: Callable[[str, Answer], bool],
        greeting: list[str],
        models: Callable[[], Sequence[Offered]] = tuple,
    ) -> None:
        self.chat = chat
        self.answer = answer
        self.greeting = greeting
        self.models = models


MakeDesk = Callable[[Callable[[str], None]], Awaitable[Desk]]
