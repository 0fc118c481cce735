"""From events to widgets, and from what was typed to turns and commands."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from baton.core import entry as kinds
from baton.core import event as events
from baton.core.errors import BatonError
from baton.surfaces import commands
from baton.surfaces.tui.approval import ApprovalView
from baton.surfaces.tui.completion import workspace_files
from baton.surfaces.tui.prompt import Prompt
from baton.surfaces.tui.screens import PickScreen, ReadScreen
from baton.surfaces.tui.transcript import AnswerView, ToolView, Transcript

if TYPE_CHECKING:
    from baton.core.entry import Entry
    from baton.engine.runtime import Subscription
    from baton.surfaces.tui.app import ChatApp, Desk

FRAME = 0.1
RECENT = 60
THINKING = "thinking"
COMPRESSED = "Compressed: {before:,} → {after:,} tokens. Nothing left the transcript (/transcript)."
NOT_COMPRESSED = "Compression {outcome}: {error}."
LOSSY = "Compressed without a summary ({error}): {before:,} → {after:,} tokens. The transcript is whole (/transcript)."


class Controller:
    def __init__(self, app: ChatApp, desk: Desk) -> None:
        self.app = app
        self.desk = desk
        self.chat = desk.chat
        self._answer: AnswerView | None = None
        self._tools: dict[str, ToolView] = {}
        self._asked: dict[str, ApprovalView] = {}
        self._following: asyncio.Task[None] | None = None
        self._calls: dict[type, Any] = {
            events.TurnStarted: self._turn_started,
            events.Pressure: self._pressure,
            events.TextAdded: self._text,
            events.ReasoningAdded: self._reasoning,
            events.StepEnded: self._step_ended,
            events.ApprovalAsked: self._approval,
            events.ToolStarted: self._tool_started,
            events.ToolOutput: self._tool_output,
            events.ToolEnded: self._tool_ended,
            events.PlanChanged: self._plan,
            events.Retrying: self._retrying,
            events.Queued: self._queued,
            events.CompressionStarted: self._compressing,
            events.Compressing: self._compressing,
            events.CompressionEnded: self._compressed,
            events.Noticed: self._noticed,
            events.TurnEnded: self._turn_ended,
        }

    async def start(self, resume: str | None) -> None:
        self.chat.on_move(self._follow)
        for line in self.desk.greeting:
            await self.app.notice(line)
        self.app.set_interval(FRAME, self._draw)
        agent = self.chat.agent
        self.app.show_status(model=agent.model, window=agent.window(), mode=agent.mode, state="")
        self.app.run_worker(self._look_around(), exclusive=False)
        if resume is not None:
            await self.take(f"/resume {resume}".strip())

    async def _look_around(self) -> None:
        branch = await asyncio.to_thread(self.chat.agent.branch)
        self.app.show_status(branch=branch)
        self.app.files = await asyncio.to_thread(workspace_files, self.chat.agent.workspace)

    async def take(self, text: str) -> None:
        """A line the person sent. Errors become words in the transcript; what was typed is never lost."""
        try:
            if found := commands.find(text):
                command, rest = found
                await self._reply(command, await command.run(self.chat, rest))
                return
            await self.app.say(text)
            await self.chat.say(text)
        except BatonError as error:
            await self.app.notice(str(error), "error")

    async def _reply(self, command: commands.Command, reply: commands.Reply) -> None:
        if reply.act == "quit":
            self.app.exit(0)
        elif reply.act == "redraw":
            await self._redraw()
            await self.app.notice(reply.text)
        elif reply.act == "pick-conversation" and reply.text:
            await self._pick_conversation()
        elif reply.act == "transcript":
            await self._show_transcript()
        elif command.name == "help":
            self.app.push_screen(ReadScreen("Commands", f"{reply.text}\n\n{KEYS}"))
        else:
            await self.app.notice(reply.text)
        self.app.show_status(model=self.chat.agent.model, mode=self.chat.agent.mode, window=self.chat.agent.window())

    async def _pick_conversation(self) -> None:
        rows = (await asyncio.to_thread(self.chat.store.conversations.page, 50)).rows
        choices = [(row.conversation.id, f"{row.conversation.title}   {row.entries} entries") for row in rows]

        def picked(conversation_id: str | None) -> None:
            if conversation_id:
                self.app.run_worker(self.take(f"/resume {conversation_id}"), exclusive=False)

        self.app.push_screen(PickScreen("Conversations", choices), picked)

    async def _show_transcript(self) -> None:
        conversation = self.chat.current()
        entries = await asyncio.to_thread(self._all_entries, conversation.id)
        text = "\n\n".join(f"[{entry.kind} #{entry.seq}]\n{entry.text}" for entry in entries)
        self.app.push_screen(ReadScreen(conversation.title, text))

    def _all_entries(self, conversation_id: str) -> list[Entry]:
        sessions = self.chat.store.sessions.of(conversation_id)
        return [entry for session in sessions for entry in self.chat.store.entries.load(session.id)]

    def _follow(self, subscription: Subscription | None) -> None:
        if self._following:
            self._following.cancel()
        self._following = asyncio.create_task(self._events(subscription)) if subscription else None

    async def _events(self, subscription: Subscription) -> None:
        try:
            while True:
                event: object = await subscription.next()
                if (act := self._calls.get(event.__class__)) is not None:
                    await act(event)
        finally:
            subscription.close()

    async def _redraw(self) -> None:
        """The transcript anew: the last part of what is stored, and what a crash left behind."""
        await self.app.query_one(Transcript).clear()
        if self.chat.conversation is None:
            return
        conversation = self.chat.conversation
        entries = await asyncio.to_thread(self.chat.store.entries.last, conversation.head_id, RECENT)
        for entry in entries:
            await self._replay(entry)
        self.app.query_one(Prompt).load_said([e.data.get("text", "") for e in entries if e.kind == kinds.USER])
        for given in await self.chat.runtime.recover(conversation.id):
            await self.chat.runtime.send(conversation.id, given)

    async def _replay(self, entry: Entry) -> None:
        data = entry.data
        if entry.kind in (kinds.USER, kinds.PACKET):
            await self.app.say(data.get("text", ""))
        elif entry.kind == kinds.ASSISTANT and data.get("text"):
            answer = AnswerView()
            await self.app.add(answer)
            answer.feed(data["text"])
            await answer.end()
            self.app.last_answer = data["text"]
        elif entry.kind == kinds.TOOL_RESULT:
            view = ToolView(data["name"], data["name"])
            await self.app.add(view)
            view.finish(data.get("text", ""), data.get("details", {}), ok=bool(data.get("ok")))

    async def _draw(self) -> None:
        if self._answer is not None:
            await self._answer.draw()

    async def _open_answer(self) -> AnswerView:
        if self._answer is None:
            self._answer = AnswerView()
            await self.app.add(self._answer)
        return self._answer

    async def _turn_started(self, _: Any) -> None:
        self.app.show_status(state=THINKING)

    async def _pressure(self, event: events.Pressure) -> None:
        self.chat.tokens = event.tokens
        self.app.show_status(tokens=event.tokens, window=event.window)

    async def _text(self, event: events.TextAdded) -> None:
        (await self._open_answer()).feed(event.text)

    async def _reasoning(self, event: events.ReasoningAdded) -> None:
        (await self._open_answer()).think(event.text)

    async def _step_ended(self, event: events.StepEnded) -> None:
        await self._close_answer()
        self.app.last_answer = event.text or self.app.last_answer
        if event.usage.cost is not None:
            self.chat.cost = (self.chat.cost or 0) + event.usage.cost
            self.app.show_status(cost=self.chat.cost)

    async def _close_answer(self) -> None:
        if self._answer is not None:
            answer, self._answer = self._answer, None
            await answer.end()

    async def _approval(self, event: events.ApprovalAsked) -> None:
        view = ApprovalView(event)
        self._asked[event.call_id] = view
        await self.app.add(view)
        view.focus()
        self.app.show_status(state="waiting for you")

    async def _settle(self, call_id: str) -> None:
        if view := self._asked.pop(call_id, None):
            await view.remove()
            self.app.query_one(Prompt).focus()

    async def _tool_started(self, event: events.ToolStarted) -> None:
        await self._settle(event.call_id)
        view = ToolView(event.tool, event.title)
        self._tools[event.call_id] = view
        await self.app.add(view)
        self.app.show_status(state=f"running {event.tool}")

    async def _tool_output(self, event: events.ToolOutput) -> None:
        if view := self._tools.get(event.call_id):
            view.feed(event.text)

    async def _tool_ended(self, event: events.ToolEnded) -> None:
        await self._settle(event.call_id)
        view = self._tools.pop(event.call_id, None)
        if view is None:
            view = ToolView(event.tool, event.tool)
            await self.app.add(view)
        view.finish(event.text, event.details, ok=event.ok)
        self.app.show_status(state=THINKING)

    async def _plan(self, event: events.PlanChanged) -> None:
        signs = {"done": "✓", "doing": "▸"}
        await self.app.notice("Plan: " + " · ".join(f"{signs.get(state, '☐')} {text}" for text, state in event.items))

    async def _retrying(self, event: events.Retrying) -> None:
        await self.app.notice(f"{event.reason} Trying again in {event.seconds:.0f} s.", "warning")

    async def _queued(self, event: events.Queued) -> None:
        self.app.show_status(state=f"{event.position} waiting")

    async def _compressing(self, event: events.CompressionStarted | events.Compressing) -> None:
        seconds = event.seconds if isinstance(event, events.Compressing) else 0
        self.app.show_status(state=f"compressing {seconds:.0f} s")

    async def _compressed(self, event: events.CompressionEnded) -> None:
        template = {"compressed": COMPRESSED, "lossy": LOSSY}.get(event.outcome, NOT_COMPRESSED)
        level = "info" if event.outcome == "compressed" else "warning"
        facts = {"before": event.before, "after": event.after, "error": event.error, "outcome": event.outcome}
        await self.app.notice(template.format(**facts), level)
        counted = event.outcome in ("compressed", "lossy")
        self.app.show_status(compressions=self.app.line.compressions + counted, tokens=event.after, state=THINKING)

    async def _noticed(self, event: events.Noticed) -> None:
        await self.app.notice(event.text, "warning")

    async def _turn_ended(self, event: events.TurnEnded) -> None:
        await self._close_answer()
        self._tools.clear()
        for call_id in list(self._asked):
            await self._settle(call_id)
        if event.error:
            await self.app.notice(event.error, "error")
        self.app.show_status(state="")


KEYS = """\
Enter        send                    Shift+Enter, Ctrl+J   new line
Esc          stop the turn           Ctrl+C twice          leave; nothing is lost
↑ ↓          history                 Tab                   complete a /command or @file
PgUp PgDn    scroll                  Ctrl+Y                copy the last answer
Ctrl+T       dark or light           F1                    this help"""
