"""The turns that answer one prompt: recovery after a crash first, then the prompt's own, then those after a handoff.

A conversation that another process owns is waited for, within bounds, and the person is told once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from baton.core.errors import OwnedElsewhere, TurnLimit
from baton.core.log.owner import describe_owner
from baton.core.log.payloads import CANCELLED, FAILED, HANDED_OFF, WAITING
from baton.engine.aio import in_thread
from baton.surfaces.acp.errors import TurnFailed
from baton.surfaces.acp.prompt_queue import STOPPED
from baton.surfaces.shared.handoffs import make_resumption
from baton.surfaces.words import editor as words

if TYPE_CHECKING:
    from baton.core.agent.event import TurnEnded
    from baton.core.log.conversation import Conversation
    from baton.core.log.payloads import UserInput
    from baton.surfaces.acp.event_view import EventView
    from baton.surfaces.acp.handoff import HandoffReview
    from baton.surfaces.shared.chat import Chat

STOPS = {"length": "max_tokens", "refusal": "refusal"}
OWNER_SECONDS = 40.0
_LOOK_AGAIN_SECONDS = 0.25


class Turns:
    def __init__(self, chat: Chat, view: EventView, review: HandoffReview) -> None:
        self._chat = chat
        self._view = view
        self._review = review

    async def recover(self) -> None:
        """Reports what a crash left behind, to the person and to the model. `OwnedElsewhere` if another owner stays."""
        wait = _OwnerWait(self._warn)
        while True:
            try:
                await self._chat.runtime.recover(self._chat.current().id)
                return
            except OwnedElsewhere as error:
                if not await wait.again(str(error.facts["who"])):
                    raise

    async def answer(self, given: UserInput) -> str:
        """The stop reason of the prompt. Further turns follow the first if it was stopped for a question or the
        handoff asked for another process. `TurnFailed` if the last one failed.
        """
        ended = await self._run(given)
        while ended.reason in (WAITING, HANDED_OFF):
            if ended.reason == WAITING and not await self._review.answer_offered():
                return "end_turn"
            ended = await self._run(await make_resumption(self._chat))
        if ended.reason == CANCELLED:
            return STOPPED
        if ended.error_code == TurnLimit.code:
            self._warn(ended.error)
            return "max_turn_requests"
        if ended.error or ended.reason == FAILED:
            raise TurnFailed(ended.error_code, ended.error)
        return STOPS.get(self._view.stop, "end_turn")

    async def _run(self, given: UserInput) -> TurnEnded:
        wait = _OwnerWait(self._warn)
        while True:
            ended = await self._view.wait_for_end(await self._chat.runtime.send(self._chat.current().id, given))
            if ended.error_code != OwnedElsewhere.code:
                return ended
            owner = (await in_thread(self._load)).owner or ""
            if not await wait.again(describe_owner(owner, capital=True)):
                return ended

    def _load(self) -> Conversation:
        return self._chat.store.conversations.get(self._chat.current().id)

    def _warn(self, words: str) -> None:
        self._view.say(words, severity="warning")


class _OwnerWait:
    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._deadline = time.monotonic() + OWNER_SECONDS
        self._told = False

    async def again(self, who: str) -> bool:
        """Waits a moment; False once it has waited long enough."""
        if time.monotonic() > self._deadline:
            return False
        if not self._told:
            self._say(words.OWNED.format(who=who))
            self._told = True
        await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        return True
