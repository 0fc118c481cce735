"""One thread of an editor: a conversation, its agent, and its prompts."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from baton.core.display import one_line
from baton.core.errors import BatonError
from baton.engine.aio import in_thread
from baton.surfaces.acp import provenance, updates
from baton.surfaces.acp.client import Client, Line
from baton.surfaces.acp.editor import EditorApprover, EditorFiles, EditorTerminals
from baton.surfaces.acp.event_view import EventView
from baton.surfaces.acp.host import EditorPorts, Host, Setup
from baton.surfaces.acp.prompt_queue import PromptQueue
from baton.surfaces.acp.provenance import KnownHead
from baton.surfaces.acp.usage import UsageMeter
from baton.surfaces.shared.transcript import sum_cost

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.surfaces.acp.content import PromptContent
    from baton.surfaces.acp.options import Choices
    from baton.surfaces.acp.params import Opening
    from baton.surfaces.shared.chat import Chat

_NAMING_SECONDS = 0.3
_LAST_NAMING_SECONDS = 0.8


class Session:
    """The agent is made in the background; the first prompt waits for it."""

    def __init__(
        self,
        host: Host,
        client: Client,
        public_id: str,
        conversation: Conversation,
        opening: Opening,
        choices: Choices,
    ) -> None:
        self._host = host
        self._opening = opening
        self._conversation = conversation
        self._unrecovered = conversation.updated_at != conversation.created_at
        self._chat: asyncio.Task[Chat] | None = None
        self._naming: asyncio.Task[None] | None = None
        self._greeting: asyncio.Task[None] | None = None
        self._others: asyncio.Task[None] | None = None
        self.choices = choices
        self.line = Line(client, public_id)
        self.meter = UsageMeter()
        self.head = KnownHead(host, self.line, self.meter, conversation)
        self._view = EventView(self.line, self.meter, self.head, opening.directory)
        self._view.tell_mode = self._tell_mode
        self._queue = PromptQueue(self._stop, self._abandon, self._unmute)

    def greet(self) -> None:
        """Sends what an editor wants to know when a session begins, in the background."""
        self._greeting = asyncio.create_task(self._greet())

    async def _greet(self) -> None:
        from baton.surfaces.acp import commands

        self.line.send(commands.available_commands())
        with suppress(BatonError):
            chat = await self.chat()
            if self._unrecovered and self.meter.cost is None:
                self.meter.cost = await in_thread(self._sum_cost, chat)
            if self._unrecovered and self._conversation.title == provenance.UNTITLED:
                self._name(chat, await in_thread(provenance.first_words, chat.store, self._conversation.id))
            await self._tell_window(chat)
            self._follow_others(chat)

    def _follow_others(self, chat: Chat) -> None:
        """What another surface asks in this conversation is asked here too."""
        from baton.surfaces.acp.other_questions import OtherQuestions

        self._others = asyncio.create_task(OtherQuestions(self.line, self._view, chat).run())

    def _sum_cost(self, chat: Chat) -> float | None:
        """Over all sessions: a new head does not reset what a conversation cost."""
        head_id = chat.store.conversations.get(self._conversation.id).head_id
        return sum_cost(provenance.past(chat.store, head_id))

    async def chat(self) -> Chat:
        """Made once; if that failed, the next caller tries again."""
        failed = self._chat is not None and self._chat.done() and (self._chat.cancelled() or self._chat.exception())
        if self._chat is None or failed:
            self._chat = asyncio.create_task(self._make_chat())
        return await asyncio.shield(self._chat)

    async def _make_chat(self) -> Chat:
        await in_thread(self._host.prepare)
        loop = asyncio.get_running_loop()
        show_pull = self._view.work.show_pull
        setup = Setup(
            self._opening,
            self.choices.model,
            self.choices.mode,
            EditorPorts(
                EditorApprover(self.line, self._view), EditorFiles(self.line), EditorTerminals(self.line, self._view)
            ),
            lambda words: _call_in_loop(loop, show_pull, words),
        )
        chat = await self._host.chat(setup)
        chat.on_move(self._view.follow)
        await chat.use(self._conversation.id)
        self.choices.apply(chat)
        return chat

    async def prompt(self, blocks: list[Any], asked_by: str) -> str:
        """Every prompt gets a stop reason or an error, exactly once; what it says goes to the id it was asked by."""
        from baton.surfaces.acp import content

        said = content.read(blocks, self._opening.directory)
        return await self._queue.answer(lambda: self._answer(said, asked_by))

    def cancel(self) -> None:
        self._queue.cancel()

    async def close(self) -> None:
        """Stops what runs, records it, and lets go of the agent."""
        self.cancel()
        for task in (self._greeting, self._others):
            if task:
                task.cancel()
        if self._naming:
            await asyncio.wait([self._naming], timeout=_LAST_NAMING_SECONDS)
        if self._chat is None:
            return
        if not self._chat.done():
            self._chat.cancel()
        with suppress(BaseException):
            chat = await self._chat
            await chat.runtime.close()
            await self._view.catch_up()
            self._view.leave()
            await chat.agent.close()

    async def use_option(self, option_id: str, chosen: str) -> None:
        if option_id == "mode":
            self.choices.use_mode(chosen)
        elif option_id == "effort":
            self.choices.use_effort(chosen)
        else:
            chat = await self.chat()
            await in_thread(self.choices.use_model, chosen)
            await self._tell_window(chat)

    def _tell_mode(self, mode: str) -> None:
        """In both forms that editors know."""
        self.line.send(updates.mode(mode))
        self.line.send(updates.options(self.choices.options()))

    async def _tell_window(self, chat: Chat) -> None:
        self.meter.window = await in_thread(chat.agent.window)
        if usage := self.meter.news():
            self.line.send(usage)

    async def _answer(self, said: PromptContent, asked_by: str) -> str:
        from baton.surfaces.acp import commands, handoff

        self.line.session_id = asked_by
        alive = asyncio.create_task(self._view.keep_alive())
        try:
            chat = await self.chat()
            try:
                command = commands.find(said.shown) if not said.links else None
            except BatonError as error:
                self._view.answer(str(error))
                return "end_turn"
            try:
                if command:
                    return await commands.Commands(self, chat, self._view).run(*command)
                return await self._say(chat, said)
            finally:
                with suppress(BatonError):
                    await self.head.tell_moved(handoff.continue_action(self.line.session_id))
        finally:
            alive.cancel()

    async def _say(self, chat: Chat, said: PromptContent) -> str:
        from baton.surfaces.acp.handoff import HandoffReview
        from baton.surfaces.acp.turns import Turns
        from baton.surfaces.words import files

        takes_pictures = not said.pictures or await in_thread(chat.agent.takes_images)
        if not takes_pictures:
            names = ", ".join(picture.name for picture in said.pictures)
            self._view.say(files.IMAGES_NOT_TAKEN.format(model=chat.agent.model, names=names), severity="warning")
        turns = Turns(chat, self._view, HandoffReview(self.line, chat, self._view))
        if self._unrecovered:
            await turns.recover()
            self._unrecovered = False
        naming = self._name(chat, said.shown)
        stop = await turns.answer(said.to_input(with_pictures=takes_pictures))
        if naming:
            await asyncio.wait([naming], timeout=_NAMING_SECONDS)
        return stop

    def _name(self, chat: Chat, words: str) -> asyncio.Task[None] | None:
        """Names an untitled conversation after its first words; if it still has none when it is reopened, then. Only
        the prompt that it was named after waits for it: with rules that are being compiled it takes seconds.
        """
        if not words or self._conversation.title != provenance.UNTITLED or self._naming is not None:
            return None
        self._naming = asyncio.create_task(self._rename(chat, words))
        return self._naming

    async def _rename(self, chat: Chat, words: str) -> None:
        from baton.surfaces.shared.chat import NAMING, TITLE

        with suppress(BatonError):
            clean = await in_thread(chat.agent.clean, words[:NAMING], self._conversation.id)
            if title := one_line(clean, TITLE):
                rename = chat.store.conversations.rename
                self.use_title(await in_thread(rename, self._conversation.id, title))

    def use_title(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self.line.send(updates.title(conversation.title))

    async def _stop(self) -> bool:
        if self._chat is None or not self._chat.done() or self._chat.exception():
            return False
        runtime, conversation_id = self._chat.result().runtime, self._conversation.id
        if not runtime.busy(conversation_id):
            return False
        while runtime.busy(conversation_id):
            if not await runtime.cancel(conversation_id):
                await asyncio.sleep(0.002)
        return True

    def _abandon(self) -> None:
        self._view.close_open()
        self._view.muted = True

    def _unmute(self) -> None:
        self._view.muted = False


def _call_in_loop(loop: asyncio.AbstractEventLoop, act: Any, words: str) -> None:
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(act, words)
