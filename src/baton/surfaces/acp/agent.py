"""The agent's side of the protocol: one line for each method, and the sessions that are open."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from baton import __version__
from baton.core.errors import BadInput, BatonError, NotFound
from baton.surfaces.acp import frames, params
from baton.surfaces.acp.client import Capabilities, Client
from baton.surfaces.acp.frames import Json, RpcError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baton.core.conversation import Conversation
    from baton.ports.store import Store
    from baton.surfaces.acp.host import Host
    from baton.surfaces.acp.params import GivenServer
    from baton.surfaces.acp.session import Session

VERSION = 1
PAGE = 50
MOMENT = 0.08
KEY_IN_ENVIRONMENT = "environment"
FIRST = "Send initialize first."
LOGGED_OUT = "You are logged out. Authenticate first."
UNKNOWN = "There is no method {method}."
STILL_HELD = "It cannot be deleted now: a running turn, a transfer or a fork of it holds on to it. Nothing was changed."
Method = Callable[[Json], Awaitable[Any]]


class Agent:
    """`room` waits until the client has taken most of what was sent; `warmed` is set when the first session would be quick."""

    def __init__(
        self,
        host: Host,
        client: Client,
        room: Callable[[], Awaitable[None]],
        warmed: asyncio.Event,
        *,
        unstable: bool,
    ) -> None:
        self._host = host
        self._client = client
        self._room = room
        self._warmed = warmed
        self._unstable = unstable
        self._ready = False
        self._logged_out = False
        self._sessions: dict[str, Session] = {}
        self._aliases: dict[str, str] = {}
        self._greetings: set[asyncio.Task[None]] = set()
        self._methods: dict[str, Method] = {
            "initialize": self._initialize,
            "authenticate": self._authenticate,
            "logout": self._logout,
            "session/new": self._new,
            "session/load": self._load,
            "session/resume": self._resume,
            "session/fork": self._fork,
            "session/list": self._list,
            "session/close": self._close,
            "session/delete": self._delete,
            "session/prompt": self._prompt,
            "session/set_mode": self._set_mode,
            "session/set_config_option": self._set_option,
        }

    async def on_request(self, method: str, given: Json) -> Any:
        act = self._methods.get(method)
        if act is None:
            raise RpcError(frames.METHOD_NOT_FOUND, UNKNOWN.format(method=method[:80]))
        if not self._ready and method != "initialize":
            raise RpcError(frames.INVALID_REQUEST, FIRST)
        return await act(given)

    async def on_notification(self, method: str, given: Json) -> None:
        if method == "session/cancel":
            self._session(params.text(given, "sessionId")).cancel()

    async def close(self, within: float) -> None:
        """Turns are stopped and recorded, agents are let go."""
        for task in self._greetings:
            task.cancel()
        closing = [asyncio.ensure_future(session.close()) for session in self._sessions.values()]
        if closing:
            await asyncio.wait(closing, timeout=within)

    async def _initialize(self, given: Json) -> Json:
        version = given.get("protocolVersion")
        if not isinstance(version, int) or isinstance(version, bool):
            raise params.wrong("protocolVersion must be a number.")
        self._client.can = Capabilities.read(given.get("clientCapabilities"))
        self._ready = True
        await self._settled()
        return {
            "protocolVersion": VERSION,
            "agentCapabilities": capabilities(unstable=self._unstable),
            "agentInfo": {"name": "baton", "title": "Baton", "version": __version__},
            "authMethods": logins(terminal=self._client.can.terminal_login),
        }

    async def _settled(self) -> None:
        """A moment, so that the first session does not wait for what is being prepared anyway."""
        with suppress(TimeoutError):
            async with asyncio.timeout(MOMENT):
                await self._warmed.wait()

    async def _authenticate(self, given: Json) -> Json:
        if params.text(given, "methodId") not in (KEY_IN_ENVIRONMENT, "setup"):
            raise params.wrong(f"There is no such method. Allowed: {KEY_IN_ENVIRONMENT}.")
        await asyncio.to_thread(self._host.check_login)
        self._logged_out = False
        return {}

    async def _logout(self, _: Json) -> Json:
        self._logged_out = True
        return {}

    async def _new(self, given: Json) -> Json:
        directory, servers = params.directory(given), params.servers(given)
        self._check_login()
        conversation, choices = await asyncio.to_thread(self._start, directory)
        session = self._open(conversation.id, conversation, directory, servers, choices)
        return {"sessionId": conversation.id, **await self._state(session)}

    async def _load(self, given: Json) -> Json:
        from baton.surfaces.acp.lineage import past
        from baton.surfaces.acp.replay import Replay

        session = await self._again(given, required=True)
        store = await self._store()
        head = (await session.now()).head_id
        entries = await asyncio.to_thread(lambda: list(past(store, head)))
        replay = Replay(self._client.can, session.directory)
        for number, update in enumerate(replay.updates(entries)):
            session.line.send(update)
            if number % 64 == 0:
                await asyncio.sleep(0)
                await self._room()
        session.meter.recall(entries, head)
        return await self._state(session)

    async def _resume(self, given: Json) -> Json:
        session = await self._again(given, required=False)
        return await self._state(session)

    async def _fork(self, given: Json) -> Json:
        from baton.engine.fork import fork

        directory, servers = params.directory(given), params.servers(given, required=False)
        store, parent = await self._find(params.text(given, "sessionId"))
        conversation = await asyncio.to_thread(fork, store, parent)
        choices = await asyncio.to_thread(self._choices, directory, "")
        session = self._open(conversation.id, conversation, directory, servers, choices)
        return {"sessionId": conversation.id, **await self._state(session)}

    async def _list(self, given: Json) -> Json:
        import os

        from baton.surfaces.acp.lineage import row

        directory, cursor = params.optional_text(given, "cwd"), params.optional_text(given, "cursor")
        store, after = await self._store(), _position(cursor)
        where = None if directory is None else os.path.realpath(directory)

        def page() -> tuple[list[Json], str | None]:
            found = store.conversations.page(PAGE, after, where)
            return [row(store, each.conversation) for each in found.rows], found.after

        try:
            rows, following = await asyncio.to_thread(page)
        except BadInput:
            raise params.wrong("cursor must be the nextCursor of an earlier list.") from None
        return {"sessions": rows, **({"nextCursor": _cursor(following)} if following else {})}

    async def _close(self, given: Json) -> Json:
        session_id = params.text(given, "sessionId")
        conversation = (await self._find(session_id))[1]
        if session := self._sessions.pop(conversation.id, None):
            await session.close()
        return {}

    async def _delete(self, given: Json) -> Json:
        try:
            store, conversation = await self._find(params.text(given, "sessionId"))
        except NotFound:
            return {}
        if session := self._sessions.pop(conversation.id, None):
            await session.close()
        await asyncio.to_thread(_remove, store, conversation)
        return {}

    async def _prompt(self, given: Json) -> Json:
        session_id, blocks = params.text(given, "sessionId"), params.listed(given, "prompt")
        session = self._known(session_id) or await self._reopen(session_id)
        return {"stopReason": await session.prompt(blocks)}

    async def _set_mode(self, given: Json) -> Json:
        from baton.surfaces.acp import updates

        session = self._session(params.text(given, "sessionId"))
        await session.use_option("mode", params.text(given, "modeId"))
        session.line.send(updates.options(session.choices.options()))
        return {}

    async def _set_option(self, given: Json) -> Json:
        from baton.surfaces.acp import updates

        session = self._session(params.text(given, "sessionId"))
        option, chosen = params.text(given, "configId"), params.text(given, "value")
        if option not in ("mode", "model", "effort"):
            raise params.wrong(f"There is no option {option[:80]!r}. Allowed: mode, model, effort.")
        await session.use_option(option, chosen)
        if option == "mode":
            session.line.send(updates.mode(chosen))
        return {"configOptions": session.choices.options()}

    def _check_login(self) -> None:
        if self._logged_out:
            raise RpcError(frames.AUTH_REQUIRED, LOGGED_OUT)

    def _start(self, directory: str) -> tuple[Conversation, Any]:
        import os

        from baton.surfaces.acp.lineage import UNTITLED

        choices = self._choices(directory, "")
        workspace = os.path.realpath(directory)
        return self._host.store().conversations.start(UNTITLED, workspace, choices.model)[0], choices

    def _choices(self, directory: str, model: str) -> Any:
        """`model` is who answered last, if that can go on."""
        from baton.surfaces.acp.options import Choices

        defaults = self._host.defaults(directory)
        keep = model not in ("", defaults.model) and self._host.usable(model)
        return Choices(defaults.mode, model if keep else defaults.model, defaults.models)

    async def _again(self, given: Json, *, required: bool) -> Session:
        """A session that was there before, open for this client under the id it gave."""
        directory, servers = params.directory(given), params.servers(given, required=required)
        session_id = params.text(given, "sessionId")
        self._check_login()
        store, conversation = await self._find(session_id)
        return await self._opened(store, session_id, conversation, directory, servers)

    async def _reopen(self, session_id: str) -> Session:
        """A prompt for a session that exists and was not opened here: where it was, without servers."""
        import os

        store, conversation = await self._find(session_id)
        directory = conversation.workspace if os.path.isdir(conversation.workspace) else os.getcwd()
        return await self._opened(store, session_id, conversation, directory, ())

    async def _opened(
        self, store: Store, session_id: str, conversation: Conversation, directory: str, servers: Sequence[GivenServer]
    ) -> Session:
        from baton.surfaces.acp.meter import last_model

        if session := self._sessions.pop(conversation.id, None):
            await session.close()
        entries = await asyncio.to_thread(store.entries.load, conversation.head_id)
        choices = await asyncio.to_thread(self._choices, directory, last_model(entries))
        session = self._open(session_id, conversation, directory, servers, choices)
        session.meter.recall(entries, conversation.head_id)
        return session

    def _open(
        self, public_id: str, conversation: Conversation, directory: str, servers: Sequence[GivenServer], choices: Any
    ) -> Session:
        from baton.surfaces.acp.session import Session

        session = Session(self._host, self._client, public_id, conversation, directory, servers, choices)
        self._sessions[conversation.id] = session
        self._aliases[public_id] = conversation.id
        return session

    async def _state(self, session: Session) -> Json:
        """What a client is told of a session that is open now; the rest follows the answer."""
        meta = await session.meta()
        asyncio.get_running_loop().call_soon(self._greet, session)
        return {**session.choices.state(), "_meta": meta}

    def _greet(self, session: Session) -> None:
        task = asyncio.create_task(session.greet())
        self._greetings.add(task)
        task.add_done_callback(self._greetings.discard)

    def _known(self, session_id: str) -> Session | None:
        return self._sessions.get(self._aliases.get(session_id, session_id))

    def _session(self, session_id: str) -> Session:
        """One that is open here."""
        if session := self._known(session_id):
            return session
        raise NotFound(noun="session", value=repr(session_id[:80]), suggestion="Open it with session/load first.")

    async def _store(self) -> Store:
        return await asyncio.to_thread(self._host.store)

    async def _find(self, session_id: str) -> tuple[Store, Conversation]:
        from baton.surfaces.acp.lineage import resolve

        store = await self._store()
        return store, await asyncio.to_thread(resolve, store, session_id)


def capabilities(*, unstable: bool) -> Json:
    extension = {
        "sessionProvenance": True,
        "promptQueueing": True,
        "sessionIds": "stable",
        "fork": True,
    }
    session: Json = {"list": {}, "resume": {}, "close": {}, "delete": {}, **({"fork": {}} if unstable else {})}
    return {
        "loadSession": True,
        "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
        "mcpCapabilities": {"http": True, "sse": False},
        "sessionCapabilities": session,
        "auth": {"logout": {}},
        "_meta": {"baton": extension, "hermes": {"sessionProvenance": True}},
    }


def logins(*, terminal: bool) -> list[Json]:
    words = "A provider's key from the environment, such as ANTHROPIC_API_KEY; without one the embedded model answers"
    setup: Json = {
        "type": "terminal",
        "id": "setup",
        "name": "Check the set-up in a terminal",
        "description": "Says what is configured, what is missing, and the line that fixes it",
        "args": ["--check"],
    }
    return [{"id": KEY_IN_ENVIRONMENT, "name": "Key in the environment", "description": words}] + (
        [setup] if terminal else []
    )


def _remove(store: Store, conversation: Conversation) -> None:
    for draft in store.drafts.waiting(conversation.id):
        store.drafts.cancel(draft.id)
    if not store.upkeep.remove(conversation.id, int(time.time() * 1_000_000) + 60_000_000):
        raise BatonError(reason=STILL_HELD)


def _cursor(after: str) -> str:
    return base64.urlsafe_b64encode(after.encode()).decode()


def _position(cursor: str | None) -> str | None:
    if cursor is None:
        return None
    try:
        return base64.urlsafe_b64decode(cursor.encode()).decode()
    except ValueError:
        raise params.wrong("cursor must be the nextCursor of an earlier list.") from None
