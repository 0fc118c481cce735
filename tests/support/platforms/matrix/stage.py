"""Matrix for the contract suite: the real Synapse, one for all tests of a process, with fresh people for each."""

from __future__ import annotations

import asyncio
import atexit
import mimetypes
import os
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

from baton.adapters.platforms.matrix.platform import Matrix, open_platform
from baton.config.platform_settings import MatrixSettings
from baton.core.transfer.place import Place
from baton.ports.platform import Platform
from tests.support.obtain import obtained
from tests.support.platforms.matrix.person import Person
from tests.support.platforms.matrix.proxy import Proxy
from tests.support.platforms.matrix.synapse import Synapse
from tests.support.platforms.state import MemoryState

PASSWORD = "correct-horse-battery"


class MatrixStage:
    name = "matrix"
    lacks: Mapping[str, str] = {"buttons": "Matrix has no buttons", "forged": "nothing is posted to us"}
    room: Place
    group: Place | None
    owner: str
    stranger: str
    people: dict[str, Person]
    bot: Person

    def __init__(self, server: Synapse | None = None) -> None:
        self._server = server
        self._state = MemoryState()

    async def __aenter__(self) -> MatrixStage:
        server = self._server or shared_synapse()
        self._folder = Path(tempfile.mkdtemp(prefix=f"matrix-stage-{os.getpid()}-"))
        mark = uuid4().hex[:8]
        owner, stranger, bot = (
            Person(server.url, server.register(f"{name}-{mark}", PASSWORD)) for name in ("owner", "stranger", "bot")
        )
        self.owner, self.stranger = f"matrix:{owner.id}", f"matrix:{stranger.id}"
        self.people, self.bot = {self.owner: owner, self.stranger: stranger}, bot
        room, group = await asyncio.gather(
            owner.make_room(bot.id, is_direct=True), owner.make_room(bot.id, stranger.id)
        )
        await asyncio.gather(bot.join(room), bot.join(group), stranger.join(group))
        self.room, self.group = Place("matrix", room), Place("matrix", group)
        self.proxy = await Proxy(server.port).__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.proxy.__aexit__()
        for person in (*self.people.values(), self.bot):
            await person.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def home(self) -> Path:
        return self._folder / "home"

    @property
    def state(self) -> MemoryState:
        return self._state

    def platform(self) -> Platform:
        return open_platform(self._settings(PASSWORD), self._state, self.home)

    def impatient(self, patience: float) -> Platform:
        """The same, which does not wait long for the key of an encrypted message."""
        return Matrix(self.proxy.url, self.bot.id, PASSWORD, state=self._state, home=self.home, patience=patience)

    def imposter(self) -> Platform:
        return open_platform(self._settings("wrong"), MemoryState(), self._folder / "imposter")

    def settings(self) -> Mapping[str, object]:
        return {"homeserver": self.proxy.url, "user": self.bot.id, "password": PASSWORD}

    async def says(self, place: Place, text: str, *, sender: str = "", file: tuple[str, bytes] | None = None) -> str:
        person = self.people[sender or self.owner]
        content: dict[str, Any] = {"msgtype": "m.text", "body": text}
        if file is not None:
            name, data = file
            media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
            kind = "m.image" if media_type.startswith("image/") else "m.file"
            info = {"mimetype": media_type, "size": len(data)}
            content = {"msgtype": kind, "body": text or name, "filename": name, "info": info}
            content["url"] = await person.upload(data)
        if place.thread:
            root = {"event_id": place.thread}
            relation = {"rel_type": "m.thread", "is_falling_back": True, "m.in_reply_to": root, **root}
            content["m.relates_to"] = relation
        return await person.say(place.room, content)

    async def leaves(self, place: Place, sender: str) -> None:
        await self.people[sender].leave(place.room)

    async def quotes(self, place: Place, quoted: str, text: str) -> str:
        """The owner answers the stranger, as apps did it for years: with the quotation before the words."""
        owner, stranger = self.people[self.owner], self.people[self.stranger]
        event = await stranger.say(place.room, {"msgtype": "m.text", "body": quoted})
        lines = f"<{stranger.id}> {quoted}".split("\n")
        body = "\n".join(f"> {line}" for line in lines) + f"\n\n{text}"
        marked = f"<mx-reply><blockquote>{escape(quoted)}</blockquote></mx-reply>{escape(text)}"
        content = {"msgtype": "m.text", "body": body, "format": "org.matrix.custom.html", "formatted_body": marked}
        return await owner.say(place.room, {**content, "m.relates_to": {"m.in_reply_to": {"event_id": event}}})

    async def forwards(self, place: Place, text: str) -> None:
        mark = {"event_id": "$elsewhere", "sender": self.stranger.partition(":")[2]}
        content = {"msgtype": "m.text", "body": text, "org.matrix.msc2723.forwarded": mark}
        await self.people[self.owner].say(place.room, content)

    @property
    def calls(self) -> list[str]:
        names = [each.id for each in self.people.values()]
        local = [name[1:].partition(":")[0] for name in names]
        return [*names, *local, *(f"[you](https://matrix.to/#/{name})" for name in names)]

    async def called(self) -> list[str]:
        """What the server itself has marked as a mention, for anybody."""
        return [each for person in self.people.values() for each in await person.highlights()]

    async def presses(self, place: Place, receipt: str, choice: str) -> None:
        raise NotImplementedError(self.lacks["buttons"])

    async def redeliver(self, message_id: str) -> None:
        self.proxy.redeliver(message_id)

    async def texts(self, place: Place) -> list[str]:
        shown = [content for content in await self._ours(place) if content["body"] != content.get("filename")]
        return [content["body"] for content in shown]

    async def files(self, place: Place) -> list[tuple[str, bytes]]:
        owner = self.people[self.owner]
        ours = [content for content in await self._ours(place) if "url" in content]
        return [(content["filename"], await owner.download(content["url"])) for content in ours]

    async def typed(self, place: Place) -> int:
        return self.proxy.typed[place.room]

    async def limit(self, times: int, after: float) -> None:
        self.proxy.limited = [after] * times

    async def fail(self, times: int) -> None:
        self.proxy.failing = times

    async def swallow(self, times: int) -> None:
        self.proxy.swallowing = times

    async def cut(self) -> None:
        self.proxy.cut()

    async def restore(self) -> None:
        self.proxy.restore()

    def violations(self) -> list[str]:
        return list(self.proxy.violations)

    def _settings(self, password: str) -> MatrixSettings:
        return MatrixSettings(homeserver=self.proxy.url, user=self.bot.id, password=password)

    async def _ours(self, place: Place) -> list[dict[str, Any]]:
        """The contents of our messages in a place, in order, after all edits."""
        found: dict[str, dict[str, Any]] = {}
        for event in await self.people[self.owner].events(place.room):
            if event["type"] != "m.room.message" or event["sender"] != self.bot.id:
                continue
            content = event["content"]
            relation = content.get("m.relates_to", {})
            if relation.get("rel_type") == "m.replace":
                if relation["event_id"] in found:
                    found[relation["event_id"]] = content["m.new_content"]
            elif (relation.get("event_id", "") if relation.get("rel_type") == "m.thread" else "") == place.thread:
                found[event["event_id"]] = content
        return list(found.values())


@cache
def shared_synapse() -> Synapse:
    """Runs until this process ends."""
    folder = Path(tempfile.mkdtemp(prefix=f"synapse-{os.getpid()}-"))
    server = Synapse(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.stop)
    obtained(server.start)
    return server
