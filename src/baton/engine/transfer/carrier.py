"""The worker that carries conversations to other places: one `Journey` for each transfer it has claimed.

A transfer that fails is rolled back first. One that is lost to another worker is left as it is; one under way when the
gateway stops is given back. Whoever waits for a transfer only observes.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from baton.core.display import one_line
from baton.core.errors import BadTransition, BatonError, StaleEpoch, StoreError, TransferFailed
from baton.core.log.lease import Ownership
from baton.core.transfer import transfer as rules
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import parse_place, platform_name
from baton.core.transfer.transfer import Transfer
from baton.engine.aio import heartbeat, in_thread, retry_store
from baton.engine.mail.worker import Claims, Taken, Worker
from baton.engine.transfer.journey import Journey
from baton.engine.transfer.kit import TransferKit

NOT_MOVED = "⚠ This conversation did not move to {place}: {reason}. It continues here."
_AT_ONCE = 8
_LONGEST_BEAT = 1.0
"""Seconds: a wish to cancel is seen at the next beat."""


class Carrier:
    """Its `worker` carries until it is cancelled; what it carries then is given back."""

    def __init__(self, kit: TransferKit, owner: str, lease: float) -> None:
        self._kit = kit
        self._transfers = kit.store.transfers
        self._lease = lease
        claims = Claims(owner, lease, _AT_ONCE)
        self.worker = Worker(
            self._transfers.claim_next, self._transfers.is_due, self._carry, kit.platforms, claims, on_stop="cancel"
        )
        self.completed = 0
        self.failed = 0

    async def _carry(self, taken: Taken[Transfer]) -> None:
        """Carries it to its end. If it is lost to another worker this stops without a word; if the gateway stops, it is
        given back.
        """
        journey = Journey(self._kit, taken.job, taken.proof, taken.wakeup)
        moving = asyncio.create_task(journey.run())

        async def beat() -> bool:
            return await self._beat(taken.proof, moving, journey)

        async with heartbeat(beat, min(self._lease / 3, _LONGEST_BEAT)):
            try:
                await moving
            except asyncio.CancelledError:
                if journey.lost or journey.completed:
                    return
                moving.cancel()
                await asyncio.wait([moving])
                if journey.cancelled:
                    await self._fail(journey, taken.proof, rules.CANCELLED_ERROR)
                    return
                with suppress(BatonError):
                    await in_thread(self._transfers.give_back, taken.proof)
                raise
            except (StaleEpoch, BadTransition, StoreError):  # another has it, or will continue from the journal
                return
            except TransferFailed as error:  # surfaces say that it failed; here is why
                await self._fail(journey, taken.proof, str(error.facts["reason"]))
            except BatonError as error:
                await self._fail(journey, taken.proof, error.parts()[0])
            except Exception as error:  # noqa: BLE001, the edge of a transfer: whoever waits is told
                reason = await in_thread(self._kit.outbox.clean, str(error), taken.job.conversation_id)
                await self._fail(journey, taken.proof, f"{type(error).__name__}: {one_line(reason, 300)}")
            finally:
                self.completed += journey.completed

    async def _beat(self, proof: Ownership, moving: asyncio.Task[None], journey: Journey) -> bool:
        """Renews the lease. False after it stopped the journey: it is another's by now, or somebody cancelled it."""
        try:
            transfer = await in_thread(self._transfers.beat, proof, self._lease)
        except (StaleEpoch, BadTransition):
            journey.lost = True
        else:
            journey.cancelled = bool(transfer.cancel_asked)
        if journey.lost or journey.cancelled:
            moving.cancel()
            return False
        return True

    async def _fail(self, journey: Journey, proof: Ownership, reason: str) -> None:
        """Rolls it back if it is still ours: the lease is renewed first, so that nobody else begins meanwhile."""
        self.failed += 1
        with suppress(BatonError):
            await retry_store(lambda: self._transfers.beat(proof, self._lease))
            await journey.roll_back(reason)
            failed = await retry_store(lambda: self._transfers.fail(proof, reason))
            await self._tell_origin(failed)

    async def _tell_origin(self, failed: Transfer) -> None:
        """Tells the place it was asked for in; a terminal looks by itself."""
        if failed.origin.partition(":")[0] in self._kit.platforms:
            text = NOT_MOVED.format(place=platform_name(failed.platform), reason=failed.error.rstrip("."))
            place = parse_place(failed.origin)
            await self._kit.outbox.put(place, f"transfer/{failed.id}/failed", Letter(text), failed.conversation_id)
