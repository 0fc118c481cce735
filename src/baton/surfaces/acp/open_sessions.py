"""The sessions a client has open, by the ids it uses. Each is one conversation, whichever id opened it."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from baton.core.errors import NotFound
from baton.engine.aio import in_thread
from baton.surfaces.acp.params import Opening
from baton.surfaces.words.protocol import LOAD_FIRST

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.ports.store import Store
    from baton.surfaces.acp.client import Client
    from baton.surfaces.acp.frames import Json
    from baton.surfaces.acp.host import Host
    from baton.surfaces.acp.options import Choices
    from baton.surfaces.acp.session import Session


class OpenSessions:
    def __init__(self, host: Host, client: Client) -> None:
        self._host = host
        self._client = client
        self._open: dict[str, Session] = {}
        self._aliases: dict[str, str] = {}

    def known(self, session_id: str) -> Session | None:
        return self._open.get(self._aliases.get(session_id, session_id))

    def get(self, session_id: str) -> Session:
        """An open session; `NotFound` otherwise."""
        if session := self.known(session_id):
            return session
        raise NotFound(noun="session", value=repr(session_id[:80]), suggestion=LOAD_FIRST)

    async def store(self) -> Store:
        return await in_thread(self._host.store)

    async def find(self, session_id: str) -> tuple[Store, Conversation]:
        """A conversation, open or not; `NotFound` if there never was one with this id."""
        from baton.surfaces.acp.provenance import resolve

        store = await self.store()
        return store, await in_thread(resolve, store, session_id)

    async def start(self, opening: Opening) -> Session:
        """Starts a conversation."""
        conversation, choices = await in_thread(self._start, opening.directory)
        return self._add(conversation.id, conversation, opening, choices)

    async def branch(self, parent_id: str, opening: Opening) -> Session:
        """Forks a conversation."""
        from baton.engine.turns.fork import fork

        store, parent = await self.find(parent_id)
        conversation = await in_thread(fork, store, parent)
        return await self.reopen(conversation.id, opening)

    async def reopen(self, session_id: str, opening: Opening) -> Session:
        """Opens an existing conversation under the given id. Whatever ran in it here is stopped first."""
        store, conversation = await self.find(session_id)
        await self.close(conversation.id)
        choices, used = await in_thread(self._recall, store, conversation, opening.directory)
        session = self._add(session_id, conversation, opening, choices)
        session.meter.used = used
        return session

    async def reopen_where_it_was(self, session_id: str) -> Session:
        """For a prompt to a conversation that is not open: in its own directory, without MCP servers."""
        _, conversation = await self.find(session_id)
        directory = conversation.workspace if os.path.isdir(conversation.workspace) else os.getcwd()
        return await self.reopen(session_id, Opening(directory))

    def _add(self, public_id: str, conversation: Conversation, opening: Opening, choices: Choices) -> Session:
        from baton.surfaces.acp.session import Session

        session = Session(self._host, self._client, public_id, conversation, opening, choices)
        self._open[conversation.id] = session
        self._aliases[public_id] = conversation.id
        return session

    async def state(self, session: Session) -> Json:
        """What a client learns in the answer when a session is opened; the rest follows in updates."""
        meta = await session.head.meta()
        asyncio.get_running_loop().call_soon(session.greet)
        return {**session.choices.state(), "_meta": meta}

    async def close(self, conversation_id: str) -> None:
        if session := self._open.pop(conversation_id, None):
            await session.close()

    async def close_all(self, within: float) -> None:
        closing = [asyncio.ensure_future(session.close()) for session in self._open.values()]
        if closing:
            await asyncio.wait(closing, timeout=within)

    def _start(self, directory: str) -> tuple[Conversation, Choices]:
        from baton.surfaces.acp.provenance import UNTITLED

        choices = self._choices(directory, "")
        start = self._host.store().conversations.start
        return start(UNTITLED, os.path.realpath(directory), choices.model)[0], choices

    def _recall(self, store: Store, conversation: Conversation, directory: str) -> tuple[Choices, int]:
        """Which model answered last, and how full the context is."""
        from baton.surfaces.acp.usage import UsageMeter
        from baton.surfaces.shared.transcript import last_model

        entries = store.entries.load(conversation.head_id)
        meter = UsageMeter()
        meter.recall(entries, conversation.head_id)
        return self._choices(directory, last_model(entries)), meter.used

    def _choices(self, directory: str, model: str) -> Choices:
        """`model` answered last; it is kept if it can still be used."""
        from baton.surfaces.acp.options import Choices

        defaults = self._host.defaults(directory)
        keep = model not in ("", defaults.model) and self._host.usable(model)
        return Choices(defaults.mode, model if keep else defaults.model, defaults.models)
