"""Whatever comes from outside is refused by name or kept exactly; nothing else in the store or on the disk changes."""

from __future__ import annotations

import json
import math
import os
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from baton.core.errors import BatonError
from baton.core.log.conversation import Conversation
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.lease import Ownership
from baton.core.log.session import HANDOFF, Session
from baton.core.transfer.mail import DONE
from baton.core.transfer.place import Place, parse_place
from baton.engine.archive import export_lines
from baton.ports.store import Store
from tests.support.backends import BACKENDS, Backend
from tests.support.hostile import KINDS, texts

TEXTS = texts(520)
SOME = TEXTS[::6]
LONGEST_MESSAGE = 4000
TTL = 60.0
JOINERS = "\u200c\u200d"
MAILBOX = Place("mailbox", "room")

Outcome = str


@dataclass
class Victim:
    """A store with a conversation that must not change, and one that everything is tried on."""

    store: Store
    number: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.precious, _ = self.conversation("precious")
        self.before = self.lines()
        self.untouched = self.store.conversations.find("precious").head_id
        self.target, self.session = self.conversation("target")
        self.proof = self.store.conversations.claim(self.target, "owner", TTL)

    def conversation(self, title: str) -> tuple[str, Session]:
        conversation, session = self.store.conversations.start(title, "/work", "model")
        proof = self.store.conversations.claim(conversation.id, "owner", TTL)
        self.store.entries.append(proof, session.id, [NewEntry("user", {"text": f"{title} words"})])
        packet = self.store.packets.add(session.id, "# Packet", {"goal": title})
        self.store.drafts.open(conversation.id, 1, packet.id)
        self.store.bindings.bind(Place("cli", title), conversation.id)
        return conversation.id, session

    def appended(self, **numbers: Any) -> Entry:
        return self.store.entries.append(self.proof, self.session.id, [NewEntry("user", {}, **numbers)])[0]

    def spare(self) -> str:
        """A conversation that nothing was done with yet."""
        return self.store.conversations.start("spare")[0].id

    def lines(self) -> list[str]:
        return list(export_lines(self.store, [self.precious]))


def kept(stored: object, given: object) -> Outcome:
    assert stored == given
    return "kept"


def read(_: object) -> Outcome:
    return "read"


# Each call gives "kept" after it compared what was stored, or "read"; what it raises is judged by `attempt`.


def title_of_a_start(on: Victim, text: str) -> Outcome:
    conversation, _ = on.store.conversations.start(text)
    assert on.store.conversations.find(conversation.id) == conversation
    return kept(conversation.title, text.strip())


def title_of_a_rename(on: Victim, text: str) -> Outcome:
    return kept(on.store.conversations.rename(on.target, text).title, text.strip())


def title_of_a_fork(on: Victim, text: str) -> Outcome:
    conversation, _ = on.store.conversations.fork(on.session.id, 1, text)
    return kept(on.store.conversations.get(conversation.id).title, text.strip())


def workspace(on: Victim, text: str) -> Outcome:
    conversation, _ = on.store.conversations.start("with a workspace", workspace=text)
    assert any(row.conversation == conversation for row in on.store.conversations.page(1000, workspace=text).rows)
    return kept(on.store.conversations.get(conversation.id).workspace, text)


def model(on: Victim, text: str) -> Outcome:
    _, session = on.store.conversations.start("with a model", model=text)
    return kept(on.store.sessions.get(session.id).model, text)


def owner(on: Victim, text: str) -> Outcome:
    conversation, session = on.store.conversations.start("to be owned")
    proof = on.store.conversations.claim(conversation.id, text, TTL)
    on.store.entries.append(proof, session.id, [NewEntry("user", {})])
    return kept(on.store.conversations.get(conversation.id).owner, text)


def body(on: Victim, text: str) -> Outcome:
    data = {"text": text, text: [text]}
    seq = on.store.entries.append(on.proof, on.session.id, [NewEntry("user", data)])[0].seq
    return kept(on.store.entries.load(on.session.id, after=seq - 1, limit=1)[0].data, data)


def kind(on: Victim, text: str) -> Outcome:
    stored = on.store.entries.append(on.proof, on.session.id, [NewEntry(text, {})])
    return kept(stored[0].kind, text)


def packet(on: Victim, text: str) -> Outcome:
    made = on.store.packets.add(on.session.id, text, {"text": text})
    found = on.store.packets.get(made.id)
    return kept((found.markdown, json.loads(found.ledger)), (text, {"text": text}))


