"""The Slack that the adapter meets: the emulator, with what it lacks in front of it.

Tokens it does not know are refused, arguments are checked, histories honour their limits, messages become events of
Socket Mode, and trouble is made on request.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

from aiohttp import web

from tests.support.platforms.slack import histories, rules
from tests.support.platforms.slack.events import Events
from tests.support.platforms.slack.socket_mode import SocketMode
from tests.support.platforms.slack.workspace import APP, APP_ID, BOT, OWNER, STRANGER, Workspace

_SENDS = ("chat.postMessage", "files.completeUploadExternal")


class Server:
    """`limited`, `failing` and `swallowed` count the sends that are still to go wrong."""

    def __init__(self) -> None:
        self.workspace = Workspace()
        self.sockets = SocketMode(APP_ID)
        self.events = Events(self.workspace, self.sockets)
        self.url = ""
        self.limited, self.after = 0, 1.0
        self.failing = self.swallowed = 0
        self.refused_blocks = self.refused_status = self.elsewhere = ""
        self.revoked = self.unscoped = False
        self.left: set[str] = set()
        """Users who are in no channel any more: the emulator lets everybody speak in its only one, and nobody leave."""
        self.statuses: Counter[tuple[str, str]] = Counter()
        self.seen: list[tuple[str, dict[str, Any]]] = []
        self.broken: list[str] = []
        self.app = web.Application(client_max_size=64_000_000)
        self.app.router.add_post("/api/{method}", self._api)
        self.app.router.add_get("/link", self.sockets.serve)
        self.app.router.add_route("*", "/upload/v1/{rest:.*}", self._pass)
        self.app.router.add_get("/files-pri/{rest:.*}", self._pass)
        self._runner = web.AppRunner(self.app, shutdown_timeout=1)

    async def start(self) -> None:
        await self.workspace.start()
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        try:
            await self.sockets.close()
            await self._runner.cleanup()
        finally:
            await self.workspace.stop()

    def violations(self) -> list[str]:
        return [*self.broken, *self.sockets.violations]

    async def _api(self, request: web.Request) -> web.StreamResponse:
        method, body = request.match_info["method"], await _body(request)
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.seen.append((method, body))
        if "token" in body or "token" in request.query or "xox" in str(request.url):
            self.broken.append(f"{method}: a token outside the header")
        if token in (BOT, APP):
            self.broken += rules.broken(method, body, request.query_string, request.content_type)
        wanted = (APP,) if method.startswith("apps.") else (BOT, OWNER, STRANGER)
        if token not in wanted:
            known = token in (APP, BOT, OWNER, STRANGER)
            return _no("not_allowed_token_type" if known else "invalid_auth" if token else "not_authed")
        if self.revoked:
            return _no("token_revoked")
        if trouble := self._trouble(method):
            return trouble
        return await self._done(request, method, body, token)

    def _trouble(self, method: str) -> web.Response | None:
        if method == "apps.connections.open" and self.sockets.is_cut:
            return web.Response(status=503, text="<html>upstream</html>", content_type="text/html")
        if method in _SENDS and self.limited:
            self.limited -= 1
            after = {"Retry-After": str(max(1, math.ceil(self.after)))}
            return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers=after)
        if method in _SENDS and self.failing:
            self.failing -= 1
            return web.json_response({"ok": False, "error": "internal_error"}, status=500)
        return None

    async def _done(self, request: web.Request, method: str, body: dict[str, Any], token: str) -> web.StreamResponse:
        match method:
            case "apps.connections.open":
                address = f"ws{self.url.removeprefix('http')}/link?ticket={self.sockets.ticket()}"
                return web.json_response({"ok": True, "url": address})
            case "conversations.members" if self.unscoped:
                return _no("missing_scope")
            case "assistant.threads.setStatus":
                return self._status(body)
            case "conversations.history" | "conversations.replies":
                return web.json_response(await histories.answer(self.workspace, method, body, token))
        answer = await self.act(method, body, token)
        if method in _SENDS and self.swallowed and answer["ok"]:
            self.swallowed -= 1
            assert request.transport is not None
            request.transport.abort()
        if self.elsewhere and method == "files.info":
            answer["file"]["url_private_download"] = self.elsewhere
        if "members" in answer:
            answer["members"] = sorted({*answer["members"], *self.workspace.users.values()} - self.left)
        text = json.dumps(answer).replace(_local(self.workspace.url), self.url)
        return web.Response(text=text, content_type="application/json")

    async def act(self, method: str, body: dict[str, Any], token: str) -> dict[str, Any]:
        """What anybody does, with the events that follow from it."""
        if error := rules.bad_blocks(body.get("blocks") or []) or (self.refused_blocks if body.get("blocks") else ""):
            return {"ok": False, "error": error}
        ours = {"bot_id": self.workspace.bot_id, "app_id": APP_ID} if token == BOT else {}
        extra = ours if method == "chat.postMessage" else {}
        answer = await self.workspace.call(method, {**body, **extra}, token)
        if answer["ok"]:
            await self.events.follow(method, body, answer, token)
        return answer

    def _status(self, body: dict[str, Any]) -> web.Response:
        if self.refused_status or not body.get("thread_ts"):
            return _no(self.refused_status or "invalid_thread_ts")
        self.statuses[body["channel_id"], body["thread_ts"]] += 1
        return web.json_response({"ok": True})

    async def _pass(self, request: web.Request) -> web.Response:
        headers = {name: request.headers[name] for name in ("Authorization", "Content-Type") if name in request.headers}
        if request.path.startswith("/files-pri/") and headers.get("Authorization") != f"Bearer {BOT}":
            raise web.HTTPFound("/signin")
        status, kind, data = await self.workspace.raw(request.method, request.path_qs, headers, await request.read())
        return web.Response(status=status, body=data, content_type=kind)


async def _body(request: web.Request) -> dict[str, Any]:
    if request.content_type == "application/json":
        return await request.json()
    form = await request.post()
    return {**request.query, **{name: value for name, value in form.items() if isinstance(value, str)}}


def _no(error: str) -> web.Response:
    return web.json_response({"ok": False, "error": error})


def _local(url: str) -> str:
    """The emulator names itself localhost."""
    return url.replace("127.0.0.1", "localhost")
