"""A messaging service in memory: rooms, people, and trouble on demand. `FakePlatform` is the adapter to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from baton.core.errors import SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.core.value import value
from baton.ports.platform import Button, File, Inbound, Outgoing

Trouble = SendLater | SendRefused | SendUnsure


@value
class Shown:
    """A message of ours as people see it."""

    receipt: str
    text: str
    buttons: tuple[Button, ...] = ()
    file: tuple[str, bytes] | None = None


class FakeService:
    """Keeps what a real service keeps: messages until they are acknowledged, and what was sent, forever.

    Trouble is used up in the order it was added, one for each send. `swallow` shows the message and then raises
    `SendUnsure`; `delay` is how many seconds every send takes.
    """

    def __init__(self, name: str = "fake", token: str = "fake-token-4711") -> None:  # noqa: S107, nobody's
        self.name = name
        self.token = token
        self.delay = 0.0
        self.opened: dict[str, Place] = {}
        self.titles: dict[Place, str] = {}
        self.typed: dict[Place, int] = {}
        self.sent: list[tuple[Place, str]] = []
        self.unacknowledged: list[Inbound] = []
        self.left: set[tuple[Place, str]] = set()
        """Who is no longer in a room."""
        self._shown: dict[Place, list[Shown]] = {}
        self._buttons: set[tuple[Place, str, str]] = set()
        self._keys: dict[tuple[Place, str], str] = {}
        self._troubles: list[Trouble | None] = []
        self._all: dict[str, Inbound] = {}
        self._files: dict[str, bytes] = {}
        self._arrived = asyncio.Event()
        self._reachable = asyncio.Event()
        self._reachable.set()

    def messages(self, place: Place) -> list[Shown]:
        """Our messages in a place, in order, after all edits."""
        return list(self._shown.get(place, ()))

    def texts(self, place: Place) -> list[str]:
        return [each.text for each in self.messages(place) if each.text]

    def says(
        self,
        place: Place,
        text: str,
        sender: str = "",
        *,
        name: str = "",
        direct: bool = True,
        files: Iterable[tuple[str, bytes]] = (),
    ) -> str:
        """Somebody writes; the owner, `<platform>:owner`, unless `sender` is given."""
        return self._arrive(place, text, sender, name=name, direct=direct, files=tuple(map(self._keep, files)))

    def edits(self, message_id: str, text: str) -> str:
        """Somebody changes what they wrote."""
        before = self._all[message_id]
        return self._arrive(before.place, text, before.sender, direct=before.direct, corrects=message_id)

    def sends_odd(self, place: Place, kind: str) -> str:
        """The owner sends what has neither words nor files."""
        return self._arrive(place, "", "", odd=kind)

    def presses(self, place: Place, receipt: str, choice: str, sender: str = "", *, direct: bool = True) -> str:
        """A button that the message has, or had: a client may be slow to take it away."""
        assert (place, receipt, choice) in self._buttons, f"there is no button {choice}"
        return self._arrive(place, "", sender, direct=direct, choice=choice, quotes=receipt)

    def redeliver(self, message_id: str) -> None:
        self.unacknowledged.append(self._all[message_id])
        self._arrived.set()

    def trouble(self, error: Trouble, times: int = 1) -> None:
        """The next sends end with this error, and nothing is shown."""
        self._troubles += [error] * times

    def swallow(self, times: int = 1) -> None:
        self._troubles += [None] * times

    def cut(self) -> None:
        self._reachable.clear()

    def restore(self) -> None:
        self._reachable.set()

    async def next_message(self) -> Inbound:
        """The first message nobody has acknowledged; waits for one."""
        while True:
            await self._reachable.wait()
            if self.unacknowledged:
                return self.unacknowledged[0]
            self._arrived.clear()
            await self._arrived.wait()

    def acknowledge(self, message: Inbound) -> None:
        """Another adapter may have been first."""
        if message in self.unacknowledged:
            self.unacknowledged.remove(message)

    async def post(self, place: Place, message: Outgoing, key: str, *, drop_known: bool) -> str:
        """Shows a message, only once for each key if `drop_known`; returns its receipt."""
        if self.delay:
            await asyncio.sleep(self.delay)
        swallowed = False
        if self._troubles:
            trouble = self._troubles.pop(0)
            if trouble is not None:
                raise trouble
            swallowed = True
        receipt = self._keys.get((place, key)) if drop_known else None
        if receipt is None:
            receipt = self._show(place, message, key)
        if swallowed:
            raise SendUnsure(platform=self.name, reason="the answer never came")
        return receipt

    def find(self, place: Place, key: str) -> str | None:
        return self._keys.get((place, key))

    def change(self, place: Place, receipt: str, message: Outgoing) -> bool:
        """Returns whether there is such a message."""
        for index, each in enumerate(self._shown.get(place, ())):
            if each.receipt == receipt:
                self._shown[place][index] = Shown(receipt, message.text, message.buttons, each.file)
                return True
        return False

    def fetch(self, ref: str) -> bytes | None:
        return self._files.get(ref)

    def _show(self, place: Place, message: Outgoing, key: str) -> str:
        receipt = f"r{len(self.sent) + 1}"
        file = (message.file.name, message.file.data) if message.file else None
        self._shown.setdefault(place, []).append(Shown(receipt, message.text, message.buttons, file))
        self._buttons.update((place, receipt, button.choice) for button in message.buttons)
        self._keys[place, key] = receipt
        self.sent.append((place, key))
        return receipt

    def _arrive(
        self,
        place: Place,
        text: str,
        sender: str,
        *,
        name: str = "",
        direct: bool = True,
        files: tuple[File, ...] = (),
        choice: str = "",
        quotes: str = "",
        odd: str = "",
        corrects: str = "",
    ) -> str:
        sender = sender or f"{self.name}:owner"
        found = Inbound(
            f"m{len(self._all) + 1}", place, sender, text, direct, name, files, choice, quotes, odd, corrects
        )
        self._all[found.id] = found
        self.unacknowledged.append(found)
        self._arrived.set()
        return found.id

    def _keep(self, file: tuple[str, bytes]) -> File:
        name, data = file
        ref = f"f{len(self._files) + 1}"
        self._files[ref] = data
        return File(ref, name, "application/octet-stream", len(data))