def reason_of_a_handoff(on: Victim, text: str) -> Outcome:
    conversation, session = on.store.conversations.start("to be handed off")
    proof = on.store.conversations.claim(conversation.id, "owner", TTL)
    child = on.store.sessions.advance(proof, session.id, edge=HANDOFF, end_reason=HANDOFF, reason=text, model="m")
    return kept(on.store.sessions.get(child.id).reason, text)


def origin_of_a_transfer(on: Victim, text: str) -> Outcome:
    asked = on.store.transfers.request(on.spare(), text, "telegram")
    on.store.transfers.cancel(asked.id)
    return kept(on.store.transfers.get(asked.id).origin, text)


def target_of_a_transfer(on: Victim, text: str) -> Outcome:
    asked = on.store.transfers.request(on.spare(), "cli:here", text)
    on.store.transfers.cancel(asked.id)
    return kept(on.store.transfers.get(asked.id).target, text)


@contextmanager
def running_transfer(on: Victim) -> Iterator[Ownership]:
    """It is over at the end, however the attempt went: no later one has to look at it."""
    asked = on.store.transfers.request(on.spare(), "cli:here", "telegram")
    _, proof = on.store.transfers.claim(asked.id, "worker", TTL)
    try:
        yield proof
    finally:
        if on.store.transfers.active():
            on.store.transfers.fail(proof, "the end of this attempt")


def notes_of_a_step(on: Victim, text: str) -> Outcome:
    with running_transfer(on) as proof:
        reached = on.store.transfers.reach(proof, "opened", {"text": text})
    return kept(on.store.transfers.get(reached.id).notes, {"opened": {"text": text}})


def error_of_a_transfer(on: Victim, text: str) -> Outcome:
    with running_transfer(on) as proof:
        failed = on.store.transfers.fail(proof, text)
    return kept(on.store.transfers.get(failed.id).error, text)


def step_of_a_transfer(on: Victim, text: str) -> Outcome:
    with running_transfer(on) as proof:
        return read(on.store.transfers.reach(proof, text, {}))


def message(on: Victim, text: str) -> Outcome:
    key = f"key{next(on.number)}"
    on.store.inbox.put(key, MAILBOX, {"text": text})
    with taken_message(on):
        return kept(json.loads(on.store.inbox.get(key).body), {"text": text})


@contextmanager
def taken_message(on: Victim) -> Iterator[Ownership]:
    taken = on.store.inbox.take([MAILBOX.platform], "worker", TTL)
    assert taken is not None
    try:
        yield taken[1]
    finally:
        if on.store.inbox.list_waiting(MAILBOX):
            on.store.inbox.settle(taken[1], DONE)


def key_of_a_message(on: Victim, text: str) -> Outcome:
    assert on.store.inbox.put(text, MAILBOX, {})
    with taken_message(on):
        return kept(on.store.inbox.get(text).key, text)


def end_of_a_message(on: Victim, text: str) -> Outcome:
    key = f"key{next(on.number)}"
    on.store.inbox.put(key, MAILBOX, {})
    with taken_message(on) as proof:
        settled = on.store.inbox.settle(proof, DONE, error=text, receipt=text)
    return kept((settled.error, on.store.inbox.get(key).receipt), (text, text))


def state_of_a_message(on: Victim, text: str) -> Outcome:
    on.store.inbox.put(f"key{next(on.number)}", MAILBOX, {})
    with taken_message(on) as proof:
        return read(on.store.inbox.settle(proof, text))


def room_of_a_place(on: Victim, text: str) -> Outcome:
    place = Place("cli", text, text)
    on.store.bindings.bind(place, on.target)
    bound = on.store.bindings.at(place)
    assert bound is not None
    on.store.bindings.unbind(place, on.target)
    return kept(parse_place(bound.place), place)


def platform_of_a_place(_: Victim, text: str) -> Outcome:
    return kept(parse_place(Place(text, "room").key).platform, text)


def key_of_a_place(_: Victim, text: str) -> Outcome:
    return kept(parse_place(text).key, text)


def forged_ownership(on: Victim, text: str) -> Outcome:
    return read(on.store.entries.append(Ownership("conversation", text, text, 1), text, []))


def forged_owner(on: Victim, text: str) -> Outcome:
    return read(on.store.entries.append(Ownership("conversation", on.target, text, 1), on.session.id, []))


def forged_head(on: Victim, text: str) -> Outcome:
    return read(on.store.entries.append(on.proof, text, []))


def edge_of_a_handoff(on: Victim, text: str) -> Outcome:
    return read(on.store.sessions.advance(on.proof, on.session.id, edge=text, end_reason=text))


