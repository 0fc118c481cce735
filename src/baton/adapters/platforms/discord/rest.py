"""Requests to Discord's REST API, each made once."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus

import httpx2

from baton.adapters.platforms.discord.errors import refused
from baton.adapters.platforms.discord.place import NAME
from baton.adapters.platforms.http_calls import new_client, read_call, write_call
from baton.core.errors import SendLater, SendUnsure
from baton.ports.platform import Upload

_AGENT = "DiscordBot (https://pypi.org/project/baton-agent, 1)"
"""The form that Discord demands of bots."""


class Rest:
    """Every call ends within half a minute. What it cannot do it says with an error of the port."""

    def __init__(self, api: str, token: str) -> None:
        self._api = api.rstrip("/")
        self._headers = {"Authorization": f"Bot {token}", "User-Agent": _AGENT}
        self._http = new_client(reuse=True)

    async def ask(self, path: str, **query: str | int) -> object:
        """Reads something; never `SendUnsure`, because asking again is harmless."""
        try:
            async with read_call(NAME):
                return _understood(await self._http.get(self._at(path), params=query, headers=self._headers))
        except SendUnsure as unsure:
            raise SendLater(**unsure.facts) from None

    async def tell(self, method: str, path: str, body: Mapping[str, object] | None = None) -> object:
        """Changes something; `SendUnsure` if nobody knows whether it did."""
        async with write_call(NAME):
            return _understood(await self._http.request(method, self._at(path), json=body, headers=self._headers))

    async def upload(self, path: str, body: Mapping[str, object], file: Upload) -> object:
        """As `tell`, with a file."""
        part = {"files[0]": (file.name, file.data, file.media_type or "application/octet-stream")}
        told = {"payload_json": json.dumps(body)}
        async with write_call(NAME):
            return _understood(await self._http.post(self._at(path), data=told, files=part, headers=self._headers))

    @asynccontextmanager
    async def download(self, url: str) -> AsyncGenerator[httpx2.Response]:
        """An answer that is read bit by bit. It is asked for without our token."""
        async with read_call(NAME), self._http.stream("GET", url) as answer:
            yield answer

    async def close(self) -> None:
        await self._http.aclose()

    def _at(self, path: str) -> str:
        return f"{self._api}/{path}"


def _understood(answer: httpx2.Response) -> object:
    if not answer.is_success:
        raise refused(answer.status_code, answer.headers, _json(answer))
    return None if answer.status_code == HTTPStatus.NO_CONTENT else _json(answer)


def _json(answer: httpx2.Response) -> object:
    try:
        found: object = answer.json()
    except (ValueError, RecursionError):
        return None
    return found
