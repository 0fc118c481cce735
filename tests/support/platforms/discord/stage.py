"""Discord's stage for the contract suite."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from baton.adapters.platforms.discord.platform import open_platform
from baton.config.platform_settings import DiscordSettings
from baton.core.transfer.place import Place
from baton.ports.platform import Platform
from tests.support.platforms.discord.server import DiscordServer
from tests.support.platforms.state import MemoryState


class DiscordStage:
    name = "discord"
    lacks: Mapping[str, str] = {"markup": "Discord shows Markdown by itself: what is sent is what was written"}

    def __init__(self) -> None:
        self.server = DiscordServer()
        self.state = MemoryState()
        world = self.server.world
        self.room = Place("discord", world.room["id"])
        self.group: Place | None = Place("discord", world.group["id"])
        self.chat = Place("discord", world.chat["id"])
        self.owner = f"discord:{world.owner['id']}"
        self.stranger = f"discord:{world.stranger['id']}"
        self.calls = [f"<@{world.owner['id']}>", f"<@!{world.stranger['id']}>", f"<@&{world.guild_id}>"]

    async def __aenter__(self) -> DiscordStage:
        await self.server.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.server.__aexit__(kind, error, trace)

    def platform(self) -> Platform:
        return open_platform(self._settings(), self.state, Path("unused"))

    def imposter(self) -> Platform:
        return open_platform(self._settings(token="not.a.token"), MemoryState(), Path("unused"))

    def settings(self) -> Mapping[str, object]:
        return self.server.settings()

    async def says(self, place: Place, text: str, *, sender: str = "", file: tuple[str, bytes] | None = None) -> str:
        return await self.server.says(place, text, sender=sender, file=file)

    async def quotes(self, place: Place, quoted: str, text: str) -> str:
        return await self.server.quotes(place, quoted, text)

    async def forwards(self, place: Place, text: str) -> None:
        await self.server.forwards(place, text)

    async def leaves(self, place: Place, sender: str) -> None:
        self.server.world.left.add(sender.removeprefix("discord:"))

    async def called(self) -> list[str]:
        return self.server.world.called

    async def presses(self, place: Place, receipt: str, choice: str) -> None:
        await self.server.presses(place, receipt, choice)

    async def redeliver(self, message_id: str) -> None:
        await self.server.redeliver(message_id)

    async def texts(self, place: Place) -> list[str]:
        return self.server.texts(place)

    async def files(self, place: Place) -> list[tuple[str, bytes]]:
        return self.server.files(place)

    async def typed(self, place: Place) -> int:
        return self.server.typed(place)

    async def limit(self, times: int, after: float) -> None:
        self.server.limit(times, after)

    async def fail(self, times: int) -> None:
        self.server.fail(times)

    async def swallow(self, times: int) -> None:
        self.server.swallow(times)

    async def cut(self) -> None:
        await self.server.cut()

    async def restore(self) -> None:
        await self.server.restore()

    def violations(self) -> list[str]:
        return self.server.violations()

    def _settings(self, **changes: str) -> DiscordSettings:
        given = {name: str(each) for name, each in self.server.settings().items()}
        return DiscordSettings(**{**given, **changes})
