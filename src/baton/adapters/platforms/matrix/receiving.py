"""From `/sync` to the sink: one message after the other, and how far we have read only after the last of them."""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from baton.adapters.platforms.deliver_inbound import deliver_inbound
from baton.adapters.platforms.json_fields import Json
from baton.adapters.platforms.matrix.inbound import letter
from baton.adapters.platforms.matrix.machine import Machine
from baton.adapters.platforms.matrix.place import NAME
from baton.adapters.platforms.matrix.syncing import Batch, Syncing
from baton.adapters.platforms.matrix.unreadable import Unreadable, Waiting
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SomebodyElse
from baton.core.value import replace
from baton.engine.aio import Backoff
from baton.ports.platform import Inbound, Sink

_log = logging.getLogger("baton.platforms")


class Receiving:
    """`is_ours` says whether we sent an event, `tell` tells people of a message that could not be read in `patience`
    seconds.
    """

    def __init__(
        self,
        machine: Machine,
        syncing: Syncing,
        unreadable: Unreadable,
        *,
        is_ours: Callable[[str, str], Awaitable[bool]],
        tell: Callable[[Waiting], Awaitable[None]],
        patience: float,
    ) -> None:
        self._machine = machine
        self._syncing = syncing
        self._unreadable = unreadable
        self._is_ours = is_ours
        self._tell = tell
        self._patience = patience
        self._batch: Batch | None = None

    async def run(self, sink: Sink) -> None:
        """Until cancelled or `BadCredentials`."""
        backoff = Backoff()
        while True:
            try:
                await self._round(sink)
                backoff.reset()
            except BadCredentials:
                raise
            except Exception as error:  # noqa: BLE001 - the edge: receiving goes on, whatever happened
                _note("receiving waits", error)
                await backoff.wait(error.after if isinstance(error, SendLater) else 0.0)

    async def _round(self, sink: Sink) -> None:
        batch = self._batch = self._batch or await self._syncing.next()
        await self._read_late(sink)
        while batch.events:
            try:
                await self._hand_on(sink, *batch.events[0])
            except PlatformError:
                raise
            except Exception as error:  # noqa: BLE001 - others write what is in there: one event does not stop us
                _note("an event was left out", error)
            batch.events.popleft()
        self._syncing.done(batch)
        self._batch = None
        await self._syncing.join()

    async def _hand_on(self, sink: Sink, room_id: str, event: Json) -> None:
        opened = self._machine.opened(event, room_id)
        if opened is not None:
            await self._deliver(sink, room_id, opened)
        elif event.get("sender") != self._machine.user_id:
            await self._set_aside(room_id, event)

    async def _set_aside(self, room_id: str, event: Json) -> None:
        if not self._unreadable.add(room_id, event):
            return
        try:
            await self._machine.beg(event, room_id)
        except PlatformError as error:
            _note("a key could not be asked for", error)

    async def _read_late(self, sink: Sink) -> None:
        """What can be read now that could not be before; and of the rest, people are told."""
        for waiting in self._unreadable.waiting():
            opened = self._machine.opened(waiting.event, waiting.room)
            if opened is not None:
                await self._deliver(sink, waiting.room, opened)
                self._unreadable.remove(waiting)
        for waiting in self._unreadable.overdue(self._patience):
            try:
                await self._tell(waiting)
            except PlatformError as error:
                _note("nobody could be told of an unreadable message", error)

    async def _deliver(self, sink: Sink, room_id: str, event: Json) -> None:
        if (inbound := self._letter(room_id, event)) is None:
            return
        if inbound.quotes and not await self._is_ours(room_id, inbound.quotes):
            inbound = replace(inbound, quotes="")
        await deliver_inbound(sink, inbound)

    def _letter(self, room_id: str, event: Json) -> Inbound | None:
        room, sender = self._machine.rooms.get(room_id), event.get("sender")
        direct = room is not None and len(room.users) == 2 and sender in room.users
        name = (room.user_name(sender) if room is not None and isinstance(sender, str) else None) or ""
        return letter(event, room_id, self._machine.user_id, direct=direct, name=name)


def _note(what: str, error: Exception) -> None:
    _log.warning("matrix: %s: %s", what, one_line(f"{type(error).__name__}: {error}", 200))


@contextmanager
def only_one(home: Path) -> Generator[None]:
    """`SomebodyElse` while another process reads with the same device: each would use up keys the other needs."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(home / "receiver.lock", flags, 0o600), "r+b") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SomebodyElse(platform=NAME, reason="another process has the same device") from None
        yield
