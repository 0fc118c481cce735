"""From what was typed to turns and commands."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from baton.core import entry as kinds
from baton.core import recovery
from baton.core.errors import BatonError, OwnedElsewhere
from baton.surfaces import commands, handoffs, images
from baton.surfaces.tui.following import THINKING, Following
from baton.surfaces.tui.handing import Handing
from baton.surfaces.tui.replay import image_names, replay
from baton.surfaces.tui.transcript import UserView

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from textual.timer import Timer

    from baton.core.conversation import Conversation
    from baton.core.entry import Entry
    from baton.core.session import Vitals
    from baton.surfaces.tui.app import ChatApp, Desk

FRAME = 0.1
RECENT = 60
LISTED = 200
READ = 2000
HELD = (
    "This conversation is held by {owner}: another Baton is at work on it, or died a moment ago. "
    "Waiting for it to be free; /new or /sessions leaves it."
)
UNENDED = "“{title}” has a turn that did not end: interrupted, or running elsewhere. /resume {id} tells what was done."
DRAFT = "“{title}” has a packet that waits for your answer. /resume {id}, then /handoff shows it."
DRAFT_HERE = "A packet waits for your answer: /handoff shows it."
OTHER_MODEL = "So far {before} answered here; now it is {now}. /model {before} goes back to it."
ONLY_LAST = "[the last {count:,} entries; `baton sessions show {id} --all` prints everything]"


class Controller:
    def __init__(self, app: ChatApp, desk: Desk) -> None:
        self.app = app
        self.desk = desk
        self.chat = desk.chat
        self.handing = Handing(app, desk.chat, self._redraw)
        self.following = Following(app, desk, self.handing)
        self._saying = asyncio.Lock()
        self._frames: Timer | None = None

    async def start(self, resume: str | None) -> None:
        self.chat.on_move(self.following.follow)
        for line in self.desk.greeting:
            await self.app.notice(line)
        self._frames = self.app.set_interval(FRAME, self._draw)
        self._show_agent()
        self.app.show_status(state="")
        self.app.prompt.base = self.chat.agent.workspace
        self.app.look_around()
        if resume is None:
            await self._remember()
        else:
            await self.take(f"/resume {resume}".strip())

    def stop(self) -> None:
        """Nothing is drawn any more."""
        if self._frames:
            self._frames.stop()
        self.following.follow(None)

    async def go_on(self) -> None:
        """The agent goes on with what it was at, without a word from the person."""
        async with self._saying:
            if self.chat.conversation is not None:
                await self.chat.runtime.send(self.chat.conversation.id, {"text": handoffs.CONTINUE, "synthetic": True})

    async def _draw(self) -> None:
        await self.following.draw()
        self.app.draw_activity()

    async def look_around(self) -> None:
        self.app.show_status(branch=await asyncio.to_thread(self.chat.agent.branch))
        self.app.files = await asyncio.to_thread(self.chat.agent.files)

    async def _remember(self) -> None:
        """The history of what was said here last, and whether that was left in the middle."""
        workspace = self.chat.agent.workspace
        rows = (await asyncio.to_thread(self.chat.store.conversations.page, 1, None, workspace)).rows
        if not rows:
            return
        conversation = rows[0].conversation
        entries = await asyncio.to_thread(self.chat.store.entries.last, conversation.head_id, RECENT)
        self.app.prompt.load_said(_said(entries))
        if recovery.interrupted(entries):
            await self.app.notice(UNENDED.format(title=conversation.title, id=conversation.id), "warning")
        if await asyncio.to_thread(self.chat.store.drafts.waiting, conversation.id):
            await self.app.notice(DRAFT.format(title=conversation.title, id=conversation.id), "warning")

    async def take(self, text: str) -> None:
        """A line the person sent. Errors become words in the transcript; what was typed is never lost."""
        try:
            if found := commands.find(text):
                command, rest = found
                await self._reply(command, await command.run(self.chat, rest))
                return
            async with self._saying:
                await self._say(text)
        except BatonError as error:
            await self.app.notice(str(error), "error")

    async def _say(self, text: str) -> None:
        pictures = await asyncio.to_thread(images.mentioned, text, self.chat.agent.workspace)
        if pictures and not await asyncio.to_thread(self.chat.agent.takes_images):
            names = ", ".join(picture.name for picture in pictures)
            await self.app.notice(images.NOT_TAKEN.format(model=self.chat.agent.model, names=names), "warning")
            pictures = []
        view = UserView(text, [picture.name for picture in pictures])
        if self.chat.busy:
            turn_id = await self.chat.say(text, tuple(picture.given() for picture in pictures))
            self._wait(turn_id, view)
        else:
            await self.app.add(view)
            self.app.show_status(state=THINKING)
            try:
                await self.chat.say(text, tuple(picture.given() for picture in pictures))
            except BatonError:
                self.app.show_status(state="")
                raise

    def _wait(self, turn_id: str, view: UserView) -> None:
        self.following.waiting[turn_id] = view
        self.app.show_waiting([each.said for each in self.following.waiting.values()])

    async def take_back(self) -> None:
        """The last message that waits, into the prompt again, if its turn has not come."""
        if not self.following.waiting or not self.chat.conversation:
            return
        turn_id = next(reversed(self.following.waiting))
        if await self.chat.runtime.take_back(self.chat.conversation.id, turn_id):
            view = self.following.waiting.pop(turn_id)
            self.app.show_waiting([each.said for each in self.following.waiting.values()])
            prompt = self.app.prompt
            prompt.text = view.said
            prompt.move_cursor(prompt.document.end)

    async def _reply(self, command: commands.Command, reply: commands.Reply) -> None:
        if reply.act == "quit":
            self.app.exit(0)
            return
        if reply.act == "redraw":
            await self._redraw()
        acts = {
            "pick-conversation": self._pick_conversation,
            "pick-model": self._pick_model,
            "transcript": self._show_transcript,
        }
        if act := acts.get(reply.act):
            await act()
        elif reply.act == "review":
            self.handing.show(await handoffs.review(self.chat, reply.draft))
        elif command.name == "help":
            from baton.surfaces.tui.screens import ReadScreen

            self.app.push_screen(ReadScreen("Commands and keys", f"{reply.text}\n\n{KEYS}"))
        elif reply.text:
            await self.app.notice(reply.text)
        self._show_agent()

    def _show_agent(self) -> None:
        agent = self.chat.agent
        self.app.show_status(model=agent.model, mode=agent.mode, window=agent.window())

    async def _pick_conversation(self) -> None:
        from baton.surfaces.tui.pickers import PickScreen, conversation_choices

        rows = (await asyncio.to_thread(self.chat.store.conversations.page, LISTED)).rows
        choices = conversation_choices(rows, int(time.time() * 1_000_000))
        self.app.push_screen(PickScreen("Conversations", choices), self._picked("/resume"))

    async def _pick_model(self) -> None:
        from baton.surfaces.tui.pickers import PickScreen, model_choices, other_model

        self.app.remark("looking which models can be used…")
        choices = model_choices(await asyncio.to_thread(self.desk.models), self.chat.agent.model)
        self.app.remark("")
        self.app.push_screen(PickScreen("Models", choices, other_model), self._picked("/model"))

    def _picked(self, command: str) -> Any:
        def take(key: str | None) -> None:
            if key:
                self.app.run_worker(self.take(f"{command} {key}"), exclusive=False)

        return take

    async def _show_transcript(self) -> None:
        from baton.surfaces.tui.screens import ReadScreen

        conversation = self.chat.current()
        entries, left_out = await asyncio.to_thread(self._entries, conversation)
        parts = [ONLY_LAST.format(count=len(entries), id=conversation.id)] if left_out else []
        parts += [f"[{entry.kind} #{entry.seq}]\n{entry.text}" for entry in entries]
        self.app.push_screen(ReadScreen(conversation.title, "\n\n".join(parts), at_end=True))

    def _entries(self, conversation: Conversation) -> tuple[list[Entry], bool]:
        """The newest entries of all sessions, and whether there are more."""
        found: list[Entry] = []
        for session in reversed(self.chat.store.sessions.of(conversation.id)):
            if (room := READ - len(found)) <= 0:
                return found, True
            found = [entry for entry in self.chat.store.entries.last(session.id, room) if not entry.copied] + found
        return found, len(found) >= READ

    async def _redraw(self) -> None:
        """The transcript anew: the last part of what is stored, and what a crash left behind."""
        await self.app.transcript.clear()
        self.app.show_waiting([])
        self.app.show_status(tokens=0, cost=None, compressions=0, state="")
        conversation = self.chat.conversation
        if conversation is None:
            return
        entries, vitals = await asyncio.to_thread(self._stored, conversation.head_id)
        await replay(self.app, entries)
        self.app.prompt.load_said(_said(entries))
        self.chat.tokens = _tokens(entries)
        self.app.show_status(compressions=vitals.compressions, tokens=self.chat.tokens)
        before, now = _model(entries), self.chat.agent.model
        if before not in ("", now):
            await self.app.notice(OTHER_MODEL.format(before=before, now=now))
        if await asyncio.to_thread(self.chat.store.drafts.waiting, conversation.id):
            await self.app.notice(DRAFT_HERE, "warning")
        self.app.run_worker(self._recover(conversation), exclusive=False)

    def _stored(self, session_id: str) -> tuple[list[Entry], Vitals]:
        return self.chat.store.entries.last(session_id, RECENT), self.chat.store.sessions.vitals(session_id)

    async def _recover(self, conversation: Conversation) -> None:
        """Says what a crash left behind and goes on with input nobody answered. Messages sent meanwhile wait."""
        async with self._saying:
            try:
                left = await self._held_out(conversation)
                for given in left:
                    await self._go_on(conversation, given)
            except BatonError as error:
                await self.app.notice(str(error), "error")

    async def _go_on(self, conversation: Conversation, given: Mapping[str, Any]) -> None:
        view = UserView(str(given.get("text", "")), image_names(given))
        self._wait(await self.chat.runtime.send(conversation.id, given), view)

    async def _held_out(self, conversation: Conversation) -> list[Mapping[str, Any]]:
        """Waits while another process holds the conversation, and says so."""
        told = False
        while self.chat.conversation and self.chat.conversation.id == conversation.id:
            try:
                return await self.chat.runtime.recover(conversation.id)
            except OwnedElsewhere as error:
                if not told:
                    await self.app.notice(HELD.format(owner=error.facts.get("owner")), "warning")
                told = True
                self.app.show_status(state="held elsewhere, waiting")
                await asyncio.sleep(0.5)
            finally:
                if told:
                    self.app.show_status(state="")
        return []


def _said(entries: list[Entry]) -> list[str]:
    return [str(entry.data.get("text", "")) for entry in entries if entry.kind == kinds.USER]


def _model(entries: list[Entry]) -> str:
    """Who answered last."""
    return next((str(entry.data.get("model", "")) for entry in reversed(entries) if entry.kind == kinds.ASSISTANT), "")


def _tokens(entries: list[Entry]) -> int:
    """What the last answer's request and answer took, as the provider counted."""
    for entry in reversed(entries):
        if entry.kind == kinds.COMPRESSION:
            return 0
        if entry.kind == kinds.ASSISTANT and (usage := entry.data.get("usage")):
            return int(usage.get("input") or 0) + int(usage.get("output") or 0)
    return 0


KEYS = """\
Enter       send                    Shift+Enter Ctrl+J  new line
Esc         stop the turn           Ctrl+C twice        leave; nothing is lost
↑ ↓         history, waiting input  Tab                 complete a /command, @file
PgUp PgDn   scroll                  Ctrl+O              fold or unfold tool calls
Ctrl+Y      copy the last answer;   Ctrl+C              copy what the mouse marked
            again: its code         Shift+Tab           what tools may do unasked
Ctrl+T      dark or light           F1                  this help"""
