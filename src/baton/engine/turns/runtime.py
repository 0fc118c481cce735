"""Turns of many conversations: one at a time each, input queued in order, surfaces that come and go.

A turn belongs to the runtime, not to the surface that asked for it: when a terminal dies, the turn goes on. Every
surface of a conversation gets the same events; one that is slow or gone holds nobody up.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from baton.core.agent.event import Noticed, Queued, TurnEnded, TurnStarted
from baton.core.agent.message import Usage
from baton.core.errors import BadInput, BatonError, HandoffError, LeftOpen, StaleEpoch
from baton.core.handoff import compression as compressions
from baton.core.ids import new_id
from baton.core.log import entry as kinds
from baton.core.log import interrupted
from baton.core.log.conversation import Conversation
from baton.core.log.entry import NewEntry
from baton.core.log.interrupted import Interrupted
from baton.core.value import value
from baton.engine.aio import RETRY_FOR, retry_store_async
from baton.engine.handoff.handoff import Handoff
from baton.engine.turns.queue import Input, Lane, Subscription
from baton.engine.turns.toolbox import Toolbox
from baton.engine.turns.turn import CANCELLED, COMPLETED, FAILED, Turn, TurnSettings, compress_now, origin
from baton.engine.turns.writer import Log
from baton.ports.model import Model
from baton.ports.store import Store

_GRACE = 1.0
T = TypeVar("T")
Emit = Callable[[Any], None]
BUSY = "A turn is running. Wait for it, or stop it first."
CLOSING = "The turn was stopped before its input was kept."


@value
class Parts:
    """What a turn is made of; asked for anew before each, so that a change of model or mode holds at once.

    `notices` are for people and told once, when the turn begins.
    """

    model: Model
    toolbox: Toolbox
    settings: TurnSettings
    notices: tuple[Noticed, ...] = ()


MakeParts = Callable[[str], Parts | Awaitable[Parts]]
"""May take its time: a turn waits for its parts, and can be cancelled meanwhile."""


@value
class Revived:
    """What a crash left behind: the turn that was cut with what it began with, how often in a row that happened, and
    queued input that no turn took up.
    """

    cut: Interrupted | None
    given: Mapping[str, Any]
    times: int
    waiting: list[Mapping[str, Any]]


GoOn = Callable[[Revived], Awaitable[Mapping[str, Any] | None]]


class Runtime:
    def __init__(self, store: Store, make_parts: MakeParts, *, surface: str, lease: float = 30.0) -> None:
        self._store = store
        self._make_parts = make_parts
        self._lease = lease
        self._owner = f"{surface}:{os.getpid()}:{new_id('turn')[2:8]}"
        self._lanes: dict[str, Lane] = {}
        self._suspending = False

    def watch(self, conversation_id: str) -> Subscription:
        lane = self._lane(conversation_id)
        subscription = Subscription(lambda leaving: lane.watchers.remove(leaving))
        lane.watchers.append(subscription)
        return subscription

    def busy(self, conversation_id: str) -> bool:
        return self._lane(conversation_id).busy

    def left_whole(self, conversation: Conversation) -> bool:
        """Whether this runtime was the last to own it, and left nothing behind."""
        log = self._lane(conversation.id).log
        return conversation.owner is None and conversation.epoch == log.epoch and not log.unfinished

    def left_open(self, conversation_id: str) -> bool:
        """Whether a turn of this runtime came to no end, and nobody went on since."""
        lane = self._lane(conversation_id)
        return lane.log.unfinished and not lane.busy

    def running(self) -> int:
        """How many conversations have a turn under way."""
        return sum(lane.busy for lane in self._lanes.values())

    async def send(self, conversation_id: str, given: Mapping[str, Any]) -> str:
        """Starts a turn, or queues the input, durably, behind the one that runs. The id is in the turn's events."""
        return await self._send(conversation_id, given, new_id("turn"))

    async def submit(self, conversation_id: str, given: Mapping[str, Any], turn_id: str = "") -> str:
        """As `send`, for input whose giver lets go of it: returns once it is stored, and raises what kept it from that.
        With a `turn_id` the giver says what the turn is known by.
        """
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turn_id = await self._send(conversation_id, given, turn_id or new_id("turn"), stored)
        await stored
        return turn_id

    async def _send(
        self, conversation_id: str, given: Mapping[str, Any], turn_id: str, stored: asyncio.Future[None] | None = None
    ) -> str:
        lane = self._lane(conversation_id)
        kept: Mapping[str, Any] | None = given
        while kept is given and "queued" not in given and await lane.settled():
            try:
                kept = await retry_store_async(lambda: lane.enqueue(given, turn_id))
            except StaleEpoch:  # the turn ended in this moment, or the conversation is another's
                if lane.log.open:
                    raise
        waiting = Input(turn_id, kept or given, stored)
        if kept is None or "queued" in kept:
            waiting.keep()
        if kept is None or lane.has(kept):
            return turn_id
        lane.waiting.append(waiting)
        if lane.busy:
            lane.emit(Queued(str(given.get("text", "")), len(lane.waiting)))
        else:
            lane.task = asyncio.create_task(self._work(conversation_id, lane))
        return turn_id

    async def recover(self, conversation_id: str) -> list[Mapping[str, Any]]:
        """Says what a crash left behind, as an event, and gives back the queued input that no turn took up.

        Nothing is repeated: a call whose outcome is unknown is reported to the person and to the model. While a turn of
        this runtime runs, nothing is left behind.
        """
        return (await self.revive(conversation_id)).waiting

    async def revive(self, conversation_id: str, go_on: GoOn | None = None) -> Revived:
        """As `recover`, with all there is to know. `go_on` says with what input a cut turn goes on, if it does: stored
        together with the note that it was cut, and the first of what waits.
        """
        lane = self._lane(conversation_id)
        if lane.busy:
            return Revived(None, {}, 0, [])
        async with lane.alone, lane.log as log:
            cut = interrupted.interrupted(log.entries)
            given: Mapping[str, Any] = {}
            if cut and cut.answered:
                await log.note({"turn": cut.turn_id, "end": COMPLETED})
                cut = None
            if cut:
                given = interrupted.input_of(log.entries, cut.turn_id)
                note = {"turn": cut.turn_id, "end": interrupted.INTERRUPTED, "text": cut.text, "for_model": True}
                note |= {"suspended": True} if cut.suspended else {}
                times = interrupted.interruptions(log.entries) + (not cut.suspended)
                then = await go_on(Revived(cut, given, times, [])) if go_on else None
                goes_on = [entry for entry in interrupted.waiting(log.entries) if entry.data.get("first")]
                new = [NewEntry(kinds.NOTE, note)]
                if then and not goes_on:
                    new.append(NewEntry(kinds.QUEUED, {**then, "turn": new_id("turn"), "first": True}))
                await log.append(*new)
                lane.emit(Noticed(interrupted.INTERRUPTED, cut.text))
            return Revived(cut, given, interrupted.interruptions(log.entries), interrupted.unanswered(log.entries))

    async def turn(self, conversation_id: str, given: Mapping[str, Any]) -> AsyncIterator[Any]:
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

    async def cancel(self, conversation_id: str, turn_id: str = "", *, for_now: bool = False) -> bool:
        """Stops the running turn, or only that of this id, or suspends it `for_now`; input that waits stays. True if
        there was one.
        """
        lane = self._lane(conversation_id)
        if lane.current is None or lane.current.done() or turn_id not in ("", lane.turn_id):
            return False
        if for_now:
            lane.suspend()
        lane.current.cancel()
        await asyncio.wait([lane.current], timeout=_GRACE)
        return True

    async def compress(self, conversation_id: str) -> str:
        """A compression now, for a caller who knows that no turn runs. Like a turn it can be cancelled, and input that
        arrives meanwhile waits for its end.
        """

        async def work(log: Log, parts: Parts, emit: Emit) -> str:
            return await compress_now(log, parts.model, emit, parts.settings.limits)

        return await self._apart(conversation_id, work) or compressions.CANCELLED

    async def hand_off(
        self, conversation_id: str, act: Callable[[Handoff], Awaitable[T]], *, narrate: bool = True
    ) -> T:
        """Something about a handoff, while no turn runs; as with `compress`. Raises what `act` raises, `BadInput` while
        a turn runs, `HandoffError` if it is cancelled.
        """
        if await self._lane(conversation_id).settled():
            raise BadInput(reason=BUSY)

        async def work(log: Log, parts: Parts, emit: Emit) -> tuple[T]:
            if parts.settings.handoff is None:
                raise HandoffError(reason="this conversation has no workspace")
            model = parts.model if narrate else None
            return (await act(Handoff(self._store, log, parts.settings.handoff, model, emit)),)

        done = await self._apart(conversation_id, work)
        if done is None:
            raise HandoffError(reason="it was stopped")
        return done[0]

    async def _apart(self, conversation_id: str, work: Callable[[Log, Parts, Emit], Awaitable[T]]) -> T | None:
        """Work on a conversation that is no turn; None if it was cancelled."""
        lane = self._lane(conversation_id)
        outcome: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()

        async def settle() -> None:
            try:
                parts = await self._parts(conversation_id)
                async with lane.alone, lane.log as log:
                    result = await work(log, parts, lane.emit)
                outcome.set_result(result)
            except asyncio.CancelledError:
                outcome.set_result(None)
            except Exception as error:  # noqa: BLE001, whoever waits is told
                outcome.set_exception(error)

        lane.task = asyncio.create_task(self._work(conversation_id, lane, settle()))
        return await outcome

    async def take_back(self, conversation_id: str, turn_id: str) -> bool:
        """Takes input out of the queue, durably. False if its turn has come."""
        lane = self._lane(conversation_id)
        found = next((each for each in lane.waiting if each.turn_id == turn_id), None)
        if found is None or not await lane.settled() or found not in lane.waiting:
            return False
        lane.waiting.remove(found)
        await lane.log.note({"queued": found.given.get("queued"), "taken_back": True})
        return True

    async def suspend(self) -> None:
        """As `close`, but what runs is left for the next process to go on with."""
        self._suspending = True
        for lane in self._lanes.values():
            lane.suspend()
        await self.close()

    async def close(self) -> None:
        """Cancels what runs and waits for it to be recorded."""
        for lane in self._lanes.values():
            for waiting in lane.waiting:
                waiting.lose(BadInput(reason=CLOSING))
            lane.waiting.clear()
            if lane.task and lane.busy:
                lane.task.cancel()
        tasks = [lane.task for lane in self._lanes.values() if lane.task]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, conversation_id: str, lane: Lane, first: Coroutine[Any, Any, None] | None = None) -> None:
        """One thing after another, until nothing waits."""
        if first is not None:
            await self._watched(lane, first)
        while lane.waiting:
            begun = lane.waiting.pop(0)
            if not lane.overtakes(begun):
                await self._watched(lane, self._one(conversation_id, lane, begun))

    async def _watched(self, lane: Lane, work: Coroutine[Any, Any, None]) -> None:
        """To its end, which a cancel may hasten."""
        lane.current = asyncio.create_task(work)
        try:
            await asyncio.shield(lane.current)
        except asyncio.CancelledError:
            lane.current.cancel()
            await asyncio.wait([lane.current])
            raise

    async def _one(self, conversation_id: str, lane: Lane, begun: Input) -> None:
        """`TurnEnded` is emitted once the conversation is free again, so that whoever sees it may go on at once. Input
        whose giver let go of it also waits for a store that is away; what cannot begin is for whoever revives it.
        """
        turn_id, lost = begun.turn_id, BadInput(reason=CLOSING)
        queued = "queued" in begun.given
        ended = TurnEnded(turn_id, CANCELLED, Usage())
        try:
            ended = await retry_store_async(
                lambda: self._take_up(conversation_id, lane, begun), RETRY_FOR if queued else 0
            )
        except asyncio.CancelledError:
            pass
        except BatonError as error:
            lane.log.unfinished = lane.log.unfinished or queued
            lost, ended = error, TurnEnded(turn_id, FAILED, Usage(), error.code, str(error))
        except Exception as error:  # noqa: BLE001, the edge of a turn: no surface may be left waiting
            ended = TurnEnded(turn_id, FAILED, Usage(), "internal", f"{type(error).__name__}: {error}")
        begun.lose(lost)
        lane.emit(ended)

    async def _take_up(self, conversation_id: str, lane: Lane, begun: Input) -> TurnEnded:
        """Input that somebody else took up meanwhile is not taken up again. At a place none overtakes what somebody
        else left open there or put into the queue before it.
        """
        async with lane.alone, lane.log as log:
            given = interrupted.as_kept(log.entries, begun.turn_id, begun.given)
            if given is None:
                begun.keep()
                return TurnEnded(begun.turn_id, COMPLETED, Usage())
            begun.given = given
            if "queued" in given:
                begun.keep()
            if interrupted.overtakes(log.entries, given):
                log.unfinished = True
                raise LeftOpen(conversation=conversation_id)
            earlier = interrupted.before(log.entries, given)
            if earlier is not None:
                lane.waiting.insert(0, begun)
                begun = Input(new_id("turn"), earlier)
            lane.emit(TurnStarted(begun.turn_id, conversation_id, log.session.id))
            return await self._turn(conversation_id, lane, begun)

    async def _turn(self, conversation_id: str, lane: Lane, begun: Input) -> TurnEnded:
        """Input is kept also where the turn never gets its parts."""
        turn_id, given = begun.turn_id, begun.given
        lane.turn_id, lane.suspended = turn_id, self._suspending
        try:
            parts = await self._parts(conversation_id)
        except asyncio.CancelledError:
            ended = TurnEnded(turn_id, interrupted.SUSPENDED if lane.suspended else CANCELLED, Usage())
        except BatonError as error:
            ended = TurnEnded(turn_id, FAILED, Usage(), error.code, str(error))
        else:
            for notice in parts.notices:
                lane.emit(notice)
            turn = Turn(turn_id, lane.log, parts.model, parts.toolbox, lane.emit, parts.settings)
            lane.turn = turn
            if lane.suspended:
                lane.suspend()
            try:
                ended = await turn.run(given, begun.keep)
            finally:
                lane.turn = None
            if turn.failure:
                begun.lose(turn.failure)
            return ended
        end = {"turn": turn_id, "end": ended.reason, "error": ended.error, **origin(given)}
        with suppress(asyncio.CancelledError):  # it ends here anyway
            await lane.log.append(NewEntry(kinds.USER, {**given, "turn": turn_id}), NewEntry(kinds.NOTE, end))
        begun.keep()
        return ended

    async def _parts(self, conversation_id: str) -> Parts:
        made = self._make_parts(conversation_id)
        return made if isinstance(made, Parts) else await made

    def _lane(self, conversation_id: str) -> Lane:
        if conversation_id not in self._lanes:
            log = Log(self._store, conversation_id, self._owner, self._lease)
            self._lanes[conversation_id] = Lane(log)
        return self._lanes[conversation_id]
