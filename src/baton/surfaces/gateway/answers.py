"""Answers to what was asked in a channel: may this tool do exactly this, does the conversation go on from this packet?

By a button, which names its question, or by a word of the owner where the question was asked.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from baton.core.errors import LeftOpen, OwnedElsewhere
from baton.core.log.payloads import UserInput
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place, parse_place
from baton.engine.aio import in_thread
from baton.surfaces.gateway import texts
from baton.surfaces.gateway.drafts import CANCEL, START
from baton.surfaces.shared.handoffs import CONTINUE
from baton.surfaces.shared.wording import GATEWAY

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.engine.mail.outbox import OutboxWriter
    from baton.surfaces.gateway.correspondence import Correspondence
    from baton.surfaces.gateway.drafts import Drafts
    from baton.surfaces.gateway.message import Message
    from baton.surfaces.shared.approvals import Question, Questions

_AGAIN = 0.25


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
        given = UserInput(CONTINUE, synthetic=True, place=message.place.key, inbox=f"draft/{draft_id}")
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
