"""Taking over conversations that a process left in the middle: what is owed there is done first.

A gateway, or a terminal, may have died in a turn, between a turn and the input that waited for it, or between a word
in the transcript and its way to people. A living owner is left alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from baton.core.errors import BatonError, NotFound
from baton.core.log import entry as kinds
from baton.core.log.interrupted import find_interrupted
from baton.core.log.lease import micros
from baton.core.log.payloads import AssistantStep, UserInput, payload
from baton.core.log.waiting import waiting_input
from baton.core.transfer import replies
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import parse_place
from baton.engine.aio import in_thread, uncancelled
from baton.engine.mail.delivery import now
from baton.engine.prompts import prompt_text
from baton.surfaces.gateway import texts

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.engine.turns.runtime import Revived
    from baton.surfaces.gateway.correspondence import Correspondence

LOOK = 1.0
_MOST_INTERRUPTIONS = 3
_NEXT = 0.05
_AT_A_TIME = 10
_LAST = 300


class Takeover:
    """Takes over what a conversation's last owner left undone."""

    def __init__(self, correspondence: Correspondence, lease: float, recover_within: float) -> None:
        self._store = correspondence.store
        self._runtime = correspondence.runtime
        self._correspondence = correspondence
        self._lease = lease
        self._recover_within = recover_within
        self._looked: dict[str, int] = {}
        self._unfinished: set[str] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def run(self, platforms: Sequence[str]) -> None:
        """Looks at all conversations of these platforms every second. The first look takes nothing for granted."""
        began = now()
        while True:
            left = 0
            with suppress(BatonError):
                left = await self._look_after(platforms, began)
            await asyncio.sleep(_NEXT if left else LOOK)

    async def _look_after(self, platforms: Sequence[str], began: int) -> int:
        """Looks at conversations that have an owner each time: it may be dead. At those that have none once after each
        change, when whoever made it had time to continue, or at once if that was us; at the start there may be
        hundreds, so only some at a time. Returns how many are left.
        """
        recent, quiet = now() - micros(self._recover_within), now() - micros(self._lease)
        found = await in_thread(self._store.bindings.list_conversations, platforms, recent)
        self._looked = {each.id: self._looked[each.id] for each in found if each.id in self._looked}
        for conversation in found:
            if conversation.owner is not None:
                await self._look_at(conversation)
        free = [each for each in found if each.owner is None and self._looked.get(each.id) != each.updated_at]
        due = [each for each in free if each.updated_at <= max(quiet, began) or self._runtime.left_open(each.id)]
        due.sort(key=lambda each: (each.id in self._unfinished, -each.updated_at))
        for conversation in due[:_AT_A_TIME]:
            await self._look_at(conversation)
        return sum(each.id not in self._unfinished for each in due[_AT_A_TIME:])

    async def _look_at(self, conversation: Conversation) -> None:
        with suppress(BatonError):
            await self.take_over(conversation)
            if not self._runtime.busy(conversation.id):
                self._looked[conversation.id] = conversation.updated_at

    async def take_over(self, conversation: Conversation) -> None:
        """Returns when nothing is left undone, or the cut turn runs again; what is submitted now comes after it.
        `OwnedElsewhere` while somebody else has the conversation. Runs to completion even if it is cancelled: half of
        it would be forgotten.
        """
        lock = self._locks.setdefault(conversation.id, asyncio.Lock())
        async with lock:
            if not self._runtime.busy(conversation.id):
                await uncancelled(self._take_over(conversation.id))

    async def _take_over(self, conversation_id: str) -> None:
        conversation = await in_thread(self._store.conversations.get, conversation_id)
        whole = conversation_id not in self._unfinished and self._runtime.left_whole(conversation)
        if conversation.epoch and not whole:
            self._unfinished.add(conversation_id)
            await self._revive(conversation)
            self._unfinished.discard(conversation_id)

    async def _revive(self, conversation: Conversation) -> None:
        free = conversation.owner is None and await in_thread(self._is_ended, conversation)
        revived = (
            None if free else await self._runtime.revive(conversation.id, partial(self._continue_turn, conversation.id))
        )
        await self._correspondence.catch_up(conversation.id, now() - micros(self._recover_within))
        for given in revived.waiting if revived else ():
            self._correspondence.follow(conversation.id)
            await self._runtime.submit(conversation.id, given)

    def _is_ended(self, conversation: Conversation) -> bool:
        """Whether its last turn has an end and nothing waits for another."""
        entries = self._store.entries.last(conversation.head_id, _LAST)
        begun = not entries or any(entry.kind == kinds.USER for entry in entries)
        return begun and not find_interrupted(entries) and not waiting_input(entries)

    async def _continue_turn(self, conversation_id: str, revived: Revived) -> UserInput | None:
        """The input with which the cut turn continues by itself; None if nobody knows what its last call did, or it
        never gets anywhere. A greeting is its transfer's.
        """
        cut, given = revived.cut, revived.given
        if cut is None or given is None or not given.place or given.transfer:
            return None
        place, key = parse_place(given.place), f"{cut.turn_id}/revived/{revived.times}"
        half, put = await in_thread(self._find_preview, conversation_id, cut.turn_id), self._correspondence.outbox.put
        if not cut.unknown and revived.times < _MOST_INTERRUPTIONS:
            if half:
                await put(place, key, Letter(texts.CUT_OFF, replaces=half), conversation_id)
            return UserInput(prompt_text("resumption"), synthetic=True, place=place.key)
        text = texts.TOO_OFTEN.format(count=revived.times)
        if cut.unknown:
            text = f"{texts.INTERRUPTED.format(text=cut.text)} {texts.SAY_GO_ON}"
        await put(place, key, Letter(text, replaces=half), conversation_id)
        return None

    def _find_preview(self, conversation_id: str, turn_id: str) -> str:
        """The key of the preview that was shown of an answer which never came to its end; empty if there is none."""
        entries = self._store.entries.last(self._store.conversations.get(conversation_id).head_id, _LAST)
        said = (payload(entry) for entry in entries if entry.kind == kinds.ASSISTANT)
        steps = (step.step for step in said if isinstance(step, AssistantStep) and step.turn == turn_id)
        key = replies.preview_key(f"{turn_id}/{replies.step_name(max(steps, default=0) + 1)}")
        with suppress(NotFound):
            return self._store.outbox.get(key).key
        return ""
