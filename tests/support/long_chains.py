"""One conversation handed off again and again."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from baton.adapters.artifacts import PacketFiles
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.handoff.workspace import RepoFacts, Snapshot
from baton.core.log.entry import NewEntry
from baton.core.log.payloads import UserInput
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.ports.store import Store
from tests.support.handoffs import kit
from tests.support.workers import handing

_PART = 50


class StillPlace:
    """A workspace in which nothing happens: the chain is what is looked at."""

    def snapshot(self, paths: Any = (), evidence: Any = (), mentioned: Any = ()) -> Snapshot:
        return Snapshot(RepoFacts("/w", False))

    def checkpoint(self, message: str, session_id: str) -> None:
        return None

    def between(self, old: str, new: str) -> None:
        return None


class Chain:
    def __init__(self, directory: Path) -> None:
        self.store: Store = open_sqlite(str(directory / "store" / "baton.db"))
        made = replace(kit(directory, directory), artifacts=PacketFiles(str(directory), "packets"))
        made = replace(made, workspace=StillPlace())  # pyright: ignore[reportArgumentType]
        self._model = handing.TellingModel(handing.Fuse("-"))
        self._runtime = handing.runtime(self.store, self._model, made)
        conversation, session = self.store.conversations.start("chain")
        proof = self.store.conversations.claim(conversation.id, "test", 60)
        said = {"text": "Build the parser. Never use eval. Only the standard library."}
        self.store.entries.append(proof, session.id, [NewEntry("user", said)])
        self.store.conversations.release(proof)
        self.id = conversation.id
        self.milliseconds: list[float] = []

    def close(self) -> None:
        self.store.close()

    def grow(self, count: int, say: Callable[[str], None] = lambda _: None) -> None:
        """So many handoffs; every tenth with a turn after it."""
        asyncio.run(self._grow(count, say))

    async def _grow(self, count: int, say: Callable[[str], None]) -> None:
        for number in range(1, count + 1):
            began = time.process_time()
            await self._runtime.hand_off(self.id, lambda handoff: handoff.now(Cause()))
            self.milliseconds.append((time.process_time() - began) * 1000)
            if number % 10 == 0:
                async for _ in self._runtime.turn(self.id, UserInput(f"step {number}")):
                    pass
            if number % 100 == 0:
                say(f"{number} of {count} handoffs")

    def costs(self) -> tuple[float, float]:
        """Milliseconds of CPU of one handoff, among the first and among the last."""
        part = min(_PART, len(self.milliseconds) // 4)
        return statistics.median(self.milliseconds[:part]), statistics.median(self.milliseconds[-part:])
