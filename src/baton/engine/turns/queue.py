"""One conversation in a process: the turn that runs, the input that waits for it, and who watches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from baton.core.agent.event import Event, Queued, TurnEnded, TurnStarted
from baton.core.agent.message import Usage
from baton.core.errors import BadInput, BatonError, LeftOpen
from baton.core.ids import new_id
from baton.core.log import waiting
from baton.core.log.payloads import COMPLETED, SUSPENDED, QueuedInput, UserInput
from baton.core.value import replace
from baton.engine.aio import RETRY_FOR, heartbeat, in_thread, retry_store_async
from baton.engine.turns.parts import MakeParts, Parts
from baton.engine.turns.stopping import LOOK, is_wished
from baton.engine.turns.turn import Turn, turn_ended
from baton.engine.turns.writer import SessionWriter

CLOSING = "The turn was stopped before its input was kept."
T = TypeVar("T")


class Subscription:
    """The events of one conversation from now on. Closing it changes nothing else."""

    def __init__(self, leave: Callable[[Subscription], None]) -> None:
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._leave = leave
        self._put = 0
        self._asked = 0
        self._waiters: list[asyncio.Future[None]] = []

    def put(self, event: Event) -> None:
        self._put += 1
        self._queue.put_nowait(event)

    @property
    def is_empty(self) -> bool:
        """Whether everything that came so far was asked for."""
        return self._queue.empty()

    def finish(self) -> None:
        """No event comes after those that came so far."""
        self._queue.put_nowait(None)

    async def next(self) -> Event:
        """The next event; raises `StopAsyncIteration` once it is finished."""
        self._asked += 1
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()
        event = await self._queue.get()
        if event is None:
            raise StopAsyncIteration
        return event

    async def wait_until_handled(self) -> None:
        """Returns once the reader has come back for more after every event so far."""
        target = self._put
        while self._asked <= target:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter

    def close(self) -> None:
        self._leave(self)


class PendingInput:
    """What a turn begins with. `stored` is resolved once it is kept, or with why it was not."""

    def __init__(self, turn_id: str, given: UserInput, stored: asyncio.Future[None] | None = None) -> None:
        self.turn_id = turn_id
        self.given = given
        self._stored = stored

    def is_named(self, turn_id: str, inbox: str) -> bool:
        return self.turn_id == turn_id or (bool(inbox) and waiting.is_of(self.given.inbox, inbox))

    def keep(self) -> None:
        if self._stored and not self._stored.done():
            self._stored.set_result(None)

    def lose(self, error: BaseException) -> None:
        if self._stored and not self._stored.done():
            self._stored.set_exception(error)


class TurnQueue:
    """Work on one conversation, one thing after another. `make_parts` is asked anew for each turn. `users` counts who
    is about to give it work; `used_at` is the monotonic time at which somebody last did.
    """

    def __init__(self, writer: SessionWriter, make_parts: MakeParts) -> None:
        self.writer = writer
        self.pending: list[PendingInput] = []
        self.users = 0
        self.used_at = 0.0
        self._make_parts = make_parts
        self._watchers: list[Subscription] = []
        self._alone = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._current: asyncio.Task[None] | None = None
        self._turn: Turn | None = None
        self._suspended = False

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    @property
    def idle(self) -> bool:
        """Whether all that it knows is in the store: another queue may take its place."""
        return not (self.in_use or self._watchers or self.writer.unfinished)

    @property
    def in_use(self) -> bool:
        """Whether somebody works on it, or is about to give it work."""
        return bool(self.busy or self.users or self.pending or self._alone.locked())

    def watch(self) -> Subscription:
        subscription = Subscription(self._watchers.remove)
        self._watchers.append(subscription)
        return subscription

    def emit(self, event: Event) -> None:
        for watcher in tuple(self._watchers):
            watcher.put(event)

    async def is_running(self) -> bool:
        """Whether work is under way that can store entries; waits for work that is just beginning or ending."""
        while self.busy and not self.writer.open:
            await asyncio.sleep(0.001)
        return self.busy

    async def store(self, given: UserInput, turn_id: str) -> UserInput | None:
        """Queues input in the transcript, once however often it is tried, and gives it as it stands there."""
        await self.writer.make_certain()
        kept = waiting.as_stored(self.writer.entries, turn_id, given)
        if kept is not given:
            return kept
        await self.writer.record(QueuedInput(given, turn_id))
        return replace(given, queued=turn_id)

    def add(self, pending: PendingInput) -> None:
        """Its turn begins now, or after what is under way."""
        self.pending.append(pending)
        if self.busy:
            self.emit(Queued(pending.given.text, len(self.pending)))
        else:
            self._task = asyncio.create_task(self._work())

    def holds(self, given: UserInput) -> bool:
        """Whether queued input waits here already."""
        return bool(given.queued) and any(each.given.queued == given.queued for each in self.pending)

    async def run_alone(self, work: Callable[[SessionWriter, Parts], Awaitable[T]]) -> T | None:
        """Work that is no turn, for a caller who knows that none runs; None if it was cancelled."""
        outcome: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            try:
                parts = await self._make_parts()
                async with self._alone, self.writer as writer, heartbeat(self._heed_others, LOOK):
                    result = await work(writer, parts)
                outcome.set_result(result)
            except asyncio.CancelledError:
                outcome.set_result(None)
            except Exception as error:  # noqa: BLE001, the waiting caller gets it
                outcome.set_exception(error)

        self._task = asyncio.create_task(self._work(run()))
        return await outcome

    async def revive(self, act: Callable[[SessionWriter], Awaitable[T]]) -> T:
        """Runs `act` while nothing else writes."""
        async with self._alone, self.writer as writer:
            return await act(writer)

    async def cancel(self, turn_id: str, grace: float, *, for_now: bool) -> bool:
        """Stops what runs, or only the turn of this id; False if there is none. A turn that is stopped `for_now` is for
        the next process to continue.
        """
        running = self._turn.id if self._turn else ""
        if self._current is None or self._current.done() or turn_id not in ("", running):
            return False
        if for_now:
            self.suspend()
        self._current.cancel()
        await asyncio.wait([self._current], timeout=grace)
        return True

    def suspend(self, *, for_good: bool = False) -> None:
        """Cancelling what runs now only suspends it; with `for_good` this also holds for what runs later."""
        self._suspended = self._suspended or for_good
        if self._turn is not None:
            self._turn.if_cancelled = SUSPENDED

    async def close(self) -> None:
        """Cancels what runs and waits until its end is recorded; whoever gave input that was not kept is told why."""
        for pending in self.pending:
            pending.lose(BadInput(reason=CLOSING))
        self.pending.clear()
        if self._task and self.busy:
            self._task.cancel()
        if self._task:
            await asyncio.wait([self._task])

    async def _work(self, first: Coroutine[Any, Any, None] | None = None) -> None:
        if first is not None:
            await self._run_to_end(first)
        while self.pending:
            pending = self.pending.pop(0)
            if not self._is_overtaking(pending.given):
                await self._run_to_end(self._begin(pending))

    def _is_overtaking(self, given: UserInput) -> bool:
        """Whether an interrupted turn at a place continues first, and then takes the queue along."""
        return self.writer.unfinished and bool(given.queued) and bool(given.place)

    async def _run_to_end(self, work: Coroutine[Any, Any, None]) -> None:
        """Cancelling ends the work early; the cancellation is re-raised once it has ended."""
        self._current = asyncio.create_task(work)
        try:
            await asyncio.shield(self._current)
        except asyncio.CancelledError:
            self._current.cancel()
            await asyncio.wait([self._current])
            raise

    async def _heed_others(self) -> bool:
        """Stops the turn if somebody asked for that on a surface of another process. False once it was stopped."""
        writer, current = self.writer, self._current
        wished = await in_thread(is_wished, writer.store, writer.conversation_id, writer.epoch)
        if wished and current is not None:
            current.cancel()
        return not wished

    async def _begin(self, pending: PendingInput) -> None:
        """`TurnEnded` is emitted once the conversation is free again, so that whoever sees it may continue at once.
        Queued input also waits while the store is away; what cannot begin is left for `Runtime.revive`.
        """
        queued, lost = bool(pending.given.queued), BadInput(reason=CLOSING)
        try:
            ended = await retry_store_async(lambda: self._run_turn(pending), RETRY_FOR if queued else 0)
        except (asyncio.CancelledError, Exception) as error:  # noqa: BLE001, no surface may be left waiting
            if isinstance(error, BatonError):
                self.writer.unfinished = self.writer.unfinished or queued
                lost = error
            ended = turn_ended(pending.turn_id, error)
        pending.lose(lost)
        self.emit(ended)

    async def _run_turn(self, pending: PendingInput) -> TurnEnded:
        """Input that another process has taken up meanwhile is not taken up again. At a place, input never overtakes
        what another process left open there or queued before it.
        """
        async with self._alone, self.writer as writer:
            given = waiting.as_stored(writer.entries, pending.turn_id, pending.given)
            if given is None:
                pending.keep()
                return TurnEnded(pending.turn_id, COMPLETED, Usage())
            pending.given = given
            if given.queued:
                pending.keep()
            if waiting.overtakes(writer.entries, given):
                writer.unfinished = True
                raise LeftOpen(conversation=writer.conversation_id)
            if earlier := waiting.find_earlier(writer.entries, given):
                self.pending.insert(0, pending)
                pending = PendingInput(new_id("turn"), earlier)
            turn = self._turn = Turn(pending.turn_id, writer, self._make_parts, self.emit)
            writer.place = pending.given.place
            self.emit(TurnStarted(turn.id, writer.conversation_id, writer.session.id, writer.place))
            if self._suspended:
                self.suspend()
            try:
                async with heartbeat(self._heed_others, LOOK):
                    ended = await turn.run(pending.given, pending.keep)
            finally:
                self._turn = None
            if turn.failure:
                pending.lose(turn.failure)
            return ended
