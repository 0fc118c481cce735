"""One conversation in a process: the turn that runs, the input that waits for it, and who watches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from baton.core.log import entry as kinds
from baton.core.log import interrupted
from baton.core.log.entry import NewEntry
from baton.engine.turns.turn import Turn
from baton.engine.turns.writer import Log


class Subscription:
    """The events of one conversation from now on. Iterate it; leave it and nothing else happens."""

    def __init__(self, leave: Callable[[Subscription], None]) -> None:
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        self._leave = leave

    def put(self, event: Any) -> None:
        self._queue.put_nowait(event)

    async def next(self) -> Any:
        return await self._queue.get()

    def close(self) -> None:
        self._leave(self)


class Input:
    """What a turn begins with. `stored` is told when it is kept, or why it was not."""

    def __init__(self, turn_id: str, given: Mapping[str, Any], stored: asyncio.Future[None] | None = None) -> None:
        self.turn_id = turn_id
        self.given = given
        self._stored = stored

    def keep(self) -> None:
        if self._stored and not self._stored.done():
            self._stored.set_result(None)

    def lose(self, error: BaseException) -> None:
        if self._stored and not self._stored.done():
            self._stored.set_exception(error)


class Lane:
    """One conversation: the turn that runs, the input that waits, the surfaces that watch."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.task: asyncio.Task[None] | None = None
        self.current: asyncio.Task[None] | None = None
        self.turn: Turn | None = None
        self.turn_id = ""
        self.suspended = False
        self.alone = asyncio.Lock()
        self.waiting: list[Input] = []
        self.watchers: list[Subscription] = []

    def emit(self, event: Any) -> None:
        for watcher in tuple(self.watchers):
            watcher.put(event)

    @property
    def busy(self) -> bool:
        return self.task is not None and not self.task.done()

    def has(self, given: Mapping[str, Any]) -> bool:
        """Whether queued input waits here already."""
        return "queued" in given and any(each.given.get("queued") == given["queued"] for each in self.waiting)

    def suspend(self) -> None:
        """A cancel of what runs now is no end of it."""
        self.suspended = True
        if self.turn is not None:
            self.turn.if_cancelled = interrupted.SUSPENDED

    async def enqueue(self, given: Mapping[str, Any], turn_id: str) -> Mapping[str, Any] | None:
        """Input as the transcript has it afterwards: once, however often it is tried."""
        await self.log.certain()
        kept = interrupted.as_kept(self.log.entries, turn_id, given)
        if kept is given:
            await self.log.append(NewEntry(kinds.QUEUED, {**given, "turn": turn_id}))
            return {**given, "queued": turn_id}
        return kept

    def overtakes(self, begun: Input) -> bool:
        """Whether a turn at a place was cut that goes on first, and then takes the queue along."""
        return self.log.unfinished and "queued" in begun.given and bool(begun.given.get("place"))

    async def settled(self) -> bool:
        """Whether a turn runs whose log takes entries; one that is just beginning or ending is waited for."""
        while self.busy and not self.log.open:
            await asyncio.sleep(0.001)
        return self.busy
