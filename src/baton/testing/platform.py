"""A platform in memory, under the same contract suite as the real ones."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection

from baton.core.errors import BadCredentials, BadPlace, SendRefused
from baton.core.transfer.place import Place
from baton.ports.platform import Abilities, File, Greeting, Outgoing, Sink
from baton.testing.service import FakeService

ALL = Abilities(limit=2_000, unit="chars", once="key", threads=True, edits=True, typing=True, files=True, buttons=True)
"""A platform that can do everything."""

_AGAIN = 0.01
_log = logging.getLogger("baton.platforms")


class FakePlatform:
    """Speaks to a `FakeService`; what was not acknowledged there is delivered again to the next one that runs.

    Markdown is shown as it is written.
    """

    def __init__(self, service: FakeService, abilities: Abilities = ALL, *, token: str = "") -> None:
        self.service = service
        self.name = service.name
        self.abilities = abilities
        self.commands: Greeting = ()
        self.closed = False
        self._token = token or service.token

    def size(self, text: str) -> int:
        if self.abilities.unit == "chars":
            return len(text)
        if self.abilities.unit == "utf16":
            return len(text.encode("utf-16-le", "surrogatepass")) // 2
        return len(text.encode("utf-8", "surrogatepass"))

    def room(self, text: str) -> Place:
        if not text or not text.isprintable():
            raise BadPlace(value=repr(text), reason="it is not the name of a room")
        return self.place(text)

    def place(self, room: str, thread: str = "") -> Place:
        """The one constructor of places."""
        return Place(self.name, room, thread)

    async def connect(self, commands: Greeting) -> str:
        if self._token != self.service.token:
            raise BadCredentials(platform=self.name, reason="the token is wrong")
        self.commands = commands
        return "Baton"

    async def run(self, sink: Sink) -> None:
        while True:
            message = await self.service.next_message()
            try:
                await sink(message)
            except Exception as error:  # noqa: BLE001 - an edge: what was not kept comes again
                _log.warning("%s: a message could not be kept yet: %s", self.name, type(error).__name__)
                await asyncio.sleep(_AGAIN)
            else:
                self.service.acknowledge(message)

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        if not message.text.strip() and message.file is None:
            raise SendRefused(platform=self.name, reason="the message is empty")
        if (size := self.size(message.text)) > self.abilities.limit:
            raise SendRefused(platform=self.name, reason=f"{size} {self.abilities.unit} are more than the limit")
        return await self.service.post(place, message, key, drop_known=self.abilities.once == "key")

    async def find(self, place: Place, key: str) -> str | None:
        return self.service.find(place, key) if self.abilities.once == "probe" else None

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        if not self.service.change(place, receipt, message):
            raise SendRefused(platform=self.name, reason="there is no such message")

    async def show_typing(self, place: Place) -> None:
        self.service.typed[place] = self.service.typed.get(place, 0) + 1

    async def open_thread(self, room: Place, title: str, key: str) -> Place:
        if not self.abilities.threads:
            return room
        if key not in self.service.opened:
            thread = self.place(room.room, f"t{len(self.service.opened) + 1}")
            self.service.opened[key] = thread
            self.service.titles[thread] = title[:100]
        return self.service.opened[key]

    async def check_reader(self, room: Place, people: Collection[str]) -> None:
        if people and all((self.place(room.room), each) in self.service.left for each in people):
            raise SendRefused(platform=self.name, reason="you are not in that room now")

    async def fetch(self, file: File) -> bytes:
        if (data := self.service.fetch(file.ref)) is None:
            raise SendRefused(platform=self.name, reason="the file is gone")
        return data

    async def close(self) -> None:
        self.closed = True
