"""From events to updates: what a turn does, as the editor shows it.

Updates go out in the order of the events, so all updates of a turn precede the answer to its prompt.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ClassVar

from baton.core.agent import event as events
from baton.core.log.session import HANDOFF
from baton.surfaces.acp import updates
from baton.surfaces.acp.long_work import LongWork
from baton.surfaces.acp.running_calls import OFTEN, RunningCalls
from baton.surfaces.words import editor as texts
from baton.surfaces.words.protocol import UNTOLD

if TYPE_CHECKING:
    from baton.engine.turns.queue import Subscription
    from baton.surfaces.acp.client import Line
    from baton.surfaces.acp.provenance import KnownHead
    from baton.surfaces.acp.usage import UsageMeter

SILENCE = 1.2
_log = logging.getLogger("baton.acp")


class EventView:
    """`goes_on` while a turn runs or is about to continue: after a handoff nobody then needs to say anything."""

    def __init__(self, line: Line, meter: UsageMeter, head: KnownHead, workspace: str) -> None:
        self._line = line
        self._head = head
        self._meter = meter
        self._subscription: Subscription | None = None
        self._task: asyncio.Task[None] | None = None
        self._ended: dict[str, asyncio.Future[events.TurnEnded]] = {}
        self._turn = ""
        self._step = 0
        self.calls = RunningCalls(line, workspace)
        self.work = LongWork(line, head.summary)
        self.stop = ""
        self.offered: events.HandoffOffered | None = None
        self.asking = 0
        self.muted = False
        self.goes_on = False
        self.tell_mode: Callable[[str], None] = lambda mode: line.send(updates.mode(mode))
        self._fresh = ""

    def follow(self, subscription: Subscription | None) -> None:
        self.leave()
        self._subscription = subscription
        if subscription is not None:
            self._task = asyncio.create_task(self._pump(subscription))

    def leave(self) -> None:
        if self._task:
            self._task.cancel()
        if self._subscription:
            self._subscription.close()
        self._task = self._subscription = None

    async def catch_up(self) -> None:
        """Returns once every event so far has been shown."""
        if self._subscription is not None:
            await self._subscription.wait_until_handled()

    async def wait_for_end(self, turn_id: str) -> events.TurnEnded:
        """How a turn ended; all its updates have gone out by then."""
        future = self._future(turn_id)
        try:
            return await asyncio.shield(future)
        finally:
            self._ended.pop(turn_id, None)

    async def keep_alive(self) -> None:
        """Tells the editor that work continues, for as long as this runs."""
        while True:
            await asyncio.sleep(OFTEN)
            if self.muted:
                continue
            self.calls.flush()
            if time.monotonic() - self._line.last > SILENCE and not self.asking:
                self._repeat()

    def say(self, words: str, *, severity: str = "info", meta: Any = None) -> None:
        """A sentence from Baton itself: a notice if the editor shows notices, otherwise a message."""
        if self._line.can.notices and meta is None:
            self._line.send(updates.notice(severity, words))
        else:
            self.answer(words, meta)

    def answer(self, words: str, meta: Any = None) -> None:
        """A message of its own, separate from what the model is saying."""
        message_id = f"note-{time.monotonic_ns():x}"
        for piece in updates.pieces(f"{words}\n\n"):
            self._line.send(updates.agent_text(piece, message_id, meta))

    def close_open(self) -> None:
        """Ends whatever is shown as running: nothing stays in progress for ever."""
        self.calls.close_open()
        self.work.close_open()

    async def _pump(self, subscription: Subscription) -> None:
        while True:
            event = await subscription.next()
            act = self.HANDLERS.get(event.__class__)
            if act is None or (self.muted and not isinstance(event, events.TurnEnded)):
                continue
            try:
                if (waiting := act(self, event)) is not None:
                    await waiting
            except Exception:  # noqa: BLE001, one event that cannot be told must not keep the others
                _log.exception(UNTOLD)

    def _future(self, turn_id: str) -> asyncio.Future[events.TurnEnded]:
        if turn_id not in self._ended:
            self._ended[turn_id] = asyncio.get_running_loop().create_future()
        return self._ended[turn_id]

    def _start_turn(self, event: events.TurnStarted) -> None:
        self._turn, self._step, self.stop, self.offered = event.turn_id, 0, "", None
        self.goes_on = True
        self.calls.begin(event.turn_id)

    def _end_turn(self, event: events.TurnEnded) -> None:
        self.goes_on = False
        try:
            if not self.muted:
                self.close_open()
                self._tell_usage()
        finally:
            future = self._future(event.turn_id)
            if not future.done():
                future.set_result(event)

    def _show_pressure(self, event: events.Pressure) -> None:
        self._meter.pressure(event.tokens, event.window)
        self._tell_usage()

    def _start_step(self, _: events.StepStarted) -> None:
        self._step += 1

    def _show_text(self, event: events.TextAdded) -> None:
        for piece in updates.pieces(event.text):
            self._line.send(updates.agent_text(piece, f"{self._turn}.{self._step}"))

    def _show_reasoning(self, event: events.ReasoningAdded) -> None:
        for piece in updates.pieces(event.text):
            self._line.send(updates.thought(piece, f"{self._turn}.{self._step}.t"))

    def _end_step(self, event: events.StepEnded) -> None:
        self.stop = event.stop
        self._meter.add(event.usage)
        self._tell_usage()

    def _show_plan(self, event: events.PlanChanged) -> None:
        self._line.send(updates.plan(event.items))

    def _show_retry(self, event: events.Retrying) -> None:
        words = texts.RETRYING.format(reason=event.reason, seconds=event.seconds)
        if self._line.can.notices:
            self._line.send(updates.notice("warning", words))
        else:
            self._line.send(updates.thought(f"{words}\n", f"{self._turn}.retry"))

    async def _end_compression(self, event: events.CompressionEnded) -> None:
        await self.work.end_compression(event)
        self._meter.used = event.after
        self._tell_usage()

    def _keep_offer(self, event: events.HandoffOffered) -> None:
        self.offered = event

    def _keep_fresh_session(self, event: events.HeadAdvanced) -> None:
        self._fresh = event.session_id if event.edge == HANDOFF else ""

    def _end_handoff(self, event: events.HandoffEnded) -> None:
        """A handoff that moved the head is announced in the thread, however it came about."""
        self.work.end_handoff(event)
        fresh, self._fresh = self._fresh, ""
        if fresh:
            from baton.surfaces.acp import handoff

            words = handoff.announce_fresh_session(self._head.conversation_id, event.path, goes_on=self.goes_on)
            self.answer(words, handoff.fresh_session_meta(self._line.session_id, event.path))

    def _show_answer(self, event: events.ApprovalAnswered) -> None:
        if event.elsewhere:
            self.say(texts.ANSWERED.format(how=event.elsewhere))

    def _show_mode(self, event: events.ModeChanged) -> None:
        self.tell_mode(event.mode)

    def _show_notice(self, event: events.Noticed) -> None:
        self.say(event.text, severity="info" if event.code == "verified" else "warning")

    def _repeat(self) -> None:
        """A sign of life: of what runs, or else an empty thought."""
        if not self.calls.repeat() and not self.work.repeat():
            self._line.send(updates.thought("", f"{self._turn}.{self._step}.t"))

    def _tell_usage(self) -> None:
        if usage := self._meter.news():
            self._line.send(usage)

    HANDLERS: ClassVar[dict[type[events.Event], Callable[[EventView, Any], Awaitable[None] | None]]] = {
        events.TurnStarted: _start_turn,
        events.Pressure: _show_pressure,
        events.StepStarted: _start_step,
        events.TextAdded: _show_text,
        events.ReasoningAdded: _show_reasoning,
        events.StepEnded: _end_step,
        events.ApprovalAsked: lambda view, event: view.calls.announce(event),
        events.ApprovalAnswered: _show_answer,
        events.ModeChanged: _show_mode,
        events.ToolStarted: lambda view, event: view.calls.start(event),
        events.ToolOutput: lambda view, event: view.calls.add_output(event),
        events.ToolEnded: lambda view, event: view.calls.end(event),
        events.PlanChanged: _show_plan,
        events.Retrying: _show_retry,
        events.CompressionStarted: lambda view, event: view.work.start_compression(event),
        events.PacketWritten: lambda view, event: view.work.keep_cost(event),
        events.Compressing: lambda view, _: view.work.continue_compression(),
        events.CompressionEnded: _end_compression,
        events.HandoffStarted: lambda view, event: view.work.start_handoff(event),
        events.HandoffStep: lambda view, event: view.work.continue_handoff(event),
        events.HandoffOffered: _keep_offer,
        events.HeadAdvanced: _keep_fresh_session,
        events.HandoffEnded: _end_handoff,
        events.Noticed: _show_notice,
        events.TurnEnded: _end_turn,
    }
    IGNORED = (
        events.Queued,  # the prompt queue answers for what waits
        events.ProcessWanted,  # the process is the editor's
    )
