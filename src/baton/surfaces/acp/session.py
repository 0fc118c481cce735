"""One thread of an editor: a conversation, its agent, and the prompts that come for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from baton.core.display import one_line
from baton.core.errors import BatonError, OwnedElsewhere, TurnLimit
from baton.engine.aio import in_thread
from baton.surfaces.acp import lineage, updates
from baton.surfaces.acp.client import Client, Line
from baton.surfaces.acp.errors import TurnFailed
from baton.surfaces.acp.files import EditorFiles
from baton.surfaces.acp.following import Following
from baton.surfaces.acp.head_news import HeadNews
from baton.surfaces.acp.held import Held
from baton.surfaces.acp.host import Host, Setup
from baton.surfaces.acp.meter import Meter, spent
from baton.surfaces.acp.permission import EditorApprover
from baton.surfaces.acp.terminals import EditorTerminals
from baton.surfaces.acp.tickets import CANCELLED, Tickets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baton.core.agent.event import TurnEnded
    from baton.core.log.conversation import Conversation
    from baton.surfaces.acp.content import Said
    from baton.surfaces.acp.handing import Handing
    from baton.surfaces.acp.options import Choices
    from baton.surfaces.acp.params import GivenServer
    from baton.surfaces.shared.chat import Chat

STOPS = {"length": "max_tokens", "refusal": "refusal"}
_NAMING_SECONDS = 0.3
_LAST_NAMING_SECONDS = 0.8


class Session:
    """`directory` is where its tools work. The agent is made in the background, and waited for by the first prompt."""

    def __init__(
        self,
        host: Host,
        client: Client,
        public_id: str,
        conversation: Conversation,
        directory: str,
        servers: Sequence[GivenServer],
        choices: Choices,
    ) -> None:
        self._host = host
        self.directory = directory
        self._servers = servers
        self._conversation = conversation
        self._unsettled = conversation.updated_at != conversation.created_at
        self._chat: asyncio.Task[Chat] | None = None
        self._naming: asyncio.Task[None] | None = None
        self._greeting: asyncio.Task[None] | None = None
        self.choices = choices
        self.line = Line(client, public_id)
        self.meter = Meter()
        self._following = Following(self.line, self.meter, directory, conversation.id)
        self.head = HeadNews(host, self.line, self.meter, conversation)
        self._following.cards.summary = self.head.summary
        self._tickets = Tickets(self._stop, self._abandon, self._resumed)

    @property
    def conversation_id(self) -> str:
        return self._conversation.id

    def greet(self) -> None:
        """Tells what an editor wants to know when a session begins, in the background."""
        self._greeting = asyncio.create_task(self._greet())

    async def _greet(self) -> None:
        from baton.surfaces.acp import slash

        self.line.send(slash.available())
        with suppress(BatonError):
            chat = await self.chat()
            if self._unsettled and self.meter.cost is None:
                self.meter.cost = await in_thread(self._spent, chat)
            if self._unsettled and self._conversation.title == lineage.UNTITLED:
                self._name(chat, await in_thread(lineage.first_words, chat.store, self._conversation.id))
            await self._tell_window(chat)

    def _spent(self, chat: Chat) -> float | None:
        """Over all sessions: what a conversation cost does not begin anew with a head."""
        head_id = chat.store.conversations.get(self._conversation.id).head_id
        return spent(lineage.past(chat.store, head_id))

    async def chat(self) -> Chat:
        """Made once; what failed is tried again by whoever asks next."""
        failed = self._chat is not None and self._chat.done() and (self._chat.cancelled() or self._chat.exception())
        if self._chat is None or failed:
            self._chat = asyncio.create_task(self._make_chat())
        return await asyncio.shield(self._chat)

    async def _make_chat(self) -> Chat:
        await in_thread(self._host.prepare)
        loop = asyncio.get_running_loop()
        pulling = self._following.cards.pulling
        setup = Setup(
            self.directory,
            self.choices.model,
            self.choices.mode,
            self._servers,
            EditorApprover(self.line, self._following),
            EditorFiles(self.line),
            EditorTerminals(self.line, self._following),
            lambda words: _in_loop(loop, pulling, words),
        )
        chat = await self._host.chat(setup)
        chat.on_move(self._following.follow)
        await chat.use(self._conversation.id)
        self.choices.apply(chat)
        return chat

    async def prompt(self, blocks: list[Any]) -> str:
        """A stop reason; every prompt gets one or an error, once."""
        from baton.surfaces.acp import content

        said = content.read(blocks, self.directory)
        return await self._tickets.answer(lambda: self._answer(said))

    def cancel(self) -> None:
        self._tickets.cancel()

    async def close(self) -> None:
        """Stops what runs, records it, and lets go of the agent."""
        self.cancel()
        if self._greeting:
            self._greeting.cancel()
        if self._naming:
            await asyncio.wait([self._naming], timeout=_LAST_NAMING_SECONDS)
        if self._chat is None:
            return
        if not self._chat.done():
            self._chat.cancel()
        with suppress(BaseException):
            chat = await self._chat
            await chat.runtime.close()
            await self._following.caught_up()
            self._following.leave()
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

    async def _tell_window(self, chat: Chat) -> None:
        self.meter.window = await in_thread(chat.agent.window)
        if usage := self.meter.news():
            self.line.send(usage)

    async def _answer(self, said: Said) -> str:
        from baton.surfaces.acp import handed_over, slash

        beating = asyncio.create_task(self._following.beat())
        try:
            chat = await self.chat()
            try:
                found = slash.find(said.shown) if not said.links else None
            except BatonError as error:
                self._following.answer(str(error))
                return "end_turn"
            try:
                if found:
                    return await self._handing(chat).command(*found)
                return await self._say(chat, said)
            finally:
                with suppress(BatonError):
                    await self.head.tell_moved(handed_over.action(self.line.session_id))
        finally:
            beating.cancel()

    def _handing(self, chat: Chat) -> Handing:
        from baton.surfaces.acp.handing import Handing

        return Handing(self, chat, self._following)

    async def _say(self, chat: Chat, said: Said) -> str:
        from baton.surfaces.shared import images

        given = said.given()
        if said.pictures and not await in_thread(chat.agent.takes_images):
            given.pop("images")
            names = ", ".join(picture.name for picture in said.pictures)
            self._following.say(images.NOT_TAKEN.format(model=chat.agent.model, names=names), severity="warning")
        await self._recover(chat)
        self._name(chat, said.shown)
        stop = await self.turns(chat, given)
        if self._naming:
            await asyncio.wait([self._naming], timeout=_NAMING_SECONDS)
        return stop

    async def turns(self, chat: Chat, given: Mapping[str, Any]) -> str:
        """A turn and those that follow from it, because a person agreed to a handoff or another process was wanted."""
        from baton.surfaces.shared.handoffs import CONTINUE

        ended = await self._turn(chat, given)
        while ended.reason in ("waiting", "handed_over"):
            if ended.reason == "waiting" and not await self._handing(chat).asked():
                return "end_turn"
            ended = await self._turn(chat, {"text": CONTINUE, "synthetic": True})
        if ended.reason == CANCELLED:
            return CANCELLED
        if ended.error_code == TurnLimit.code:
            self._following.say(ended.error, severity="warning")
            return "max_turn_requests"
        if ended.error or ended.reason == "failed":
            raise TurnFailed(ended.error_code, ended.error)
        return STOPS.get(self._following.stop, "end_turn")

    async def _turn(self, chat: Chat, given: Mapping[str, Any]) -> TurnEnded:
        held = Held(self._warn)
        while True:
            ended = await self._following.ended(await chat.runtime.send(self._conversation.id, given))
            if ended.error_code != OwnedElsewhere.code:
                return ended
            if not await held.worth_waiting((await self.head.now()).owner or "another process"):
                return ended

    async def _recover(self, chat: Chat) -> None:
        """Once, before the first turn: says what a crash left behind, to the person and to the model."""
        held = Held(self._warn)
        while self._unsettled:
            try:
                await chat.runtime.recover(self._conversation.id)
                self._unsettled = False
            except OwnedElsewhere as error:
                if not await held.worth_waiting(str(error.facts.get("owner"))):
                    raise

    def _warn(self, words: str) -> None:
        self._following.say(words, severity="warning")

    def _name(self, chat: Chat, words: str) -> None:
        """A conversation without a name gets one from its first words, when it is opened again if not before."""
        if words and self._conversation.title == lineage.UNTITLED and self._naming is None:
            self._naming = asyncio.create_task(self._rename(chat, words))

    async def _rename(self, chat: Chat, words: str) -> None:
        from baton.surfaces.shared.chat import NAMING, TITLE

        with suppress(BatonError):
            clean = await in_thread(chat.agent.clean, words[:NAMING])
            if title := one_line(clean, TITLE):
                rename = chat.store.conversations.rename
                self.titled(await in_thread(rename, self._conversation.id, title))

    def titled(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self.line.send(updates.titled(conversation.title))

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
        self._following.settle()
        self._following.muted = True

    def _resumed(self) -> None:
        self._following.muted = False


def _in_loop(loop: asyncio.AbstractEventLoop, act: Any, words: str) -> None:
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(act, words)