LOOKUPS: dict[str, Callable[[Store, str], object]] = {
    "conversations.get": lambda store, text: store.conversations.get(text),
    "conversations.find": lambda store, text: store.conversations.find(text),
    "conversations.page after": lambda store, text: len(store.conversations.page(10, after=text).rows),
    "conversations.page workspace": lambda store, text: len(store.conversations.page(10, workspace=text).rows),
    "conversations.claim": lambda store, text: store.conversations.claim(text, "owner", TTL),
    "conversations.rename": lambda store, text: store.conversations.rename(text, "title"),
    "conversations.fork": lambda store, text: store.conversations.fork(text, 0, "title"),
    "sessions.get": lambda store, text: store.sessions.get(text),
    "sessions.of": lambda store, text: store.sessions.of(text),
    "sessions.chain": lambda store, text: store.sessions.chain(text),
    "sessions.tree": lambda store, text: store.sessions.tree(text),
    "sessions.vitals": lambda store, text: store.sessions.vitals(text),
    "entries.load": lambda store, text: store.entries.load(text),
    "entries.last": lambda store, text: store.entries.last(text, 3),
    "packets.add": lambda store, text: store.packets.add(text, "# Packet", {}),
    "packets.get": lambda store, text: store.packets.get(text),
    "packets.of": lambda store, text: store.packets.of(text),
    "drafts.open": lambda store, text: store.drafts.open(text, 1, text),
    "drafts.get": lambda store, text: store.drafts.get(text),
    "drafts.list_waiting": lambda store, text: store.drafts.list_waiting(text),
    "drafts.edit": lambda store, text: store.drafts.edit(text, text),
    "drafts.cancel": lambda store, text: store.drafts.cancel(text),
    "transfers.request": lambda store, text: store.transfers.request(text, "cli:here", "cli"),
    "transfers.get": lambda store, text: store.transfers.get(text),
    "transfers.of": lambda store, text: store.transfers.of(text),
    "transfers.claim": lambda store, text: store.transfers.claim(text, "owner", TTL),
    "transfers.claim_next": lambda store, text: store.transfers.claim_next([text], "owner", TTL),
    "transfers.cancel": lambda store, text: store.transfers.cancel(text),
    "bindings.bind": lambda store, text: store.bindings.bind(Place("cli", "new"), text),
    "bindings.of": lambda store, text: store.bindings.of(text),
    "bindings.unbind": lambda store, text: store.bindings.unbind(Place("cli", "precious"), text),
    "inbox.get": lambda store, text: store.inbox.get(text),
    "inbox.put conversation": lambda store, text: store.inbox.put("same key", Place("cli", "new"), {}, text),
    "outbox.take": lambda store, text: store.outbox.take([text], "owner", TTL),
    "upkeep.bundle": lambda store, text: store.upkeep.bundle(text),
    "upkeep.remove": lambda store, text: store.upkeep.remove(text, 2**61),
    "search.find": lambda store, text: tuple(
        (hit.title, hit.seq, hit.spans) for hit in store.search.find(text, limit=5)
    ),
}
NUMBERS: dict[str, Callable[[Victim, Any], object]] = {
    "ttl of a claim": lambda on, n: on.store.conversations.claim(on.spare(), "owner", n),
    "ttl of a renewal": lambda on, n: on.store.conversations.renew(on.proof, n),
    "ttl of a transfer": lambda on, n: on.store.transfers.claim_next(["nowhere"], "owner", n),
    "ttl of a message": lambda on, n: on.store.inbox.take(["nowhere"], "owner", n),
    "place of a fork": lambda on, n: on.store.conversations.fork(on.session.id, n, "fork")[0],
    "expected entries": lambda on, n: on.store.entries.append(on.proof, on.session.id, [], expected=n),
    "tokens of an entry": lambda on, n: on.appended(tokens=n).tokens == n,
    "time of an entry": lambda on, n: on.appended(at=n).at == n,
    "first entry": lambda on, n: len(on.store.entries.load(on.untouched, after=n)),
    "number of entries": lambda on, n: len(on.store.entries.load(on.untouched, limit=n)),
    "number of last entries": lambda on, n: len(on.store.entries.last(on.untouched, n)),
    "length of a page": lambda on, n: len(on.store.conversations.page(n).rows) > 0,
    "tokens of a packet": lambda on, n: on.store.packets.add(on.session.id, "# Packet", {}, n).tokens == n,
    "version of a draft": lambda on, n: on.store.drafts.open(on.target, n, "p_000000000000"),
    "time of idleness": lambda on, n: len(on.store.upkeep.idle_since(n)) >= 0,
    "time of removal": lambda on, n: on.store.upkeep.remove("c_000000000000", n),
    "number of hits": lambda on, n: len(on.store.search.find("precious", limit=n)),
}
ODD_NUMBERS = [0, -1, 1, 2**31, 2**53 + 1, 2**62, 2**63, 2**64, -(2**63) - 1, 10**400, -(10**400)]
ODD_FLOATS = [0.5, -0.0, 1e-9, 1e18, 1e308, math.inf, -math.inf, math.nan]
WRITES: dict[Callable[[Victim, str], Outcome], list[str]] = {
    title_of_a_start: TEXTS,
    title_of_a_rename: TEXTS,
    workspace: TEXTS,
    body: TEXTS,
    kind: TEXTS,
    room_of_a_place: TEXTS,
    platform_of_a_place: TEXTS,
    key_of_a_place: TEXTS,
    forged_ownership: TEXTS,
    forged_owner: TEXTS,
    forged_head: TEXTS,
    edge_of_a_handoff: TEXTS,
    title_of_a_fork: SOME,
    model: SOME,
    owner: SOME,
    packet: SOME,
    reason_of_a_handoff: SOME,
    origin_of_a_transfer: SOME,
    target_of_a_transfer: SOME,
    notes_of_a_step: SOME,
    error_of_a_transfer: SOME,
    step_of_a_transfer: SOME,
    message: SOME,
    key_of_a_message: SOME,
    end_of_a_message: SOME,
    state_of_a_message: SOME,
}


