"""Drafts of a handoff in a channel: which one an answer means, and what comes of it.

A draft may have been answered elsewhere meanwhile, in a terminal or through another gateway, or the conversation went
on without it: whoever answers late is told so, and nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from baton.core.errors import BadTransition, DraftStale, NotFound
from baton.core.handoff import packet as states
from baton.core.log import entry as kinds
from baton.core.log.session import HANDOFF
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import stands
from baton.engine.turns.boundary import WAITING
from baton.surfaces.gateway import texts
from baton.surfaces.shared import handoffs

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.ports.store import Store
    from baton.surfaces.shared.chat import Chat

START, CANCEL = "start", "cancel"
_DONE = {START: (states.CONFIRMED, texts.STARTED), CANCEL: (states.CANCELLED, texts.STAYED)}
_LOOK_BACK = 50


@value
class Settled:
    """What the person is told, and whether that answers the question."""

    text: str
    answered: bool = False


class Drafts:
    def __init__(self, store: Store, chat: Callable[[Conversation], Chat]) -> None:
        self._store = store
        self._chat = chat

    def meant(self, conversation: Conversation, text: str) -> str:
        """The choice that a word stands for where nobody can press a button; empty unless the newest draft waits and
        nothing was said since.
        """
        word = text.strip().lower().rstrip(".!")
        if word not in (START, CANCEL):
            return ""
        waiting = self._store.drafts.waiting(conversation.id)
        if not waiting or not stands(self._store, conversation.head_id, waiting[-1]):
            return ""
        return f"{word}:{waiting[-1].id}"

    async def answer(self, bound: Conversation, word: str, draft_id: str, *, again: bool = False) -> Settled:
        """`again` if it may have been done before whoever did it could say so."""
        if closed := await in_thread(self._closed, bound, draft_id):
            state, text = _DONE[word]
            if again and closed == texts.CLOSED[state]:
                return Settled(text, answered=True)
            return Settled(closed)
        chat = await in_thread(self._chat, bound)
        try:
            if word == CANCEL:
                await handoffs.cancel(chat, draft_id)
                return Settled(texts.STAYED, answered=True)
            await handoffs.start(chat, draft_id)
        except DraftStale:
            return Settled(texts.CLOSED[states.STALE])
        except BadTransition:
            return Settled(await in_thread(self._closed, bound, draft_id))
        return Settled(texts.STARTED, answered=True)

    def _closed(self, bound: Conversation, draft_id: str) -> str:
        """Why it cannot be answered here, in words; empty if it can."""
        try:
            draft = self._store.drafts.get(draft_id)
        except NotFound:
            return texts.CLOSED[states.STALE]
        if draft.conversation_id != bound.id:
            return texts.OF_ANOTHER.format(id=draft.conversation_id)
        return "" if draft.state == states.OPEN else texts.CLOSED[draft.state]

    def stopped(self, bound: Conversation) -> bool:
        """Whether the last turn ended to wait for an answer, also if that has moved the head by now."""
        head = self._store.sessions.get(self._store.conversations.get(bound.id).head_id)
        before = [head.parent_id] if head.edge == HANDOFF and head.parent_id else []
        for session_id in (head.id, *before):
            for entry in reversed(self._store.entries.last(session_id, _LOOK_BACK)):
                if entry.kind == kinds.USER:
                    return False
                if entry.kind == kinds.NOTE and '"end"' in entry.body:
                    return entry.data.get("end") == WAITING
        return False
