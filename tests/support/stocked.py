"""A store with a bit of everything in it, and all that can be seen of it from outside."""

from __future__ import annotations

import random
import shutil
from contextlib import closing
from pathlib import Path

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log.entry import NewEntry
from baton.core.log.session import COMPRESSION, HANDOFF
from baton.core.transfer.place import Place
from baton.engine.archive import export_lines
from baton.ports.store import Store
from baton.testing.clock import FrozenClock

WORDS = ("baton", "relay", "handoff", "packet", "Straße", "日本語", "🙂", "compression", "ledger", "lease")


def stock(store: Store, conversations: int = 40, seed: int = 7) -> None:
    """What a store of version 1 can hold, and records, one of them too long for one page."""
    stock_first_version(store, conversations, seed)
    for number in range(conversations):
        store.register.put(
            f"allowed/telegram/{number}", {"by": "telegram:1", "note": "x" * (9000 if number == 5 else 9)}
        )


def stock_first_version(store: Store, conversations: int = 40, seed: int = 7) -> None:
    """Long and short conversations, chains, forks, packets, drafts, transfers in every state, bindings and mail."""
    chance = random.Random(seed)
    ids: list[str] = []
    for number in range(conversations):
        ids.append(_conversation(store, chance, number))
        if number % 8 == 5:
            head = store.conversations.get(chance.choice(ids)).head_id
            forked, _ = store.conversations.fork(head, 1, f"Fork {number}")
            _append(store, chance, forked.id, 2)
    for number, conversation_id in enumerate(ids):
        place = Place("slack", f"C{number}", f"{number}.5")
        store.inbox.put(f"in-{number}", place, {"text": _text(chance, 6)}, conversation_id)
        store.outbox.put(f"out-{number}", place, {"text": _text(chance, 9)}, conversation_id)


def _conversation(store: Store, chance: random.Random, number: int) -> str:
    conversation, _ = store.conversations.start(
        f"Work {number} {_text(chance, 2)}", f"/home/me/{number % 3}", "model-x"
    )
    _append(store, chance, conversation.id, chance.randrange(2, 12))
    for step in range(number % 4):
        _advance(store, chance, conversation.id, COMPRESSION if step % 2 else HANDOFF)
        _append(store, chance, conversation.id, chance.randrange(1, 4))
    if number % 3 == 0:
        place = Place("telegram", f"-100{number}")
        store.bindings.bind(place, conversation.id)
        transfer = store.transfers.request(conversation.id, "cli:here", place.key)
        if number % 2:
            store.transfers.cancel(transfer.id)
    return conversation.id


def _append(store: Store, chance: random.Random, conversation_id: str, count: int) -> None:
    proof = store.conversations.claim(conversation_id, "stocker", 60)
    head = store.conversations.get(conversation_id).head_id
    texts = [_text(chance, _length(chance)) for _ in range(count)]
    store.entries.append(proof, head, [NewEntry("user", {"text": text}, tokens=len(text)) for text in texts])
    store.conversations.release(proof)


def _advance(store: Store, chance: random.Random, conversation_id: str, edge: str) -> None:
    proof = store.conversations.claim(conversation_id, "stocker", 60)
    conversation = store.conversations.get(conversation_id)
    packet = store.packets.add(conversation.head_id, f"# Handoff\n{_text(chance, 80)}", {"goal": _text(chance, 5)})
    draft = store.drafts.open(conversation_id, conversation.version, packet.id)
    note = NewEntry("compression", {"outcome": "compressed", "text": _text(chance, 20)})
    store.sessions.advance(
        proof, conversation.head_id, edge=edge, end_reason=edge, reason="full", entries=[note], draft_id=draft.id
    )
    store.conversations.release(proof)


def _length(chance: random.Random) -> int:
    """Some are too long for one page."""
    return 1500 if chance.random() < 0.03 else chance.randrange(1, 40)


def _text(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(count))


def everything(store: Store) -> list[str]:
    """Whatever the store tells; equal for equal content."""
    return everything_of_first_version(store) + [repr(record) for record in store.register.list("")]


def everything_of_first_version(store: Store) -> list[str]:
    ids = list(store.upkeep.ids())
    seen = list(export_lines(store, ids))
    seen += [repr(mail) for box in (store.inbox, store.outbox) for mail in box.list_waiting()]
    seen += [repr(transfer) for each in ids for transfer in store.transfers.of(each)]
    return seen


class Stocked:
    """A closed database that tests can have copies of; `entries` are (session, seq, checksum) of all it holds."""

    def __init__(self, directory: Path, conversations: int = 40) -> None:
        self._source = directory / "source" / "baton.db"
        with closing(open_sqlite(str(self._source), clock=FrozenClock())) as store:
            stock(store, conversations)
            self.everything = everything(store)
            self.ids = set(store.upkeep.ids())
            self.entries = entries_of(store)
        self.data = self._source.read_bytes()

    @property
    def size(self) -> int:
        return len(self.data)

    def copy(self, directory: Path) -> Path:
        shutil.copytree(self._source.parent, directory)
        return directory / "baton.db"


def entries_of(store: Store) -> set[tuple[str, int, int]]:
    bundles = (store.upkeep.bundle(each) for each in store.upkeep.ids())
    return {(entry.session_id, entry.seq, entry.checksum) for bundle in bundles for entry in bundle.entries}


def after_a_crash(path: Path, target: Path) -> Path:
    """The files of a store that is open, as a `kill -9` of all its processes would leave them."""
    shutil.copytree(path.parent, target, ignore=shutil.ignore_patterns("*-shm"))
    return target / path.name
