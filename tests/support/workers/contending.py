"""Jobs that many processes do at once on one store."""

from __future__ import annotations

import random
import time
from contextlib import suppress

from baton.core.errors import OwnedElsewhere
from baton.core.log.entry import NewEntry
from baton.core.log.lease import Ownership
from baton.ports.store import Store
from tests.support.workers.dying import die_at_commit
from tests.support.workers.stores import open_at
from tests.support.workers.timing import spin_until
from tests.support.workers.voice import Voice

_LONG = 600.0


def append_to_its_own(voice: Voice, location: str, conversation_id: str, owner: str, count: int) -> None:
    """Appends one by one to a conversation that is its alone; says the longest wait in seconds."""
    store = open_at(location)
    proof = store.conversations.claim(conversation_id, owner, _LONG)
    voice.say("ready")
    voice.hear()
    voice.say("longest", _append(store, proof, owner, 0, count))
    store.close()


def append_in_turns(voice: Voice, location: str, conversation_id: str, owner: str, turns: int, count: int) -> None:
    """Again and again: claims a conversation that others want too, appends `count` entries, releases it."""
    store, longest = open_at(location), 0.0
    voice.say("ready")
    voice.hear()
    for turn in range(turns):
        proof = _claim_when_free(store, conversation_id, owner)
        longest = max(longest, _append(store, proof, owner, turn * count, count, 10))
        store.conversations.release(proof)
    voice.say("longest", longest)
    store.close()


def append_and_search(voice: Voice, location: str, conversation_id: str, owner: str, count: int) -> None:
    """After each append looks for everything that all of them wrote; says how often it missed its own entries."""
    store = open_at(location)
    proof = store.conversations.claim(conversation_id, owner, _LONG)
    voice.say("ready")
    voice.hear()
    missed = 0
    for number in range(count):
        _append(store, proof, owner, number, 1)
        missed += len(store.search.find(owner, limit=10 * count)) != number + 1
    voice.say("missed", missed)
    store.close()


def catch_up_at_once(voice: Voice, location: str) -> None:
    store = open_at(location)
    voice.say("ready")
    spin_until(voice.hear()[0])
    voice.say("indexed", store.search.catch_up())
    store.close()


def drop_the_index(voice: Voice, location: str, times: int, die: str = "", die_at: int = 0) -> None:
    """Drops the index, and searches, again and again, until it is killed at one of its commits."""
    store = open_at(location)
    voice.say("ready")
    voice.hear()
    if die:
        die_at_commit(store, die, die_at)
    for _ in range(times):
        store.search.drop()
        store.search.find("common")
    store.close()


def _append(store: Store, proof: Ownership, owner: str, first: int, count: int, at_once: int = 1) -> float:
    head_id, longest = store.conversations.get(proof.id).head_id, 0.0
    for number in range(first, first + count, at_once):
        texts = [f"common {owner} {each}" for each in range(number, number + at_once)]
        start = time.monotonic()
        store.entries.append(proof, head_id, [NewEntry("user", {"text": text}) for text in texts])
        longest = max(longest, time.monotonic() - start)
    return longest


def _claim_when_free(store: Store, conversation_id: str, owner: str) -> Ownership:
    while True:
        if store.conversations.get(conversation_id).owner is None:
            with suppress(OwnedElsewhere):
                return store.conversations.claim(conversation_id, owner, _LONG)
        time.sleep(random.uniform(0.005, 0.03))
