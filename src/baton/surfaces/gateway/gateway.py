"""The gateway: one process that hosts the platforms, carries conversations, and delivers what is said.

Several may run on one store. What one of them leaves behind is continued by another or by its successor: messages by
their leases, transfers by their journal, turns by the transcript.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from baton.core.display import one_line
from baton.core.errors import BadCredentials, BatonError, PlatformError, SendLater, SomebodyElse, StoreError
from baton.core.log.lease import micros
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place, parse_place
from baton.core.value import value
from baton.engine.aio import Backoff, in_thread
from baton.engine.mail.delivery import TOO_OLD, Delivery, now
from baton.engine.mail.wakeup import Wakeup
from baton.engine.processes import give_back_memory
from baton.engine.transfer.carrier import Carrier
from baton.engine.transfer.targets import BEAT, CONNECTED, CONNECTING, STANDBY, GatewayRow
from baton.engine.turns import questions
from baton.ports.store import WORK
from baton.surfaces.shared.commands import COMMANDS
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.core.transfer.mail import Mail
    from baton.engine.transfer.targets import Targets
    from baton.engine.turns.runtime import Runtime
    from baton.ports.platform import Platform
    from baton.ports.store import Store
    from baton.surfaces.gateway.correspondence import Correspondence
    from baton.surfaces.gateway.desk import Desk
    from baton.surfaces.gateway.question_board import QuestionBoard
    from baton.surfaces.gateway.reception import Reception
    from baton.surfaces.gateway.takeover import Takeover

KEEP_MAIL = 30 * 86_400.0
_LOG = logging.getLogger("baton.gateway")
_PAUSE = 0.5
_LONGEST_PAUSE = 60.0
_TURNED_AWAY = 15.0
"""Seconds, about, until a platform that serves somebody else is tried again."""
_LOOK_FOR_RECEIVER = 1.0
"""Seconds between two looks of one that stands by: whoever receives may be killed at any time."""
_HOUR = 3_600.0
UNUSED_FOR = 60.0
"""Seconds after which a quiet conversation is dropped from memory."""
_LOOK_FOR_IDLE = 15.0


@value
class Parts:
    """What a gateway is made of. Wiring puts it together."""

    id: str
    store: Store
    runtime: Runtime
    platforms: Mapping[str, Platform]
    reception: Reception
    correspondence: Correspondence
    takeover: Takeover
    desk: Desk
    delivery: Delivery
    carrier: Carrier
    board: QuestionBoard
    targets: Targets
    drain: float
    forget_agents: Callable[[float, Callable[[str], bool]], Awaitable[None]]
    api: str = ""


class Gateway:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._states = dict.fromkeys(parts.platforms, CONNECTING)
        self._names = dict.fromkeys(parts.platforms, "")
        self._started = now()
        self._expired: dict[str, int] = {}
        parts.delivery.on_settled = self._note_expired
        self._announcing = asyncio.Lock()
        self.ready = asyncio.Event()

    @property
    def parts(self) -> Parts:
        return self._parts

    @property
    def states(self) -> Mapping[str, str]:
        return self._states

    async def run(self, stop: asyncio.Event) -> None:
        """Runs until `stop` is set. Then no new messages are taken, turns are finished within the drain time, and the
        rest is left to the next gateway.
        """
        parts = self._parts
        async with Wakeup(parts.store, WORK, self._look_for_jobs) as wakeup:
            await self._announce()
            listening = [self._start(partial(self._host, platform)) for platform in parts.platforms.values()]
            desk = self._start(lambda: parts.desk.worker.run(wakeup))
            carrier = self._start(lambda: parts.carrier.worker.run(wakeup))
            delivery = self._start(lambda: parts.delivery.worker.run(wakeup))
            takeover = self._start(lambda: parts.takeover.run(tuple(parts.platforms)))
            board = self._start(lambda: parts.board.run(wakeup))
            upkeep = [board, *(self._start(act) for act in (self._beat, self._clean_up, self._forget_idle))]
            try:
                await stop.wait()
            finally:
                await _cancel(*listening)
                await _cancel(desk, carrier, takeover)
                await self._drain()
                await parts.runtime.suspend()
                await parts.correspondence.close()
                await self._send_last_letters(wakeup)
                await _cancel(delivery, *upkeep)
                await asyncio.gather(
                    *(platform.close() for platform in parts.platforms.values()), return_exceptions=True
                )
                with suppress(BatonError):
                    await in_thread(parts.targets.leave, parts.id)

    def _look_for_jobs(self) -> None:
        for part in (self._parts.desk, self._parts.carrier, self._parts.delivery):
            part.worker.look()

    def _start(self, act: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.Task[None]:
        """A part of the gateway, started again after any error it did not expect, such as a store that was away."""

        async def keep_running() -> None:
            while True:
                try:
                    return await act()
                except Exception as error:  # noqa: BLE001, the edge of a part: the others go on
                    _LOG.warning("%s", self._describe(error))
                    await asyncio.sleep(_PAUSE)

        return asyncio.create_task(keep_running())

    def _describe(self, error: Exception) -> str:
        """What nobody expected may hold anything, even an address with a token."""
        return f"{type(error).__name__}: {one_line(self._parts.correspondence.outbox.clean(str(error)), 300)}"

    async def _host(self, platform: Platform) -> None:
        """Keeps one platform connected, whatever happens, until its credentials are refused. Where only one gateway may
        receive, this one stands by while another does.
        """
        backoff = Backoff(_PAUSE, _LONGEST_PAUSE, jitter=0.0)
        commands = [(each.name, each.summary) for each in COMMANDS if each.in_channels]
        while True:
            at_least = 0.0
            try:
                name = await platform.connect(commands)
                if platform.abilities.alone:
                    await self._stand_by(platform.name, name)
                self._join(platform.name)
                await self._set_state(platform.name, CONNECTED, name)
                backoff.reset()
                await platform.run(self._parts.reception.receive)
            except BadCredentials as error:
                _LOG.error("%s", error)
                self._leave(platform.name)
                await self._set_state(platform.name, error.parts()[0])
                return
            except SomebodyElse as error:
                _LOG.warning("%s", error)
                self._leave(platform.name)
                await self._set_state(platform.name, error.parts()[0])
                backoff.reset()
                at_least = _TURNED_AWAY * random.uniform(0.5, 1.5)  # noqa: S311 - two that met should not meet again
            except SendLater as error:
                await self._set_state(platform.name, error.parts()[0])
                at_least = min(error.after, _LONGEST_PAUSE)
            except PlatformError as error:
                await self._set_state(platform.name, error.parts()[0])
            except Exception as error:  # noqa: BLE001, the edge of an adapter: one platform must not end the others
                _LOG.warning("%s: %s", platform.name, self._describe(error))
                await self._set_state(platform.name, words.STATE_FAILED.format(kind=type(error).__name__))
            await backoff.wait(at_least)

    async def _stand_by(self, platform: str, name: str) -> None:
        """Returns when no other living gateway receives there."""
        while (other := await in_thread(self._parts.targets.receiver, platform, self._parts.id)) is not None:
            self._leave(platform)
            if self._states[platform] != (state := f"{STANDBY}: {other} receives"):
                await self._set_state(platform, state, name)
            await asyncio.sleep(_LOOK_FOR_RECEIVER)

    def _leave(self, platform: str) -> None:
        self._parts.delivery.worker.leave(platform)
        self._parts.carrier.worker.leave(platform)

    def _join(self, platform: str) -> None:
        self._parts.delivery.worker.join(platform)
        self._parts.carrier.worker.join(platform)

    async def _set_state(self, platform: str, state: str, name: str = "") -> None:
        self._states[platform], self._names[platform] = state, name
        with suppress(BatonError):
            await self._announce()

    async def _announce(self) -> None:
        """One at a time, so that the newest state is written last."""
        async with self._announcing:
            await self._write_row()

    async def _write_row(self) -> None:
        parts = self._parts
        row = GatewayRow(
            parts.id, dict(self._states), dict(self._names), parts.api, socket.gethostname(), os.getpid(),
            self._started, now(), self.figures(),
        )  # fmt: skip
        await in_thread(parts.targets.announce, row)
        if CONNECTING not in row.platforms.values():
            self.ready.set()

    def figures(self) -> dict[str, int]:
        parts = self._parts
        return {
            "heard": parts.reception.heard,
            "dropped": parts.reception.dropped,
            "handled": parts.desk.handled,
            "sent": parts.delivery.sent,
            "refused": parts.delivery.refused,
            "transfers_completed": parts.carrier.completed,
            "transfers_failed": parts.carrier.failed,
        }

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            with suppress(BatonError):
                await self._announce()

    async def _clean_up(self) -> None:
        while True:
            with suppress(BatonError):
                await in_thread(self._parts.store.upkeep.prune_mail, now() - micros(KEEP_MAIL))
                await in_thread(self._parts.targets.sweep)
                await in_thread(questions.sweep, self._parts.store)
            await asyncio.sleep(_HOUR)

    async def _forget_idle(self) -> None:
        """Gives back the memory of conversations that are quiet for a while."""
        while True:
            await asyncio.sleep(_LOOK_FOR_IDLE)
            dropped = self._parts.runtime.forget_idle(UNUSED_FOR)
            await self._parts.forget_agents(UNUSED_FOR, self._parts.runtime.busy)
            if dropped:
                await in_thread(give_back_memory)

    async def _drain(self) -> None:
        """Waits for running turns, within the drain time."""
        until = time.monotonic() + self._parts.drain
        while self._parts.runtime.count_running() and time.monotonic() < until:
            await asyncio.sleep(0.05)

    async def _send_last_letters(self, wakeup: Wakeup) -> None:
        """Waits until what was said last is sent, if that takes no more than a moment."""
        platforms, until = set(self._parts.platforms), time.monotonic() + 2.0
        while time.monotonic() < until:
            count = wakeup.count
            with suppress(StoreError):
                mails = await in_thread(self._parts.store.outbox.list_waiting)
                if not any(mail.place.partition(":")[0] in platforms and not mail.not_before for mail in mails):
                    return
            with suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    await wakeup.wait(count)

    def _note_expired(self, mail: Mail) -> None:
        """Counts replies that grew too old to send; the place they were for is told once, in one line."""
        if mail.error == TOO_OLD and not mail.key.startswith("expired/"):
            if mail.place not in self._expired:
                asyncio.get_running_loop().call_later(2.0, self._tell_expired, parse_place(mail.place), mail)
            self._expired[mail.place] = self._expired.get(mail.place, 0) + 1

    def _tell_expired(self, place: Place, mail: Mail) -> None:
        count = self._expired.pop(place.key, 0)
        text = words.NOT_SENT_ONE if count == 1 else words.NOT_SENT
        letter = Letter(text.format(count=count, id=mail.conversation_id or "…"))
        put = self._parts.correspondence.outbox.put
        self._telling = asyncio.ensure_future(put(place, f"expired/{mail.key}", letter, mail.conversation_id))


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
