"""The outbox on its way to people: stored first, one message of a place at a time, and never twice if there is a way.

A message that may have been sent is asked for, sent again under the same key, or marked as a repetition, as the
platform allows. One that grew too old while nobody could send it is not replayed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from baton.core.errors import (
    BadCredentials,
    BatonError,
    Conflict,
    NotFound,
    SendLater,
    SendUnsure,
    StoreError,
)
from baton.core.log.lease import Ownership, micros
from baton.core.transfer import letter as letters
from baton.core.transfer import mail as boxes
from baton.core.transfer.letter import Letter
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place, parse_place
from baton.core.value import value
from baton.engine.aio import Backoff, in_thread, retry_store
from baton.engine.mail.wakeup import Bell
from baton.ports.platform import Button, Outgoing, Platform, Upload
from baton.ports.store import Store

TOO_OLD = "too old"
_PAUSES = Backoff(first=0.25, ceiling=60.0, jitter=0.25)
_SENDS = 64


@value
class Terms:
    """How patient delivery is: the lease of a message being sent, tries, and the age beyond which it is not sent."""

    lease: float = 30.0
    tries: int = 8
    oldest: float = 3_600.0


class Delivery:
    """`run` sends until it is cancelled; what is being sent then is finished first."""

    def __init__(self, store: Store, platforms: Mapping[str, Platform], owner: str, terms: Terms) -> None:
        self._store = store
        self._platforms = platforms
        self._able = set(platforms)
        self._owner = owner
        self._terms = terms
        self._sending: set[asyncio.Task[None]] = set()
        self.sent = 0
        self.refused = 0
        self.expired = 0
        self.on_settled: Callable[[Mail], None] = lambda _: None

    async def run(self, bell: Bell) -> None:
        try:
            while True:
                heard = bell.heard()
                with suppress(StoreError):  # the bell rings again
                    while len(self._sending) < _SENDS and await self._start():
                        pass
                await bell.wait(heard)
        finally:
            if self._sending:
                await asyncio.wait(self._sending)

    def leave(self, platform: str) -> None:
        """What is for a platform that does not let us in is left to gateways that it does let in."""
        self._able.discard(platform)

    def join(self, platform: str) -> None:
        """What was left is ours to send again."""
        self._able.add(platform)

    async def _start(self) -> bool:
        """Takes the next message and sends it beside the others; False if there is none."""
        take, began = self._store.outbox.take, time.monotonic()
        taken = await in_thread(take, tuple(self._able), self._owner, self._terms.lease)
        if taken is None:
            return False
        task = asyncio.create_task(self._deliver(*taken, began))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return True

    async def _deliver(self, mail: Mail, proof: Ownership, began: float) -> None:
        """What it comes to is written down; who lost the message meanwhile sends and writes nothing."""
        beating = asyncio.create_task(self._beat(proof))
        try:
            if not await self._holds(proof, began):
                return
            state, delay, error, receipt = await self._outcome(mail)
            settle = self._store.outbox.settle
            with suppress(Conflict, StoreError):
                self._count(await retry_store(lambda: settle(proof, state, delay=delay, error=error, receipt=receipt)))
        finally:
            beating.cancel()

    async def _holds(self, proof: Ownership, began: float) -> bool:
        """Whoever stood still since it was taken asks first whether it is still theirs to send."""
        if time.monotonic() - began < self._terms.lease / 2:
            return True
        try:
            await in_thread(self._store.outbox.renew, proof, self._terms.lease)
        except (Conflict, StoreError):
            return False
        return True

    async def _beat(self, proof: Ownership) -> None:
        while True:
            await asyncio.sleep(self._terms.lease / 3)
            with suppress(Conflict, StoreError):
                await in_thread(self._store.outbox.renew, proof, self._terms.lease)

    async def _outcome(self, mail: Mail) -> tuple[str, float, str, str]:
        """State, delay, error and receipt of this try."""
        if self._aged(mail):
            return boxes.REFUSED, 0, TOO_OLD, ""
        try:
            return boxes.SENT, 0, "", await self._send(mail)
        except SendLater as error:
            return self._again(mail, boxes.QUEUED, error, error.after)
        except SendUnsure as error:
            return self._again(mail, boxes.UNSURE, error, 0)
        except (StoreError, BadCredentials) as error:
            return self._again(mail, boxes.QUEUED, error, 0)
        except BatonError as error:
            return boxes.REFUSED, 0, str(error), ""
        except Exception as error:  # noqa: BLE001, an adapter's fault: nobody knows what it did, or what its words hold
            return self._again(mail, boxes.UNSURE, RuntimeError(type(error).__name__), 0)

    def _again(self, mail: Mail, state: str, error: Exception, after: float) -> tuple[str, float, str, str]:
        if mail.attempts >= self._terms.tries:
            return boxes.REFUSED, 0, f"given up after {mail.attempts} tries. {error}", ""
        return state, max(after, _PAUSES.pause_after(mail.attempts)), str(error), ""

    def _aged(self, mail: Mail) -> bool:
        return mail.created_at < now() - micros(self._terms.oldest)

    async def _send(self, mail: Mail) -> str:
        platform, place = self._platforms[mail.place.partition(":")[0]], parse_place(mail.place)
        letter = letters.from_body(json.loads(mail.body))
        if letter.replaces and platform.abilities.edits and (receipt := await self._receipt(letter.replaces)):
            await platform.edit(place, receipt, outgoing(letter, platform))
            return receipt
        if mail.unsure:
            return await self._repeat(platform, place, letter, mail.key)
        return await platform.send(place, outgoing(letter, platform), mail.key)

    async def _repeat(self, platform: Platform, place: Place, letter: Letter, key: str) -> str:
        once = platform.abilities.once
        if once != "key" and (receipt := await platform.find(place, key)):
            return receipt
        if once == "none" and not letter.preview:
            letter = Letter(letters.MARK + letter.text, letter.buttons, letter.file)
        return await platform.send(place, outgoing(letter, platform), key)

    async def _receipt(self, key: str) -> str:
        with suppress(NotFound):
            mail = await in_thread(self._store.outbox.get, key)
            return mail.receipt if mail.state == boxes.SENT else ""
        return ""

    def _count(self, mail: Mail) -> None:
        self.sent += mail.state == boxes.SENT
        self.refused += mail.state == boxes.REFUSED
        self.expired += mail.state == boxes.REFUSED and mail.error == TOO_OLD
        self.on_settled(mail)


def outgoing(letter: Letter, platform: Platform) -> Outgoing:
    """As this platform takes it: where it has no buttons, words stand for them; where no files, their names."""
    text, abilities = letter.text, platform.abilities
    if letter.buttons and not abilities.buttons:
        text += "\n\n" + "\n".join(f"{label}: answer `{choice_word(choice)}`" for label, choice in letter.buttons)
    upload = Upload(letter.file.name, letter.file.media_type, letter.file.data) if letter.file else None
    if upload and not abilities.files:
        text, upload = f"{text}\n\n[{upload.name}]".strip(), None
    buttons = tuple(Button(label, choice) for label, choice in letter.buttons) if abilities.buttons else ()
    return Outgoing(text, buttons, upload)


def choice_word(choice: str) -> str:
    """What a person types in place of pressing a button: its first word."""
    return choice.partition(":")[0]


def now() -> int:
    """Microseconds since the epoch, as the store stamps its mail."""
    return time.time_ns() // 1000
