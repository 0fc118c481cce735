"""The agent's side of the protocol: one line for each method, and what Baton announces it can do."""

from __future__ import annotations

import asyncio
import base64
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from baton import __version__
from baton.core.errors import BadInput, BatonError, NotFound
from baton.engine.aio import in_thread
from baton.surfaces.acp import frames, params
from baton.surfaces.acp.client import Capabilities, Client
from baton.surfaces.acp.frames import Json, RpcError
from baton.surfaces.acp.open_sessions import OpenSessions
from baton.surfaces.words import editor as words
from baton.surfaces.words import protocol

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.ports.store import Store
    from baton.surfaces.acp.host import Host

PAGE = 50
MOMENT = 0.08
Method = Callable[[Json], Awaitable[Any]]


class Agent:
    """`room` waits until the client has read most of what was sent; `warmed` is set once opening a session is quick."""

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
        self.sessions = OpenSessions(host, client)
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
            raise RpcError(frames.METHOD_NOT_FOUND, protocol.NO_METHOD.format(method=method[:80]))
        if not self._ready and method != "initialize":
            raise RpcError(frames.INVALID_REQUEST, protocol.INITIALIZE_FIRST)
        return await act(given)

    async def on_notification(self, method: str, given: Json) -> None:
        """Unknown notifications are ignored."""
        if method == "session/cancel":
            self.sessions.get(params.text(given, "sessionId")).cancel()

    async def _initialize(self, given: Json) -> Json:
        version = given.get("protocolVersion")
        if not isinstance(version, int) or isinstance(version, bool):
            raise params.wrong(protocol.NO_VERSION)
        self._client.can = Capabilities.read(given.get("clientCapabilities"))
        self._ready = True
        await self._wait_warm()
        return announcement(unstable=self._unstable, terminal_login=self._client.can.terminal_login)

    async def _wait_warm(self) -> None:
        """Waits a moment for what is being prepared in the background, so that the first session need not."""
        with suppress(TimeoutError):
            async with asyncio.timeout(MOMENT):
                await self._warmed.wait()

    async def _authenticate(self, given: Json) -> Json:
        if params.text(given, "methodId") not in (KEY_IN_ENVIRONMENT, SETUP):
            raise params.wrong(protocol.NO_LOGIN.format(methods=f"{KEY_IN_ENVIRONMENT}, {SETUP}"))
        await in_thread(self._host.check_login)
        self._logged_out = False
        return {}

    async def _logout(self, _: Json) -> Json:
        """Baton stores no credentials; it only refuses to open sessions until the next `authenticate`."""
        self._logged_out = True
        return {}

    def _check_login(self) -> None:
        if self._logged_out:
            raise RpcError(frames.AUTH_REQUIRED, protocol.LOGGED_OUT)

    async def _new(self, given: Json) -> Json:
        opening = params.opening(given)
        self._check_login()
        session = await self.sessions.start(opening)
        return {"sessionId": session.line.session_id, **await self.sessions.state(session)}

    async def _load(self, given: Json) -> Json:
        """Replays everything that was said, then answers."""
        from baton.surfaces.acp.provenance import past
        from baton.surfaces.acp.replay import Replay

        opening = params.opening(given)
        session_id = params.text(given, "sessionId")
        self._check_login()
        session = await self.sessions.reopen(session_id, opening)
        store, head = await self.sessions.store(), (await session.head.now()).head_id
        entries = await in_thread(lambda: list(past(store, head)))
        for number, update in enumerate(Replay(self._client.can, opening.directory).updates(entries)):
            session.line.send(update)
            if number % 64 == 0:
                await asyncio.sleep(0)
                await self._room()
        await in_thread(session.meter.recall, entries, head)
        return await self.sessions.state(session)

    async def _resume(self, given: Json) -> Json:
        """Replays nothing."""
        opening = params.opening(given, servers_required=False)
        session_id = params.text(given, "sessionId")
        self._check_login()
        return await self.sessions.state(await self.sessions.reopen(session_id, opening))

    async def _fork(self, given: Json) -> Json:
        opening = params.opening(given, servers_required=False)
        session_id = params.text(given, "sessionId")
        self._check_login()
        session = await self.sessions.branch(session_id, opening)
        return {"sessionId": session.line.session_id, **await self.sessions.state(session)}

    async def _list(self, given: Json) -> Json:
        from baton.surfaces.acp.provenance import row

        directory, after = params.optional_text(given, "cwd"), _position(params.optional_text(given, "cursor"))
        where = None if directory is None else _real(directory)
        store = await self.sessions.store()

        def page() -> tuple[list[Json], str | None]:
            found = store.conversations.page(PAGE, after, where, begun=True)
            return [row(store, each.conversation) for each in found.rows], found.after

        try:
            rows, following = await in_thread(page)
        except BadInput:
            raise params.wrong(protocol.BAD_CURSOR) from None
        return {"sessions": rows, **({"nextCursor": _cursor(following)} if following else {})}

    async def _close(self, given: Json) -> Json:
        _, conversation = await self.sessions.find(params.text(given, "sessionId"))
        await self.sessions.close(conversation.id)
        return {}

    async def _delete(self, given: Json) -> Json:
        """Permanent. An unknown id is not an error."""
        session_id = params.text(given, "sessionId")
        try:
            store, conversation = await self.sessions.find(session_id)
        except NotFound:
            return {}
        await self.sessions.close(conversation.id)
        await in_thread(_remove, store, conversation)
        return {}

    async def _prompt(self, given: Json) -> Json:
        session_id, blocks = params.text(given, "sessionId"), params.items(given, "prompt")
        session = self.sessions.known(session_id) or await self.sessions.reopen_where_it_was(session_id)
        return {"stopReason": await session.prompt(blocks, session_id)}

    async def _set_mode(self, given: Json) -> Json:
        from baton.surfaces.acp import updates

        session_id = params.text(given, "sessionId")
        session = self.sessions.get(session_id)
        await session.use_option("mode", params.text(given, "modeId"))
        session.line.under(session_id).send(updates.options(session.choices.options()))
        return {}

    async def _set_option(self, given: Json) -> Json:
        from baton.surfaces.acp import updates

        session_id = params.text(given, "sessionId")
        session = self.sessions.get(session_id)
        option, chosen = params.text(given, "configId"), params.text(given, "value")
        if option not in ("mode", "model", "effort"):
            raise params.wrong(protocol.NO_OPTION.format(option=repr(option[:80])))
        await session.use_option(option, chosen)
        if option == "mode":
            session.line.under(session_id).send(updates.mode(chosen))
        return {"configOptions": session.choices.options()}


