"""Calls to the daemon, as JSON-RPC over HTTP. Imports httpx2: only `platform` imports this."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import count

import httpx2

from baton.adapters.platforms.shapes import Json, parsed, table, text
from baton.core.display import one_line
from baton.core.value import value


@value
class Failure:
    """What the daemon said instead of a result. `code` is JSON-RPC's or its own; `status` when it was no JSON-RPC."""

    code: int
    message: str
    data: Json
    status: int = 200


class Rpc:
    """One account's calls. What breaks underneath is raised as httpx2 raises it."""

    def __init__(self, http: httpx2.AsyncClient, daemon: str, account: str) -> None:
        self._http = http
        self._url = f"{daemon.rstrip('/')}/api/v1/rpc"
        self._account = account
        self._ids = count(1)

    async def ask(self, method: str) -> object | Failure:
        """About the daemon itself; it would look for an account first if one were named."""
        return await self._post(method, {})

    async def call(self, method: str, params: Mapping[str, object]) -> object | Failure:
        return await self._post(method, {"account": self._account, **params})

    async def _post(self, method: str, params: Mapping[str, object]) -> object | Failure:
        body = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        answer = await self._http.post(
            self._url, content=json.dumps(body).encode(), headers={"content-type": "application/json"}
        )
        return _read(answer.status_code, answer.content)


def _read(status: int, content: bytes) -> object | Failure:
    found = table(parsed(content))
    error = table(found.get("error"))
    if status == 200 and "result" in found and not error:
        return found["result"]
    code = error.get("code")
    message = text(error.get("message")) or f"HTTP {status}"
    return Failure(
        code if isinstance(code, int) else 0, one_line(message, 300), table(error.get("data")), status=status
    )
