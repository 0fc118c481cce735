"""The door of the API: nobody gets further without the token, and no web page gets as far as showing one.

A page in a browser may send requests to this machine, even under a name of its own (DNS rebinding); its Host, Origin or
Sec-Fetch-Site gives it away. Only wrong tokens are slowed down: the right one has 256 bits, and a stranger who
guesses must not be able to keep its owner out.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from baton.core.errors import BatonError, ForeignRequest, NoToken, TooManyTries
from baton.surfaces.api.errors import error_response
from baton.surfaces.words import api as words

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
TRIES = 10
WITHIN = 60.0
_OURS = ("same-origin", "none")


class Guard:
    """Around the whole API. `free` are the paths that need no token."""

    def __init__(
        self, app: ASGIApp, token: str, host: str, free: Collection[str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._app = app
        self._sealed = sha256(token.encode()).digest()
        self._hosts = tuple(dict.fromkeys((*LOOPBACK, host)))
        self._free = free
        self._clock = clock
        self._failures: deque[float] = deque(maxlen=TRIES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        try:
            self._check_host(headers)
            self._check_origin(headers)
            if scope["path"] not in self._free:
                self._check_token(headers)
        except BatonError as error:
            await error_response(error)(scope, receive, _add_headers(send))
            return
        await self._app(scope, receive, _add_headers(send))

    def _check_host(self, headers: Headers) -> None:
        given = headers.getlist("host")
        if len(given) != 1 or _name(given[0]) not in self._hosts:
            raise ForeignRequest(header="Host", allowed=", ".join(self._hosts))

    def _check_origin(self, headers: Headers) -> None:
        host = headers["host"].lower()
        allowed = (f"http://{host}", f"https://{host}")
        if any(origin.lower() not in allowed for origin in headers.getlist("origin")):
            raise ForeignRequest(header="Origin", allowed=words.ORIGIN_ALLOWED)
        if any(site.lower() not in _OURS for site in headers.getlist("sec-fetch-site")):
            raise ForeignRequest(header="Sec-Fetch-Site", allowed=", ".join(_OURS))

    def _check_token(self, headers: Headers) -> None:
        given = headers.getlist("authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        right = compare_digest(sha256(token.strip().encode()).digest(), self._sealed)
        if right and scheme.lower() == "bearer":
            return
        now = self._clock()
        if len(self._failures) == TRIES and now - self._failures[0] < WITHIN:
            raise TooManyTries(seconds=max(1.0, WITHIN - (now - self._failures[0])))
        self._failures.append(now)
        raise NoToken()


def _name(host: str) -> str:
    """Without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _add_headers(send: Send) -> Send:
    """Nothing of the API is kept by a cache, or taken for something else by a browser."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["cache-control"] = "no-store"
            headers["x-content-type-options"] = "nosniff"
        await send(message)

    return send_with_headers
