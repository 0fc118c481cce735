"""WhatsApp's stage: two people with telephones, and our number."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from baton.adapters.platforms.whatsapp.platform import open_platform
from baton.config.platform_settings import WhatsAppSettings
from baton.core.transfer.place import Place
from baton.ports.platform import Platform
from tests.support.platforms.state import MemoryState
from tests.support.platforms.whatsapp.seen import seen
from tests.support.platforms.whatsapp.server import SECRET, VERIFY, WhatsAppServer, text_of

LONGEST_TEXT = 65_536
OWNER, STRANGER = "15550100001", "15550100002"


class WhatsAppStage:
    name = "whatsapp"
    lacks: Mapping[str, str] = {
        "quoted": "a call names the message that is answered and holds nothing of it",
        "mentions": "Meta's API has no way to call somebody",
    }
    owner, stranger = f"whatsapp:{OWNER}", f"whatsapp:{STRANGER}"

    def __init__(self) -> None:
        self.room = Place("whatsapp", OWNER)
        self.group: Place | None = None
        self.state = MemoryState()
        self.server: WhatsAppServer

    async def __aenter__(self) -> WhatsAppStage:
        self.server = WhatsAppServer()
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
        return open_platform(self._settings(self.server.token), self.state, Path())

    def imposter(self) -> Platform:
        return open_platform(self._settings("EAAwrong"), MemoryState(), Path())

    def settings(self) -> Mapping[str, object]:
        found = self._settings(self.server.token)
        names = ("number_id", "token", "app_secret", "verify_token", "listen", "api")
        return {name: getattr(found, name) for name in names}

    def _settings(self, token: str) -> WhatsAppSettings:
        server = self.server
        return WhatsAppSettings(server.number_id, token, SECRET, VERIFY, server.listen, f"{server.url}/v23.0")

    async def says(self, place: Place, text: str, *, sender: str = "", file: tuple[str, bytes] | None = None) -> str:
        person = (sender or self.owner).removeprefix("whatsapp:")
        assert place.room == person, "nobody writes in somebody else's room"
        assert len(text) <= LONGEST_TEXT, "the app does not let people write this much"
        return await self.server.says(person, text, file)

    async def forwards(self, place: Place, text: str) -> None:
        await self.server.says(place.room, text, None, forwarded=True)

    async def forge(self, how: str, text: str) -> int:
        """The status of a call with this text that is not signed as it should be."""
        return await self.server.forge(self.room.room, how, text)

    async def presses(self, place: Place, receipt: str, choice: str) -> None:
        await self.server.presses(place.room, receipt, choice)

    async def redeliver(self, message_id: str) -> None:
        self.server.redeliver(message_id)

    async def texts(self, place: Place) -> list[str]:
        shown = [text_of(each.body) for each in self.server.shown if each.room == place.room]
        return [seen(text) for text in shown if text]

    async def files(self, place: Place) -> list[tuple[str, bytes]]:
        return [file for each in self.server.shown if each.room == place.room for file in each.files]

    async def typed(self, place: Place) -> int:
        return self.server.typed[place.room]

    async def limit(self, times: int, after: float) -> None:
        self.server.faults.limit, self.server.faults.after = times, after

    async def fail(self, times: int) -> None:
        self.server.faults.fail = times

    async def swallow(self, times: int) -> None:
        self.server.faults.swallow = times

    async def cut(self) -> None:
        self.server.caller.cut()

    async def restore(self) -> None:
        self.server.caller.restore()

    def violations(self) -> list[str]:
        return self.server.violations()
