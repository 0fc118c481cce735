"""The gateway, version 10: compressed with zlib-stream; a session that is resumed gets all events it missed."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType, web

from tests.support.platforms.discord import shapes
from tests.support.platforms.discord.rules import Rules
from tests.support.platforms.discord.shapes import Json
from tests.support.platforms.discord.world import World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID, HELLO, ACK = 0, 1, 2, 6, 9, 10, 11
GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES, CONTENT = 1 << 0, 1 << 9, 1 << 12, 1 << 15
_UNKNOWN_OP, _BAD_TOKEN, _NOT_AUTHENTICATED, _NOT_ALLOWED = 4001, 4004, 4003, 4014


class Connection:
    """One WebSocket; frames leave in the order they were given."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self._zlib = zlib.compressobj()
        self._order = asyncio.Lock()
        self.session: Session | None = None

    async def send(self, op: int, data: object, *, kind: str | None = None, seq: int | None = None) -> None:
        await self.send_packed(json.dumps({"op": op, "d": data, "s": seq, "t": kind}).encode())

    async def send_packed(self, frame: bytes) -> None:
        async with self._order:
            packed = self._zlib.compress(frame) + self._zlib.flush(zlib.Z_SYNC_FLUSH)
            try:
                await self._socket.send_bytes(packed)
            except ConnectionError:
                return

    async def close(self, code: int) -> None:
        await self._socket.close(code=code)


class Session:
    """Counts the events of one client, over any number of connections."""

    def __init__(self, intents: int) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
        self.events: list[tuple[str, Json]] = []
        self.connection: Connection | None = None
        self._order = asyncio.Lock()

    async def dispatch(self, kind: str, data: Json) -> None:
        async with self._order:
            self.events.append((kind, data))
            if self.connection is not None:
                await self.connection.send(DISPATCH, data, kind=kind, seq=len(self.events))

    async def replay(self, connection: Connection, after: int) -> None:
        async with self._order:
            self.connection = connection
            for seq, (kind, data) in enumerate(self.events[after:], after + 1):
                await connection.send(DISPATCH, data, kind=kind, seq=seq)
            await connection.send(DISPATCH, {}, kind="RESUMED", seq=len(self.events))

    def wants(self, kind: str, data: Json) -> bool:
        if kind.startswith("MESSAGE_"):
            return bool(self.intents & (GUILD_MESSAGES if "guild_id" in data else DIRECT_MESSAGES))
        return kind == "INTERACTION_CREATE" or bool(self.intents & GUILDS)


class Gateway:
    def __init__(self, world: World, rules: Rules, address: Callable[[], str]) -> None:
        self._world = world
        self._rules = rules
        self._address = address
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        self.cut = False
        self.content_allowed = True
        self.begun = 0
        self.resumed = 0

    async def dispatch(self, kind: str, data: Json) -> None:
        for session in list(self._sessions.values()):
            if session.wants(kind, data):
                await session.dispatch(kind, self._seen_by(session, kind, data))

    def sessions(self) -> list[Session]:
        return list(self._sessions.values())

    async def drop(self, code: int = 4000) -> None:
        """Every connection ends; the sessions can be resumed."""
        for connection in list(self._connections):
            await connection.close(code)

    def forget(self) -> None:
        """No session can be resumed any more."""
        self._sessions.clear()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        if self.cut:
            raise web.HTTPServiceUnavailable
        query = request.query
        if (query.get("v"), query.get("encoding"), query.get("compress")) != ("10", "json", "zlib-stream"):
            self._rules.note(f"gateway: asked for {dict(query)}")
            raise web.HTTPBadRequest
        socket = web.WebSocketResponse(timeout=1.0)
        await socket.prepare(request)
        connection = Connection(socket)
        self._connections.add(connection)
        try:
            await connection.send(HELLO, {"heartbeat_interval": 41_250})
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._take(connection, json.loads(message.data))
        finally:
            self._connections.discard(connection)
            if connection.session is not None and connection.session.connection is connection:
                connection.session.connection = None
        return socket

    async def _take(self, connection: Connection, frame: dict[str, Any]) -> None:
        op, data = frame.get("op"), frame.get("d")
        if op == HEARTBEAT:
            await connection.send(ACK, None)
        elif op == IDENTIFY:
            await self._identify(connection, data)
        elif op == RESUME:
            await self._resume(connection, data)
        elif connection.session is None:
            await connection.close(_NOT_AUTHENTICATED)
        else:
            self._rules.note(f"gateway: op {op} is not expected")
            await connection.close(_UNKNOWN_OP)

    async def _identify(self, connection: Connection, data: Any) -> None:
        for name, kind in (("token", str), ("properties", dict), ("intents", int)):
            if not isinstance(data.get(name), kind):
                self._rules.note(f"gateway: IDENTIFY without {name}")
        if data["token"] != self._world.token:
            await connection.close(_BAD_TOKEN)
            return
        if data["intents"] & CONTENT and not self.content_allowed:
            await connection.close(_NOT_ALLOWED)
            return
        self.begun += 1
        session = Session(data["intents"])
        self._sessions[session.id] = session
        connection.session, session.connection = session, connection
        await session.dispatch("READY", self._ready(session))
        await session.dispatch("GUILD_CREATE", self._guild())

    async def _resume(self, connection: Connection, data: Any) -> None:
        session = self._sessions.get(data.get("session_id"))
        if data.get("token") != self._world.token:
            await connection.close(_BAD_TOKEN)
        elif session is None or not 0 <= data["seq"] <= len(session.events):
            await connection.send(INVALID, False)
        else:
            self.resumed += 1
            connection.session = session
            await session.replay(connection, data["seq"])

    def _ready(self, session: Session) -> Json:
        return {
            "v": 10,
            "user": shapes.myself(self._world.bot),
            "guilds": [{"id": self._world.guild_id, "unavailable": True}],
            "session_id": session.id,
            "resume_gateway_url": self._address(),
            "application": {"id": self._world.application_id, "flags": 1 << 19},
        }

    def _guild(self) -> Json:
        world = self._world
        channels = [each for each in world.channels.values() if each["type"] not in (1, 10, 11, 12)]
        threads = [each for each in world.channels.values() if each["type"] in (10, 11)]
        members = [shapes.member(each) for each in world.people.values()]
        return shapes.guild(world.guild_id, world.owner["id"], channels, threads, members)

    def _seen_by(self, session: Session, kind: str, data: Json) -> Json:
        """Without the content intent, what people write in a guild is empty."""
        hidden = kind.startswith("MESSAGE_") and "guild_id" in data and not session.intents & CONTENT
        if hidden and data["author"]["id"] != self._world.bot["id"]:
            return {**data, "content": "", "attachments": [], "components": []}
        return data
