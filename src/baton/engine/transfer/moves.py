"""A transfer as seen by whoever asks for it: watching it, and the way back to the terminal."""

from __future__ import annotations

from collections.abc import AsyncIterator

from baton.core.errors import TransferActive
from baton.core.transfer import transfer as rules
from baton.core.transfer.letter import Letter, to_body
from baton.core.transfer.place import TERMINAL, parse_place
from baton.core.transfer.transfer import Arrival, Transfer
from baton.engine.aio import in_thread
from baton.engine.mail.wakeup import Wakeup
from baton.engine.transfer.targets import HERE
from baton.ports.store import WORK, Store

BACK = "→ This conversation went back to the terminal."


async def observe(store: Store, transfer_id: str) -> AsyncIterator[Transfer]:
    """The transfer as it is, at every change and at least every second, until it has ended. Changes nothing."""
    async with Wakeup(store, WORK) as wakeup:
        while True:
            count = wakeup.count
            transfer = await in_thread(store.transfers.get, transfer_id)
            yield transfer
            if transfer.state not in rules.ACTIVE:
                return
            await wakeup.wait(count)


def lives_in(store: Store, conversation_id: str) -> str:
    """The platform a conversation was last transferred to; the terminal if it never was."""
    been = rules.platforms_visited(store.transfers.of(conversation_id))
    return been[-1] if been else TERMINAL


def come_back(store: Store, conversation_id: str, owner: str, lease: float) -> Transfer | None:
    """Brings a conversation back to this terminal, at once; None if it is here. `TransferActive` while it moves.

    A thread still speaks for it, should somebody answer there; a room is free for others.
    """
    transfers = store.transfers
    for each in transfers.of(conversation_id):
        if each.state in rules.ACTIVE and each.platform == TERMINAL:
            return _arrive(store, each, owner, lease)
        if each.state in rules.ACTIVE:
            raise TransferActive(conversation=conversation_id, target=each.target, transfer=each.id, state=each.state)
    if lives_in(store, conversation_id) == TERMINAL:
        return None
    origin = next((each.place for each in store.bindings.of(conversation_id)), HERE)
    return _arrive(store, transfers.request(conversation_id, origin, TERMINAL), owner, lease)


def _arrive(store: Store, transfer: Transfer, owner: str, lease: float) -> Transfer:
    transfers = store.transfers
    transfer, proof = transfers.claim(transfer.id, owner, lease)
    for binding in store.bindings.of(transfer.conversation_id):
        place = parse_place(binding.place)
        store.outbox.put(f"transfer/{transfer.id}/left/{place.key}", place, to_body(Letter(BACK)))
        if not place.thread:
            store.bindings.unbind(place, transfer.conversation_id, by=proof)
    for step in rules.STEPS[rules.STEPS.index(transfer.step) + 1 :]:
        transfers.reach(proof, step, Arrival(HERE).notes())
    return transfers.complete(proof)
