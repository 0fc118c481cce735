"""What is said on another surface while the same conversation is open here: drawn when nothing runs here."""

from __future__ import annotations

import asyncio
from collections.abc import Set
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.widget import MountError

from baton.core.errors import BatonError
from baton.core.log import entry as kinds
from baton.core.log.payloads import (
    AssistantStep,
    Compression,
    CompressionFailed,
    PacketOpening,
    Payload,
    QueuedInput,
    TurnEnd,
    TurnInterrupted,
    UserInput,
    payload,
)
from baton.core.transfer.place import platform_name
from baton.engine.aio import in_thread
from baton.surfaces.tui.replay import replay
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.tui.app import ChatApp
    from baton.surfaces.tui.other_questions import OtherQuestions
    from baton.surfaces.tui.transfer import OutgoingTransfer

LOOK = 1.0


class OtherSurfaces:
    """Turns of this chat (`begun`) are drawn as they run; those of others are read from the store, with the questions
    they wait with. A transfer that was asked for here reports its own end.
    """

    def __init__(
        self, app: ChatApp, chat: Chat, transfer: OutgoingTransfer, begun: Set[str], questions: OtherQuestions
    ) -> None:
        self._app = app
        self._chat = chat
        self._transfer = transfer
        self._begun = begun
        self._questions = questions
        self._head, self._seen = "", 0
        self._places: dict[str, str] = {}
        self._greetings: set[str] = set()
        self._moved: set[str] = set()
        self._turn = ""
        self._calls: list[Entry] = []
        self._looking = asyncio.Lock()

    def mark_drawn(self, head_id: str, seq: int) -> None:
        """The transcript is on the screen up to here."""
        self._head, self._seen = head_id, seq

    def note_draft(self, draft_id: str) -> None:
        """It was told of here."""
        self._questions.note_draft(draft_id)

    async def look(self) -> None:
        if self._chat.conversation is None or self._chat.busy or self._looking.locked():
            return
        async with self._looking:
            with suppress(BatonError, MountError):  # nothing is mounted any more once the app ends
                conversation_id = self._chat.conversation.id
                for entry in await in_thread(self._news, conversation_id):
                    await self._draw(entry)
                await self._questions.look(conversation_id)

    def _news(self, conversation_id: str) -> list[Entry]:
        head = self._chat.store.conversations.get(conversation_id).head_id
        if head != self._head:
            self.mark_drawn(head, 0)
        entries = self._chat.store.entries.load(head, after=self._seen)
        if entries:
            self._seen = entries[-1].seq
        return [entry for entry in entries if not entry.copied]

    async def _draw(self, entry: Entry) -> None:
        """What tools did belongs to the turn before it; a call gives its result the title. A greeting is for those who
        wait there.
        """
        held = payload(entry)
        self._take_turn(held)
        if (
            entry.kind == kinds.ASSISTANT
            and self._turn in self._greetings - self._moved
            and not self._transfer.under_way
        ):
            self._moved.add(self._turn)
            await self._app.notice(words.LIVES_THERE.format(place=self._place()))
            self._app.show_status(place=self._place())
        if self._turn in self._begun or self._turn in self._greetings or not self._is_of_others(entry):
            return
        if isinstance(held, UserInput) and not held.synthetic:
            self._calls = []
            await self._app.notice(words.FROM.format(place=self._place()))
        if entry.kind == kinds.TOOL_CALL:
            self._calls.append(entry)
        else:
            await replay(self._app, [*self._calls, entry])

    def _is_of_others(self, entry: Entry) -> bool:
        """Between turns only what tools did is somebody else's: the screen was drawn in the middle of their turn."""
        return bool(self._turn) or entry.kind in (kinds.TOOL_CALL, kinds.TOOL_RESULT)

    def _take_turn(self, held: Payload) -> None:
        """Which turn this belongs to, where it came from, and whether it greets."""
        if isinstance(held, QueuedInput):
            self._turn = held.name or self._turn
            self._take_place(held.input.place, held.input.transfer)
        elif isinstance(held, UserInput):
            self._turn = held.turn or self._turn
            self._take_place(held.place, held.transfer)
        elif isinstance(held, AssistantStep | TurnEnd):
            self._turn = held.turn or self._turn
            self._take_place(held.place, "")
        elif isinstance(held, TurnInterrupted | PacketOpening | Compression | CompressionFailed):
            self._turn = held.turn or self._turn

    def _take_place(self, place: str, transfer: str) -> None:
        if transfer:
            self._greetings.add(self._turn)
        if place:
            self._places[self._turn] = place

    def _place(self) -> str:
        """Where the turn that is being told came from, as people call it."""
        place = self._places.get(self._turn, "")
        return platform_name(place.partition(":")[0]) if place else words.ELSEWHERE
