"""The editor at the other end: what it can do, and how to send it updates and requests."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from baton.core.value import value
from baton.surfaces.acp.frames import Json, table

if TYPE_CHECKING:
    from baton.surfaces.acp.peer import Peer


@value
class Capabilities:
    """What a client said it can do. Anything it did not say, or said in another form, counts as no."""

    reads: bool = False
    writes: bool = False
    compaction: bool = False
    notices: bool = False
    forms: bool = False
    terminals: bool = False
    terminal_login: bool = False

    @staticmethod
    def read(given: Any) -> Capabilities:
        found = table(given)
        files, session = table(found.get("fs")), table(found.get("session"))
        return Capabilities(
            reads=files.get("readTextFile") is True,
            writes=files.get("writeTextFile") is True,
            compaction=isinstance(session.get("compaction"), dict),
            notices=isinstance(session.get("notices"), dict),
            forms=isinstance(table(found.get("elicitation")).get("form"), dict),
            terminals=found.get("terminal") is True,
            terminal_login=table(found.get("auth")).get("terminal") is True,
        )


class Client:
    """Updates go out in the order they were given, and before any answer given after them."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.can = Capabilities()

    def update(self, session_id: str, update: Json) -> None:
        self._peer.notify("session/update", {"sessionId": session_id, "update": update})

    async def ask(self, method: str, params: Json) -> Json:
        """The answer, as an object. Raises `RpcError` or `PeerGone`."""
        return table(await self._peer.request(method, params))


class Line:
    """The updates and requests of one session. A client may know it by several ids: `session_id` is the one it asked
    by last, and is set when a prompt begins. `last` is when the last update went out.
    """

    def __init__(self, client: Client, session_id: str) -> None:
        self._client = client
        self.session_id = session_id
        self.last = time.monotonic()

    @property
    def can(self) -> Capabilities:
        return self._client.can

    def send(self, update: Json) -> None:
        self.last = time.monotonic()
        self._client.update(self.session_id, update)

    def under(self, session_id: str) -> Line:
        """For what answers a request that used another id than the prompt that runs."""
        return Line(self._client, session_id)

    async def ask(self, method: str, params: Json) -> Json:
        return await self._client.ask(method, {"sessionId": self.session_id, **params})