def attempt(act: Callable[[], object]) -> Outcome:
    """What came of it: the code of Baton's own error, or what `act` says of its success. Nothing else may be raised."""
    try:
        return summary(act())
    except BatonError as error:
        assert_harmless(str(error))
        return error.code


def summary(result: object) -> Outcome:
    """What is the same in every store."""
    match result:
        case Conversation():
            return result.title
        case None | str() | int() | tuple():
            return str(result)
        case list():
            return f"{len(result)} found"
        case _:
            return type(result).__name__


def assert_harmless(text: str) -> None:
    assert len(text) <= LONGEST_MESSAGE
    bad = [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in JOINERS]
    assert not bad, ascii(text)


def files_below(directory: Path) -> set[str]:
    return {os.path.join(where, name) for where, below, files in os.walk(directory) for name in (*below, *files)}


Victims = dict[str, Victim]


@pytest.fixture(scope="module")
def victims(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victims]:
    """One in each kind of store, for all tests; after all of them each store is looked at as a whole."""
    sandbox = tmp_path_factory.mktemp("sandbox")
    with ExitStack() as stack:
        backends: dict[str, Backend] = {name: make(sandbox) for name, make in BACKENDS.items()}
        for backend in backends.values():
            stack.enter_context(backend.stack)
        made = {name: Victim(backend.open()) for name, backend in backends.items()}
        yield made
        for name, on in made.items():
            assert on.lines() == on.before, name
            assert [finding.level for finding in on.store.upkeep.check()] == ["ok"], name
    assert {path for path in files_below(sandbox) if not path.startswith(str(sandbox / "store"))} == set()


def assert_all_alike(victims: Victims, given: Any, act: Callable[[Victim, Any], object]) -> None:
    outcomes = {name: attempt(lambda on=on: act(on, given)) for name, on in victims.items()}
    assert len(set(outcomes.values())) == 1, f"{ascii(given)[:100]}: {outcomes}"


def assert_nothing_else_happened(victims: Victims, isolated: Path) -> None:
    for name, on in victims.items():
        assert on.lines() == on.before, name
    assert files_below(isolated.parent) == {str(isolated), str(isolated.parent / "home")}


def test_there_are_enough_of_them() -> None:
    assert len(TEXTS) >= 500
    assert len(KINDS) >= 15


@pytest.mark.timeout(180)
@pytest.mark.parametrize("lookup", LOOKUPS)
def test_hostile_names_find_nothing_and_break_nothing(victims: Victims, lookup: str, isolated: Path) -> None:
    for text in TEXTS:
        assert_all_alike(victims, text, lambda on, text: LOOKUPS[lookup](on.store, text))
    assert_nothing_else_happened(victims, isolated)


@pytest.mark.parametrize("call", NUMBERS)
def test_numbers_beyond_reason_are_refused_or_mean_what_they_say(victims: Victims, call: str) -> None:
    for number in [*ODD_NUMBERS, *(ODD_FLOATS if call.startswith("ttl") else [])]:
        assert_all_alike(victims, number, NUMBERS[call])


@pytest.mark.timeout(180)
@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
def test_hostile_text_is_refused_by_name_or_kept_exactly(
    victims: Victims, write: Callable[[Victim, str], Outcome], isolated: Path
) -> None:
    for text in WRITES[write]:
        assert_all_alike(victims, text, write)
    assert_nothing_else_happened(victims, isolated)
