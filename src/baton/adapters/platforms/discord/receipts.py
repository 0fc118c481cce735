"""Which message was sent with which key.

Discord drops a second message with the same nonce, but only for a few minutes. A message whose answer got lost, or
whose sender was killed, may be tried again much later. So each try is kept on the shelf before it is made: a late
second try first looks whether the message is there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import cast

from baton.core.value import value
from baton.engine.aio import in_thread
from baton.ports.platform import Shelf

_MOST = 100
_LIST = "sent"


@value
class Try:
    """A message that was tried `at` (Unix seconds) for the first time; its receipt, if it is known."""

    at: float
    receipt: str = ""


class Receipts:
    """Remembers the last hundred messages."""

    def __init__(self, shelf: Shelf, now: Callable[[], float]) -> None:
        self._shelf = shelf
        self._now = now
        self._tries: dict[str, Try] = {}
        self._shelving = asyncio.Lock()

    async def load(self) -> None:
        text = await in_thread(self._shelf.get, _LIST)
        self._tries = _understood(text or "{}")

    def of(self, nonce: str) -> Try | None:
        return self._tries.get(nonce)

    def known(self) -> frozenset[str]:
        """The messages of which it is known which key they were sent with."""
        return frozenset(each.receipt for each in self._tries.values() if each.receipt)

    async def begin(self, nonce: str) -> None:
        await self._put(nonce, Try(self._now()))

    async def done(self, nonce: str, receipt: str) -> None:
        known = self._tries.get(nonce)
        await self._put(nonce, Try(known.at if known else self._now(), receipt))

    async def _put(self, nonce: str, each: Try) -> None:
        self._tries[nonce] = each
        while len(self._tries) > _MOST:
            del self._tries[next(iter(self._tries))]
        async with self._shelving:
            body = {nonce: [each.at, each.receipt] for nonce, each in self._tries.items()}
            await in_thread(self._shelf.put, _LIST, json.dumps(body))


def _understood(text: str) -> dict[str, Try]:
    try:
        kept = cast("dict[str, tuple[float, str]]", json.loads(text))
        return {str(nonce): Try(float(at), str(receipt)) for nonce, (at, receipt) in kept.items()}
    except (ValueError, TypeError, AttributeError):
        return {}
