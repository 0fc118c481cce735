"""The stage over HTTP, for tests that speak to this server as a process of its own."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from baton.core.place import Place, parse_place
from tests.support.platforms.telegram.people import People
from tests.support.platforms.telegram.server import BotApi, Trouble

_HELD = 600.0
"""A swallowed answer is held back until the client gives up, or is killed."""

Handler = Callable[[web.Request], Awaitable[web.Response]]


class Admin:
    def __init__(self, server: BotApi, people: People) -> None:
        self._server = server
        self._people = people
        for name in ("says", "presses", "redeliver", "limit", "fail", "swallow", "cut", "restore", "topic"):
            server.routes.add_post(f"/admin/{name}", self._post(getattr(self, f"_{name}")))
        for name in ("texts", "files", "typed", "violations"):
            server.routes.add_get(f"/admin/{name}", self._get(getattr(self, f"_{name}")))

    def _post(self, act: Callable[[dict[str, Any]], dict[str, Any] | None]) -> Handler:
        async def handler(request: web.Request) -> web.Response:
            given = await request.json() if request.can_read_body else {}
            return web.json_response(act(given) or {})

        return handler

    def _get(self, look: Callable[[Place | None], dict[str, Any]]) -> Handler:
        async def handler(request: web.Request) -> web.Response:
            key = request.query.get("place")
            return web.json_response(look(parse_place(key) if key else None))

        return handler

    def _says(self, given: dict[str, Any]) -> dict[str, Any]:
        file = given.get("file")
        held = (file["name"], base64.b64decode(file["data"])) if file else None
        place, sender = parse_place(given["place"]), given.get("sender") or ""
        return {"id": self._people.says(place, given["text"], sender=sender, file=held)}

    def _presses(self, given: dict[str, Any]) -> dict[str, Any]:
        return {"id": self._people.presses(parse_place(given["place"]), given["receipt"], given["choice"])}

    def _redeliver(self, given: dict[str, Any]) -> None:
        self._people.redeliver(given.get("id") or given["message_id"])

    def _limit(self, given: dict[str, Any]) -> None:
        self._trouble(given, "limit", given.get("after", 1.0))

    def _fail(self, given: dict[str, Any]) -> None:
        self._trouble(given, "fail", 0.0)

    def _swallow(self, given: dict[str, Any]) -> None:
        self._trouble(given, "swallow", given.get("hold", _HELD))

    def _trouble(self, given: dict[str, Any], kind: Any, seconds: float) -> None:
        self._server.troubles.extend([Trouble(kind, seconds)] * given.get("times", 1))

    def _cut(self, given: dict[str, Any]) -> None:
        self._server.cut()

    def _restore(self, given: dict[str, Any]) -> None:
        self._server.restore()

    def _topic(self, given: dict[str, Any]) -> dict[str, Any]:
        """A person opens a topic."""
        room = parse_place(given["place"])
        made = self._server.world.open_topic(self._server.world.chats[int(room.room)], given["name"])
        return {"place": Place("telegram", room.room, str(made["message_thread_id"])).key}

    def _texts(self, place: Place | None) -> dict[str, Any]:
        assert place is not None
        return {
            "texts": self._people.texts(place),
            "receipts": [str(each["message_id"]) for each in self._people.messages(place)],
        }

    def _files(self, place: Place | None) -> dict[str, Any]:
        assert place is not None
        found = self._people.files(place)
        return {"files": [{"name": name, "data": base64.b64encode(data).decode()} for name, data in found]}

    def _typed(self, place: Place | None) -> dict[str, Any]:
        assert place is not None
        return {"typed": self._people.typed(place)}

    def _violations(self, place: Place | None) -> dict[str, Any]:
        return {"violations": self._server.violations}
