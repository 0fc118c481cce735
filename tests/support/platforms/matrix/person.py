"""A person on Matrix, by plain HTTP: writes, and sees what is there."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx2

from tests.support.patience import PATIENCE

_API = "/_matrix/client/v3"
_MEDIA = "/_matrix/client/v1/media/download"


class Person:
    def __init__(self, url: str, account: dict[str, Any]) -> None:
        self.id: str = account["user_id"]
        headers = {"Authorization": f"Bearer {account['access_token']}"}
        self._http = httpx2.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE, trust_env=False, verify=False)

    async def close(self) -> None:
        await self._http.aclose()

    async def make_room(self, *invited: str, sealed: bool = False, **more: Any) -> str:
        encryption = {"type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}
        body = {"preset": "trusted_private_chat", "invite": list(invited), **more}
        if sealed:
            body["initial_state"] = [encryption]
        return (await self.call("POST", "createRoom", body=body))["room_id"]

    async def seal(self, room: str) -> None:
        await self.call("PUT", "rooms", room, "state", "m.room.encryption", body={"algorithm": "m.megolm.v1.aes-sha2"})

    async def join(self, room: str) -> None:
        await self.call("POST", "join", room, body={})

    async def leave(self, room: str) -> None:
        await self.call("POST", "rooms", room, "leave", body={})

    async def remove(self, room: str, user: str, how: str = "kick") -> None:
        """`how` may also be `ban` or `unban`."""
        await self.call("POST", "rooms", room, how, body={"user_id": user})

    async def set_state(self, room: str, kind: str, content: dict[str, Any]) -> None:
        await self.call("PUT", "rooms", room, "state", kind, body=content)

    async def invite(self, room: str, user: str) -> None:
        await self.call("POST", "rooms", room, "invite", body={"user_id": user})

    async def say(self, room: str, content: dict[str, Any], kind: str = "m.room.message") -> str:
        answer = await self.call("PUT", "rooms", room, "send", kind, uuid4().hex, body=content)
        return answer["event_id"]

    async def upload(self, data: bytes) -> str:
        answer = await self._http.post("/_matrix/media/v3/upload", content=data)
        return answer.raise_for_status().json()["content_uri"]

    async def download(self, address: str) -> bytes:
        return (await self._http.get(f"{_MEDIA}/{address.removeprefix('mxc://')}")).raise_for_status().content

    async def events(self, room: str) -> list[dict[str, Any]]:
        """Everything in the room that this person may see, oldest first."""
        found: list[dict[str, Any]] = []
        query = {"dir": "f", "limit": "500"}
        while True:
            page = await self.call("GET", "rooms", room, "messages", query=query)
            found += page["chunk"]
            if not page["chunk"] or "end" not in page:
                return found
            query["from"] = page["end"]

    async def highlights(self) -> list[str]:
        """The messages that called this person, by their words."""
        found = await self.call("GET", "notifications", query={"only": "highlight", "limit": "100"})
        return [str(each["event"]["content"].get("body")) for each in found["notifications"]]

    async def call(self, method: str, *parts: str, body: Any = None, query: dict[str, str] | None = None) -> Any:
        url = "/".join((_API, *(quote(each, safe="") for each in parts)))
        data = None if body is None else json.dumps(body)
        answer = await self._http.request(method, url, content=data, params=query)
        return answer.raise_for_status().json()
