"""Telegram for the contract suite: the strict fake, its people, and adapters that speak to it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from baton.adapters.platforms.telegram.platform import open_platform
from baton.config.platform_settings import TelegramSettings
from baton.core.transfer.place import Place
from baton.ports.platform import Platform
from tests.support.platforms.state import MemoryState
from tests.support.platforms.telegram.people import People
from tests.support.platforms.telegram.server import BotApi, Trouble
from tests.support.platforms.telegram.world import FORUM, GROUP, OWNER, STRANGER, TOKEN

_HELD = 0.2
"""Seconds after which a connection whose answer never comes is cut."""


class TelegramStage:
    name = "telegram"
    lacks: Mapping[str, str] = {}
    room = Place("telegram", str(OWNER))
    group: Place | None = Place("telegram", str(GROUP))
    forum = Place("telegram", str(FORUM))
    owner = f"telegram:{OWNER}"
    stranger = f"telegram:{STRANGER}"
    calls = (
        "@olga",
        "**@Olga**",
        "/@olga",
        "[Olga](tg://user?id=777)",
        "https://example.org/@olga @olga",
        "`x` 😀 @olga",
    )

    def __init__(self, held: float = _HELD) -> None:
        self._held = held
        self.server = BotApi()
        self.people = People(self.server)
        self.state = MemoryState()

    async def __aenter__(self) -> TelegramStage:
        await self.server.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.server.__aexit__(kind, error, trace)

    def platform(self) -> Platform:
        return self._open(TOKEN)

    def imposter(self) -> Platform:
        return self._open(TOKEN[:-1] + "X")

    def _open(self, token: str) -> Platform:
        settings = TelegramSettings(token=token, api=self.server.url)
        return open_platform(settings, self.state, Path(tempfile.gettempdir()))

    def settings(self) -> Mapping[str, object]:
        return {"token": TOKEN, "api": self.server.url}

    async def says(self, place: Place, text: str, *, sender: str = "", file: tuple[str, bytes] | None = None) -> str:
        return self.people.says(place, text, sender=sender, file=file)

    async def quotes(self, place: Place, quoted: str, text: str) -> str:
        return self.people.quotes(place, quoted, text)

    async def forwards(self, place: Place, text: str) -> None:
        self.people.forwards(place, text)

    async def leaves(self, place: Place, sender: str) -> None:
        chat = self.server.world.chats[int(place.room)]
        chat.members -= {int(sender.removeprefix("telegram:"))}

    async def called(self) -> list[str]:
        return self.people.called()

    async def presses(self, place: Place, receipt: str, choice: str) -> None:
        self.people.presses(place, receipt, choice)

    async def redeliver(self, message_id: str) -> None:
        self.people.redeliver(message_id)

    async def texts(self, place: Place) -> list[str]:
        return self.people.texts(place)

    async def files(self, place: Place) -> list[tuple[str, bytes]]:
        return self.people.files(place)

    async def typed(self, place: Place) -> int:
        return self.people.typed(place)

    async def limit(self, times: int, after: float) -> None:
        self.server.troubles.extend([Trouble("limit", after)] * times)

    async def fail(self, times: int) -> None:
        self.server.troubles.extend([Trouble("fail")] * times)

    async def swallow(self, times: int) -> None:
        self.server.troubles.extend([Trouble("swallow", self._held)] * times)

    async def cut(self) -> None:
        self.server.cut()

    async def restore(self) -> None:
        self.server.restore()

    def violations(self) -> list[str]:
        return list(self.server.violations)
