"""Calls to the Graph API for one number. Imports httpx2: only `platform` imports this."""

from __future__ import annotations

import json

import httpx2

from baton.adapters.platforms.json_fields import Json
from baton.adapters.platforms.whatsapp.errors import Answer
from baton.ports.platform import Upload

_LARGEST_ANSWER = 1_000_000


class Graph:
    """What breaks underneath is raised as httpx2 raises it. The token is only ever in a header."""

    def __init__(self, http: httpx2.AsyncClient, api: str, number_id: str, token: str) -> None:
        self._http = http
        self._api = api.rstrip("/")
        self._number = f"{self._api}/{number_id}"
        self._headers = {"authorization": f"Bearer {token}"}

    async def about(self) -> Answer:
        """The number: what people see it as."""
        fields = {"fields": "id,display_phone_number,verified_name"}
        return _answer(await self._http.get(self._number, params=fields, headers=self._headers))

    async def message(self, body: Json) -> Answer:
        content = json.dumps({"messaging_product": "whatsapp", **body}).encode()
        headers = {**self._headers, "content-type": "application/json"}
        return _answer(await self._http.post(f"{self._number}/messages", content=content, headers=headers))

    async def upload(self, upload: Upload, media_type: str) -> Answer:
        fields = {"messaging_product": "whatsapp", "type": media_type}
        file = {"file": (upload.name, upload.data, media_type)}
        return _answer(await self._http.post(f"{self._number}/media", data=fields, files=file, headers=self._headers))

    async def media(self, ident: str) -> Answer:
        """Where a file can be had for a few minutes."""
        return _answer(await self._http.get(f"{self._api}/{ident}", headers=self._headers))

    async def download(self, url: str, most: int) -> tuple[int, bytes | None]:
        """The status, and the file; None if it is larger. The caller has checked whose address this is."""
        async with self._http.stream("GET", url, headers=self._headers) as stream:
            data = bytearray()
            async for piece in stream.aiter_bytes():
                data += piece
                if len(data) > most:
                    return stream.status_code, None
            return stream.status_code, bytes(data)


def _answer(given: httpx2.Response) -> Answer:
    return Answer(given.status_code, given.content[:_LARGEST_ANSWER], {k.lower(): v for k, v in given.headers.items()})
