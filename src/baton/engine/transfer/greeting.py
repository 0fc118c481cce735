"""The agent's own words in a place it has come to: said in a turn of the transfer's name, and delivered once.

Words that another worker left in the transcript are put into the outbox under their keys; the agent only speaks (again)
if there are none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from baton.core.agent.event import TurnEnded
from baton.core.errors import BatonError, NotFound, OwnedElsewhere, TransferFailed
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.log.interrupted import find_interrupted
from baton.core.log.payloads import (
    COMPLETED,
    INTERRUPTED,
    SUSPENDED,
    TurnEnd,
    TurnInterrupted,
    UserInput,
    payload,
)
from baton.core.transfer import mail as boxes
from baton.core.transfer import replies
from baton.core.transfer.letter import Letter
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place, platform_name
from baton.core.transfer.replies import Reply
from baton.core.transfer.transfer import Transfer
from baton.engine.aio import retry_store
from baton.engine.mail.wakeup import Wakeup
from baton.engine.prompts import prompt_text
from baton.engine.transfer.kit import TransferKit
from baton.engine.turns.queue import Subscription

_PAUSE = 0.25
_TRIES = 5
_LAST = 200
_ENDS = (kinds.TURN_ENDED, kinds.TURN_INTERRUPTED, kinds.NOTE)


class Greeting:
    """What the agent says in `place`, where its conversation was carried by `transfer`."""

    def __init__(self, kit: TransferKit, transfer: Transfer, place: Place) -> None:
        self._store = kit.store
        self._runtime = kit.runtime
        self._outbox = kit.outbox
        self._follow = kit.follow
        self._transfer = transfer
        self._place = place
        self._conversation_id = transfer.conversation_id
        self.turn_id = f"u_{transfer.id[2:]}"

    async def deliver(self, wakeup: Wakeup) -> Mail:
        """Its first message, once it is sent or refused. `TransferFailed` if the agent could not speak."""
        tries = 0
        while (said := await retry_store(self._find_words)) is None:
            if tries == _TRIES:
                raise TransferFailed(reason=f"the agent was interrupted {tries} times before it could speak there")
            tries += await self._speak()
        for reply in said:
            letter = Letter(reply.text, replaces=replies.preview_key(reply.key))
            await self._outbox.put(self._place, reply.key, letter, self._conversation_id)
        while True:
            count = wakeup.count
            mail = await retry_store(lambda: self._store.outbox.get(replies.first_part(said[0].key)))
            if mail.state in boxes.FINAL[boxes.OUTBOX]:
                return mail
            await wakeup.wait(count)

    async def withdraw(self, *, for_now: bool) -> None:
        """Stops its turn, and no other; `for_now` leaves it to the next worker."""
        with suppress(BatonError):
            if not await self._runtime.withdraw(self._conversation_id, self.turn_id):
                await self._runtime.cancel(self._conversation_id, self.turn_id, for_now=for_now)

    def is_heard(self) -> bool:
        """Whether anything of it was said in the place, or is on its way there."""
        if any(each.key.startswith(f"{self.turn_id}/") for each in replies.replies(self._entries())):
            return True
        with suppress(NotFound):
            return bool(self._store.outbox.get(replies.preview_key(f"{self.turn_id}/{replies.step_name(1)}")))
        return False

    def _find_words(self) -> Sequence[Reply] | None:
        """What the transcript holds of it; None if its turn never came to an end."""
        entries = self._entries()
        ends = [end for entry in entries if (end := self._end(entry))]
        cut = find_interrupted(entries)
        answered = cut is not None and cut.turn_id == self.turn_id and cut.answered
        last = ends[-1] if ends else None
        reason = COMPLETED if answered else last.end if isinstance(last, TurnEnd) else INTERRUPTED
        if reason in (INTERRUPTED, SUSPENDED):
            return None
        if reason != COMPLETED:
            error = last.error if isinstance(last, TurnEnd) else ""
            raise TransferFailed(reason=f"the agent could not speak there: {error or reason}")
        cut_off = f"{self.turn_id}/{replies.step_name(0)}"
        found = [each for each in replies.replies(entries) if each.key.startswith(f"{self.turn_id}/")]
        said = list({each.key: each for each in reversed(found) if each.key != cut_off}.values())[::-1]
        if not said:
            raise TransferFailed(reason="the agent said nothing there")
        return said

    def _end(self, entry: Entry) -> TurnEnd | TurnInterrupted | None:
        held = payload(entry) if entry.kind in _ENDS else None
        return held if isinstance(held, TurnEnd | TurnInterrupted) and held.turn == self.turn_id else None

    def _entries(self) -> list[Entry]:
        """The last ones, even if the turn split the session or handed it off."""
        sessions = self._store.sessions.of(self._conversation_id)[-2:]
        return [entry for session in sessions for entry in self._store.entries.last(session.id, _LAST)]

    async def _speak(self) -> bool:
        """Until its turn has ended. False while another has the conversation."""
        text = prompt_text("arrival").format(place=platform_name(self._transfer.platform))
        given = UserInput(text, synthetic=True, place=self._place.key, transfer=self._transfer.id)
        subscription = self._runtime.watch(self._conversation_id)
        self._follow(self._conversation_id)
        try:
            await self._runtime.submit(self._conversation_id, given, self.turn_id)
            await _wait_for_end(subscription, self.turn_id)
        except OwnedElsewhere:  # a dead owner's lease, or a turn's last moment
            await asyncio.sleep(_PAUSE)
            return False
        finally:
            subscription.close()
        return True


async def _wait_for_end(subscription: Subscription, turn_id: str) -> None:
    while True:
        event = await subscription.next()
        if isinstance(event, TurnEnded) and event.turn_id == turn_id:
            return
