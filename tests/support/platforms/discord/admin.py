"""The stand-in driven from another process: the methods of its stage as JSON over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from baton.core.place import Place, parse_place

if TYPE_CHECKING:
    from tests.support.platforms.discord.server import DiscordServer


class Admin:
    def __init__(self, server: DiscordServer) -> None:
        self._server = server

    async def says(self, request: web.Request) -> web.Response:
        body = await request.json()
        place = parse_place(body["place"])
        return web.json_response({"id": await self._server.says(place, body["text"], sender=body.get("sender", ""))})

    async def presses(self, request: web.Request) -> web.Response:
        body = await request.json()
        await self._server.presses(parse_place(body["place"]), body["receipt"], body["choice"])
        return web.json_response({})

    async def redeliver(self, request: web.Request) -> web.Response:
        await self._server.redeliver((await request.json())["id"])
        return web.json_response({})

    async def limit(self, request: web.Request) -> web.Response:
        body = await request.json()
        self._server.limit(body["times"], body["after"])
        return web.json_response({})

    async def fail(self, request: web.Request) -> web.Response:
        self._server.fail((await request.json())["times"])
        return web.json_response({})

    async def swallow(self, request: web.Request) -> web.Response:
        body = await request.json()
        self._server.swallow(body["times"], hang=body.get("hang", False))
        return web.json_response({})

    async def cut(self, _: web.Request) -> web.Response:
        await self._server.cut()
        return web.json_response({})

    async def restore(self, _: web.Request) -> web.Response:
        await self._server.restore()
        return web.json_response({})

    async def texts(self, request: web.Request) -> web.Response:
        return web.json_response({"texts": self._server.texts(_place(request))})

    async def typed(self, request: web.Request) -> web.Response:
        return web.json_response({"typed": self._server.typed(_place(request))})

    async def violations(self, _: web.Request) -> web.Response:
        return web.json_response({"violations": self._server.violations()})


def admin_routes(server: DiscordServer) -> list[web.RouteDef]:
    admin = Admin(server)
    posts = (
        admin.says,
        admin.presses,
        admin.redeliver,
        admin.limit,
        admin.fail,
        admin.swallow,
        admin.cut,
        admin.restore,
    )
    gets = (admin.texts, admin.typed, admin.violations)
    return [
        *(web.post(f"/admin/{each.__name__}", each) for each in posts),
        *(web.get(f"/admin/{each.__name__}", each) for each in gets),
    ]


def _place(request: web.Request) -> Place:
    return parse_place(request.query["place"])
