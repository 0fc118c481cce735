"""A person with a client that encrypts: nio, as its documentation uses it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import TracebackType
from typing import Any

from nio import AsyncClient, AsyncClientConfig
from nio.crypto.attachments import decrypt_attachment, encrypt_attachment
from nio.events import Event
from nio.responses import LoginResponse, RoomSendResponse, SyncResponse
from nio.store import SqliteStore

from tests.support.patience import PATIENCE

_POLL_MS = 10_000


class SealedPerson:
    def __init__(self, url: str, user: str, password: str, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._password = password
        self._seen: list[tuple[str, dict[str, Any]]] = []
        self.nio = AsyncClient(url, user, store_path=str(folder), config=AsyncClientConfig(store=SqliteStore))

    async def __aenter__(self) -> SealedPerson:
        assert isinstance(await self.nio.login(self._password), LoginResponse)
        await self.nio.keys_upload()
        await self._sync(0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.nio.close()
        assert self.nio.store is not None
        self.nio.store.database.close()

    async def say(self, room: str, text: str, **more: Any) -> str:
        """The id of the event. Whoever is in the room by now can read it."""
        await self._sync(0)
        content = {"msgtype": "m.text", "body": text, **more}
        sent = await self.nio.room_send(room, "m.room.message", content, ignore_unverified_devices=True)
        assert isinstance(sent, RoomSendResponse)
        return sent.event_id

    async def sees(self, room: str, sender: str) -> dict[str, Any]:
        """The content of the next message of somebody that this person can read."""
        async with asyncio.timeout(PATIENCE):
            return await self._next_of(room, sender)

    async def _next_of(self, room: str, sender: str) -> dict[str, Any]:
        while True:
            for position, (where, event) in enumerate(self._seen):
                if where == room and event["sender"] == sender and event["type"] == "m.room.message":
                    del self._seen[position]
                    return event["content"]
            await self._sync(_POLL_MS)

    async def hide_from(self, user: str) -> None:
        """What is said from now on is for other devices than this user's."""
        await self._sync(0)
        for device in self.nio.device_store.active_user_devices(user):
            self.nio.blacklist_device(device)

    async def _sync(self, wait: int) -> None:
        answer = await self.nio.sync(wait, full_state=not self.nio.next_batch)
        assert isinstance(answer, SyncResponse)
        for room, joined in answer.rooms.join.items():
            self._seen += [(room, each.source) for each in joined.timeline.events if isinstance(each, Event)]
        if self.nio.should_query_keys:
            await self.nio.keys_query()


def closed(data: bytes) -> tuple[bytes, dict[str, Any]]:
    """A file as it is uploaded, and what a message says of it."""
    return encrypt_attachment(data)


def opened(data: bytes, file: dict[str, Any]) -> bytes:
    return decrypt_attachment(data, file["key"]["k"], file["hashes"]["sha256"], file["iv"])
