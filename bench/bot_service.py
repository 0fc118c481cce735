"""A messaging service and a model in one server: as much of the Bot API and of Chat Completions as a bot needs, and
nothing that takes time. What is measured is the bot.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable
from typing import Any

from aiohttp import web

TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"
OWNER = 4711
"""The one who writes, in a private chat with as many topics as there are conversations."""
HELD = 20.0
_BOT = {"id": 99, "is_bot": True, "first_name": "Bench", "username": "bench_bot"}
_PERSON = {"id": OWNER, "is_bot": False, "first_name": "Ada"}
_CHAT = {"id": OWNER, "type": "private", "first_name": "Ada"}
_WORDS = ("Noted", ": ", "the tide", " turns at ", "six.")


class BotService:
    """Use as `async with`. `ask` brings messages in, and returns once each of these topics has its answer: a message
    with `ending` in it.
    """

    def __init__(self, ending: str = "six.") -> None:
        self._ending = ending
        self._arrived: list[dict[str, Any]] = []
        self._waiting: dict[int, float] = {}
        self._changed = asyncio.Event()
        self._answered = asyncio.Event()
        self._number = int(time.time())  # a bot remembers how far it has read
        self.milliseconds: list[float] = []
        app = web.Application(client_max_size=2**26)
        app.router.add_route("*", "/bot{token}/{method}", self._call)
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.5)
        self._calls = {"getUpdates": self._updates, "sendMessage": self._send, "editMessageText": self._send}

    async def __aenter__(self) -> BotService:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def ask(self, topics: Iterable[int], text: str, within: float) -> None:
        for topic in topics:
            self._number += 1
            said = {"message_id": self._number, "date": int(time.time()), "text": text, "from": _PERSON}
            where = {"chat": _CHAT, "message_thread_id": topic, "is_topic_message": True}
            self._arrived.append({"update_id": self._number, "message": {**said, **where}})
            self._waiting[topic] = time.monotonic()
        self._changed.set()
        async with asyncio.timeout(within):
            while self._waiting:
                self._answered.clear()
                await self._answered.wait()

    async def _call(self, request: web.Request) -> web.Response:
        form = await request.post()
        given = dict(form) if form else (await request.json() if request.can_read_body else {})
        answer = self._calls.get(request.match_info["method"])
        if answer is None:
            return _ok(_BOT if request.match_info["method"] == "getMe" else True)
        return _ok(await answer(given))

    async def _updates(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        offset = int(given.get("offset") or 0)
        self._arrived = [each for each in self._arrived if each["update_id"] >= offset]
        if not self._arrived:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), HELD)
            except TimeoutError:
                return []
        return self._arrived[:100]

    async def _send(self, given: dict[str, Any]) -> dict[str, Any]:
        topic, text = int(given.get("message_thread_id") or 0), str(given["text"])
        if self._ending in text and (began := self._waiting.pop(topic, 0.0)):
            self.milliseconds.append(1e3 * (time.monotonic() - began))
            self._answered.set()
        self._number += 1
        return {"message_id": self._number, "date": int(time.time()), "chat": _CHAT, "from": _BOT, "text": text}

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        await request.read()
        answer = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await answer.prepare(request)
        for word in _WORDS:
            await answer.write(_chunk([{"index": 0, "delta": {"content": word}, "finish_reason": None}]))
        await answer.write(_chunk([{"index": 0, "delta": {}, "finish_reason": "stop"}]))
        await answer.write(_chunk([], usage={"prompt_tokens": 900, "completion_tokens": 9, "total_tokens": 909}))
        await answer.write(b"data: [DONE]\n\n")
        await answer.write_eof()
        return answer


def _ok(result: object) -> web.Response:
    return web.json_response({"ok": True, "result": result})


def _chunk(choices: list[dict[str, Any]], **more: Any) -> bytes:
    whole = {"id": "c1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "m"}
    return b"data: " + json.dumps({**whole, "choices": choices, **more}).encode() + b"\n\n"
