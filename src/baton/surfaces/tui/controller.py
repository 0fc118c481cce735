"""From what was typed to turns and commands."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from baton.core.errors import BadInput, BatonError
from baton.core.log.payloads import UserInput
from baton.engine.aio import in_thread
from baton.surfaces.shared import attachments, commands, handoffs, images
from baton.surfaces.shared.formats import count
from baton.surfaces.tui.event_view import EventView
from baton.surfaces.tui.handoff import HandoffDialog
from baton.surfaces.tui.held_messages import Held, HeldMessages
from baton.surfaces.tui.other_questions import OtherQuestions
from baton.surfaces.tui.other_surfaces import LOOK, OtherSurfaces
from baton.surfaces.tui.overlays import Overlays
from baton.surfaces.tui.own_command import OwnCommand
from baton.surfaces.tui.resume import Resume
from baton.surfaces.tui.transcript import UserView
from baton.surfaces.tui.transfer import OutgoingTransfer
from baton.surfaces.words import chat as words
from baton.surfaces.words import counts, files

if TYPE_CHECKING:
    from textual.timer import Timer

    from baton.ports.approver import Answer
    from baton.surfaces.shared.attachments import Attachment
    from baton.surfaces.shared.command import Reply
    from baton.surfaces.tui.app import Backend, ChatApp
    from baton.surfaces.tui.own_command import Ran

FRAME = 1 / 12
_OWN = re.compile(r"!\s*([^\n]*[^\s!=][^\n]*)")
_PIN = re.compile(r"#[ \t]+([^\n]+)|#([^\W\d][^\n]*)")


class Controller:
    def __init__(self, app: ChatApp, backend: Backend) -> None:
        self.app = app
        self.backend = backend
        self.chat = backend.chat
        self.handoff = HandoffDialog(app, backend.chat, self._redraw)
        self.view = EventView(app, backend, self.handoff)
        self._saying = asyncio.Lock()
        self.transfer = OutgoingTransfer(app, backend.chat, self._saying)
        self._questions = OtherQuestions(app, backend.chat)
        self._others = OtherSurfaces(app, backend.chat, self.transfer, self.view.begun, self._questions)
        self.held = HeldMessages(app, backend.chat, self._show_waiting)
        self._sent: dict[str, tuple[UserView, list[Ran]]] = {}
        self.view.refused = self._on_refused
        self.view.show_waiting = self._show_waiting
        self._resume = Resume(app, backend.chat, self.view, self._saying, self._others)
        self.own = OwnCommand(app, backend.chat.agent.workspace)
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

    @property
    def busy(self) -> bool:
        """Whether something is under way here that is no turn."""
        return self.transfer.under_way or self.own.running

    def stop(self) -> None:
        """Stops drawing, and a command that you ran."""
        self.own.stop()
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

    async def give(self, what: str) -> None:
        """What a key of the prompt asks for: help, history or editor."""
        if what == "help":
            await self.take("/help")
        elif what == "history":
            self._overlays.pick_from_history()
        else:
            self._overlays.edit_prompt()

    async def take(self, text: str) -> None:
        """Handles a line the person sent. Errors are shown in the transcript; what was typed is never lost."""
        try:
            if own := _OWN.fullmatch(text):
                await self._run(own[1])
                return
            if found := commands.find(_as_pin(text)):
                command, rest = found
                await self._reply(await command.run(self.chat, rest))
                return
            await self._say_in_order(text)
        except BatonError as error:
            await self.app.notice(str(error), "error")

    async def _run(self, command: str) -> None:
        if self.own.running:
            raise BadInput(reason=words.ONE_AT_A_TIME)
        await self.own.run(command)

    async def answer(self, call_id: str, handle: str, given: Answer) -> None:
        """Answers a question that was asked here, or else one of another surface."""
        if not self.backend.answer(call_id, given):
            await self._questions.answer(handle, given)

    def _show_waiting(self) -> None:
        self.app.show_waiting([*(view.said for view in self.view.waiting.values()), *self.held.texts])

    async def _say_in_order(self, text: str) -> None:
        """Says it at once; or, while it has to wait, shows that it does."""
        if self.held or self._saying.locked():
            await self._say_later(self.held.add(text))
            return
        async with self._saying:
            await self._say(text)

    async def _on_refused(self, turn_id: str) -> None:
        """Another process was quicker, so nothing was kept of the message: it is no part of the transcript."""
        if turn_id not in self._sent:
            return
        view, ran = self._sent.pop(turn_id)
        self.own.ran[:0] = ran
        await view.remove()
        self.app.show_status(state="")
        if not self.held:
            await self.held.tell_not_taken()
        held = self.held.add(view.said)
        self.app.run_worker(self._say_later(held), exclusive=False)

    async def _say_later(self, held: Held) -> None:
        if await self.held.wait_until_free(held):
            async with self._saying:
                if self.held.drop(held):
                    await self._say(held.text)

    async def _say(self, text: str) -> None:
        given = await self._make_input(text)
        pictures = [image.name for image in given.images]
        ran = [*self.own.ran]
        attached = await in_thread(attachments.find_attachments, text, self.chat.agent.workspace)
        view = UserView(text, [*pictures, *(_describe(each) for each in attached)])
        given = attachments.add_to(given, [*(each.attach() for each in ran), *attached])
        if self.chat.busy:
            turn_id = await self.chat.say(given)
            self.view.add_waiting(turn_id, view)
        else:
            await self.app.add(view)
            self.app.show_status(state=words.THINKING)
            try:
                turn_id = await self.chat.say(given)
            except BatonError:
                self.app.show_status(state="")
                raise
            self._sent = {turn_id: (view, ran)}
        del self.own.ran[: len(ran)]

    async def _make_input(self, text: str) -> UserInput:
        """What was typed, with the pictures it names; without them if the model takes none."""
        pictures = await in_thread(images.find_pictures, text, self.chat.agent.workspace)
        if pictures and not await in_thread(self.chat.agent.takes_images):
            names = ", ".join(picture.name for picture in pictures)
            await self.app.notice(files.IMAGES_NOT_TAKEN.format(model=self.chat.agent.model, names=names), "warning")
            pictures = []
        return UserInput(text, tuple(picture.image() for picture in pictures))

    async def take_back(self) -> None:
        """Puts the last waiting message back into the prompt, if its turn has not come."""
        if self.held:
            self.app.prompt.put(self.held.bring_back())
            return
        if not self.view.waiting or not self.chat.conversation:
            return
        turn_id = next(reversed(self.view.waiting))
        if await self.chat.runtime.withdraw(self.chat.conversation.id, turn_id):
            view = self.view.waiting.pop(turn_id)
            self._show_waiting()
            self.app.prompt.put(view.said)

    async def _reply(self, reply: Reply) -> None:
        if reply.act == "quit":
            self.app.exit(0)
            return
        if reply.act in ("redraw", "undone"):
            await self.view.catch_up()
            await self._redraw()
        acts = {
            "pick-conversation": self._overlays.pick_conversation,
            "pick-model": self._overlays.pick_model,
            "transcript": self._overlays.show_transcript,
        }
        if act := acts.get(reply.act):
            await act()
        elif reply.act == "review":
            self._questions.note_draft(reply.subject)
            resumes = await in_thread(handoffs.has_stopped_for_answer, self.chat.store, self.chat.current().id)
            self.handoff.show(await handoffs.review(self.chat, reply.subject, resumes=resumes))
        elif reply.act == "transfer":
            self.transfer.begin(reply.subject)
        elif reply.act == "help":
            self._overlays.show_help()
        elif reply.text:
            await self.app.notice(reply.text)
            await self.handoff.repeat_verified()
        self._show_agent()

    def _show_agent(self) -> None:
        agent = self.chat.agent
        self.app.show_status(model=agent.model, mode=agent.mode, window=agent.window())

    async def _redraw(self) -> None:
        await self._resume.redraw()


def _as_pin(text: str) -> str:
    """`# Always run the tests` is short for /pin; a heading of a longer text and an issue's number are not."""
    pin = _PIN.fullmatch(text.strip())
    return f"/pin {pin[1] or pin[2]}" if pin else text


def _describe(attached: Attachment) -> str:
    return f"{attached.name} · {count(attached.lines, counts.LINES)}" if attached.lines else attached.name
