"""Requests to the homeserver. Nothing is tried twice, no redirect is followed, and the token is in no address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from baton.adapters.platforms import http_calls
from baton.adapters.platforms.json_fields import Json, parse_json, table
from baton.adapters.platforms.matrix.errors import failure, refused
from baton.adapters.platforms.matrix.place import NAME

if TYPE_CHECKING:
    import httpx2

CLIENT = "/_matrix/client/v3"
MEDIA = "/_matrix/media/v3"
MEDIA_OF_OTHERS = "/_matrix/client/v1/media"
_GOOD = range(200, 300)


def path(*parts: str, under: str = CLIENT) -> str:
    return "/".join((under, *(quote(each, safe="") for each in parts)))


class Wire:
    """`token` is set by whoever logs in."""

    def __init__(self, homeserver: str) -> None:
        self._homeserver = homeserver.rstrip("/")
        self._client = http_calls.new_client(reuse=True)
        self.token = ""

    async def ask(self, at: str, query: Mapping[str, str] | None = None) -> Json:
        """Reads; the answer's object. A `PlatformError` for every other answer."""
        async with http_calls.read_call(NAME):
            answer = await self._client.get(self._homeserver + at, params=query, headers=self._headers())
        return _object(answer)

    async def tell(self, method: str, at: str, body: Json) -> Json:
        """Changes something; the answer's object. `SendUnsure` if it was said and not answered."""
        data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        return await self.put(method, at, data, "application/json")

    async def put(self, method: str, at: str, data: bytes | str, media_type: str) -> Json:
        headers = {**self._headers(), "Content-Type": media_type}
        async with http_calls.write_call(NAME):
            answer = await self._client.request(method, self._homeserver + at, content=data, headers=headers)
        return _object(answer)

    async def load(self, at: str, limit: int) -> bytes:
        """A file; `SendRefused` if it has more than `limit` bytes."""
        data = bytearray()
        async with (
            http_calls.read_call(NAME),
            self._client.stream("GET", self._homeserver + at, headers=self._headers()) as answer,
        ):
            if answer.status_code not in _GOOD:
                await answer.aread()
                _object(answer)
            async for piece in answer.aiter_bytes():
                data += piece
                if len(data) > limit:
                    raise refused(f"the file has more than {limit // 1_000_000} MB")
        return bytes(data)

    async def close(self) -> None:
        await self._client.aclose()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def _object(answer: httpx2.Response) -> Json:
    body = table(parse_json(answer.content))
    if answer.status_code not in _GOOD:
        raise failure(answer.status_code, body, answer.headers)
    return body
