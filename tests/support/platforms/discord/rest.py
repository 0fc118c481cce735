"""The REST API, version 10: what a bot needs of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web

from tests.support.platforms.discord import posting, shapes
from tests.support.platforms.discord.faults import Faults
from tests.support.platforms.discord.gateway import Gateway
from tests.support.platforms.discord.rules import Rules
from tests.support.platforms.discord.shapes import Json
from tests.support.platforms.discord.world import Refuse, World

PREFIX = "/api/v10"
Upload = tuple[str, bytes, str]
Answer = tuple[int, object]
_SUPPRESS, _HAS_THREAD = 1 << 2, 1 << 5


class Call:
    """One request: the ids of its path, its query, its body, its files."""

    def __init__(self, ids: Mapping[str, str], query: Mapping[str, str], body: Any, files: list[Upload]) -> None:
        self.ids, self.query, self.body, self.files = ids, query, body, files


class Rest:
    def __init__(self, world: World, gateway: Gateway, rules: Rules) -> None:
        self._world = world
        self._gateway = gateway
        self._rules = rules
        self.faults = Faults()
        self.interactions: dict[str, str] = {}

    def routes(self) -> list[web.RouteDef]:
        table: list[tuple[str, str, Callable[[Call], Awaitable[Answer]]]] = [
            ("GET", "/users/@me", self._me),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/channels/{channel_id}", self._channel),
            ("GET", "/guilds/{guild_id}/members/{user_id}", self._member),
            ("GET", "/channels/{channel_id}/messages", self._list),
            ("POST", "/channels/{channel_id}/messages", self._post),
            ("GET", "/channels/{channel_id}/messages/{message_id}", self._get),
            ("PATCH", "/channels/{channel_id}/messages/{message_id}", self._edit),
            ("POST", "/channels/{channel_id}/typing", self._typing),
            ("POST", "/channels/{channel_id}/threads", self._bare_thread),
            ("POST", "/channels/{channel_id}/messages/{message_id}/threads", self._thread),
            ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", self._acknowledge),
        ]
        return [
            *(web.route(method, PREFIX + path, self._handler(method, path, act)) for method, path, act in table),
            web.get("/attachments/{tail:.*}", self._file),
            web.route("*", "/{tail:.*}", self._unknown),
        ]

    def _handler(self, method: str, path: str, act: Callable[[Call], Awaitable[Answer]]) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            sends = (method, path) == ("POST", "/channels/{channel_id}/messages")
            if refusal := self._stopped(request, sends):
                self._rules.answer(method, path, refusal[0], refusal[1])
                return _json(*refusal)
            swallowed = sends and self.faults.take("swallow")
            try:
                call = await self._call(request, method, path)
                status, answer = await act(call)
            except Refuse as refusal:
                status, answer = refusal.status, refusal.body
            self._rules.answer(method, path, status, answer)
            if swallowed:
                await self._be_silent(request)
            return _json(status, answer)

        return handle

    def _stopped(self, request: web.Request, sends: bool) -> Answer | None:
        """What is answered before anything is looked at."""
        agent = request.headers.get("User-Agent", "")
        if not agent.startswith("DiscordBot ("):
            self._rules.note(f"User-Agent {agent!r} is not that of a bot")
        if request.headers.get("Authorization") != f"Bot {self._world.token}":
            return 401, {"code": 0, "message": "401: Unauthorized"}
        if sends and self.faults.take("limit"):
            after = self.faults.after
            return 429, {"code": 0, "message": "You are being rate limited.", "retry_after": after, "global": False}
        if sends and self.faults.take("fail"):
            return 500, {"code": 0, "message": "500: Internal Server Error"}
        return None

    async def _call(self, request: web.Request, method: str, path: str) -> Call:
        body, files = await _content(request)
        if any(
            not each.isascii() or not each.isdigit() for name, each in request.match_info.items() if "token" not in name
        ):
            raise posting.invalid("snowflake: Value is not snowflake")
        self._rules.request(method, path, body, request.query)
        return Call(request.match_info, request.query, body, files)

    async def _be_silent(self, request: web.Request) -> None:
        if self.faults.hang:
            await asyncio.Event().wait()
        if request.transport is not None:
            request.transport.abort()

    async def _me(self, _: Call) -> Answer:
        return 200, shapes.myself(self._world.bot)

    async def _application(self, _: Call) -> Answer:
        return 200, shapes.application(self._world.application_id, self._world.bot, self._world.owner)

    async def _channel(self, call: Call) -> Answer:
        return 200, self._world.channel(call.ids["channel_id"])

    async def _member(self, call: Call) -> Answer:
        person = call.ids["user_id"]
        if call.ids["guild_id"] != self._world.guild_id or person not in self._world.people:
            raise Refuse(404, 10013, "Unknown User")
        if person in self._world.left:
            raise Refuse(404, 10007, "Unknown Member")
        return 200, shapes.whole_member(self._world.people[person])

    async def _list(self, call: Call) -> Answer:
        """The newest first; `after` means those that follow it directly."""
        self._world.channel(call.ids["channel_id"])
        limit, after = int(call.query.get("limit", "50")), int(call.query.get("after", "-1"))
        if not 1 <= limit <= 100:
            raise posting.invalid("limit: int value should be between 1 and 100")
        found = [each for each in self._world.in_channel(call.ids["channel_id"]) if int(each["id"]) > after]
        return 200, [*reversed(found[:limit] if "after" in call.query else found[-limit:])]

    async def _get(self, call: Call) -> Answer:
        return 200, self._world.message(call.ids["channel_id"], call.ids["message_id"])

    async def _post(self, call: Call) -> Answer:
        world, body, channel_id = self._world, call.body or {}, call.ids["channel_id"]
        channel = world.channel(channel_id)
        if channel["type"] == 15:
            raise Refuse(400, 50008, "Cannot send messages in a non-text channel")
        posting.check({"content": "", **body}, has_files=bool(call.files))
        _check_files(body, call.files)
        nonce = body.get("nonce")
        if nonce is not None and body.get("enforce_nonce") and (known := world.known_nonce(str(nonce))) is not None:
            return 200, {**known, "nonce": nonce}
        made = world.add_message(channel_id, world.bot, (body.get("content") or "").strip())
        made["components"] = posting.as_kept(body.get("components") or [])
        made["flags"] = int(body.get("flags") or 0) & _SUPPRESS
        made["attachments"] = [world.add_file(channel_id, *each) for each in call.files]
        self._check_mentions(body)
        echo = made if nonce is None else {**made, "nonce": nonce}
        if nonce is not None:
            world.keep_nonce(str(nonce), made["id"])
        await self.publish("MESSAGE_CREATE", echo)
        return 200, echo

    async def _edit(self, call: Call) -> Answer:
        body = call.body or {}
        found = self._world.message(call.ids["channel_id"], call.ids["message_id"])
        if found["author"]["id"] != self._world.bot["id"]:
            raise Refuse(403, 50005, "Cannot edit a message authored by another user")
        posting.check(body, has_files=bool(found["attachments"]))
        self._check_mentions(body)
        if "content" in body:
            found["content"] = (body["content"] or "").strip()
        if "components" in body:
            found["components"] = posting.as_kept(body["components"] or [])
        found["edited_timestamp"] = shapes.now()
        await self.publish("MESSAGE_UPDATE", found)
        return 200, found

    async def _typing(self, call: Call) -> Answer:
        channel = self._world.channel(call.ids["channel_id"])
        self._world.typed[channel["id"]] = self._world.typed.get(channel["id"], 0) + 1
        return 204, None

    async def _bare_thread(self, call: Call) -> Answer:
        """As at Discord: private unless it is said otherwise."""
        body = call.body
        return await self._begin(call, self._world.new_id(), body.get("type", 12))

    async def _thread(self, call: Call) -> Answer:
        found = self._world.message(call.ids["channel_id"], call.ids["message_id"])
        kind = 10 if self._world.channel(found["channel_id"])["type"] == 5 else 11
        answer = await self._begin(call, found["id"], kind)
        found["flags"] |= _HAS_THREAD
        return answer

    async def _begin(self, call: Call, thread_id: str, kind: int) -> Answer:
        name, archive = call.body.get("name", ""), call.body.get("auto_archive_duration") or 1440
        if not isinstance(name, str) or not 1 <= len(name) <= 100:
            raise posting.invalid("name: Must be between 1 and 100 in length")
        if archive not in (60, 1440, 4320, 10080):
            raise posting.invalid("auto_archive_duration: not one of the durations")
        made = self._world.add_thread(call.ids["channel_id"], thread_id, name, kind, archive)
        await self._gateway.dispatch("THREAD_CREATE", {**made, "newly_created": True})
        return 201, made

    async def _acknowledge(self, call: Call) -> Answer:
        number = call.ids["interaction_id"]
        if self.interactions.get(number) != call.ids["interaction_token"]:
            raise Refuse(404, 10062, "Unknown interaction")
        if number in self._world.acknowledged:
            raise Refuse(400, 40060, "Interaction has already been acknowledged")
        self._world.acknowledged[number] = call.body["type"]
        return 204, None

    async def publish(self, kind: str, message: Json) -> None:
        """Tells the gateway, which adds what messages have there."""
        self._rules.schema(f"gateway: {kind}", "MessageResponse", _described(message))
        if message["channel_id"] in self._world.closed:
            return
        channel = self._world.channel(message["channel_id"])
        extra = {"guild_id": self._world.guild_id} if channel["type"] != 1 else {}
        await self._gateway.dispatch(kind, {**message, **extra})

    def _check_mentions(self, body: Json) -> None:
        self._world.called += posting.called(body)
        allowed = body.get("allowed_mentions")
        if allowed is None or allowed.get("parse") != [] or allowed.get("users") or allowed.get("roles"):
            self._rules.note("a message could notify people: allowed_mentions is not empty")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        if "Authorization" in request.headers:
            self._rules.note("the token was shown to the file server")
        data = self._world.files.get(request.path)
        return web.Response(body=data) if data is not None else web.Response(status=404)

    async def _unknown(self, request: web.Request) -> web.StreamResponse:
        self._rules.note(f"{request.method} {request.path.removeprefix(PREFIX)}: there is no such operation")
        return _json(404, {"code": 0, "message": "404: Not Found"})


def _described(message: Json) -> Json:
    """A forward as a reference: the schema has no number for forwards, only Discord's prose has."""
    reference = message.get("message_reference")
    return {**message, "message_reference": {**reference, "type": 0}} if reference else message


async def _content(request: web.Request) -> tuple[Any, list[Upload]]:
    if not request.can_read_body:
        return None, []
    if request.content_type != "multipart/form-data":
        return await request.json(), []
    form = await request.post()
    files = [each for name, each in form.items() if name.startswith("files[") and isinstance(each, web.FileField)]
    payload = form.get("payload_json", "{}")
    return json.loads(str(payload)), [(each.filename, each.file.read(), each.content_type) for each in files]


def _check_files(body: Json, files: list[Upload]) -> None:
    ids = [each.get("id") for each in body.get("attachments") or []]
    if ids != [str(number) for number in range(len(files))]:
        raise posting.invalid("attachments: ids do not match the files")


def _json(status: int, answer: object) -> web.Response:
    headers = {
        "Via": "1.1 google",
        "X-RateLimit-Limit": "5",
        "X-RateLimit-Remaining": "4",
        "X-RateLimit-Reset-After": "1",
    }
    if status == 204:
        return web.Response(status=204, headers=headers)
    if status == 429 and isinstance(answer, dict):
        headers["Retry-After"] = str(answer["retry_after"])
    return web.Response(
        status=status, body=json.dumps(answer).encode(), headers={**headers, "Content-Type": "application/json"}
    )
