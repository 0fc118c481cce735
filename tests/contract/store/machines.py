"""State machines that drive a store at random and compare it with a model of a few lines.

The models know nothing of `baton.core`: they only say who holds what, and what must therefore succeed or be refused.
Each machine has a single rule that chooses among its acts by weight: left to itself, Hypothesis switches whole rules
off, and most histories would then get nowhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from baton.core.errors import (
    BadTransition,
    HeadMoved,
    OwnedElsewhere,
    PlaceTaken,
    SequenceMoved,
    StaleEpoch,
    TransferActive,
)
from baton.core.log.lease import Ownership
from baton.core.transfer.place import Place
from baton.core.transfer.transfer import Transfer
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import HANDOFF, said, texts

EXAMPLES = int(os.environ.get("BATON_TEST_EXAMPLES", "0"))
PROFILE = settings(
    max_examples=EXAMPLES or 40,
    stateful_step_count=40,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)

WORKERS = st.sampled_from(["ann", "bob", "cy"])
LEASES = st.sampled_from([60, 10, 1, 0])
RECENT = st.sampled_from([0, 0, 0, 0, 1, 2, 3])
"""Which of the things that came one after the other: mostly the newest, sometimes an older one."""

Draw = Callable[[st.SearchStrategy[Any]], Any]
Act = Callable[[], Any]


def refused(error: type[Exception], act: Act) -> None:
    try:
        act()
    except error:
        return
    raise AssertionError(f"{error.__name__} was not raised")


class StoreMachine(RuleBasedStateMachine):
    """Several handles on one store, taking turns, and time that moves.

    The store outlives the machine: each history begins with fresh conversations.
    """

    weights: ClassVar[dict[str, int]]

    def __init__(self, stores: list[Store], clock: FrozenClock) -> None:
        super().__init__()
        self.stores = stores
        self.clock = clock
        self.turns = 0
        self.proofs: list[Ownership] = []

    @property
    def store(self) -> Store:
        self.turns += 1
        return self.stores[self.turns % len(self.stores)]

    @rule(data=st.data())
    def anything_happens(self, data: st.DataObject) -> None:
        acts = [act for act, weight in self.weights.items() for _ in range(weight)]
        getattr(self, data.draw(st.sampled_from(acts), label="act"))(data.draw)

    def recent(self, draw: Draw, things: list[Any]) -> Any:
        return things[-1 - min(draw(RECENT), len(things) - 1)] if things else None

    def time_passes(self, draw: Draw) -> None:
        """On the lease clock; the wall clock may be set as well, which must not matter."""
        self.clock.advance(draw(st.sampled_from([0.5, 1, 2, 9, 11, 59])))
        self.clock.jump(draw(st.sampled_from([0, 0, 86_400, -86_400])))

    def free_after(self, ttl: float) -> float:
        return self.clock.ticks() + ttl * 1_000_000


class OwnershipMachine(StoreMachine):
    """Owners of one conversation. At most one proof is current: it alone writes, and nobody claims while its lease is
    live. What was acknowledged is what is loaded, in order; the last session of the chain is the only live one.
    """

    weights: ClassVar = {"claim": 4, "append": 6, "advance": 3, "renew": 2, "release": 1, "time_passes": 2}

    @initialize()
    def start(self) -> None:
        conversation, head = self.store.conversations.start("work")
        self.id = conversation.id
        self.current: Ownership | None = None
        self.free_at = 0.0
        self.log: dict[str, list[str]] = {head.id: []}
        self.written = 0

    @property
    def head(self) -> str:
        return list(self.log)[-1]

    def words(self, count: int) -> list[str]:
        return [f"entry {self.written + number}" for number in range(count)]

    def claim(self, draw: Draw) -> None:
        owner, ttl = draw(WORKERS), draw(LEASES)
        act: Act = lambda: self.store.conversations.claim(self.id, owner, ttl)  # noqa: E731
        if self.current and self.current.owner != owner and self.clock.ticks() < self.free_at:
            return refused(OwnedElsewhere, act)
        self.current = act()
        self.proofs.append(self.current)
        self.free_at = self.free_after(ttl)
        return None

    def renew(self, draw: Draw) -> None:
        if proof := self.recent(draw, self.proofs):
            ttl = draw(LEASES)
            act: Act = lambda: self.store.conversations.renew(proof, ttl)  # noqa: E731
            if proof != self.current:
                return refused(StaleEpoch, act)
            act()
            self.free_at = self.free_after(ttl)
        return None

    def release(self, draw: Draw) -> None:
        if proof := self.recent(draw, self.proofs):
            act: Act = lambda: self.store.conversations.release(proof)  # noqa: E731
            if proof != self.current:
                return refused(StaleEpoch, act)
            act()
            self.current = None
        return None

    def append(self, draw: Draw) -> None:
        """The writer may have missed moves of the head, or entries."""
        if proof := self.recent(draw, self.proofs):
            session, words = self.recent(draw, list(self.log)), self.words(draw(st.integers(0, 3)))
            lag = draw(st.sampled_from([None, None, 0, 0, 1, -1]))
            expected = None if lag is None else len(self.log[session]) + lag
            act: Act = lambda: self.store.entries.append(proof, session, said(*words), expected=expected)  # noqa: E731
            if proof != self.current:
                return refused(StaleEpoch, act)
            if session != self.head:
                return refused(HeadMoved, act)
            if lag:
                return refused(SequenceMoved, act)
            assert texts(act()) == words
            self.log[session] += words
            self.written += len(words)
        return None

    def advance(self, draw: Draw) -> None:
        if proof := self.recent(draw, self.proofs):
            session, words = self.recent(draw, list(self.log)), self.words(draw(st.integers(0, 2)))
            act: Act = lambda: self.store.sessions.advance(proof, session, **HANDOFF, entries=said(*words))  # noqa: E731
            if proof != self.current:
                return refused(StaleEpoch, act)
            if session != self.head:
                return refused(HeadMoved, act)
            child = act()
            assert child.id not in self.log
            self.log[child.id] = words
            self.written += len(words)
        return None

    @invariant()
    def acknowledged_is_loaded_in_order(self) -> None:
        for session in list(self.log)[-2:]:
            assert texts(self.store.entries.load(session)) == self.log[session]

    @invariant()
    def the_head_alone_is_live(self) -> None:
        sessions = self.store.sessions.of(self.id)
        assert [each.id for each in sessions] == list(self.log)
        assert [each.id for each in sessions if each.live] == [self.head]
        assert [each.entries for each in sessions] == [len(words) for words in self.log.values()]

    @invariant()
    def the_conversation_agrees(self) -> None:
        held = self.store.conversations.get(self.id)
        assert (held.head_id, held.version, held.epoch) == (self.head, len(self.log), len(self.proofs))
        assert held.owner == (self.current.owner if self.current else None)

    def teardown(self) -> None:
        assert [texts(self.store.entries.load(session)) for session in self.log] == list(self.log.values())


@dataclass(eq=False)
class Journey:
    """What must be true of one transfer."""

    id: str
    conversation: int
    state: str = "pending"
    reached: int = 0
    current: Ownership | None = None
    free_at: float = 0
    asked: bool = False
    final: Transfer | None = None

    @property
    def active(self) -> bool:
        return self.state in ("pending", "running")


STEPS = ["requested", "claimed", "opened", "bound", "greeted"]


class TransferMachine(StoreMachine):
    """Workers that carry transfers of two conversations, and crash. A conversation has at most one active transfer; the
    last claim alone moves it; it is completed only after the greeting; what ended never changes.
    """

    count = 0
    weights: ClassVar = {
        "request": 3,
        "claim": 2,
        "claim_next": 3,
        "reach": 9,
        "complete": 4,
        "beat": 1,
        "fail": 1,
        "give_back": 1,
        "crash": 1,
        "cancel": 1,
        "bind": 3,
        "unbind": 3,
        "time_passes": 2,
    }

    @initialize()
    def start(self) -> None:
        TransferMachine.count += 1
        self.platform = f"p{self.count}"
        self.ids = [self.store.conversations.start(f"work {number}")[0].id for number in range(2)]
        self.journeys: list[Journey] = []
        self.bound: dict[Place, str] = {}

    def journey(self, proof: Ownership) -> Journey:
        return next(each for each in self.journeys if each.id == proof.id)

    def free(self, journey: Journey) -> bool:
        return journey.state == "pending" or (journey.state == "running" and self.clock.ticks() >= journey.free_at)

    def request(self, draw: Draw) -> None:
        number = draw(st.integers(0, 1))
        act: Act = lambda: self.store.transfers.request(self.ids[number], "terminal:1", f"{self.platform}:1")  # noqa: E731
        if any(each.active for each in self.journeys if each.conversation == number):
            return refused(TransferActive, act)
        self.journeys.append(Journey(act().id, number))
        return None

    def taken(self, journey: Journey, claimed: tuple[Transfer, Ownership], ttl: float) -> None:
        transfer, proof = claimed
        assert transfer.id == proof.id == journey.id
        journey.state, journey.current = "running", proof
        journey.reached = max(1, journey.reached)
        journey.free_at = self.free_after(ttl)
        self.proofs.append(proof)

    def claim(self, draw: Draw) -> None:
        if journey := self.recent(draw, self.journeys):
            worker, ttl = draw(WORKERS), draw(LEASES)
            act: Act = lambda: self.store.transfers.claim(journey.id, worker, ttl)  # noqa: E731
            if not journey.active:
                return refused(BadTransition, act)
            mine = journey.current is not None and journey.current.owner == worker
            if not self.free(journey) and not mine:
                return refused(OwnedElsewhere, act)
            self.taken(journey, act(), ttl)
        return None

    def claim_next(self, draw: Draw) -> None:
        ttl, waiting = draw(LEASES), [each for each in self.journeys if self.free(each)]
        claimed = self.store.transfers.claim_next([self.platform, "elsewhere"], draw(WORKERS), ttl)
        if claimed is None:
            assert waiting == []
        else:
            found = self.journey(claimed[1])
            assert found in waiting
            self.taken(found, claimed, ttl)

    def crash(self, draw: Draw) -> None:
        """A worker forgets what it held; nobody else learns of it."""
        if proof := self.recent(draw, self.proofs):
            self.proofs.remove(proof)

    def work(self, proof: Ownership, act: Act, *, allowed: bool = True) -> Transfer | None:
        """The store's answer to a worker; None if it had to refuse, and did."""
        journey = self.journey(proof)
        if journey.state == "running" and journey.current != proof:
            return refused(StaleEpoch, act)
        if journey.state != "running" or not allowed:
            return refused(BadTransition, act)
        return act()

    def beat(self, draw: Draw) -> None:
        if proof := self.recent(draw, self.proofs):
            ttl = draw(LEASES)
            if self.work(proof, lambda: self.store.transfers.beat(proof, ttl)):
                self.journey(proof).free_at = self.free_after(ttl)

    def reach(self, draw: Draw) -> None:
        if proof := self.recent(draw, self.proofs):
            journey = self.journey(proof)
            to = journey.reached + draw(st.sampled_from([1, 1, 1, 1, 1, 0, 2, -1]))
            step = STEPS[to] if 0 <= to < len(STEPS) else "nonsense"
            allowed = to in (journey.reached, journey.reached + 1) and to < len(STEPS)
            if self.work(proof, lambda: self.store.transfers.reach(proof, step, {"by": proof.owner}), allowed=allowed):
                journey.reached = to

    def complete(self, draw: Draw) -> None:
        if proof := self.recent(draw, self.proofs):
            journey = self.journey(proof)
            greeted = STEPS[journey.reached] == "greeted"
            if answer := self.work(proof, lambda: self.store.transfers.complete(proof), allowed=greeted):
                journey.state, journey.final = "completed", answer

    def fail(self, draw: Draw) -> None:
        proof = self.recent(draw, self.proofs)
        if proof and (answer := self.work(proof, lambda: self.store.transfers.fail(proof, "broken"))):
            journey = self.journey(proof)
            journey.state, journey.final = "failed", answer

    def give_back(self, draw: Draw) -> None:
        proof = self.recent(draw, self.proofs)
        if proof and self.work(proof, lambda: self.store.transfers.give_back(proof)):
            journey = self.journey(proof)
            journey.state, journey.current = "pending", None

    def cancel(self, draw: Draw) -> None:
        if journey := self.recent(draw, self.journeys):
            act: Act = lambda: self.store.transfers.cancel(journey.id)  # noqa: E731
            if not journey.active:
                return refused(BadTransition, act)
            answer = act()
            if journey.state == "pending" and journey.reached == 0:
                journey.state, journey.final = "failed", answer
            else:
                journey.asked = True
        return None

    def bind(self, draw: Draw) -> None:
        place, conversation_id = Place(self.platform, f"{draw(st.integers(0, 1))}"), draw(st.sampled_from(self.ids))
        instead_of = draw(st.sampled_from([None, *self.ids]))
        act: Act = lambda: self.store.bindings.bind(place, conversation_id, instead_of=instead_of)  # noqa: E731
        if self.bound.get(place, conversation_id) not in (conversation_id, instead_of):
            return refused(PlaceTaken, act)
        assert act().conversation_id == conversation_id
        self.bound[place] = conversation_id
        return None

    def unbind(self, draw: Draw) -> None:
        place, conversation_id = Place(self.platform, f"{draw(st.integers(0, 1))}"), draw(st.sampled_from(self.ids))
        mine = self.bound.get(place) == conversation_id
        assert self.store.bindings.unbind(place, conversation_id) is mine
        if mine:
            del self.bound[place]

    @invariant()
    def places_speak_for_whom_they_were_bound_to(self) -> None:
        for room in range(2):
            place = Place(self.platform, f"{room}")
            found = self.store.bindings.at(place)
            assert (found.conversation_id if found else None) == self.bound.get(place)

    @invariant()
    def the_store_agrees(self) -> None:
        for number, conversation_id in enumerate(self.ids):
            stored = {each.id: each for each in self.store.transfers.of(conversation_id)}
            known = {each.id: each for each in self.journeys if each.conversation == number}
            assert stored.keys() == known.keys()
            assert sum(each.state in ("pending", "running") for each in stored.values()) <= 1
            for journey in known.values():
                self.agrees(journey, stored[journey.id])

    def agrees(self, journey: Journey, stored: Transfer) -> None:
        assert (stored.state, stored.step) == (journey.state, STEPS[journey.reached])
        assert stored.cancel_asked == int(journey.asked)
        assert stored.state != "completed" or "greeted" in stored.notes
        if journey.final is not None:
            assert stored == journey.final
