"""Carrying a conversation to another place, step by step, so that any worker can go on where another one died.

    claimed  →  opened  →  bound  →  greeted  →  completed
              a thread    the place     the agent's word
              is there    is its own    was delivered

Each step is safe to repeat: threads and greetings have keys, binding twice is harmless. A transfer that fails is rolled
back first. Whoever waits for it only observes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from baton.core.display import one_line
from baton.core.errors import (
    BadTransition,
    BatonError,
    SendLater,
    SendUnsure,
    StaleEpoch,
    StoreError,
    TransferFailed,
)
from baton.core.log.conversation import Conversation
from baton.core.log.lease import Ownership
from baton.core.text import TITLE_LIMIT
from baton.core.transfer import mail as boxes
from baton.core.transfer import transfer as rules
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place, parse_place, platform_name
from baton.core.transfer.transfer import Transfer
from baton.engine.aio import in_thread, retry_store, uncancelled
from baton.engine.mail.outbox import Post
from baton.engine.mail.wakeup import Bell
from baton.engine.transfer.greeting import Greeting
from baton.engine.turns.runtime import Runtime
from baton.ports.platform import Platform
from baton.ports.store import Store

MOVED = "→ This conversation went to {place}."
HERE = "→ This place now speaks for “{title}”."
NOT_MOVED = "⚠ This conversation did not move to {place}: {reason}. It goes on here."
_TRIES = 5
_PAUSE = 0.25
_AT_ONCE = 8


class Carrier:
    """`run` carries until it is cancelled; what it carries then is given back."""

    def __init__(
        self,
        store: Store,
        runtime: Runtime,
        post: Post,
        platforms: Mapping[str, Platform],
        room: Callable[[str], Place],
        follow: Callable[[str], None],
        owner: str,
        lease: float,
    ) -> None:
        self._store = store
        self._runtime = runtime
        self._post = post
        self._platforms = platforms
        self._able = set(platforms)
        self._room = room
        self._follow = follow
        self._owner = owner
        self._lease = lease
        self._carrying: set[asyncio.Task[None]] = set()
        self.completed = 0
        self.failed = 0

    async def run(self, bell: Bell) -> None:
        try:
            while True:
                heard = bell.heard()
                with suppress(StoreError):  # the bell rings again
                    while len(self._carrying) < _AT_ONCE and await self._start(bell):
                        pass
                await bell.wait(heard)
        finally:
            for task in self._carrying:
                task.cancel()
            if self._carrying:
                await asyncio.wait(self._carrying)

    def leave(self, platform: str) -> None:
        """Transfers to a platform that does not let us in are left to gateways that it does let in."""
        self._able.discard(platform)

    def join(self, platform: str) -> None:
        """Transfers that were left are ours to carry again."""
        self._able.add(platform)

    async def _start(self, bell: Bell) -> bool:
        claim = self._store.transfers.claim_next
        claimed = await in_thread(claim, tuple(self._able), self._owner, self._lease)
        if claimed is None:
            return False
        task = asyncio.create_task(self._carry(*claimed, bell))
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)
        return True

    async def _carry(self, transfer: Transfer, proof: Ownership, bell: Bell) -> None:
        """To its end. Who lost it to another worker stops without a word; a stop of the gateway gives it back."""
        journey = _Journey(self, transfer, proof, bell)
        moving = asyncio.create_task(journey.run())
        beating = asyncio.create_task(self._beat(proof, moving, journey))
        try:
            await moving
        except asyncio.CancelledError:
            if journey.lost or journey.completed:
                return
            moving.cancel()
            await asyncio.wait([moving])
            if journey.cancelled:
                await self._fail(journey, proof, rules.CANCELLED_ERROR)
                return
            with suppress(BatonError):
                await in_thread(self._store.transfers.give_back, proof)
            raise
        except (
            StaleEpoch,
            BadTransition,
            StoreError,
        ):  # another has it, or whoever finds the store again goes on from the journal
            return
        except BatonError as error:
            await self._fail(journey, proof, error.parts()[0])
        except Exception as error:  # noqa: BLE001, the edge of a transfer: whoever waits is told
            reason = await in_thread(self._post.clean, str(error), transfer.conversation_id)
            await self._fail(journey, proof, f"{type(error).__name__}: {one_line(reason, 300)}")
        finally:
            beating.cancel()
            self.completed += journey.completed

    async def _fail(self, journey: _Journey, proof: Ownership, reason: str) -> None:
        """Only who still has it rolls it back: the lease is renewed first, so that nobody else begins meanwhile."""
        self.failed += 1
        with suppress(BatonError):
            await retry_store(lambda: self._store.transfers.beat(proof, self._lease))
            await journey.roll_back()
            failed = await retry_store(lambda: self._store.transfers.fail(proof, reason))
            await self._tell_origin(failed)

    async def _tell_origin(self, failed: Transfer) -> None:
        """Who asked for it in a place is told there; a terminal looks by itself."""
        if failed.origin.partition(":")[0] in self._platforms:
            text = NOT_MOVED.format(place=platform_name(failed.platform), reason=failed.error.rstrip("."))
            place = parse_place(failed.origin)
            await self._post.put(place, f"transfer/{failed.id}/failed", Letter(text), failed.conversation_id)

    async def _beat(self, proof: Ownership, moving: asyncio.Task[None], journey: _Journey) -> None:
        while True:
            await asyncio.sleep(min(self._lease / 3, 1.0))
            try:
                transfer = await in_thread(self._store.transfers.beat, proof, self._lease)
            except StoreError:
                continue
            except (StaleEpoch, BadTransition):
                journey.lost = True
                moving.cancel()
                return
            if transfer.cancel_asked:
                journey.cancelled = True
                moving.cancel()
                return

    # What a journey needs of its carrier.

    @property
    def platforms(self) -> Mapping[str, Platform]:
        return self._platforms

    def greeting(self, transfer: Transfer, place: Place) -> Greeting:
        return Greeting(self._store, self._runtime, self._post, self._follow, transfer, place)

    def room(self, target: str) -> Place:
        """The place a target means: a place's key, or a platform, which is its home channel."""
        return self._room(target)

    @property
    def store(self) -> Store:
        return self._store

    @property
    def post(self) -> Post:
        return self._post


