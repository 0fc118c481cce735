"""One transfer on its way, step by step, so that any worker can continue where another one died.

    claimed  →  opened  →  bound  →  greeted  →  completed
              a thread    the place     the agent's word
              is there    is its own    was delivered

Each step is safe to repeat: threads and greetings have keys, binding twice is harmless.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from baton.core.display import one_line
from baton.core.errors import BatonError, SendLater, SendRefused, SendUnsure, TransferFailed
from baton.core.log.conversation import Conversation
from baton.core.log.lease import Ownership
from baton.core.text import TITLE_LIMIT
from baton.core.transfer import mail as boxes
from baton.core.transfer import transfer as rules
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place, parse_place, platform_name
from baton.core.transfer.transfer import Arrival, Greeted, Transfer
from baton.engine.aio import in_thread, retry_store, uncancelled
from baton.engine.mail.wakeup import Wakeup
from baton.engine.transfer.greeting import Greeting
from baton.engine.transfer.kit import TransferKit
from baton.ports.platform import Platform

T = TypeVar("T")
MOVED = "→ This conversation went to {place}."
NOBODY = "nobody is known as you on {name}, so nobody there could answer; run `baton pair {platform}`"
HERE = "→ This place now speaks for “{title}”."
NOT_HERE = "◆ The conversation did not move here: {reason}. It continues where it was, and does not hear this place."
_TRIES = 5
_LONGEST_PAUSE = 30.0
_UNSURE_PAUSE = 0.2


class Journey:
    """One transfer in the hands of one worker, which sets `lost` or `cancelled` before it cancels `run`."""

    def __init__(self, kit: TransferKit, transfer: Transfer, proof: Ownership, wakeup: Wakeup) -> None:
        self._kit = kit
        self._store = kit.store
        self._transfer = transfer
        self._proof = proof
        self._wakeup = wakeup
        self.lost = False
        self.cancelled = False
        self.completed = False

    async def run(self) -> None:
        """Takes the steps that are left, then completes the transfer."""
        steps: dict[str, Callable[[], Awaitable[Arrival | Greeted]]] = {
            "opened": self._open,
            "bound": self._bind,
            "greeted": self._greet,
        }
        for step in rules.STEPS[rules.STEPS.index(self._transfer.step) + 1 :]:
            noted = await steps[step]()
            self._transfer = await retry_store(partial(self._store.transfers.reach, self._proof, step, noted.notes()))
        await self._leave_others()
        await uncancelled(self._complete())

    async def roll_back(self, reason: str) -> None:
        """The place speaks again for the conversation it spoke for before, if any. Where a greeting can be read, it is
        told why nobody stands behind it.
        """
        if (arrival := self._transfer.arrival) is None:
            return
        place, conversation_id = parse_place(arrival.place), self._transfer.conversation_id
        await in_thread(self._unbind, place, arrival.before or "")
        if await in_thread(Greeting(self._kit, self._transfer, place).is_heard):
            letter = Letter(NOT_HERE.format(reason=reason.rstrip(".")))
            await self._kit.outbox.put(place, f"transfer/{self._transfer.id}/not-here", letter, conversation_id)

    async def _complete(self) -> None:
        await retry_store(lambda: self._store.transfers.complete(self._proof))
        self.completed = True

    async def _open(self) -> Arrival:
        transfer, conversation = self._transfer, await self._conversation()
        platform = self._kit.platforms[transfer.platform]
        room = await in_thread(self._kit.room, transfer.target)
        await self._check_reader(platform, room)
        if room.thread or not platform.abilities.threads:
            return Arrival(room.key)
        key = f"transfer/{transfer.id}/thread"
        clean = await in_thread(self._kit.outbox.clean, conversation.title, conversation.id)
        place = await _retry_platform(lambda: platform.open_thread(room, one_line(clean, TITLE_LIMIT), key))
        return Arrival(place.key)

    async def _check_reader(self, platform: Platform, room: Place) -> None:
        """`TransferFailed` if nobody there would be the owner: a conversation is not told to strangers alone."""
        owners = await in_thread(self._kit.owners, room.platform)
        if not owners and not platform.abilities.fixed_chats:
            raise TransferFailed(reason=NOBODY.format(name=platform_name(room.platform), platform=room.platform))
        try:
            await _retry_platform(lambda: platform.check_reader(room, owners))
        except SendRefused as refused:
            raise TransferFailed(reason=str(refused.facts.get("reason", ""))) from None

    async def _bind(self) -> Arrival:
        """Who spoke for the place before is noted first, so that it can have it back."""
        place, conversation_id = self._place(), self._transfer.conversation_id
        binding = await in_thread(self._store.bindings.at, place)
        noted = self._arrival().before
        before = noted if noted is not None else binding.conversation_id if binding else ""
        if before != conversation_id and noted is None:
            notes = Arrival(place.key, before).notes()
            self._transfer = await in_thread(self._store.transfers.reach, self._proof, "opened", notes)
        bind = self._store.bindings.bind
        await in_thread(lambda: bind(place, conversation_id, instead_of=before or None, by=self._proof))
        if before and before != conversation_id:
            title = (await self._conversation()).title
            key = f"transfer/{self._transfer.id}/here"
            await self._kit.outbox.put(place, key, Letter(HERE.format(title=title)), conversation_id)
        return Arrival(place.key, before)

    async def _greet(self) -> Greeted:
        """The agent's own words, delivered, or the transfer has not arrived."""
        await self._check_reader(self._kit.platforms[self._transfer.platform], self._place())
        greeting = Greeting(self._kit, self._transfer, self._place())
        try:
            mail = await greeting.deliver(self._wakeup)
        except asyncio.CancelledError:
            await greeting.withdraw(for_now=not self.cancelled)
            raise
        if mail.state != boxes.SENT:
            raise TransferFailed(reason=f"the greeting was not delivered: {mail.error}")
        return Greeted(greeting.turn_id, mail.receipt)

    async def _leave_others(self) -> None:
        """Places it was in before. A thread still speaks for it, should somebody answer there; a room is freed."""
        here = self._place()
        for binding in await in_thread(self._store.bindings.of, self._transfer.conversation_id):
            place = parse_place(binding.place)
            if place == here or place.platform not in self._kit.platforms:
                continue
            key = f"transfer/{self._transfer.id}/left/{place.key}"
            text = MOVED.format(place=platform_name(self._transfer.platform))
            await self._kit.outbox.put(place, key, Letter(text), self._transfer.conversation_id)
            if not place.thread:
                unbind = partial(self._store.bindings.unbind, place, self._transfer.conversation_id, by=self._proof)
                await in_thread(unbind)

    def _unbind(self, place: Place, before: str) -> None:
        if before and before != self._transfer.conversation_id:
            with suppress(BatonError):
                self._store.bindings.bind(place, before, instead_of=self._transfer.conversation_id, by=self._proof)
                return
        if before != self._transfer.conversation_id:
            self._store.bindings.unbind(place, self._transfer.conversation_id, by=self._proof)

    def _arrival(self) -> Arrival:
        arrival = self._transfer.arrival
        assert arrival is not None
        return arrival

    def _place(self) -> Place:
        return parse_place(self._arrival().place)

    async def _conversation(self) -> Conversation:
        return await in_thread(self._store.conversations.get, self._transfer.conversation_id)


async def _retry_platform(act: Callable[[], Awaitable[T]]) -> T:
    """Tries again what a platform turns away for now; a thread that may have been made is asked for by its key."""
    for attempt in range(1, _TRIES):
        try:
            return await act()
        except SendLater as error:
            await asyncio.sleep(min(error.after, _LONGEST_PAUSE))
        except SendUnsure:
            await asyncio.sleep(_UNSURE_PAUSE * attempt)
    return await act()
