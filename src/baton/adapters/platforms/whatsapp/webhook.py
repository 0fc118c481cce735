"""Where Meta calls: every path, for a proxy before it may choose one. Imports Starlette: only `platform` imports this.

GET   with our verify token → 200 and its challenge, else 403
POST  signed → 200 when everything in it is kept; 500 if not, and Meta calls again
      unsigned or wrongly signed → 401; larger than Meta sends → 413; too slow → 408. Nothing of it is read
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from baton.adapters.platforms.json_fields import parse_json
from baton.adapters.platforms.whatsapp.signature import is_same, is_signed
from baton.core.display import one_line

_log = logging.getLogger("baton.platforms")
_LARGEST = 3_200_000
"""Meta's own limit is 3 MB."""

_SLOWEST = 10.0
_CHALLENGE = re.compile(r"[A-Za-z0-9_.-]{1,200}")

Take = Callable[[object], Awaitable[None]]
"""Keeps what a call says; raises if it cannot."""


def webhook(take: Take, secret: str, verify: str | None) -> Starlette:
    """Calls are taken one after another, in the order in which they came."""
    turn = asyncio.Lock()

    async def verified(request: Request) -> Response:
        asked = request.query_params
        challenge = asked.get("hub.challenge", "")
        known = verify is not None and is_same(asked.get("hub.verify_token", ""), verify)
        if not known or asked.get("hub.mode") != "subscribe" or _CHALLENGE.fullmatch(challenge) is None:
            return Response(status_code=403)
        return PlainTextResponse(challenge, headers={"x-content-type-options": "nosniff"})

    async def called(request: Request) -> Response:
        signature = request.headers.get("x-hub-signature-256", "")
        body = await _body(request) if signature else 401
        if isinstance(body, int):
            return Response(status_code=body)
        if not is_signed(body, signature, secret):
            return Response(status_code=401)
        try:
            async with turn:
                await take(parse_json(body))
        except Exception as error:  # noqa: BLE001 - one of the edges: Meta calls again
            said = one_line(f"{type(error).__name__}: {error}", 200)
            _log.warning("whatsapp: a message could not be kept yet: %s", said)
            return Response(status_code=500)
        return Response(status_code=200)

    async def either(request: Request) -> Response:
        return await (called(request) if request.method == "POST" else verified(request))

    return Starlette(routes=[Route("/{path:path}", either, methods=["GET", "POST"])])


async def _body(request: Request) -> bytes | int:
    """The body, or the status that refuses it."""
    body = bytearray()
    try:
        async with asyncio.timeout(_SLOWEST):
            async for piece in request.stream():
                body += piece
                if len(body) > _LARGEST:
                    return 413
    except (TimeoutError, ClientDisconnect):
        return 408
    return bytes(body)
