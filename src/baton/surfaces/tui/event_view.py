"""From events to widgets: what a turn does, drawn as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ClassVar

from baton.core.agent import event as events
from baton.core.agent.shown import shown_file
from baton.core.errors import OwnedElsewhere
from baton.core.log.payloads import CANCELLED
from baton.core.log.session import HANDOFF
from baton.surfaces.shared.wording import describe_cost, describe_kept
from baton.surfaces.tui.answer import AnswerView
from baton.surfaces.tui.approval import ApprovalView
from baton.surfaces.tui.tool_calls import ToolView
from baton.surfaces.tui.transcript import PlanView, UserView
from baton.surfaces.words import chat as words
from baton.surfaces.words.work import SUMMARY_COST

if TYPE_CHECKING:
    from baton.engine.turns.queue import Subscription
    from baton.surfaces.tui.app import Backend, ChatApp
    from baton.surfaces.tui.handoff import HandoffDialog


class EventView:
    """Draws the events of the conversation the chat has turned to."""

    def __init__(self, app: ChatApp, backend: Backend, handoff: HandoffDialog) -> None:
        self.app = app
        self.chat = backend.chat
        self._handoff = handoff
        self._answer: AnswerView | None = None
        self._tools: dict[str, ToolView] = {}
        self._asked: dict[str, ApprovalView] = {}
        self._task: asyncio.Task[None] | None = None
        self._subscription: Subscription | None = None
        self.waiting: dict[str, UserView] = {}
        self.begun: set[str] = set()
        """The turns that were drawn here as they ran."""
        self.show_waiting: Callable[[], None] = lambda: None
        self.refused: Callable[[str], Awaitable[None]] | None = None
        """Told of a turn that could not begin, because another process is at work on the conversation."""

    def follow(self, subscription: Subscription | None) -> None:
        """Draws the events of this conversation from now on, or of none."""
        if self._task:
            self._task.cancel()
        self._answer = None
        self._tools.clear()
        self._asked.clear()
        self.waiting.clear()
        self._subscription = subscription
        self._task = asyncio.create_task(self._events(subscription)) if subscription else None

    async def catch_up(self) -> None:
        """Returns once every event so far has been drawn."""
        if self._subscription is not None:
            await self._subscription.wait_until_handled()

    def add_waiting(self, turn_id: str, view: UserView) -> None:
        """Shows a message as waiting; it joins the transcript when its turn comes."""
        self.waiting[turn_id] = view
        self.show_waiting()

    async def draw(self) -> None:
        """Draws what came since the last frame."""
        if self._answer is not None:
            self._answer.draw()
        for view in tuple(self._tools.values()):
            view.draw()

    async def _events(self, subscription: Subscription) -> None:
        try:
            while True:
                event: object = await subscription.next()
                if (act := self.HANDLERS.get(event.__class__)) is not None:
                    await act(self, event)
        finally:
            subscription.close()

    async def _start_turn(self, event: events.TurnStarted) -> None:
        self.begun.add(event.turn_id)
        if view := self.waiting.pop(event.turn_id, None):
            await self.app.add(view)
        self.show_waiting()
        self.app.show_status(state=words.THINKING, place="")
        self._handoff.begin_turn()

    async def _show_pressure(self, event: events.Pressure) -> None:
        self.chat.tokens = event.tokens
        self.app.show_status(tokens=event.tokens, window=event.window)

    async def _show_text(self, event: events.TextAdded) -> None:
        (await self._open_answer()).feed(event.text)

    async def _show_reasoning(self, event: events.ReasoningAdded) -> None:
        if event.text:
            (await self._open_answer()).think(event.text)

    async def _open_answer(self) -> AnswerView:
        if self._answer is None:
            self._answer = AnswerView()
            await self.app.add(self._answer)
        return self._answer

    async def _end_step(self, event: events.StepEnded) -> None:
        await self._close_answer()
        self.app.last_answer = event.text or self.app.last_answer
        if event.usage.input:
            self.chat.tokens = event.usage.input + event.usage.output
            self.app.show_status(tokens=self.chat.tokens)
        if event.usage.cost is not None:
            self.chat.cost = (self.chat.cost or 0) + event.usage.cost
            self.app.show_status(cost=self.chat.cost)

    async def _close_answer(self) -> None:
        if self._answer is not None:
            answer, self._answer = self._answer, None
            answer.end()

    async def _ask_approval(self, event: events.ApprovalAsked) -> None:
        view = ApprovalView(event)
        self._asked[event.call_id] = view
        await self.app.add(view)
        if not self.app.prompt.text:
            view.focus()
        self.app.show_status(state=words.WAITING_FOR_YOU)
        self.app.bell()

    async def _show_answer(self, event: events.ApprovalAnswered) -> None:
        """Takes the question back if it was answered elsewhere; otherwise the call itself follows."""
        if event.elsewhere:
            asked = await self._close_question(event.call_id)
            await self.app.notice(words.ANSWERED.format(asked=asked, how=event.elsewhere))
            self.app.show_status(state=words.THINKING)

    async def _show_mode(self, event: events.ModeChanged) -> None:
        self.app.show_status(mode=event.mode)
        await self.app.notice(words.MODE.format(mode=event.mode.replace("_", " ")))

    async def _close_question(self, call_id: str) -> str:
        """Removes the question and returns what was asked."""
        view = self._asked.pop(call_id, None)
        if view is None:
            return ""
        await view.remove()
        self.app.prompt.focus()
        return view.question

    async def _start_tool(self, event: events.ToolStarted) -> None:
        await self._close_question(event.call_id)
        view = ToolView(event.tool, event.title)
        self._tools[event.call_id] = view
        await self.app.add(view)
        self.app.show_status(state=words.RUNNING.format(command=event.tool))

    async def _show_output(self, event: events.ToolOutput) -> None:
        if view := self._tools.get(event.call_id):
            view.feed(event.text)

    async def _end_tool(self, event: events.ToolEnded) -> None:
        asked = await self._close_question(event.call_id)
        view = self._tools.pop(event.call_id, None)
        if "items" in event.details and view:
            await view.remove()
        else:
            if view is None:
                view = ToolView(
                    event.tool, words.CALL_ASKED.format(tool=event.tool, asked=asked) if asked else event.tool
                )
                await self.app.add(view)
            await view.finish(event.text, event.details, ok=event.ok)
            if event.ok and (shown := shown_file(event.details)):
                await self.app.notice(
                    words.SHOWN.format(caption=shown.caption, path=shown.path) if shown.caption else shown.path
                )
        self.app.show_status(state=words.THINKING)

    async def _show_plan(self, event: events.PlanChanged) -> None:
        await self.app.add(PlanView(event.items))

    async def _show_retry(self, event: events.Retrying) -> None:
        await self.app.notice(words.RETRYING.format(reason=event.reason, seconds=event.seconds), "warning")
        self.app.show_status(state=words.STATE_RETRYING)

    async def _start_compression(self, event: events.CompressionStarted) -> None:
        share = event.tokens / max(1, event.window)
        await self.app.notice(words.COMPRESSING.format(share=share, kept=describe_kept(event.kept)))
        self.app.show_status(state=words.STATE_COMPRESSING)

    async def _end_compression(self, event: events.CompressionEnded) -> None:
        plain_words, because_words = words.COMPRESSIONS.get(event.outcome, words.COMPRESSIONS["failed"])
        template = because_words if event.error else plain_words
        told = template.format(before=event.before, after=event.after, error=event.error.rstrip("."))
        cost = describe_cost(event.usage)
        level = "info" if event.outcome in ("compressed", CANCELLED) else "warning"
        await self.app.notice(f"{told} {SUMMARY_COST.format(cost=cost)}" if cost else told, level)
        counted = event.outcome in ("compressed", "lossy")
        self.app.show_status(compressions=self.app.line.compressions + counted, tokens=event.after)
        self.chat.tokens = event.after
        self.app.show_status(state=words.THINKING if self.chat.busy else "")

    async def _show_head(self, event: events.HeadAdvanced) -> None:
        if event.edge != HANDOFF:  # what a handoff leads to is told when it has ended
            await self.app.notice(words.ADVANCED)
        await self._handoff.reset_context(event.session_id)

    async def _keep_successor(self, event: events.ProcessWanted) -> None:
        """The fresh session runs in a new process; this one makes room for it when the turn has ended."""
        self.app.successor = event.conversation_id

    async def _show_notice(self, event: events.Noticed) -> None:
        if event.code == "verified":
            await self._handoff.show_verified(event.text)
        else:
            await self.app.notice(event.text, "warning")

    async def _end_turn(self, event: events.TurnEnded) -> None:
        await self._close_answer()
        self._tools.clear()
        for call_id in list(self._asked):
            await self._close_question(call_id)
        if event.error_code == OwnedElsewhere.code and self.refused and event.turn_id not in self.begun:
            await self.refused(event.turn_id)
        elif event.error:
            await self.app.notice(event.error, "error")
        elif event.reason == CANCELLED:
            await self.app.notice(words.STOPPED)
        self.app.show_status(state="")
        if self.app.successor:
            self.app.exit(0)
            return
        self.app.look_around()
        await self._handoff.end_turn()

    HANDLERS: ClassVar[dict[type[events.Event], Callable[[EventView, Any], Awaitable[None]]]] = {
        events.TurnStarted: _start_turn,
        events.Pressure: _show_pressure,
        events.TextAdded: _show_text,
        events.ReasoningAdded: _show_reasoning,
        events.StepEnded: _end_step,
        events.ApprovalAsked: _ask_approval,
        events.ApprovalAnswered: _show_answer,
        events.ModeChanged: _show_mode,
        events.ToolStarted: _start_tool,
        events.ToolOutput: _show_output,
        events.ToolEnded: _end_tool,
        events.PlanChanged: _show_plan,
        events.Retrying: _show_retry,
        events.CompressionStarted: _start_compression,
        events.CompressionEnded: _end_compression,
        events.HeadAdvanced: _show_head,
        events.HandoffStarted: lambda view, event: view._handoff.show_start(event),
        events.HandoffStep: lambda view, event: view._handoff.show_step(event),
        events.PacketWritten: lambda view, event: view._handoff.show_packet(event),
        events.HandoffOffered: lambda view, event: view._handoff.keep_offer(event),
        events.HandoffEnded: lambda view, event: view._handoff.show_end(event),
        events.ProcessWanted: _keep_successor,
        events.Noticed: _show_notice,
        events.TurnEnded: _end_turn,
    }
    IGNORED = (
        events.Queued,  # whoever sent it has drawn it as waiting
        events.StepStarted,  # an answer is drawn from its first words on
        events.Compressing,  # the clock of the status line runs by itself
    )
