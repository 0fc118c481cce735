"""What the store suites share: a conversation to work on, and a look at everything a store holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Barrier, Thread
from typing import Any, TypeVar

import pytest

from baton.core.handoff.packet import Draft
from baton.core.log.bundle import Bundle
from baton.core.log.conversation import Conversation
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.lease import Ownership
from baton.core.log.session import Session
from baton.core.transfer.transfer import STEPS
from baton.core.value import replace
from baton.ports.store import Store
from baton.testing.memory import MemoryStore
from tests.support.backends import Backend

T = TypeVar("T")
HANDOFF = {"edge": "handoff", "end_reason": "handoff"}


@dataclass
class Work:
    """A conversation owned by somebody; `head` and `proof` are what its owner knows."""

    store: Store
    conversation: Conversation
    head: Session
    proof: Ownership

    @property
    def id(self) -> str:
        return self.conversation.id

    def now(self) -> Conversation:
        return self.store.conversations.get(self.id)

    def say(self, *texts: str) -> list[Entry]:
        return self.store.entries.append(self.proof, self.head.id, said(*texts))

    def advance(self, **options: Any) -> Session:
        self.head = self.store.sessions.advance(self.proof, self.head.id, **{**HANDOFF, **options})
        return self.head

    def draft(self) -> Draft:
        packet = self.store.packets.add(self.head.id, "# Packet", {"facts": []})
        return self.store.drafts.open(self.id, self.now().version, packet.id)


def begin(store: Store, title: str = "work", owner: str = "alice", ttl: float = 60, **options: str) -> Work:
    conversation, head = store.conversations.start(title, **options)
    return Work(store, conversation, head, store.conversations.claim(conversation.id, owner, ttl))


def said(*texts: str) -> list[NewEntry]:
    return [NewEntry("user", {"text": text}) for text in texts]


def texts(entries: list[Entry]) -> list[str]:
    return [entry.data["text"] for entry in entries]


def whole(store: Store, conversation_id: str) -> Bundle:
    """A bundle that can be compared and read more than once."""
    bundle = store.upkeep.bundle(conversation_id)
    return replace(bundle, entries=tuple(bundle.entries))


def everything(store: Store) -> dict[str, Any]:
    held: dict[str, Any] = {
        conversation_id: (
            store.conversations.get(conversation_id),
            whole(store, conversation_id),
            store.transfers.of(conversation_id),
        )
        for conversation_id in store.upkeep.ids()
    }
    mail = {"inbox": store.inbox.list_waiting(), "outbox": store.outbox.list_waiting()}
    return {**held, **mail, "records": store.register.list("")}


@contextmanager
def unchanged(store: Store) -> Iterator[None]:
    """What happens inside leaves every conversation, waiting message and record as it was."""
    before = everything(store)
    yield
    assert everything(store) == before


def at_once(*acts: Callable[[], T]) -> list[T | Exception]:
    """Runs each in a thread of its own, all starting together; what each returned or raised, in order."""
    results: list[Any] = [None] * len(acts)
    barrier = Barrier(len(acts))

    def run(place: int, act: Callable[[], T]) -> None:
        barrier.wait(10)
        try:
            results[place] = act()
        except Exception as error:  # noqa: BLE001
            results[place] = error

    threads = [Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return results


def forge(backend: Backend, store: Store, change: str, *parameters: Any, memory: Callable[[Any], None]) -> None:
    """Changes data behind the store's back, as a broken disk or another program would: by SQL, or in memory.

    Backends that keep their data out of reach of the test are skipped.
    """
    if isinstance(store, MemoryStore):
        memory(store.data)
    elif backend.name == "sqlite":
        with closing(sqlite3.connect(store.location)) as connection, connection:
            connection.execute("DROP TRIGGER IF EXISTS entry_is_append_only")
            connection.execute(change, parameters)
    else:
        pytest.skip(f"the data of {backend.name} cannot be changed from here")


def moved(store: Store, conversation_id: str, platform: str) -> None:
    """A transfer that arrived."""
    transfer, proof = store.transfers.claim(store.transfers.request(conversation_id, "here", platform).id, "worker", 60)
    for step in STEPS[STEPS.index(transfer.step) + 1 :]:
        store.transfers.reach(proof, step, {})
    store.transfers.complete(proof)
