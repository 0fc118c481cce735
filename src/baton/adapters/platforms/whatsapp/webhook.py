"""The webhook that Meta calls, with its own HTTP server. Imports Starlette and uvicorn: only `platform` imports this.

Every path is answered, because a proxy in front of it may choose any.

GET   with our verify token → 200 and its challenge, else 403
POST  signed → 200 when everything in it is kept; 500 if not, and Meta calls again
      unsigned or wrongly signed → 401; larger than Meta sends → 413; too slow → 408. Nothing in it is read
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import hmac
import logging
import re
import socket
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from baton.adapters.platforms.json_fields import parse_json
from baton.adapters.platforms.whatsapp.place import NAME
from baton.core.display import one_line
from baton.core.errors import BadCredentials, SomebodyElse

_log = logging.getLogger("baton.platforms")
_LARGEST = 3_200_000
"""Meta's own limit is 3 MB."""

_SLOWEST = 10.0
_CHALLENGE = re.compile(r"[A-Za-z0-9_.-]{1,200}")
Take = Callable[[object], Awaitable[None]]
"""Keeps what a call says; raises if it cannot."""


def make_webhook(take: Take, secret: str, verify_token: str | None) -> Starlette:
    """Takes calls one after another, in the order of their arrival."""
    turn = asyncio.Lock()

    async def answer_challenge(request: Request) -> Response:
        asked = request.query_params
        challenge = asked.get("hub.challenge", "")
        known = verify_token is not None and is_same(asked.get("hub.verify_token", ""), verify_token)
        if not known or asked.get("hub.mode") != "subscribe" or _CHALLENGE.fullmatch(challenge) is None:
            return Response(status_code=403)
        return PlainTextResponse(challenge, headers={"x-content-type-options": "nosniff"})

    async def take_call(request: Request) -> Response:
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

    async def answer(request: Request) -> Response:
        return await (take_call(request) if request.method == "POST" else answer_challenge(request))

    return Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])


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


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals are the program's, not ours."""
        yield


async def listen(app: Starlette, address: str) -> None:
    """Serves until cancelled, and then finishes the calls under way. `SomebodyElse` if the address is in use."""
    with _bind(address) as bound:
        server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                http="h11",
                ws="none",
                proxy_headers=False,
                server_header=False,
                limit_concurrency=100,
                timeout_graceful_shutdown=5,
            )
        )
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        try:
            await asyncio.shield(serving)
        finally:
            server.should_exit = True
            await serving


def _bind(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, int(port)))
        bound.setblocking(False)
    except (OSError, OverflowError) as error:
        bound.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise SomebodyElse(platform=NAME, reason=f"{address} is in use") from None
        reason = f"webhook calls cannot be taken at {address}: {getattr(error, 'strerror', None) or error}"
        raise BadCredentials(platform=NAME, reason=reason) from None
    return bound


def is_signed(body: bytes, header: str, secret: str) -> bool:
    """Whether Meta's signature fits the bytes as they arrived. No header is no signature."""
    wanted = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(wanted.encode(), header.encode("utf-8", "replace"))


def is_same(given: str, secret: str) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())
