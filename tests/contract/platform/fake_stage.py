"""The platform in memory, on its own stage."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from baton.core.errors import SendLater
from baton.core.transfer.place import Place
from baton.ports.platform import Abilities, Platform
from baton.testing.platform import ALL, FakePlatform
from baton.testing.service import FakeService


class FakeStage:
    name = "fake"
    lacks: Mapping[str, str] = {
        "markup": "it shows Markdown as it is written",
        "quoted": "people there quote nobody",
        "forwarded": "people there pass nothing on",
        "mentions": "nobody is notified there",
    }
    room = Place("fake", "den")
    group: Place | None = Place("fake", "hall")
    owner = "fake:owner"
    stranger = "fake:stranger"
    abilities: Abilities = ALL

    def __init__(self) -> None:
        self.service = FakeService()

    async def __aenter__(self) -> FakeStage:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def platform(self) -> Platform:
        return FakePlatform(self.service, self.abilities)

    def imposter(self) -> Platform:
        return FakePlatform(self.service, self.abilities, token="another")

    def settings(self) -> Mapping[str, object]:
        return {"token": self.service.token}

    async def says(self, place: Place, text: str, *, sender: str = "", file: tuple[str, bytes] | None = None) -> str:
        files = [file] if file else []
        return self.service.says(place, text, sender, name="Owner", direct=place.room == "den", files=files)

    async def presses(self, place: Place, receipt: str, choice: str) -> None:
        self.service.presses(place, receipt, choice)

    async def leaves(self, place: Place, sender: str) -> None:
        self.service.left.add((place, sender))

    async def redeliver(self, message_id: str) -> None:
        self.service.redeliver(message_id)

    async def texts(self, place: Place) -> list[str]:
        return self.service.texts(place)

    async def files(self, place: Place) -> list[tuple[str, bytes]]:
        return [each.file for each in self.service.messages(place) if each.file]

    async def typed(self, place: Place) -> int:
        return self.service.typed.get(place, 0)

    async def limit(self, times: int, after: float) -> None:
        self.service.trouble(SendLater(platform=self.name, reason="too many", after=after), times)

    async def fail(self, times: int) -> None:
        self.service.trouble(SendLater(platform=self.name, reason="an internal error"), times)

    async def swallow(self, times: int) -> None:
        self.service.swallow(times)

    async def cut(self) -> None:
        self.service.cut()

    async def restore(self) -> None:
        self.service.restore()

    def violations(self) -> list[str]:
        return []


class ProbingStage(FakeStage):
    """A platform that can be asked what it has."""

    abilities = Abilities(limit=500, unit="utf16", once="probe", threads=True)


class BareStage(FakeStage):
    """A platform that can do nothing but carry text."""

    abilities = Abilities(limit=300, unit="bytes", once="none")
