"""Requests to Discord's REST API, each made once, and what became of them as one of the errors the port knows."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import cast

import httpx2

from baton.adapters.platforms.discord.place import NAME
from baton.adapters.platforms.http_calls import new_client, read_call, write_call
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure
from baton.ports.platform import Upload

_AGENT = "DiscordBot (https://pypi.org/project/baton-agent, 1)"
"""Discord demands this form of bots."""

_REASON_LIMIT = 200
_LONGEST_PAUSE = 3_600.0
THREAD_EXISTS = 160004
NOT_A_MEMBER = frozenset({10007, 10013, 50035})
"""Unknown member, unknown user, not the id of one."""
NO_THREADS = frozenset({50001, 50013, 50024, 160005, 160006})
"""No access, no permission, not in this kind of channel, locked, too many active threads: no thread can be begun."""


class Rest:
    """Every call ends within half a minute, and raises only errors of the port."""

    def __init__(self, api: str, token: str) -> None:
        self._api = api.rstrip("/")
        self._headers = {"Authorization": f"Bot {token}", "User-Agent": _AGENT}
        self._http = new_client(reuse=True)

    async def ask(self, path: str, **query: str | int) -> object:
        """Reads something; never `SendUnsure`, because asking again is harmless."""
        try:
            async with read_call(NAME):
                return _read_answer(await self._http.get(self._at(path), params=query, headers=self._headers))
        except SendUnsure as unsure:
            raise SendLater(**unsure.facts) from None

    async def tell(self, method: str, path: str, body: Mapping[str, object] | None = None) -> object:
        """Changes something; `SendUnsure` if it may or may not have."""
        async with write_call(NAME):
            return _read_answer(await self._http.request(method, self._at(path), json=body, headers=self._headers))

    async def upload(self, path: str, body: Mapping[str, object], file: Upload) -> object:
        """As `tell`, with a file."""
        part = {"files[0]": (file.name, file.data, file.media_type or "application/octet-stream")}
        told = {"payload_json": json.dumps(body)}
        async with write_call(NAME):
            return _read_answer(await self._http.post(self._at(path), data=told, files=part, headers=self._headers))

    @asynccontextmanager
    async def download(self, url: str) -> AsyncGenerator[httpx2.Response]:
        """An answer to be read piece by piece. The request carries no token."""
        async with read_call(NAME), self._http.stream("GET", url) as answer:
            yield answer

    async def close(self) -> None:
        await self._http.aclose()

    def _at(self, path: str) -> str:
        return f"{self._api}/{path}"


def explain(status: int, headers: Mapping[str, str], answer: object) -> PlatformError:
    """The error for an answer that is no success. An error on Discord's side does not say what was done before it."""
    body = cast("dict[str, object]", answer) if isinstance(answer, dict) else {}
    code = body.get("code")
    number = code if isinstance(code, int) else 0
    reason = _reason(status, body.get("message"), number)
    if status == HTTPStatus.UNAUTHORIZED:
        return BadCredentials(platform=NAME, reason="the token is not valid")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return SendLater(platform=NAME, reason=reason, after=_parse_wait(body.get("retry_after"), headers))
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return SendUnsure(platform=NAME, reason=reason)
    return Refusal(platform=NAME, reason=reason, number=number)


class Refusal(SendRefused):
    """Refused by Discord, with its number for the reason; 0 if it gave none."""

    @property
    def number(self) -> int:
        found = self.facts.get("number")
        return found if isinstance(found, int) else 0


def _read_answer(answer: httpx2.Response) -> object:
    if not answer.is_success:
        raise explain(answer.status_code, answer.headers, _json(answer))
    return None if answer.status_code == HTTPStatus.NO_CONTENT else _json(answer)


def _json(answer: httpx2.Response) -> object:
    try:
        found: object = answer.json()
    except (ValueError, RecursionError):
        return None
    return found


def _reason(status: int, message: object, number: int) -> str:
    said = one_line(message, _REASON_LIMIT).rstrip(".") if isinstance(message, str) else ""
    where = f"HTTP {status}, code {number}" if number else f"HTTP {status}"
    return f"{said or 'no reason was given'} ({where})"


def _parse_wait(given: object, headers: Mapping[str, str]) -> float:
    for each in (given, headers.get("retry-after")):
        try:
            seconds = float(each) if isinstance(each, int | float | str) else math.nan
        except (ValueError, OverflowError):
            continue
        if math.isfinite(seconds):
            return min(max(seconds, 0.0), _LONGEST_PAUSE)
    return 1.0
