"""Answers to what was asked in a channel: may this tool do exactly this, does the conversation go on from this packet?

By a button, which names its question, or by a word of the owner where the question was asked.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from baton.core.errors import LeftOpen, OwnedElsewhere
from baton.core.transfer.letter import Letter
from baton.engine.aio import in_thread
from baton.surfaces.gateway import texts
from baton.surfaces.gateway.drafts import CANCEL, START
from baton.surfaces.shared.handoffs import CONTINUE
from baton.surfaces.shared.wording import GATEWAY

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.engine.turns.runtime import Runtime
    from baton.ports.store import Store
    from baton.surfaces.gateway.correspondence import Correspondence
    from baton.surfaces.gateway.drafts import Drafts
    from baton.surfaces.gateway.message import Message

_AGAIN = 0.25


class Answers:
    def __init__(self, store: Store, runtime: Runtime, correspondence: Correspondence, drafts: Drafts) -> None:
        self._store = store
        self._runtime = runtime
        self._correspondence = correspondence
        self._drafts = drafts

    async def take(self, message: Message, bound: Conversation | None) -> bool:
        """Whether the message was an answer, and nothing else."""
        if bound and message.owner and await self._decides(message, bound):
            return True
        choice = message.choice or await in_thread(self._meant, message, bound)
        if choice:
            await self._choose(message, bound, choice)
        return bool(choice)

    async def _decides(self, message: Message, bound: Conversation) -> bool:
        """Whether it answered the question a turn of this gateway waits for."""
        choice = message.choice or message.text
        decided = self._correspondence.questions.answer(bound.id, choice, message.place.key)
        seen = message.choice and self._correspondence.closing.visible(message.place)
        if decided and not seen:
            await self._tell(message, texts.ANSWERED[decided])
        return bool(decided)

    def _meant(self, message: Message, bound: Conversation | None) -> str:
        """The button that a word of the owner stands for."""
        return self._drafts.meant(bound, message.text) if bound and message.owner else ""

    async def _choose(self, message: Message, bound: Conversation | None, choice: str) -> None:
        """A button: of a draft, which anybody's gateway can answer, or of a question that another one asked."""
        word, _, which = choice.partition(":")
        if not message.owner:
            await self._tell(message, texts.ONLY_OWNER)
        elif bound and word in (START, CANCEL):
            await self._answer(message, bound, word, which)
        elif bound and await in_thread(self._held_elsewhere, bound.id):
            raise OwnedElsewhere(noun="conversation", id=bound.id, owner=GATEWAY, seconds=_AGAIN)
        else:
            await self._tell(message, texts.NO_QUESTION)

    async def _answer(self, message: Message, bound: Conversation, word: str, draft_id: str) -> None:
        """Work that was stopped for the question goes on after it, once, whoever answered how often."""
        settled = await self._drafts.answer(bound, word, draft_id, again=message.attempts > 1)
        await self._tell(message, settled.text)
        given = {"text": CONTINUE, "synthetic": True, "place": message.place.key, "inbox": f"draft/{draft_id}"}
        while settled.answered and await in_thread(self._drafts.stopped, bound):
            self._correspondence.follow(bound.id)
            try:
                await self._runtime.submit(bound.id, given)
            except (OwnedElsewhere, LeftOpen):
                await asyncio.sleep(_AGAIN)
            else:
                return

    def _held_elsewhere(self, conversation_id: str) -> bool:
        owner = self._store.conversations.get(conversation_id).owner
        return owner is not None and not self._runtime.busy(conversation_id)

    async def _tell(self, message: Message, text: str) -> None:
        await self._correspondence.outbox.put(message.place, f"reply/{message.key}", Letter(text))
