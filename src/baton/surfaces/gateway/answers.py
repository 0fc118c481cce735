"""Answers to what was asked in a channel: may this tool do exactly this, does the conversation go on from this packet?

By a button, which names its question, or by a word of the owner where the question was asked. A draft may have been
answered elsewhere meanwhile, in a terminal or through another gateway, or the conversation continued without it:
whoever answers late is told so, and nothing happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.errors import BadTransition, BatonError, DraftStale, LeftOpen, NotFound, OwnedElsewhere
from baton.core.handoff import packet as states
from baton.core.log import entry as kinds
from baton.core.log.payloads import WAITING, TurnEnd, TurnInterrupted, payload
from baton.core.log.session import HANDOFF
from baton.core.transfer.letter import Attached, Letter
from baton.core.transfer.place import Place, parse_place
from baton.core.value import replace, value
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import stands
from baton.surfaces.gateway import texts
from baton.surfaces.shared import handoffs, rules
from baton.surfaces.shared.wording import GATEWAY

if TYPE_CHECKING:
    from baton.core.agent.event import HandoffOffered
    from baton.core.log.conversation import Conversation
    from baton.engine.mail.outbox import OutboxWriter
    from baton.ports.store import Store
    from baton.surfaces.gateway.correspondence import Correspondence
    from baton.surfaces.gateway.reception import Message
    from baton.surfaces.shared.approvals import Question, Questions
    from baton.surfaces.shared.chat import Chat

START, CANCEL = "start", "cancel"
_DONE = {START: (states.CONFIRMED, texts.STARTED), CANCEL: (states.CANCELLED, texts.STAYED)}
_ENDS = (kinds.TURN_ENDED, kinds.TURN_INTERRUPTED, kinds.NOTE)
_LOOK_BACK = 50
_AGAIN = 0.25
_SHOWN = 12
"""Rules of a draft that are shown with its question, which has to fit into one message."""


class Answers:
    """Finds the question that a message answers, and does what the answer says."""

    def __init__(self, correspondence: Correspondence, drafts: Drafts) -> None:
        self._store = correspondence.store
        self._runtime = correspondence.runtime
        self._correspondence = correspondence
        self._drafts = drafts

    async def take(self, message: Message, bound: Conversation | None) -> bool:
        """False if the message is no answer."""
        if bound and message.by_owner and await self._decide(message, bound):
            return True
        choice = message.choice or await in_thread(self._find_choice, message, bound)
        if choice:
            await self._choose(message, bound, choice)
        return bool(choice)

    async def _decide(self, message: Message, bound: Conversation) -> bool:
        """Answers the question that a turn of this gateway waits for; False if it does not."""
        choice = message.choice or message.text
        decided = self._correspondence.questions.answer(bound.id, choice, message.place.key)
        seen = message.choice and self._correspondence.closed_questions.are_visible(message.place)
        if decided and not seen:
            await self._tell(message, texts.ANSWERED[decided])
        return bool(decided)

    def _find_choice(self, message: Message, bound: Conversation | None) -> str:
        """The button that a word of the owner stands for."""
        return self._drafts.find_choice(bound, message.text) if bound and message.by_owner else ""

    async def _choose(self, message: Message, bound: Conversation | None, choice: str) -> None:
        """A button: of a draft, which anybody's gateway can answer, or of a question that another one asked."""
        word, _, which = choice.partition(":")
        if not message.by_owner:
            await self._tell(message, texts.ONLY_OWNER)
        elif bound and word in (START, CANCEL):
            await self._answer(message, bound, word, which)
        elif bound and await in_thread(self._is_held_elsewhere, bound.id):
            raise OwnedElsewhere(noun="conversation", id=bound.id, owner=GATEWAY, seconds=_AGAIN)
        else:
            await self._tell(message, texts.NO_QUESTION)

    async def _answer(self, message: Message, bound: Conversation, word: str, draft_id: str) -> None:
        """Work that was stopped for the question continues after it, once, however often it is answered."""
        reply = await self._drafts.answer(bound, word, draft_id, again=message.attempts > 1)
        await self._tell(message, reply.text)
        given = replace(handoffs.RESUME, place=message.place.key, inbox=f"draft/{draft_id}")
        while reply.answered and await in_thread(self._drafts.has_stopped_for_one, bound):
            self._correspondence.follow(bound.id)
            try:
                await self._runtime.submit(bound.id, given)
            except (OwnedElsewhere, LeftOpen):
                await asyncio.sleep(_AGAIN)
            else:
                return

    def _is_held_elsewhere(self, conversation_id: str) -> bool:
        owner = self._store.conversations.get(conversation_id).owner
        return owner is not None and not self._runtime.busy(conversation_id)

    async def _tell(self, message: Message, text: str) -> None:
        await self._correspondence.outbox.put(message.place, f"reply/{message.key}", Letter(text))


class ClosedQuestions:
    """Questions that are no longer open: where a platform can edit, their messages say how they ended, and lose their
    buttons. That holds whoever answered, here or on another surface, and if the turn was stopped.
    """

    def __init__(self, outbox: OutboxWriter, questions: Questions) -> None:
        self._outbox = outbox
        self._putting: set[asyncio.Future[str]] = set()
        questions.on_closed = self._show_end

    def are_visible(self, place: Place) -> bool:
        """Whether a question's end is shown in its own message."""
        platform = self._outbox.platform(place)
        return platform is not None and platform.abilities.edits

    def _show_end(self, question: Question) -> None:
        """A question in several messages is left as it is: only the last of them is known."""
        if not question.key.endswith("/0") or not self.are_visible(place := parse_place(question.place)):
            return
        letter = Letter(f"{question.text}\n\n{_outcome(question)}", replaces=question.key)
        put = self._outbox.put(place, f"{question.key}/closed", letter, question.conversation_id)
        self._putting.add(task := asyncio.ensure_future(put))
        task.add_done_callback(self._putting.discard)

    async def close(self) -> None:
        if self._putting:
            await asyncio.wait(self._putting)


def _outcome(question: Question) -> str:
    if not question.answer.done() or question.answer.cancelled():
        return texts.LAPSED
    answer = question.answer.result()
    return texts.ANSWERED["no" if not answer.allowed else "always" if answer.remember else "yes"]


@value
class Reply:
    """What whoever answered is told, and whether that answers the question."""

    text: str
    answered: bool = False


class Drafts:
    """Drafts of a handoff: which one an answer means, and what comes of it."""

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
    """The packet and the rules in it, with the question; without them if the draft is gone by now."""
    attached = None
    with suppress(BatonError):
        review = handoffs.load_review(store, draft_id)
        attached = Attached(path.rpartition("/")[2], "text/markdown", review.markdown.encode())
        text = f"{rules.describe_in_markdown(review.rules, _SHOWN)}\n\n{text}" if review.rules else text
    buttons = ((texts.START, f"start:{draft_id}"), (texts.CANCEL, f"cancel:{draft_id}"))
    return Letter(text, buttons, attached)
