"""A stage as a process of its own, driven over HTTP by tests that kill the gateway.

`main(SlackStage)` prints one line of JSON, {"name", "settings", "admin", "room", "group", "owner", "stranger"}, and
serves until it is ended. Below `admin`:

    POST /says {place, text, sender?, file?: {name, base64}} → {id}     POST /presses {place, receipt, choice}
    POST /redeliver {id}     POST /limit {times, after}     POST /fail {times}     POST /swallow {times}
    POST /cut     POST /restore
    GET /texts?place= → {texts}     GET /files?place= → {files: [{name, base64}]}     GET /typed?place= → {times}
    GET /violations → {violations}
"""

from __future__ import annotations

import asyncio
import base64
import json
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from baton.core.transfer.place import Place, parse_place
from tests.contract.platform.stage import Stage

Json = dict[str, Any]


class Admin:
    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.app = web.Application(client_max_size=64_000_000)
        for name, work in self._posts().items():
            self.app.router.add_post(f"/admin/{name}", _posted(work))
        for name, look in self._gets().items():
            self.app.router.add_get(f"/admin/{name}", _asked(look))

    def _posts(self) -> dict[str, Callable[[Json], Awaitable[Json]]]:
        stage = self._stage

        async def says(given: Json) -> Json:
            file = (given["file"]["name"], base64.b64decode(given["file"]["base64"])) if given.get("file") else None
            where, sender = parse_place(given["place"]), given.get("sender", "")
            return {"id": await stage.says(where, given["text"], sender=sender, file=file)}

        return {
            "says": says,
            "presses": _done(lambda it: stage.presses(parse_place(it["place"]), it["receipt"], it["choice"])),
            "redeliver": _done(lambda it: stage.redeliver(it["id"])),
            "limit": _done(lambda it: stage.limit(it["times"], it["after"])),
            "fail": _done(lambda it: stage.fail(it["times"])),
            "swallow": _done(lambda it: stage.swallow(it["times"])),
            "cut": _done(lambda _: stage.cut()),
            "restore": _done(lambda _: stage.restore()),
        }

    def _gets(self) -> dict[str, Callable[[Place | None], Awaitable[Json]]]:
        stage = self._stage

        async def files(place: Place | None) -> Json:
            found = await stage.files(place or stage.room)
            return {"files": [{"name": name, "base64": base64.b64encode(data).decode()} for name, data in found]}

        async def texts(place: Place | None) -> Json:
            return {"texts": await stage.texts(place or stage.room)}

        async def typed(place: Place | None) -> Json:
            return {"times": await stage.typed(place or stage.room)}

        async def violations(_: Place | None) -> Json:
            return {"violations": stage.violations()}

        return {"files": files, "texts": texts, "typed": typed, "violations": violations}


def main(stage: Callable[[], Stage]) -> None:
    asyncio.run(_serve(stage()))


async def _serve(stage: Stage) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with stage:
        runner = web.AppRunner(Admin(stage).app, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            print(json.dumps(_said(stage, runner.addresses[0][1])), flush=True)
            await ended.wait()
        finally:
            await runner.cleanup()


def _said(stage: Stage, port: int) -> Json:
    return {
        "name": stage.name,
        "settings": dict(stage.settings()),
        "admin": f"http://127.0.0.1:{port}/admin",
        "room": stage.room.key,
        "group": stage.group.key if stage.group else None,
        "owner": stage.owner,
        "stranger": stage.stranger,
    }


def _done(work: Callable[[Json], Awaitable[None]]) -> Callable[[Json], Awaitable[Json]]:
    async def done(given: Json) -> Json:
        await work(given)
        return {}

    return done


def _posted(work: Callable[[Json], Awaitable[Json]]) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def answer(request: web.Request) -> web.Response:
        given: Json = await request.json() if request.can_read_body else {}
        return web.json_response(await work(given))

    return answer


def _asked(look: Callable[[Place | None], Awaitable[Json]]) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def answer(request: web.Request) -> web.Response:
        key = request.query.get("place")
        return web.json_response(await look(parse_place(key) if key else None))

    return answer
