"""The whole stand-in: people who write and press buttons, and the server they do it on."""

from __future__ import annotations

import asyncio
import secrets
from types import TracebackType
from typing import Any

from aiohttp import web

from baton.core.transfer.place import Place
from tests.support.platforms.discord import shapes
from tests.support.platforms.discord.gateway import Gateway
from tests.support.platforms.discord.rest import PREFIX, Rest
from tests.support.platforms.discord.rules import Rules
from tests.support.platforms.discord.shapes import Json
from tests.support.platforms.discord.world import World


class DiscordServer:
    """Use as `async with`. Listens on 127.0.0.1 on a free port."""

    def __init__(self) -> None:
        self.world = World()
        self.rules = Rules()
        self.gateway = Gateway(self.world, self.rules, lambda: self.gateway_address)
        self.rest = Rest(self.world, self.gateway, self.rules)
        self._origin = ""
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> DiscordServer:
        app = web.Application(client_max_size=64 * 2**20)
        app.add_routes([web.get("/gateway/", self.gateway.serve), web.get("/gateway", self.gateway.serve)])
        app.add_routes(self.rest.routes())
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self._origin = f"127.0.0.1:{port}"
        self.world.base = f"http://{self._origin}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def gateway_address(self) -> str:
        return f"ws://{self._origin}/gateway"

    def settings(self) -> dict[str, object]:
        api = f"http://{self._origin}{PREFIX}"
        return {"token": self.world.token, "api": api, "gateway": self.gateway_address}

    async def says(
        self,
        place: Place,
        text: str,
        *,
        sender: str = "",
        file: tuple[str, bytes] | None = None,
        **more: Any,
    ) -> str:
        """`more` are further fields of the message, such as what it answers."""
        author = self.world.people[sender.partition(":")[2] or self.world.owner["id"]]
        channel_id = place.thread or place.room
        assert self.world.visible(channel_id, author["id"]), "this person cannot see that place"
        private = self.world.channels[channel_id].get("recipients")
        assert private is None or author in private, "nobody else writes in a private chat"
        if file is not None:
            more["attachments"] = [self.world.add_file(channel_id, *file, "application/octet-stream")]
        made = self.world.add_message(channel_id, author, text, **more)
        await self.rest.publish("MESSAGE_CREATE", made)
        return made["id"]

    async def quotes(self, place: Place, quoted: str, text: str) -> str:
        """The owner answers the stranger."""
        channel_id = place.thread or place.room
        answered = self.world.add_message(channel_id, self.world.stranger, quoted)
        reference = {"type": 0, "channel_id": channel_id, "message_id": answered["id"]}
        return await self.says(place, text, type=19, message_reference=reference, referenced_message=answered)

    async def forwards(self, place: Place, text: str) -> None:
        """The owner passes on a message of the stranger's."""
        elsewhere = shapes.message(self.world.new_id(), place.room, self.world.stranger, text)
        reference = {"type": 1, "channel_id": place.room, "message_id": elsewhere["id"]}
        names = ("type", "content", "mentions", "mention_roles", "attachments", "embeds", "timestamp", "flags")
        copy = {name: elsewhere[name] for name in (*names, "edited_timestamp", "components")}
        await self.says(place, "", message_reference=reference, message_snapshots=[{"message": copy}])

    async def presses(self, place: Place, receipt: str, choice: str) -> str:
        """The owner presses a button; gives back the id of the interaction."""
        channel_id = place.thread or place.room
        found = self.world.message(channel_id, receipt)
        choices = [each["custom_id"] for row in found["components"] for each in row["components"]]
        assert choice in choices, f"there is no button {choice!r}, only {choices}"
        interaction = self._interaction(channel_id, found, choice)
        self.rest.interactions[interaction["id"]] = interaction["token"]
        await self.gateway.dispatch("INTERACTION_CREATE", interaction)
        return interaction["id"]

    async def redeliver(self, message_id: str) -> None:
        await self.rest.publish("MESSAGE_CREATE", self.world.messages[message_id])

    def texts(self, place: Place) -> list[str]:
        return [each["content"] for each in self._ours(place)]

    def files(self, place: Place) -> list[tuple[str, bytes]]:
        found = [each for message in self._ours(place) for each in message["attachments"]]
        return [(each["filename"], self._data(each)) for each in found]

    def typed(self, place: Place) -> int:
        return self.world.typed.get(place.thread or place.room, 0)

    def limit(self, times: int, after: float) -> None:
        self.rest.faults.limit, self.rest.faults.after = times, after

    def fail(self, times: int) -> None:
        self.rest.faults.fail = times

    def swallow(self, times: int, *, hang: bool = False) -> None:
        self.rest.faults.swallow, self.rest.faults.hang = times, hang

    async def cut(self) -> None:
        self.gateway.cut = True
        await self.gateway.drop()

    async def restore(self) -> None:
        self.gateway.cut = False
        await asyncio.sleep(0)

    def violations(self) -> list[str]:
        return self.rules.violations

    def _ours(self, place: Place) -> list[Json]:
        found = self.world.in_channel(place.thread or place.room)
        return [each for each in found if each["author"]["id"] == self.world.bot["id"]]

    def _data(self, attachment: Json) -> bytes:
        path = attachment["url"].removeprefix(self.world.base).partition("?")[0]
        return self.world.files[path]

    def _interaction(self, channel_id: str, message: Json, choice: str) -> Json:
        world, channel = self.world, self.world.channel(channel_id)
        who: Json = {"user": world.owner}
        if channel["type"] != 1:
            who = {"member": {**shapes.member(world.owner), "permissions": "0"}, "guild_id": world.guild_id}
        return {
            "id": world.new_id(),
            "application_id": world.application_id,
            "type": 3,
            "token": secrets.token_urlsafe(24),
            "version": 1,
            "channel_id": channel_id,
            "channel": channel,
            "message": message,
            "data": {"custom_id": choice, "component_type": 2},
            "locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {},
            "attachment_size_limit": 10_485_760,
            **who,
        }
