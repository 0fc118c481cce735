"""Matrix as a platform. Threads are `m.thread` relations; a transaction id made from the key makes a send happen once.

We accept invitations, to rooms of two and of many: who may speak to us is decided where the messages go.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from baton.adapters.platforms.addresses import check_private
from baton.adapters.platforms.matrix import content, files
from baton.adapters.platforms.matrix.errors import later
from baton.adapters.platforms.matrix.login import log_in
from baton.adapters.platforms.matrix.machine import Machine, open_machine
from baton.adapters.platforms.matrix.place import NAME, place, room_of
from baton.adapters.platforms.matrix.receiving import Receiving, only_one
from baton.adapters.platforms.matrix.speaking import Speaking
from baton.adapters.platforms.matrix.syncing import Syncing
from baton.adapters.platforms.matrix.unreadable import NOTICE, Unreadable, Waiting
from baton.adapters.platforms.matrix.wire import Wire, path
from baton.config.platform_settings import MatrixSettings
from baton.core.display import one_line
from baton.core.errors import BadCredentials, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Abilities, File, Greeting, Outgoing, Platform, Shelf, Sink

_TITLE = 200
_TYPING_MS = 10_000
_REMEMBERED = 1_000
_PATIENCE = 60.0


def open_platform(settings: MatrixSettings, shelf: Shelf, home: Path) -> Platform:
    """Not connected yet. `BadCredentials` if `user` or `password` is not set."""
    if not settings.user or not settings.password:
        raise BadCredentials(platform=NAME, reason="`user` and `password` are not both set")
    return Matrix(settings.homeserver, settings.user, settings.password, shelf=shelf, home=home)


class Matrix:
    """Use `connect` first. `home` keeps the login and the keys of the device. People are told of a message
    that could not be decrypted for `patience` seconds."""

    name = NAME
    abilities = Abilities(content.LIMIT, "bytes", "key", threads=True, edits=True, typing=True, files=True, alone=True)

    def __init__(
        self, homeserver: str, user: str, password: str, *, shelf: Shelf, home: Path, patience: float = _PATIENCE
    ) -> None:
        self._homeserver = homeserver
        self._user = user
        self._password = password
        self._shelf = shelf
        self._home = home
        self._patience = patience
        self._wire = Wire(homeserver)
        self._machine: Machine | None = None
        self._sent: deque[str] = deque(maxlen=_REMEMBERED)

    def size(self, text: str) -> int:
        return content.size(text)

    def room(self, text: str) -> Place:
        return room_of(text)

    async def connect(self, commands: Greeting) -> str:  # noqa: ARG002 - Matrix lists no commands
        if self._machine is None:
            check_private(NAME, self._homeserver, "the password and every message")
            login = await log_in(self._wire, self._homeserver, self._user, self._password, self._home)
            machine = open_machine(self._wire, login, self._home)
            self._speaking = Speaking(self._wire, machine)
            self._syncing = Syncing(self._wire, machine, self._shelf)
            self._receiving = Receiving(
                machine,
                self._syncing,
                Unreadable(self._shelf),
                is_ours=self._is_ours,
                tell=self._tell,
                patience=self._patience,
            )
            self._machine = machine
        await self._syncing.begin()
        return self._machine.user_id

    async def run(self, sink: Sink) -> None:
        with only_one(self._home):
            await self._receiving.run(sink)

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        said = content.words(message.text)
        if message.file is not None:
            sealed = await self._speaking.is_sealed(place.room)
            try:
                where = await files.upload(self._wire, message.file, seal=sealed)
            except SendUnsure as unsure:
                raise SendLater(**unsure.facts) from None
            said = content.attachment(message.file, message.text, where)
        return await self._put(place, content.within(place, said), content.transaction(key))

    async def find(self, place: Place, key: str) -> str | None:  # noqa: ARG002 - a key that is known is dropped
        return None

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        await self._put(place, content.replacing(receipt, content.words(message.text)), f"baton-edit-{token_hex(16)}")

    async def typing(self, place: Place) -> None:
        user = self._machine.user_id if self._machine is not None else self._user
        body = {"typing": True, "timeout": _TYPING_MS}
        with suppress(SendRefused, SendUnsure, BadCredentials):
            await self._wire.tell("PUT", path("rooms", place.room, "typing", user), body)

    async def open_thread(self, room: Place, title: str, key: str) -> Place:
        seed: dict[str, object] = {"msgtype": "m.text", "body": one_line(title, _TITLE) or "…", "m.mentions": {}}
        return place(room.room, await self._put(place(room.room), seed, content.transaction(key)))

    async def fetch(self, file: File) -> bytes:
        return await files.fetch(self._wire, file.ref)

    async def close(self) -> None:
        if self._machine is not None:
            await self._machine.close()
        await self._wire.close()

    async def _put(self, place: Place, said: dict[str, object], transaction: str) -> str:
        if self._machine is None:
            raise later("we are not connected")
        receipt = await self._speaking.put(place.room, said, transaction)
        self._sent.append(receipt)
        if not self._shelf.get(_spoken(place.room)):
            self._shelf.put(_spoken(place.room), "yes")
        return receipt

    async def _is_ours(self, room_id: str, event_id: str) -> bool:
        if event_id in self._sent:
            return True
        try:
            event = await self._wire.ask(path("rooms", room_id, "event", event_id))
        except (SendRefused, SendLater):
            return False
        return self._machine is not None and event.get("sender") == self._machine.user_id

    async def _tell(self, waiting: Waiting) -> None:
        """Only where we were made to speak before: to strangers we are silent."""
        if self._shelf.get(_spoken(waiting.room)):
            key = f"unreadable {waiting.event.get('event_id')}"
            await self.send(waiting.place, Outgoing(NOTICE), key)


def _spoken(room_id: str) -> str:
    return f"spoken {room_id}"
