"""Signal's stage: two people and a group, and our account among them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from baton.adapters.platforms.signal.platform import open_platform
from baton.config.platform_settings import SignalSettings
from baton.core.transfer.place import Place
from baton.ports.platform import Platform
from tests.support.platforms.signal.server import ACCOUNT, GROUP, OWNER, STRANGER, SignalServer
from tests.support.platforms.state import MemoryState


class SignalStage:
    name = "signal"
    lacks: Mapping[str, str] = {"forwarded": "Signal does not tell what was forwarded from what was written"}
    calls = ("@Ann", f"@{OWNER}", f"[Ann](signal:{OWNER})", "\ufffc")
    owner, stranger = f"signal:{OWNER}", f"signal:{STRANGER}"

    def __init__(self) -> None:
        self.room, self.group = Place("signal", OWNER), Place("signal", f"group.{GROUP}")
        self.state = MemoryState()
        self.server: SignalServer

    async def __aenter__(self) -> SignalStage:
        self.server = SignalServer()
        try:
            await self.server.start()
        except BaseException:
            await self.server.stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.server.stop()

    def platform(self) -> Platform:
        return open_platform(SignalSettings(ACCOUNT, self.server.url), self.state, Path())

    def imposter(self) -> Platform:
        return open_platform(SignalSettings("+15559999999", self.server.url), MemoryState(), Path())

    def settings(self) -> Mapping[str, object]:
        return {"account": ACCOUNT, "daemon": self.server.url}

    async def says(self, place: Place, text: str, *, sender: str = "", file: tuple[str, bytes] | None = None) -> str:
        person = (sender or self.owner).removeprefix("signal:")
        group = place.room.removeprefix("group.") if place.room.startswith("group.") else ""
        assert group or place.room == person, "nobody writes in somebody else's room"
        return await self.server.says(person, text, group, file)

    async def quotes(self, place: Place, quoted: str, text: str) -> str:
        group = place.room.removeprefix("group.")
        quote = {"id": 1_790_000_000_000, "author": STRANGER, "authorNumber": None, "authorUuid": STRANGER}
        return await self.server.says(OWNER, text, group, None, quote={**quote, "text": quoted, "attachments": []})

    async def leaves(self, place: Place, sender: str) -> None:
        self.server.members.discard(sender.removeprefix("signal:"))

    async def called(self) -> list[str]:
        return self.server.world.called

    async def presses(self, place: Place, receipt: str, choice: str) -> None:
        raise AssertionError("Signal has no buttons")

    async def redeliver(self, message_id: str) -> None:
        self.server.redeliver(message_id)

    async def texts(self, place: Place) -> list[str]:
        return [each.text for each in self.server.world.shown if each.room == place.room]

    async def files(self, place: Place) -> list[tuple[str, bytes]]:
        return [file for each in self.server.world.shown if each.room == place.room for file in each.files]

    async def typed(self, place: Place) -> int:
        return self.server.world.typed[place.room]

    async def limit(self, times: int, after: float) -> None:
        self.server.faults.limit, self.server.faults.after = times, after

    async def fail(self, times: int) -> None:
        self.server.faults.fail = times

    async def swallow(self, times: int) -> None:
        self.server.faults.swallow = times

    async def cut(self) -> None:
        await self.server.streams.cut()

    async def restore(self) -> None:
        self.server.streams.is_cut = False

    def violations(self) -> list[str]:
        return list(self.server.world.violations)
