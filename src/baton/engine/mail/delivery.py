"""The outbox on its way to people: one message of a place at a time, and never twice if that can be avoided.

A message that may have been sent is asked for, sent again under the same key, or marked as a repetition, as the
platform allows. One that grew too old while nobody could send it is not replayed.
"""

from __future__ import annotations

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
from baton.core.log.lease import micros
from baton.core.transfer import letter as letters
from baton.core.transfer import mail as boxes
from baton.core.transfer.letter import Letter
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place, parse_place
from baton.core.value import value
from baton.engine.aio import Backoff, in_thread
from baton.engine.mail.readers import Readers
from baton.engine.mail.worker import Claims, Inlet, Outcome, Taken, mail_worker
from baton.ports.platform import Button, Outgoing, Platform, Upload
from baton.ports.store import Store

TOO_OLD = "too old"
_PAUSES = Backoff(first=0.25, ceiling=60.0, jitter=0.25)


@value
class Terms:
    """How patient delivery is: the lease of a message being sent, tries, and the age beyond which it is not sent."""

    lease: float = 30.0
    tries: int = 8
    oldest: float = 3_600.0


class Delivery:
    """Its `worker` sends until it is cancelled; what is being sent then is finished first."""

    def __init__(
        self, store: Store, platforms: Mapping[str, Platform], owner: str, terms: Terms, readers: Readers
    ) -> None:
        self._store = store
        self._readers = readers
        self._platforms = platforms
        self._terms = terms
        self.worker = mail_worker(store.outbox, self._deliver, platforms, Claims(owner, terms.lease), self._count)
        self.inlet = Inlet(store.outbox, self.worker)
        self.sent = 0
        self.refused = 0
        self.expired = 0
        self.on_settled: Callable[[Mail], None] = lambda _: None

    async def _deliver(self, taken: Taken[Mail]) -> Outcome | None:
        """What this try came to; None if the message was lost meanwhile, and nothing was sent."""
        if not await self._is_ours(taken):
            return None
        mail = taken.job
        if self._is_too_old(mail):
            return Outcome(boxes.REFUSED, error=TOO_OLD)
        try:
            return Outcome(boxes.SENT, receipt=await self._send(mail))
        except SendLater as error:
            return self._try_again(mail, boxes.QUEUED, error, error.after)
        except SendUnsure as error:
            return self._try_again(mail, boxes.UNSURE, error)
        except (StoreError, BadCredentials) as error:
            return self._try_again(mail, boxes.QUEUED, error)
        except BatonError as error:
            return Outcome(boxes.REFUSED, error=str(error))
        except Exception as error:  # noqa: BLE001, an adapter's fault: nobody knows what it did, or what its words hold
            return self._try_again(mail, boxes.UNSURE, RuntimeError(type(error).__name__))

    async def _is_ours(self, taken: Taken[Mail]) -> bool:
        """A process that stood still since it took the message asks first whether it is still its own to send."""
        if time.monotonic() - taken.asked_at < self._terms.lease / 2:
            return True
        try:
            await in_thread(self._store.outbox.renew, taken.proof, self._terms.lease)
        except (Conflict, StoreError):
            return False
        return True

    def _try_again(self, mail: Mail, state: str, error: Exception, after: float = 0.0) -> Outcome:
        if mail.attempts >= self._terms.tries:
            return Outcome(boxes.REFUSED, error=f"given up after {mail.attempts} tries. {error}")
        return Outcome(state, max(after, _PAUSES.pause_after(mail.attempts)), str(error))

    def _is_too_old(self, mail: Mail) -> bool:
        return mail.created_at < now() - micros(self._terms.oldest)

    async def _send(self, mail: Mail) -> str:
        platform, place = self._platforms[mail.place.partition(":")[0]], parse_place(mail.place)
        if mail.conversation_id:
            await self._readers.check(platform, place)
        letter = letters.from_body(json.loads(mail.body))
        if letter.replaces and platform.abilities.edits and (receipt := await self._receipt(letter.replaces)):
            await platform.edit(place, receipt, to_outgoing(letter, platform))
            return receipt
        if mail.unsure:
            return await self._repeat(platform, place, letter, mail.key)
        return await platform.send(place, to_outgoing(letter, platform), mail.key)

    async def _repeat(self, platform: Platform, place: Place, letter: Letter, key: str) -> str:
        once = platform.abilities.once
        if once != "key" and (receipt := await platform.find(place, key)):
            return receipt
        if once == "none" and not letter.preview:
            letter = Letter(letters.MARK + letter.text, letter.buttons, letter.file)
        return await platform.send(place, to_outgoing(letter, platform), key)

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


def to_outgoing(letter: Letter, platform: Platform) -> Outgoing:
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
