"""Turns of many conversations: one at a time each, input queued in order, surfaces that come and go.

A turn belongs to the runtime, not to the surface that asked for it: when a terminal dies, the turn continues. Every
surface of a conversation gets the same events; one that is slow or gone delays nobody.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

from baton.core.agent.event import Event, HeadAdvanced, Noticed, TurnEnded
from baton.core.errors import BadInput, HandoffError, StaleEpoch
from baton.core.handoff import compression as compressions
from baton.core.ids import new_id
from baton.core.log import interrupted, waiting
from baton.core.log.conversation import Conversation
from baton.core.log.interrupted import Interrupted
from baton.core.log.payloads import (
    CANCELLED,
    COMPLETED,
    INTERRUPTED,
    InputWithdrawn,
    Payload,
    QueuedInput,
    TurnEnd,
    TurnInterrupted,
    UserInput,
)
from baton.core.log.session import UNDO
from baton.core.value import value
from baton.engine.aio import retry_store_async
from baton.engine.handoff.handoff import Handoff
from baton.engine.processes import new_owner
from baton.engine.turns.compress import Compressor
from baton.engine.turns.parts import Parts
from baton.engine.turns.questions import Questions
from baton.engine.turns.queue import PendingInput, Subscription, TurnQueue
from baton.engine.turns.undo import Undone, undo
from baton.engine.turns.writer import SessionWriter
from baton.ports.store import Store

BUSY = "A turn is running. Wait for it, or stop it first."
_GRACE = 1.0
T = TypeVar("T")


@value
class Revived:
    """What a crash left behind: the turn that was interrupted with what it began with, how often in a row that
    happened, and queued input that no turn took up.
    """

    cut: Interrupted | None
    given: UserInput | None
    times: int
    waiting: list[UserInput]


Continue = Callable[[Revived], Awaitable[UserInput | None]]
"""Says with what input an interrupted turn continues, if it does."""


class Runtime:
    """`make_parts` is asked for the parts of each turn, by the conversation's id."""

    def __init__(
        self, store: Store, make_parts: Callable[[str], Parts | Awaitable[Parts]], *, surface: str, lease: float = 30.0
    ) -> None:
        self._store = store
        self._make_parts = make_parts
        self._lease = lease
        self._owner = new_owner(surface)
        self._queues: dict[str, TurnQueue] = {}
        self._questions = Questions(store)
        self._suspending = False

    def watch(self, conversation_id: str) -> Subscription:
        return self._queue(conversation_id).watch()

    def busy(self, conversation_id: str) -> bool:
        queue = self._queues.get(conversation_id)
        return queue is not None and queue.busy

    def in_use(self, conversation_id: str) -> bool:
        """As `busy`, or somebody is about to give it work."""
        queue = self._queues.get(conversation_id)
        return queue is not None and queue.in_use

    def left_whole(self, conversation: Conversation) -> bool:
        """Whether this runtime was the last to own it, and is sure that it left nothing behind."""
        queue = self._queues.get(conversation.id)
        if queue is None or queue.writer.unfinished:
            return False
        return conversation.owner is None and conversation.epoch == queue.writer.epoch

    def left_open(self, conversation_id: str) -> bool:
        """Whether a turn of this runtime has no end yet, and nobody has continued it since."""
        queue = self._queues.get(conversation_id)
        return queue is not None and queue.writer.unfinished and not queue.busy

    def forget_idle(self, unused_for: float) -> int:
        """Drops conversations from memory that nobody works on or watches, and that were not used for so many seconds;
        returns how many. The store has all of them: they are loaded again when they are spoken to.
        """
        before = time.monotonic() - unused_for
        idle = [each for each, queue in self._queues.items() if queue.used_at <= before and queue.idle]
        for conversation_id in idle:
            del self._queues[conversation_id]
        return len(idle)

    def count_running(self) -> int:
        """How many conversations have a turn under way."""
        return sum(queue.busy for queue in self._queues.values())

    async def send(self, conversation_id: str, given: UserInput) -> str:
        """Starts a turn, or queues the input, durably, behind the one that runs. The id is in the turn's events."""
        return await self._send(conversation_id, given, new_id("turn"))

    async def submit(self, conversation_id: str, given: UserInput, turn_id: str = "") -> str:
        """As `send`, for input that the caller then forgets: returns once it is stored, and raises whatever prevented
        that. With a `turn_id` the caller chooses the turn's id.
        """
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turn_id = await self._send(conversation_id, given, turn_id or new_id("turn"), stored)
        await stored
        return turn_id

    async def _send(
        self, conversation_id: str, given: UserInput, turn_id: str, stored: asyncio.Future[None] | None = None
    ) -> str:
        with self._using(conversation_id) as queue:
            await self._give(queue, given, turn_id, stored)
        return turn_id

    async def _give(
        self, queue: TurnQueue, given: UserInput, turn_id: str, stored: asyncio.Future[None] | None
    ) -> None:
        kept: UserInput | None = given
        while kept is given and not given.queued and await queue.is_running():
            try:
                kept = await retry_store_async(lambda: queue.store(given, turn_id))
            except StaleEpoch:  # the turn has just ended, or another owner has the conversation
                if queue.writer.open:
                    raise
        pending = PendingInput(turn_id, kept or given, stored)
        if kept is None or kept.queued:
            pending.keep()
        if kept is not None and not queue.holds(kept):
            queue.add(pending)

    async def turn(self, conversation_id: str, given: UserInput) -> AsyncIterator[Event]:
        """The events of one turn, `TurnEnded` last."""
        subscription = self.watch(conversation_id)
        try:
            turn_id = await self.send(conversation_id, given)
            while True:
                event = await subscription.next()
                yield event
                if isinstance(event, TurnEnded) and event.turn_id == turn_id:
                    return
        finally:
            subscription.close()

    async def recover(self, conversation_id: str) -> list[UserInput]:
        """Reports what a crash left behind as an event, and returns the queued input that no turn took up.

        Nothing is repeated: a call whose outcome is unknown is reported to you and to the model. While a turn of this
        runtime runs, nothing is left behind.
        """
        return (await self.revive(conversation_id)).waiting

    async def revive(self, conversation_id: str, then: Continue | None = None) -> Revived:
        """As `recover`, with everything that is known. What `then` returns is stored together with the note that the
        turn was interrupted, as the first input of the queue.
        """
        queue = self._queue(conversation_id)
        if queue.busy:
            return Revived(None, None, 0, [])

        async def act(writer: SessionWriter) -> Revived:
            cut = interrupted.find_interrupted(writer.entries)
            given: UserInput | None = None
            if cut and cut.answered:
                await writer.record(TurnEnd(cut.turn_id, COMPLETED))
                cut = None
            if cut:
                given = interrupted.input_of(writer.entries, cut.turn_id)
                await _note_interruption(writer, cut, given, then)
                queue.emit(Noticed(INTERRUPTED, cut.text))
            times = interrupted.count_interruptions(writer.entries)
            return Revived(cut, given, times, waiting.waiting_input(writer.entries))

        with self._using(conversation_id):
            return await queue.revive(act)

    async def cancel(self, conversation_id: str, turn_id: str = "", *, for_now: bool = False) -> bool:
        """Stops the running turn, or only that of this id, or suspends it `for_now`; input that waits stays. True if
        there was one.
        """
        queue = self._queues.get(conversation_id)
        return queue is not None and await queue.cancel(turn_id, _GRACE, for_now=for_now)

    async def compress(self, conversation_id: str) -> str:
        """A compression now, for a caller who knows that no turn runs. Like a turn it can be cancelled, and input that
        arrives meanwhile waits for its end.
        """

        async def work(writer: SessionWriter, parts: Parts) -> str:
            if not writer.entries:
                return compressions.NOTHING
            return await Compressor(parts.model, queue.emit, parts.settings.limits).run(writer, parts.overhead)

        with self._using(conversation_id) as queue:
            return await queue.run_alone(work) or CANCELLED

    async def hand_off(
        self, conversation_id: str, act: Callable[[Handoff], Awaitable[T]], *, narrate: bool = True
    ) -> T:
        """Runs `act` on a handoff while no turn runs; as with `compress`. Raises what `act` raises, `BadInput` while
        a turn runs, `HandoffError` if it is cancelled.
        """

        async def work(writer: SessionWriter, parts: Parts) -> tuple[T]:
            if parts.settings.handoff is None:
                raise HandoffError(reason="this conversation has no workspace")
            model = parts.model if narrate else None
            return (await act(Handoff(self._store, writer, parts.settings.handoff, model, queue.emit)),)

        with self._using(conversation_id) as queue:
            if await queue.is_running():
                raise BadInput(reason=BUSY)
            done = await queue.run_alone(work)
        if done is None:
            raise HandoffError(reason="it was stopped")
        return done[0]

    async def undo(self, conversation_id: str) -> Undone:
        """Takes back the last compression or handoff. `BadInput` while a turn runs, or if there is nothing to take
        back.
        """
        with self._using(conversation_id) as queue:
            if await queue.is_running():
                raise BadInput(reason=BUSY)
            done = await queue.revive(undo)
            if done.session_id != done.previous_id:
                queue.emit(HeadAdvanced(done.session_id, done.previous_id, UNDO, done.what))
        return done

    async def write(self, conversation_id: str, act: Callable[[SessionWriter], Awaitable[T]]) -> T:
        """Runs `act` on the conversation's writer, beside a turn of this runtime or while none runs. Raises what `act`
        raises, and `OwnedElsewhere` while another process is at work.
        """
        with self._using(conversation_id) as queue:
            while await queue.is_running():
                try:
                    return await act(queue.writer)
                except StaleEpoch:  # the turn has just ended, or another owner has the conversation
                    if queue.writer.open:
                        raise
            return await queue.revive(act)

    async def withdraw(self, conversation_id: str, turn_id: str = "", *, inbox: str = "") -> bool:
        """Takes input out of the queue, durably: that of a turn, or that of a message in the inbox or of its
        revisions. False if its turn has come.
        """
        queue = self._queue(conversation_id)
        found = next((each for each in queue.pending if each.is_named(turn_id, inbox)), None)
        if found is None or not await queue.is_running() or found not in queue.pending:
            return False
        queue.pending.remove(found)
        await queue.writer.record(InputWithdrawn(found.given.queued))
        return True

    async def suspend(self) -> None:
        """As `close`, but what runs is left for the next process to continue."""
        self._suspending = True
        for queue in self._queues.values():
            queue.suspend(for_good=True)
        await self.close()

    async def close(self) -> None:
        """Cancels what runs and waits until its end is recorded."""
        await asyncio.gather(*(queue.close() for queue in self._queues.values()))

    @contextmanager
    def _using(self, conversation_id: str) -> Generator[TurnQueue]:
        """Keeps the queue in memory meanwhile: two queues of one conversation would fence each other out."""
        queue = self._queue(conversation_id)
        queue.users += 1
        try:
            yield queue
        finally:
            queue.users -= 1
            queue.used_at = time.monotonic()

    def _queue(self, conversation_id: str) -> TurnQueue:
        if conversation_id not in self._queues:
            writer = SessionWriter(self._store, conversation_id, self._owner, self._lease, self._questions)
            queue = self._queues[conversation_id] = TurnQueue(writer, lambda: self._parts(conversation_id))
            if self._suspending:
                queue.suspend(for_good=True)
        queue = self._queues[conversation_id]
        queue.used_at = time.monotonic()
        return queue

    async def _parts(self, conversation_id: str) -> Parts:
        made = self._make_parts(conversation_id)
        return made if isinstance(made, Parts) else await made


async def _note_interruption(
    writer: SessionWriter, cut: Interrupted, given: UserInput | None, then: Continue | None
) -> None:
    """One write: that the turn was interrupted, and the input that continues it unless one is queued already."""
    times = interrupted.count_interruptions(writer.entries) + (not cut.suspended)
    follows = await then(Revived(cut, given, times, [])) if then else None
    new: list[Payload] = [TurnInterrupted(cut.turn_id, cut.text, cut.suspended)]
    if follows and not any(each.queued.first for each in waiting.find_waiting(writer.entries)):
        new.append(QueuedInput(follows, new_id("turn"), first=True))
    await writer.record(*new)
