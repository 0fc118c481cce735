"""Taking over conversations that a process left in the middle: what is owed there is done first.

A gateway, or a terminal, may have died in a turn, between a turn and the input that waited for it, or between a word
in the transcript and its way to people. A living owner is left alone.
"""

from __future__ import annotations

import asyncio
import time
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
from baton.surfaces.gateway.cases import LOOK, Cases
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.core.log.entry import Entry
    from baton.engine.turns.runtime import Revived
    from baton.surfaces.gateway.correspondence import Correspondence

_MOST_INTERRUPTIONS = 3
_NEXT = 0.05
_AT_A_TIME = 50
_LAST = 300
_SHORT = 400
"""Characters of a reply that is certainly one message, on every platform."""


class Takeover:
    """Takes over what a conversation's last owner left undone."""

    def __init__(self, correspondence: Correspondence, lease: float, recover_within: float) -> None:
        self._store = correspondence.store
        self._runtime = correspondence.runtime
        self._correspondence = correspondence
        self._recover_within = recover_within
        self._cases = Cases(self._store, self._runtime, lease, recover_within)
        self._unfinished: set[str] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def run(self, platforms: Sequence[str]) -> None:
        """Looks every second at the conversations of these platforms that changed; at first at all of the last time."""
        self._cases.begin()
        asked_at = 0.0
        while True:
            left = False
            with suppress(BatonError):
                if time.monotonic() - asked_at >= LOOK:
                    asked_at = time.monotonic()
                    await in_thread(self._cases.note_changes, platforms)
                left = await self._look_after(platforms)
            await asyncio.sleep(_NEXT if left else LOOK)

    async def _look_after(self, platforms: Sequence[str]) -> bool:
        """Looks at those that have an owner, and at some of the others: at the start there may be thousands. Whether
        more are left.
        """
        due = sorted(self._cases.list_due(), key=lambda each: (each.id in self._unfinished, -each.updated_at))
        free = [each for each in due if each.owner is None]
        owed = await in_thread(self._list_owed, free[:_AT_A_TIME])
        for conversation in [*(each for each in due if each.owner is not None), *owed]:
            await self._look_at(conversation)
        if any(each.id not in self._unfinished for each in free[_AT_A_TIME:]):
            return True
        return await in_thread(self._cases.note_older, platforms)

    def _list_owed(self, free: Sequence[Conversation]) -> list[Conversation]:
        """Those that need a closer look. Most do not, and that is seen without owning them."""
        owed = [each for each in free if each.id in self._unfinished or not self._is_settled(each)]
        for conversation in free:
            if conversation not in owed:
                self._cases.close(conversation)
        return owed

    def _is_settled(self, conversation: Conversation) -> bool:
        """Whether its last turn has an end, nothing waits, and all it said is on its way. What is long may be in
        several parts, and what continues another session is told from both: such are not judged here.
        """
        entries = self._store.entries.last(conversation.head_id, _LAST)
        since = now() - micros(self._recover_within)
        if not _is_ended(entries) or len(entries) == _LAST or self._store.sessions.get(conversation.head_id).parent_id:
            return False
        owed = [reply for reply in replies.replies(entries) if reply.at >= since]
        return all(len(reply.text) < _SHORT and self._is_put(reply.key) for reply in owed)

    def _is_put(self, key: str) -> bool:
        try:
            self._store.outbox.get(replies.first_part(key))
        except NotFound:
            return False
        return True

    async def _look_at(self, conversation: Conversation) -> None:
        self._cases.put_off(conversation)
        with suppress(BatonError):
            await self.take_over(conversation)
            if not self._runtime.busy(conversation.id):
                self._cases.close(conversation)

    async def take_over(self, conversation: Conversation) -> None:
        """Returns when nothing is left undone, or the cut turn runs again; what is submitted now comes after it.
        `OwnedElsewhere` while somebody else has the conversation. Runs to completion even if it is cancelled: half of
        it would be forgotten.
        """
        if conversation.id not in self._unfinished and self._runtime.left_whole(conversation):
            return
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
        return _is_ended(self._store.entries.last(conversation.head_id, _LAST))

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
                await put(place, key, Letter(words.CUT_OFF, replaces=half), conversation_id)
            return UserInput(prompt_text("resumption"), synthetic=True, place=place.key)
        text = words.TOO_OFTEN.format(count=revived.times)
        if cut.unknown:
            text = words.INTERRUPTED.format(text=cut.text)
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


def _is_ended(entries: Sequence[Entry]) -> bool:
    """Whether the last turn has an end and nothing waits for another."""
    begun = not entries or any(entry.kind == kinds.USER for entry in entries)
    return begun and not find_interrupted(entries) and not waiting_input(entries)
