"""Requests to Discord's REST API, each made once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from http import HTTPStatus

import httpx2

from baton.adapters.platforms.discord.errors import broken, refused
from baton.adapters.platforms.discord.place import NAME
from baton.core.errors import SendLater, SendUnsure
from baton.ports.platform import Upload

_CONNECT = 5.0
TOTAL = 30.0


class Rest:
    """Every call ends within `total` seconds. What it cannot do it says with an error of the port."""

    def __init__(self, api: str, token: str, total: float = TOTAL) -> None:
        self._total = total
        self._http = httpx2.AsyncClient(
            base_url=api,
            headers={
                "Authorization": f"Bot {token}",
                "User-Agent": "DiscordBot (https://pypi.org/project/baton-agent, 1)",
            },
            timeout=httpx2.Timeout(total, connect=min(_CONNECT, total)),
            follow_redirects=False,
        )

    async def ask(self, path: str, **query: str | int) -> object:
        """Reads something; never `SendUnsure`, as asking again harms nobody."""
        try:
            return await self._request("GET", path, params=query)
        except SendUnsure as error:
            raise SendLater(platform=NAME, reason=error.facts.get("reason"), after=1.0) from None

    async def tell(self, method: str, path: str, body: Mapping[str, object] | None = None) -> object:
        """Changes something; `SendUnsure` if nobody knows whether it did."""
        return await self._request(method, path, json=body)

    async def upload(self, path: str, body: Mapping[str, object], file: Upload) -> object:
        """As `tell`, with a file."""
        part = (file.name, file.data, file.media_type or "application/octet-stream")
        return await self._request("POST", path, data={"payload_json": json.dumps(body)}, files={"files[0]": part})

    async def close(self) -> None:
        await self._http.aclose()

    async def _request(self, method: str, path: str, **content: object) -> object:
        try:
            async with asyncio.timeout(self._total):
                answer = await self._http.request(method, path, **content)  # pyright: ignore[reportArgumentType]
        except (httpx2.TransportError, TimeoutError) as error:
            raise broken(error) from None
        if not answer.is_success:
            raise refused(answer.status_code, answer.headers, _json(answer))
        return None if answer.status_code == HTTPStatus.NO_CONTENT else _json(answer)


def _json(answer: httpx2.Response) -> object:
    try:
        found: object = answer.json()
    except ValueError:
        return None
    return found
