"""Requests to the homeserver, and what its answers say about them.

Nothing is tried twice, no redirect is followed, and the token is in no address.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from baton.adapters.platforms import http_calls
from baton.adapters.platforms.json_fields import Json, parse_json, table, text, whole
from baton.adapters.platforms.matrix.place import NAME
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused

if TYPE_CHECKING:
    import httpx2

CLIENT = "/_matrix/client/v3"
MEDIA = "/_matrix/media/v3"
MEDIA_OF_OTHERS = "/_matrix/client/v1/media"
_GOOD = range(200, 300)
_LIMITED, _BROKEN, _SERVER_ERRORS = 429, (408, 425), 500
_WITHOUT_A_DELAY = 5.0
_LONGEST_DELAY = 3600.0
_CREDENTIALS = ("M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_USER_LOCKED", "M_USER_SUSPENDED")


def path(*parts: str, under: str = CLIENT) -> str:
    return "/".join((under, *(quote(each, safe="") for each in parts)))


class Api:
    """The calls of one client. `token` is set by the login."""

    def __init__(self, homeserver: str) -> None:
        self._homeserver = homeserver.rstrip("/")
        self._client = http_calls.new_client(reuse=True)
        self.token = ""

    async def ask(self, at: str, query: Mapping[str, str] | None = None) -> Json:
        """Reads something; the answer's object, or a `PlatformError`."""
        async with http_calls.read_call(NAME):
            answer = await self._client.get(self._homeserver + at, params=query, headers=self._headers())
        return _object(answer)

    async def tell(self, method: str, at: str, body: Json) -> Json:
        """Changes something; the answer's object. `SendUnsure` if it left and was not answered."""
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
                    raise refusal(f"the file has more than {limit // 1_000_000} MB")
        return bytes(data)

    async def close(self) -> None:
        await self._client.aclose()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def _object(answer: httpx2.Response) -> Json:
    body = table(parse_json(answer.content))
    if answer.status_code not in _GOOD:
        raise explain(answer.status_code, body, answer.headers)
    return body


def explain(status: int, body: Json, headers: Mapping[str, str]) -> PlatformError:
    """The error of the port for an answer outside 200 to 299."""
    code = text(body.get("errcode"))
    said = one_line(f"{code or status} {text(body.get('error'))}", 200).rstrip(". ")
    if status == _LIMITED or code == "M_LIMIT_EXCEEDED":
        return SendLater(platform=NAME, reason=said, after=_delay(body, headers))
    if status >= _SERVER_ERRORS or status in _BROKEN:
        return SendLater(platform=NAME, reason=said)
    if code in _CREDENTIALS:
        return BadCredentials(platform=NAME, reason=said, soft=body.get("soft_logout") is True)
    return SendRefused(platform=NAME, reason=said, errcode=code)


def explain_login(error: PlatformError) -> PlatformError:
    """The error of a login: a definite no is about the credentials, or about where they were sent."""
    return BadCredentials(**error.facts) if isinstance(error, SendRefused) else error


def refusal(reason: str) -> SendRefused:
    return SendRefused(platform=NAME, reason=reason)


def send_later(reason: str, after: float = 1.0) -> SendLater:
    return SendLater(platform=NAME, reason=reason, after=after)


def _delay(body: Json, headers: Mapping[str, str]) -> float:
    milliseconds, seconds = whole(body.get("retry_after_ms")), whole(headers.get("retry-after", ""))
    return min(milliseconds / 1000 or float(seconds) or _WITHOUT_A_DELAY, _LONGEST_DELAY)