class _Journey:
    """One transfer in the hands of one worker."""

    def __init__(self, carrier: Carrier, transfer: Transfer, proof: Ownership, bell: Bell) -> None:
        self._carrier = carrier
        self._store = carrier.store
        self._transfer = transfer
        self._proof = proof
        self._bell = bell
        self.lost = False
        self.cancelled = False
        self.completed = False

    async def run(self) -> None:
        steps: dict[str, Callable[[], Awaitable[Mapping[str, Any]]]] = {
            "opened": self._open,
            "bound": self._bind,
            "greeted": self._greet,
        }
        for step in rules.STEPS[rules.STEPS.index(self._transfer.step) + 1 :]:
            notes = await steps[step]()
            self._transfer = await retry_store(partial(self._store.transfers.reach, self._proof, step, notes))
        await self._leave_others()
        await uncancelled(self._complete())

    async def _complete(self) -> None:
        await retry_store(lambda: self._store.transfers.complete(self._proof))
        self.completed = True

    async def _open(self) -> Mapping[str, Any]:
        transfer, conversation = self._transfer, await self._conversation()
        platform = self._carrier.platforms[transfer.platform]
        room = await in_thread(self._carrier.room, transfer.target)
        if room.thread or not platform.abilities.threads:
            return {"place": room.key}
        key = f"transfer/{transfer.id}/thread"
        clean = await in_thread(self._carrier.post.clean, conversation.title, conversation.id)
        place = await _patiently(lambda: platform.open_thread(room, one_line(clean, TITLE_LIMIT), key))
        return {"place": place.key}

    async def _bind(self) -> Mapping[str, Any]:
        """Who spoke for the place before is noted first, so that it can have it back."""
        place, conversation_id = self._place(), self._transfer.conversation_id
        before = await in_thread(self._store.bindings.at, place)
        noted = self._transfer.notes.get("opened", {}).get("before")
        previous = noted if noted is not None else before.conversation_id if before else ""
        if previous != conversation_id and noted is None:
            notes = {"place": place.key, "before": previous}
            reach = self._store.transfers.reach
            self._transfer = await in_thread(reach, self._proof, "opened", notes)
        bind = self._store.bindings.bind
        await in_thread(lambda: bind(place, conversation_id, instead_of=previous or None, by=self._proof))
        if previous and previous != conversation_id:
            title = (await self._conversation()).title
            key = f"transfer/{self._transfer.id}/here"
            await self._carrier.post.put(place, key, Letter(HERE.format(title=title)), conversation_id)
        return {"place": place.key, "before": previous}

    async def _greet(self) -> Mapping[str, Any]:
        """The agent's own words, delivered, or the transfer has not arrived."""
        greeting = self._carrier.greeting(self._transfer, self._place())
        try:
            mail = await greeting.delivered(self._bell)
        except asyncio.CancelledError:
            await greeting.withdraw(for_now=not self.cancelled)
            raise
        if mail.state != boxes.SENT:
            raise TransferFailed(reason=f"the greeting was not delivered: {mail.error}")
        return {"turn": greeting.turn_id, "receipt": mail.receipt}

    async def roll_back(self) -> None:
        """As it was before: the place speaks for who had it."""
        notes = self._transfer.notes
        found: Mapping[str, Any] = notes.get("bound") or notes.get("opened") or {}
        if found:
            await in_thread(self._unbind, parse_place(str(found["place"])), str(found.get("before", "")))

    def _unbind(self, place: Place, before: str) -> None:
        if before and before != self._transfer.conversation_id:
            with suppress(BatonError):
                self._store.bindings.bind(place, before, instead_of=self._transfer.conversation_id, by=self._proof)
                return
        if before != self._transfer.conversation_id:
            self._store.bindings.unbind(place, self._transfer.conversation_id, by=self._proof)

    async def _leave_others(self) -> None:
        """Places it was in before. A thread goes on speaking for it, should somebody answer there; a room is free."""
        here = self._place()
        for binding in await in_thread(self._store.bindings.of, self._transfer.conversation_id):
            place = parse_place(binding.place)
            if place == here or place.platform not in self._carrier.platforms:
                continue
            key = f"transfer/{self._transfer.id}/left/{place.key}"
            text = MOVED.format(place=platform_name(self._transfer.platform))
            await self._carrier.post.put(place, key, Letter(text), self._transfer.conversation_id)
            if not place.thread:
                unbind = partial(self._store.bindings.unbind, place, self._transfer.conversation_id, by=self._proof)
                await in_thread(unbind)

    def _place(self) -> Place:
        notes = self._transfer.notes
        return parse_place(str(notes.get("bound", notes["opened"])["place"]))

    async def _conversation(self) -> Conversation:
        return await in_thread(self._store.conversations.get, self._transfer.conversation_id)


async def _patiently(act: Callable[[], Awaitable[Place]]) -> Place:
    """Tries again what a platform turns away for now; a thread that may have been made is asked for by its key."""
    for attempt in range(1, _TRIES):
        try:
            return await act()
        except SendLater as error:
            await asyncio.sleep(min(error.after, 30.0))
        except SendUnsure:
            await asyncio.sleep(0.2 * attempt)
    return await act()
