"""Matrix as a platform. Threads are `m.thread` relations; a transaction id made from the key makes a send happen once.

Imports its library: the registry imports this module only if Matrix is configured. Every invitation is accepted: who
may speak to us is decided later.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from baton.adapters.platforms.absence import owner_absent
from baton.adapters.platforms.addresses import check_private
from baton.adapters.platforms.json_fields import Json, table
from baton.adapters.platforms.matrix.api import Api, path, refusal, send_later
from baton.adapters.platforms.matrix.encryption import Machine, open_machine
from baton.adapters.platforms.matrix.inbound import (
    NOTICE,
    Receiver,
    UndecryptedMessage,
    UndecryptedMessages,
    hold_device,
)
from baton.adapters.platforms.matrix.login import log_in
from baton.adapters.platforms.matrix.outbound import (
    LIMIT,
    Sender,
    fetch_file,
    put_in_thread,
    render_edit,
    render_file,
    render_text,
    size,
    transaction_id,
    upload_file,
)
from baton.adapters.platforms.matrix.place import NAME, place, room_of
from baton.adapters.platforms.matrix.sync import Sync
from baton.config.platform_settings import MatrixSettings
from baton.core.display import one_line
from baton.core.errors import BadCredentials, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Abilities, File, Greeting, Outgoing, Platform, PlatformState, Sink

REPLACED = "that room was upgraded; invite Baton into the new one and send !sethome there"
NOT_IN_ROOM = "Baton is not in that room any more; invite it again"
_TITLE = 200
_TYPING_MS = 10_000
_REMEMBERED = 1_000
_PATIENCE = 60.0


def open_platform(settings: MatrixSettings, state: PlatformState, home: Path) -> Platform:
    """`BadCredentials` if `user` or `password` is not set."""
    if not settings.user or not settings.password:
        raise BadCredentials(platform=NAME, reason="`user` and `password` are not both set")
    return Matrix(settings.homeserver, settings.user, settings.password, state=state, home=home)


class Matrix:
    """`home` keeps the login and the keys of the device. After `patience` seconds people are told of a message that
    could not be decrypted.
    """

    name = NAME
    abilities = Abilities(LIMIT, "bytes", "key", threads=True, edits=True, typing=True, files=True, alone=True)

    def __init__(
        self,
        homeserver: str,
        user: str,
        password: str,
        *,
        state: PlatformState,
        home: Path,
        patience: float = _PATIENCE,
    ) -> None:
        self._homeserver = homeserver
        self._user = user
        self._password = password
        self._state = state
        self._home = home
        self._patience = patience
        self._api = Api(homeserver)
        self._machine: Machine | None = None
        self._sent: deque[str] = deque(maxlen=_REMEMBERED)

    def size(self, text: str) -> int:
        return size(text)

    def room(self, text: str) -> Place:
        return room_of(text)

    async def connect(self, commands: Greeting) -> str:  # noqa: ARG002 - Matrix lists no commands
        if self._machine is None:
            check_private(NAME, self._homeserver, "the password and every message")
            login = await log_in(self._api, self._homeserver, self._user, self._password, self._home)
            machine = open_machine(self._api, login, self._home)
            self._sender = Sender(self._api, machine)
            self._sync = Sync(self._api, machine, self._state)
            self._receiver = Receiver(
                machine,
                self._sync,
                UndecryptedMessages(self._state),
                is_ours=self._is_ours,
                tell=self._tell,
                patience=self._patience,
            )
            self._machine = machine
        await self._sync.begin()
        return self._machine.user_id

    async def run(self, sink: Sink) -> None:
        with hold_device(self._home):
            await self._receiver.run(sink)

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        said = render_text(message.text)
        if message.file is not None:
            sealed = await self._sender.is_encrypted(place.room)
            try:
                where = await upload_file(self._api, message.file, seal=sealed)
            except SendUnsure as unsure:
                raise SendLater(**unsure.facts) from None
            said = render_file(message.file, message.text, where)
        return await self._put(place, put_in_thread(place, said), transaction_id(key))

    async def find(self, place: Place, key: str) -> str | None:  # noqa: ARG002 - a key that is known is dropped
        return None

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        await self._put(place, render_edit(receipt, render_text(message.text)), f"baton-edit-{token_hex(16)}")

    async def show_typing(self, place: Place) -> None:
        user = self._machine.user_id if self._machine is not None else self._user
        body = {"typing": True, "timeout": _TYPING_MS}
        with suppress(SendRefused, SendUnsure, BadCredentials):
            await self._api.tell("PUT", path("rooms", place.room, "typing", user), body)

    async def open_thread(self, room: Place, title: str, key: str) -> Place:
        seed: dict[str, object] = {"msgtype": "m.text", "body": one_line(title, _TITLE) or "…", "m.mentions": {}}
        return place(room.room, await self._put(place(room.room), seed, transaction_id(key)))

    async def check_reader(self, room: Place, people: Collection[str]) -> None:
        """A room that was upgraded is empty, even if everybody is still listed in it."""
        replaced = await self._read_state(room.room, "m.room.tombstone")
        if replaced is not None:
            raise refusal(REPLACED)
        try:
            joined = await self._api.ask(path("rooms", room.room, "joined_members"))
        except SendRefused:
            raise refusal(NOT_IN_ROOM) from None
        members = {f"{NAME}:{each}" for each in table(joined.get("joined"))}
        if members.isdisjoint(people):
            raise owner_absent(NAME)

    async def _read_state(self, room_id: str, kind: str) -> Json | None:
        """None if the room has no such state, or we cannot see it."""
        try:
            return await self._api.ask(path("rooms", room_id, "state", kind))
        except SendRefused:
            return None

    async def fetch(self, file: File) -> bytes:
        return await fetch_file(self._api, file.ref)

    async def close(self) -> None:
        if self._machine is not None:
            await self._machine.close()
        await self._api.close()

    async def _put(self, place: Place, said: dict[str, object], transaction: str) -> str:
        if self._machine is None:
            raise send_later("we are not connected")
        receipt = await self._sender.put(place.room, said, transaction)
        self._sent.append(receipt)
        if not self._state.get(_spoken_key(place.room)):
            self._state.put(_spoken_key(place.room), "yes")
        return receipt

    async def _is_ours(self, room_id: str, event_id: str) -> bool:
        if event_id in self._sent:
            return True
        try:
            event = await self._api.ask(path("rooms", room_id, "event", event_id))
        except (SendRefused, SendLater):
            return False
        return self._machine is not None and event.get("sender") == self._machine.user_id

    async def _tell(self, waiting: UndecryptedMessage) -> None:
        """Only where we have spoken before: to strangers we are silent."""
        if self._state.get(_spoken_key(waiting.room)):
            key = f"unreadable {waiting.event.get('event_id')}"
            await self.send(waiting.place, Outgoing(NOTICE), key)


def _spoken_key(room_id: str) -> str:
    return f"spoken {room_id}"
