"""The Graph API that the adapter meets: crabline's, with media, buttons, rules and trouble in front of it."""

from __future__ import annotations

import json
import math
import socket
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.support.platforms.crabline import Crabline
from tests.support.platforms.faults import Faults
from tests.support.platforms.whatsapp import calls
from tests.support.platforms.whatsapp.caller import Caller
from tests.support.platforms.whatsapp.media import Media, graph_error
from tests.support.platforms.whatsapp.rules import broken
from tests.support.platforms.whatsapp.schema import answer_flaws

SECRET, VERIFY = "app-secret-0123456789", "verify-0123456789"
_FILE_ONLY = "(a file)"

Json = dict[str, Any]


@dataclass
class Shown:
    room: str
    id: str
    body: Json
    files: list[tuple[str, bytes]] = field(default_factory=list)


class WhatsAppServer:
    def __init__(self) -> None:
        self.crabline = Crabline("whatsapp")
        self.media, self.faults = Media(), Faults()
        self.listen = f"127.0.0.1:{_free_port()}"
        self.caller = Caller(f"http://{self.listen}/whatsapp", SECRET)
        self.shown: list[Shown] = []
        self.typed: Counter[str] = Counter()
        self.broken: list[str] = []
        self.url = ""
        self._rooms: dict[str, str] = {}
        self.said: dict[str, Json] = {}
        app = web.Application(client_max_size=64_000_000, middlewares=[self._known])
        app.router.add_get("/v23.0/{id:[0-9]+}", self._object)
        app.router.add_post("/v23.0/{number}/messages", self._message)
        app.router.add_post("/v23.0/{number}/media", self.media.upload)
        app.router.add_get("/media-files/{id}", self.media.download)
        self._runner = web.AppRunner(app, shutdown_timeout=1)

    @property
    def number_id(self) -> str:
        return str(self.crabline.manifest["phoneNumberId"])

    @property
    def token(self) -> str:
        return str(self.crabline.manifest["accessToken"])

    async def start(self) -> None:
        await self.crabline.start()
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = "http://{}:{}".format(*self._runner.addresses[0][:2])
        await self.caller.start()

    async def stop(self) -> None:
        await self.caller.stop()
        if self.url:
            await self._runner.cleanup()
        await self.crabline.stop()

    def violations(self) -> list[str]:
        return [*self.broken, *self.media.violations, *self.caller.violations]

    async def says(self, person: str, words: str, file: tuple[str, bytes] | None, *, forwarded: bool = False) -> str:
        jid = f"{person}@s.whatsapp.net"
        body = {"chatJid": jid, "senderJid": jid, "text": words or _FILE_ONLY, "pushName": "Ann"}
        given = await self.crabline.inject(body)
        ident, call = given["message"]["key"]["id"], given["webhook"]
        if file is not None:
            call = calls.with_file(call, words, self.media.keep(file[0], "text/plain", file[1]), *file)
        if forwarded:
            calls.message_of(call)["context"] = {"forwarded": True}
        self._rooms[ident], self.said[ident] = person, call
        self.caller.put(call)
        return ident

    async def presses(self, person: str, receipt: str, choice: str) -> None:
        action = next(each for each in self.shown if each.id == receipt).body["interactive"]["action"]
        if "buttons" in action:
            found = next(each["reply"] for each in action["buttons"] if each["reply"]["id"] == choice)
            reply = {"type": "button_reply", "button_reply": found}
        else:
            found = next(row for section in action["sections"] for row in section["rows"] if row["id"] == choice)
            reply = {"type": "list_reply", "list_reply": found}
        ident = f"wamid.PRESS{len(self.said):08}"
        self.said[ident] = calls.pressed(self.number_id, person, ident, receipt, reply)
        self.caller.put(self.said[ident])

    async def forge(self, person: str, how: str, words: str) -> int:
        message = {"from": person, "id": "wamid.FORGED", "timestamp": "1", "type": "text", "text": {"body": words}}
        body = json.dumps(calls.call(self.number_id, {"messages": [message]})).encode()
        wrong = {"wrong": self.caller.signature(body, "guessed"), "missing": "", "replayed": self.caller.signature(b"")}
        return await self.caller.post(body, wrong[how])

    def redeliver(self, message_id: str) -> None:
        self.caller.put(self.said[message_id])

    @web.middleware
    async def _known(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if "EAA" in str(request.url):
            self.broken.append("a token in an address")
        if request.headers.get("Authorization") != f"Bearer {self.token}":
            return graph_error(401, 190, "Invalid OAuth access token.")
        return await handler(request)

    async def _object(self, request: web.Request) -> web.Response:
        if request.match_info["id"] != self.number_id:
            return await self.media.about(request)
        status, given = await self._ask("GET", "phoneNumberUrl")
        self.broken += answer_flaws("PhoneNumberInfo", given)
        return web.json_response(given, status=status)

    async def _message(self, request: web.Request) -> web.StreamResponse:
        body: Json = await request.json()
        if flaws := broken(body):
            self.broken += flaws
            return graph_error(400, 100, flaws[0])
        if "status" in body:
            status, given = await self._ask("POST", "messagesUrl", body)
            self.typed[self._rooms.get(body["message_id"], "")] += status == 200
            return web.json_response(given, status=status)
        return self._trouble() or await self._accept(request, body)

    def _trouble(self) -> web.Response | None:
        if self.faults.take("limit"):
            wait = str(math.ceil(self.faults.after))
            return graph_error(429, 130429, "Rate limit hit", **{"Retry-After": wait})
        if self.faults.take("fail"):
            return graph_error(500, 131000, "Something went wrong")
        return None

    async def _accept(self, request: web.Request, body: Json) -> web.StreamResponse:
        """crabline knows only text: of another kind, it is given the words."""
        files = [self.media.kept[body["document"]["id"]]] if body["type"] == "document" else []
        words = {"type": "text", "text": {"body": text_of(body) or "…"}}
        base = {name: body[name] for name in ("messaging_product", "recipient_type", "to")}
        status, given = await self._ask("POST", "messagesUrl", {**base, **words})
        self.broken += answer_flaws("MessageResponsePayload" if status == 200 else "GraphAPIError", given)
        if status == 200:
            ident, key = given["messages"][0]["id"], body.get("biz_opaque_callback_data", "")
            named = [(body["document"]["filename"], each.data) for each in files]
            self.shown.append(Shown(body["to"], ident, body, named))
            self.caller.put(calls.status(self.number_id, ident, body["to"], key))
            if self.faults.take("swallow"):
                assert request.transport is not None
                request.transport.abort()
        return web.json_response(given, status=status)

    async def _ask(self, method: str, endpoint: str, body: Json | None = None) -> tuple[int, Json]:
        url, headers = self.crabline.manifest["endpoints"][endpoint], {"Authorization": f"Bearer {self.token}"}
        async with self.crabline.http.request(method, url, json=body, headers=headers) as answer:
            return answer.status, json.loads(await answer.read())


def text_of(body: Json) -> str:
    """What stands there to be read."""
    if body["type"] == "document":
        return body["document"].get("caption", "")
    return body["text"]["body"] if body["type"] == "text" else body["interactive"]["body"]["text"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
