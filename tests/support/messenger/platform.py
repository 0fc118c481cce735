"""The adapter to the service: one connection for each request, so that a kill cuts exactly what was under way."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Collection
from typing import Any

from baton.core.errors import SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place, parse_place
from baton.ports.platform import Abilities, File, Greeting, Inbound, Outgoing, Sink
from tests.support.messenger.service import LIMIT

_AGAIN = 0.05


class MessengerPlatform:
    """Receives nothing while there is a file `gate`."""

    def __init__(self, name: str, path: str, once: str, consumer: str, *, gate: str = "", threads: bool = True) -> None:
        self.name = name
        self.abilities = Abilities(limit=LIMIT, unit="chars", once=once, threads=threads)  # type: ignore[arg-type]
        self._path = path
        self._consumer = consumer
        self._gate = gate

    def size(self, text: str) -> int:
        return len(text)

    def room(self, text: str) -> Place:
        return Place(self.name, text)

    async def connect(self, commands: Greeting) -> str:
        return "Baton"

    async def run(self, sink: Sink) -> None:
        who = {"consumer": self._consumer, "platform": self.name}
        while True:
            while self._gate and os.path.exists(self._gate):
                await asyncio.sleep(_AGAIN)
            try:
                found = await self._ask({"do": "poll", **who})
                for number, update in enumerate(found["updates"], found["position"] + 1):
                    await sink(_inbound(update))
                    await self._ask({"do": "ack", **who, "position": number})
            except Exception:  # noqa: BLE001, what was not kept comes again
                await asyncio.sleep(_AGAIN)

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        found = await self._ask({"do": "send", "place": place.key, "text": message.text, "key": key})
        return str(found["receipt"])

    async def find(self, place: Place, key: str) -> str | None:
        if self.abilities.once != "probe":
            return None
        return (await self._ask({"do": "find", "place": place.key, "key": key}))["receipt"]

    async def check_reader(self, room: Place, people: Collection[str]) -> None:
        pass

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        await self._ask({"do": "edit", "place": place.key, "receipt": receipt, "text": message.text})

    async def show_typing(self, place: Place) -> None:
        pass

    async def open_thread(self, room: Place, title: str, key: str) -> Place:
        found = await self._ask({"do": "open", "room": room.key, "title": title, "key": key})
        return Place(self.name, room.room, found["thread"])

    async def fetch(self, file: File) -> bytes:
        raise SendRefused(platform=self.name, reason="there are no files")

    async def close(self) -> None:
        pass

    async def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            reader, writer = await asyncio.open_unix_connection(self._path)
        except OSError:
            raise SendLater(platform=self.name, reason="it is not there", after=_AGAIN) from None
        try:
            writer.write(json.dumps(request).encode() + b"\n")
            line = await reader.readline()
        except OSError:
            line = b""
        finally:
            writer.close()
        return self._judged(json.loads(line) if line else {"error": "unsure"})

    def _judged(self, found: dict[str, Any]) -> dict[str, Any]:
        match found.get("error"):
            case None:
                return found
            case "later":
                raise SendLater(platform=self.name, reason="too many messages", after=found["after"])
            case "unsure":
                raise SendUnsure(platform=self.name, reason="no answer came")
            case _:
                raise SendRefused(platform=self.name, reason="no")


def _inbound(update: dict[str, Any]) -> Inbound:
    place = parse_place(update["place"])
    return Inbound(update["id"], place, update["sender"], update["text"], direct=not place.thread)
