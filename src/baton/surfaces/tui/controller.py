"""From what was typed to turns and commands."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from baton.core.errors import BatonError
from baton.engine.aio import in_thread
from baton.surfaces.shared import commands, handoffs, images
from baton.surfaces.tui.event_view import THINKING, EventView
from baton.surfaces.tui.handoff import HandoffDialog
from baton.surfaces.tui.other_surfaces import LOOK, OtherSurfaces
from baton.surfaces.tui.overlays import Overlays
from baton.surfaces.tui.resume import Resume
from baton.surfaces.tui.transcript import UserView
from baton.surfaces.tui.transfer import OutgoingTransfer

if TYPE_CHECKING:
    from textual.timer import Timer

    from baton.surfaces.shared.command import Reply
    from baton.surfaces.tui.app import Backend, ChatApp

FRAME = 0.1


class Controller:
    def __init__(self, app: ChatApp, backend: Backend) -> None:
        self.app = app
        self.backend = backend
        self.chat = backend.chat
        self.handoff = HandoffDialog(app, backend.chat, self._redraw)
        self.view = EventView(app, backend, self.handoff)
        self._saying = asyncio.Lock()
        self.transfer = OutgoingTransfer(app, backend.chat, self._saying)
        self._others = OtherSurfaces(app, backend.chat, self.transfer)
        self._resume = Resume(app, backend.chat, self.view, self._saying, self._others)
        self._overlays = Overlays(app, backend, self.take)
        self._frames: Timer | None = None
        self._looks: Timer | None = None

    async def start(self, resume: str | None) -> None:
        self.chat.on_move(self.view.follow)
        for line in self.backend.greeting:
            await self.app.notice(line)
        self._frames = self.app.set_interval(FRAME, self._draw)
        self._looks = self.app.set_interval(LOOK, self._others.look)
        if resume is None:
            await self._resume.remember()
        self._show_agent()
        self.app.show_status(state="")
        self.app.prompt.base = self.chat.agent.workspace
        self.app.look_around()
        if resume is not None:
            await self.take(f"/resume {resume}".strip())

    def stop(self) -> None:
        """Stops drawing."""
        for timer in (self._frames, self._looks):
            if timer:
                timer.stop()
        self.view.follow(None)

    async def go_on(self) -> None:
        """Lets the agent continue its work without a message from the person."""
        async with self._saying:
            if self.chat.conversation is not None:
                given = await handoffs.make_resumption(self.chat)
                await self.chat.runtime.send(self.chat.conversation.id, given)

    async def _draw(self) -> None:
        await self.view.draw()
        self.app.draw_activity()

    async def look_around(self) -> None:
        self.app.show_status(branch=await in_thread(self.chat.agent.branch))
        self.app.files = await in_thread(self.chat.agent.files)

    async def take(self, text: str) -> None:
        """Handles a line the person sent. Errors are shown in the transcript; what was typed is never lost."""
        try:
            if found := commands.find(text):
                command, rest = found
                await self._reply(await command.run(self.chat, rest))
                return
            async with self._saying:
                await self._say(text)
        except BatonError as error:
            await self.app.notice(str(error), "error")

    async def _say(self, text: str) -> None:
        pictures = await in_thread(images.find_pictures, text, self.chat.agent.workspace)
        if pictures and not await in_thread(self.chat.agent.takes_images):
            names = ", ".join(picture.name for picture in pictures)
            await self.app.notice(images.NOT_TAKEN.format(model=self.chat.agent.model, names=names), "warning")
            pictures = []
        view = UserView(text, [picture.name for picture in pictures])
        if self.chat.busy:
            turn_id = await self.chat.say(text, tuple(picture.image() for picture in pictures))
            self.view.add_waiting(turn_id, view)
        else:
            await self.app.add(view)
            self.app.show_status(state=THINKING)
            try:
                await self.chat.say(text, tuple(picture.image() for picture in pictures))
            except BatonError:
                self.app.show_status(state="")
                raise

    async def take_back(self) -> None:
        """Puts the last waiting message back into the prompt, if its turn has not come."""
        if not self.view.waiting or not self.chat.conversation:
            return
        turn_id = next(reversed(self.view.waiting))
        if await self.chat.runtime.withdraw(self.chat.conversation.id, turn_id):
            view = self.view.waiting.pop(turn_id)
            self.view.show_waiting()
            prompt = self.app.prompt
            prompt.text = view.said
            prompt.move_cursor(prompt.document.end)

    async def _reply(self, reply: Reply) -> None:
        if reply.act == "quit":
            self.app.exit(0)
            return
        if reply.act in ("redraw", "undone"):
            await self._redraw()
        acts = {
            "pick-conversation": self._overlays.pick_conversation,
            "pick-model": self._overlays.pick_model,
            "transcript": self._overlays.show_transcript,
        }
        if act := acts.get(reply.act):
            await act()
        elif reply.act == "review":
            self.handoff.show(await handoffs.review(self.chat, reply.subject))
        elif reply.act == "transfer":
            self.transfer.begin(reply.subject)
        elif reply.act == "help":
            self._overlays.show_help(reply.text)
        elif reply.text:
            await self.app.notice(reply.text)
        self._show_agent()

    def _show_agent(self) -> None:
        agent = self.chat.agent
        self.app.show_status(model=agent.model, mode=agent.mode, window=agent.window())

    async def _redraw(self) -> None:
        await self._resume.redraw()