def _remove(store: Store, conversation: Conversation) -> None:
    for draft in store.drafts.list_waiting(conversation.id):
        store.drafts.cancel(draft.id)
    if not store.upkeep.remove(conversation.id, int(time.time() * 1_000_000) + 60_000_000):
        raise BatonError(reason=protocol.STILL_HELD)


def _real(directory: str) -> str:
    try:
        return os.path.realpath(directory)
    except (ValueError, OSError):
        return directory


def _cursor(after: str) -> str:
    return base64.urlsafe_b64encode(after.encode()).decode()


def _position(cursor: str | None) -> str | None:
    try:
        return None if cursor is None else base64.urlsafe_b64decode(cursor.encode()).decode()
    except ValueError:
        raise params.wrong(protocol.BAD_CURSOR) from None


VERSION = 1
KEY_IN_ENVIRONMENT = "environment"
SETUP = "setup"


def announcement(*, unstable: bool, terminal_login: bool) -> Json:
    """The answer to `initialize`. It always names our own protocol version, so a client that speaks another one finds
    out.
    """
    return {
        "protocolVersion": VERSION,
        "agentCapabilities": capabilities(unstable=unstable),
        "agentInfo": {"name": "baton", "title": "Baton", "version": __version__},
        "authMethods": logins(terminal=terminal_login),
    }


def capabilities(*, unstable: bool) -> Json:
    """Extensions stand under `_meta`; with `unstable`, also where a future version of the standard will have them."""
    session: Json = {"list": {}, "resume": {}, "close": {}, "delete": {}, **({"fork": {}} if unstable else {})}
    extension = {"sessionProvenance": True, "stableSessionIds": True, "promptQueueing": True, "fork": True}
    return {
        "loadSession": True,
        "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
        "mcpCapabilities": {"http": True, "sse": False},
        "sessionCapabilities": session,
        "auth": {"logout": {}},
        "_meta": {"baton": extension, "hermes": {"sessionProvenance": True}},
    }


def logins(*, terminal: bool) -> list[Json]:
    key: Json = {"id": KEY_IN_ENVIRONMENT, "name": words.KEY_NAME, "description": words.KEY_ABOUT}
    setup: Json = {
        "type": "terminal",
        "id": SETUP,
        "name": words.SETUP_NAME,
        "description": words.SETUP_ABOUT,
        "args": ["--check"],
    }
    return [key, setup] if terminal else [key]
