"""Messages that cannot be sent yet, because another process is at work on the conversation: shown as waiting, sent in
their order as soon as it is free, and brought back by ↑ until then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from baton.core.log.owner import describe_owner
from baton.engine.aio import in_thread
from baton.engine.processes import is_gone
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.tui.app import ChatApp

_LOOK_AGAIN = 0.5
_NEXT = 0.05


class Held:
    """One message. It is compared by what it is, not by what it says: the same may be said twice."""

    def __init__(self, text: str, conversation_id: str) -> None:
        self.text = text
        self.conversation_id = conversation_id


class HeldMessages:
    """`changed` is called whenever there is one more or one less."""

    def __init__(self, app: ChatApp, chat: Chat, changed: Callable[[], None]) -> None:
        self._app = app
        self._chat = chat
        self._changed = changed
        self._held: list[Held] = []

    @property
    def texts(self) -> list[str]:
        return [each.text for each in self._held]

    def __bool__(self) -> bool:
        return bool(self._held)

    def add(self, text: str) -> Held:
        held = Held(text, self._chat.conversation.id if self._chat.conversation else "")
        self._held.append(held)
        self._changed()
        return held

    def drop(self, held: Held) -> bool:
        """False if it was brought back meanwhile."""
        if held not in self._held:
            return False
        self._held.remove(held)
        self._changed()
        return True

    def bring_back(self) -> str:
        """The last one, which then waits no more."""
        last = self._held[-1]
        self.drop(last)
        return last.text

    async def tell_not_taken(self) -> None:
        conversation = await in_thread(self._chat.store.conversations.get, self._chat.current().id)
        who = describe_owner(conversation.owner or "", capital=False)
        await self._app.notice(words.NOT_TAKEN.format(who=who), "warning")

    async def wait_until_free(self, held: Held) -> bool:
        """Returns when it is its turn and nobody else is at work. False if it was brought back, or its conversation was
        left, which is said.
        """
        while held in self._held:
            conversation = self._chat.conversation
            if held.conversation_id and (conversation is None or conversation.id != held.conversation_id):
                self.drop(held)
                await self._app.notice(words.NOT_SENT.format(text=held.text), "warning")
                return False
            first = held is self._held[0]
            if first and await in_thread(self._is_free):
                return held in self._held
            await asyncio.sleep(_LOOK_AGAIN if first else _NEXT)
        return False

    def _is_free(self) -> bool:
        conversation = self._chat.conversation
        if conversation is None or self._chat.busy:
            return True
        owner = self._chat.store.conversations.get(conversation.id).owner
        return owner is None or is_gone(owner)
