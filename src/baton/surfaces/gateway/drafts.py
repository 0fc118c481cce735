"""Drafts of a handoff in a channel: the letter that offers one, which one an answer means, and what comes of it.

A draft may have been answered elsewhere meanwhile, in a terminal or through another gateway, or the conversation went
on without it: whoever answers late is told so, and nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.errors import BadTransition, BatonError, DraftStale, NotFound
from baton.core.handoff import packet as states
from baton.core.log import entry as kinds
from baton.core.log.payloads import WAITING, TurnEnd, TurnInterrupted, payload
from baton.core.log.session import HANDOFF
from baton.core.transfer.letter import Attached, Letter
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import stands
from baton.surfaces.gateway import texts
from baton.surfaces.shared import handoffs

if TYPE_CHECKING:
    from baton.core.agent.event import HandoffOffered
    from baton.core.log.conversation import Conversation
    from baton.ports.store import Store
    from baton.surfaces.shared.chat import Chat

START, CANCEL = "start", "cancel"
_DONE = {START: (states.CONFIRMED, texts.STARTED), CANCEL: (states.CANCELLED, texts.STAYED)}
_ENDS = (kinds.TURN_ENDED, kinds.TURN_INTERRUPTED, kinds.NOTE)
_LOOK_BACK = 50


@value
class Reply:
    """What whoever answered is told, and whether that answers the question."""

    text: str
    answered: bool = False


class Drafts:
    def __init__(self, store: Store, chat: Callable[[Conversation], Chat]) -> None:
        self._store = store
        self._chat = chat

    def find_choice(self, conversation: Conversation, text: str) -> str:
        """The choice that a typed word stands for; empty unless the newest draft waits and nothing was said since."""
        word = text.strip().lower().rstrip(".!")
        if word not in (START, CANCEL):
            return ""
        waiting = self._store.drafts.list_waiting(conversation.id)
        if not waiting or not stands(self._store, conversation.head_id, waiting[-1]):
            return ""
        return f"{word}:{waiting[-1].id}"

    async def answer(self, bound: Conversation, word: str, draft_id: str, *, again: bool = False) -> Reply:
        """`again` if an earlier try may have done it and died before it could say so."""
        if closed := await in_thread(self._why_closed, bound, draft_id):
            state, text = _DONE[word]
            if again and closed == texts.CLOSED[state]:
                return Reply(text, answered=True)
            return Reply(closed)
        chat = await in_thread(self._chat, bound)
        try:
            if word == CANCEL:
                await handoffs.cancel(chat, draft_id)
                return Reply(texts.STAYED, answered=True)
            await handoffs.start(chat, draft_id)
        except DraftStale:
            return Reply(texts.CLOSED[states.STALE])
        except BadTransition:
            return Reply(await in_thread(self._why_closed, bound, draft_id))
        return Reply(texts.STARTED, answered=True)

    def _why_closed(self, bound: Conversation, draft_id: str) -> str:
        """Why it cannot be answered here, in words; empty if it can."""
        try:
            draft = self._store.drafts.get(draft_id)
        except NotFound:
            return texts.CLOSED[states.STALE]
        if draft.conversation_id != bound.id:
            return texts.OF_ANOTHER.format(id=draft.conversation_id)
        return "" if draft.state == states.OPEN else texts.CLOSED[draft.state]

    def has_stopped_for_one(self, bound: Conversation) -> bool:
        """Whether the last turn ended to wait for an answer, even if the answer has moved the head by now."""
        head = self._store.sessions.get(self._store.conversations.get(bound.id).head_id)
        before = [head.parent_id] if head.edge == HANDOFF and head.parent_id else []
        for session_id in (head.id, *before):
            for entry in reversed(self._store.entries.last(session_id, _LOOK_BACK)):
                if entry.kind == kinds.USER:
                    return False
                held = payload(entry) if entry.kind in _ENDS else None
                if isinstance(held, TurnEnd | TurnInterrupted):
                    return isinstance(held, TurnEnd) and held.end == WAITING
        return False


def offer_letter(store: Store, event: HandoffOffered) -> Letter:
    """The packet itself, and the question."""
    doubt = f"\n{event.doubt}" if event.doubt else ""
    text = texts.OFFERED.format(because=event.because, path=event.path, tokens=event.tokens, doubt=doubt)
    return draft_letter(store, event.draft_id, event.path, text)


def draft_letter(store: Store, draft_id: str, path: str, text: str) -> Letter:
    attached = None
    with suppress(BatonError):
        packet = store.packets.get(store.drafts.get(draft_id).packet_id)
        attached = Attached(path.rpartition("/")[2], "text/markdown", packet.markdown.encode())
    buttons = ((texts.START, f"start:{draft_id}"), (texts.CANCEL, f"cancel:{draft_id}"))
    return Letter(text, buttons, attached)
