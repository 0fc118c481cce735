"""Jobs of processes that want to own the same thing."""

from __future__ import annotations

from collections.abc import Callable

from baton.core.errors import Conflict, OwnedElsewhere
from baton.core.log.entry import NewEntry
from baton.core.log.session import HANDOFF
from baton.core.transfer.mail import DONE
from baton.ports.store import Store
from tests.support.workers.picture import Lane
from tests.support.workers.stores import open_at
from tests.support.workers.timing import spin_until
from tests.support.workers.voice import Voice

_LONG = 600.0


def claim_many(voice: Voice, location: str, owner: str, pause: float) -> None:
    """Claims every conversation of the store, each at its own instant; says which it won and how it lost the rest."""
    store = open_at(location)
    voice.say("ready")
    start = voice.hear()[0]
    for number, conversation_id in enumerate(store.upkeep.ids()):
        spin_until(start + number * pause)
        voice.say(conversation_id, _outcome(store, conversation_id, owner))
    store.close()


def _outcome(store: Store, conversation_id: str, owner: str) -> str:
    try:
        store.conversations.claim(conversation_id, owner, _LONG)
    except OwnedElsewhere as lost:
        return lost.code
    return "won"


def claim_transfers(voice: Voice, location: str, owner: str, platform: str) -> None:
    """Claims transfers until there is none left."""
    store = open_at(location)
    voice.say("ready")
    spin_until(voice.hear()[0])
    while (found := store.transfers.claim_next([platform], owner, _LONG)) is not None:
        voice.say("claimed", found[0].id)
    store.close()


def hold_and_write_late(voice: Voice, location: str, lane: list[str], owner: str, ttl: float) -> None:
    """Owns a conversation, a transfer and a message; when told to, tries to go on as if nothing had happened."""
    where, store = Lane(*lane), open_at(location)
    proof = store.conversations.claim(where.conversation_id, owner, ttl)
    head_id = store.conversations.get(where.conversation_id).head_id
    transfer = store.transfers.claim_next([where.platform], owner, ttl)
    letter = store.inbox.take([where.platform], owner, ttl)
    assert transfer is not None
    assert letter is not None
    entries = [NewEntry("user", {"text": "late"})]
    late: dict[str, Callable[[], object]] = {
        "append": lambda: store.entries.append(proof, head_id, entries),
        "advance": lambda: store.sessions.advance(proof, head_id, edge=HANDOFF, end_reason=HANDOFF),
        "renew": lambda: store.conversations.renew(proof, ttl),
        "release": lambda: store.conversations.release(proof),
        "beat": lambda: store.transfers.beat(transfer[1], ttl),
        "reach": lambda: store.transfers.reach(transfer[1], "opened", {}),
        "fail": lambda: store.transfers.fail(transfer[1], "late"),
        "give_back": lambda: store.transfers.give_back(transfer[1]),
        "settle": lambda: store.inbox.settle(letter[1], DONE),
    }
    voice.say("holds")
    voice.hear()
    voice.say("refused", {name: _refusal(write) for name, write in late.items()})
    store.close()


def _refusal(write: Callable[[], object]) -> str:
    try:
        write()
    except Conflict as refused:
        return refused.code
    return "accepted"
