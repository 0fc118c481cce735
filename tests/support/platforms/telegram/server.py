"""The server: reads requests, judges them and the answers, keeps polls waiting, and misbehaves when asked to."""

from __future__ import annotations

import asyncio
import math
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal

from aiohttp import web

from tests.support.platforms.telegram import schema
from tests.support.platforms.telegram.methods import METHODS, SENDS
from tests.support.platforms.telegram.rules import Refusal
from tests.support.platforms.telegram.schema import Upload
from tests.support.platforms.telegram.world import TOKEN, Json, World

_TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]{30,}")
_CONFLICT = (
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
)


@dataclass
class Trouble:
    """What happens to the next send. `seconds` is the delay of a limit, or how long the answer is held back."""

    kind: Literal["limit", "fail", "swallow", "refuse", "pass"]
    seconds: float = 0.0
    reason: str = ""


@dataclass
class _Poll:
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    ended: Literal["", "conflict", "cut", "empty"] = ""

    def end(self, how: Literal["conflict", "cut", "empty"]) -> None:
        self.ended = how
        self.wake.set()


class Aborted(Exception):
    """The connection is cut without an answer."""


class BotApi:
    def __init__(self) -> None:
        self.world = World()
        self.calls: list[tuple[str, Json]] = []
        self.violations: list[str] = []
        self.troubles: deque[Trouble] = deque()
        self.token = TOKEN
        self.polls = 0
        self._polled = asyncio.Event()
        self._poll: _Poll | None = None
        self._is_cut = False
        self._app = web.Application(client_max_size=64 * 2**20)
        self._app.router.add_route("*", "/bot{token:[^/]+}/{method}", self._call)
        self._app.router.add_get("/file/bot{token:[^/]+}/documents/{file}/{name}", self._download)
        self.routes = self._app.router
        self._runner = web.AppRunner(self._app, handler_cancellation=True, shutdown_timeout=0.5)

    async def __aenter__(self) -> BotApi:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port: int = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        await self._runner.cleanup()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        self._is_cut = True
        if self._poll:
            self._poll.end("cut")

    def restore(self) -> None:
        self._is_cut = False

    def expire(self) -> None:
        """The waiting poll is over, and nothing came."""
        if self._poll:
            self._poll.end("empty")

    async def polled(self, times: int) -> None:
        """Waits until so many polls have begun since the start."""
        while self.polls < times:
            self._polled.clear()
            await self._polled.wait()

    async def _call(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        try:
            self._authorise(request.match_info["token"])
            given = schema.typed(method, await _form(request))
            self.calls.append((method, given))
            return web.json_response({"ok": True, "result": await self._answer(method, given)})
        except Refusal as no:
            body = {"ok": False, "error_code": no.code, "description": no.description}
            return web.json_response(body | ({"parameters": no.parameters} if no.parameters else {}), status=no.code)
        except Aborted:
            if request.transport:
                request.transport.abort()
            return web.Response()

    def _authorise(self, token: str) -> None:
        if token != self.token:
            raise Refusal(401, "Unauthorized") if _TOKEN.fullmatch(token) else Refusal(404, "Not Found")

    async def _answer(self, method: str, given: Json) -> Any:
        if faults := schema.request_faults(method, given):
            self.violations += [f"request: {each}" for each in faults]
            raise Refusal(400, f"Bad Request: {faults[0]}")
        if method == "getUpdates":
            return self._judged(method, await self._updates(given))
        if method not in METHODS:
            self.violations.append(f"request: {method} is not served here")
            raise Refusal(404, "Not Found")
        trouble = self.troubles.popleft() if method in SENDS and self.troubles else None
        _make(trouble)
        result = self._judged(method, METHODS[method](self.world, given))
        if trouble and trouble.kind == "swallow":
            await asyncio.sleep(trouble.seconds)
            raise Aborted
        return result

    def _judged(self, method: str, result: Any) -> Any:
        self.violations += [f"answer: {each}" for each in schema.answer_faults(method, result)]
        return result

    async def _updates(self, given: Json) -> list[Json]:
        if self._is_cut:
            raise Aborted
        if self.world.webhook:
            raise Refusal(409, _CONFLICT[1])
        if given.get("offset"):
            self.world.confirm(given["offset"])
        if self._poll:
            self._poll.end("conflict")
        poll = self._poll = _Poll()
        self.polls += 1
        self._polled.set()
        self.world.listeners.add(poll.wake)
        try:
            return await self._wait(poll, given)
        finally:
            self.world.listeners.discard(poll.wake)
            if self._poll is poll:
                self._poll = None

    async def _wait(self, poll: _Poll, given: Json) -> list[Json]:
        try:
            async with asyncio.timeout(given.get("timeout", 0)):
                while not (self.world.queue or poll.ended):
                    poll.wake.clear()
                    await poll.wake.wait()
        except TimeoutError:
            return []
        if poll.ended == "conflict":
            raise Refusal(409, _CONFLICT[0])
        if poll.ended == "cut":
            raise Aborted
        return [] if poll.ended else self.world.hand_out(given.get("limit", 100))

    async def _download(self, request: web.Request) -> web.Response:
        self._authorise(request.match_info["token"])
        reference = request.match_info["file"]
        found = None if reference in self.world.vanishing else self.world.files.get(reference)
        if found is None or found[0] != request.match_info["name"]:
            return web.json_response({"ok": False, "error_code": 404, "description": "Not Found"}, status=404)
        return web.Response(body=found[1])


def _make(trouble: Trouble | None) -> None:
    """Raises what the trouble asks for before anything is accepted."""
    if trouble is None or trouble.kind in ("swallow", "pass"):
        return
    if trouble.kind == "limit":
        after = max(1, math.ceil(trouble.seconds))
        raise Refusal(429, f"Too Many Requests: retry after {after}", retry_after=after)
    if trouble.kind == "fail":
        raise Refusal(500, "Internal Server Error")
    raise Refusal(400, f"Bad Request: {trouble.reason}")


async def _form(request: web.Request) -> Mapping[str, str | Upload]:
    posted = await request.post()
    found: dict[str, str | Upload] = dict(request.query)
    for name, value in posted.items():
        if isinstance(value, web.FileField):
            found[name] = Upload(value.filename, value.file.read())
        else:
            assert isinstance(value, str)
            found[name] = value
    return found
