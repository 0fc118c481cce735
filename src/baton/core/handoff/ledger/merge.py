"""From packet to packet: what a session showed, merged by id with what was known before it.

Constraints, requests and changed files stay. What is finished is reported once, in the packet of its generation, and
left out of the next one; a failure stays until the same command passes; a constraint stays until you take it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from baton.core.handoff.ledger import commands, constraints
from baton.core.handoff.ledger.fact import (
    COMMAND,
    CONSTRAINT,
    DECISION,
    DONE,
    ERROR,
    FILE,
    IDENTIFIER,
    OPEN,
    PENDING,
    PLAN,
    REQUEST,
    SUPERSEDED,
    Fact,
    Ledger,
    fact_id,
)
from baton.core.handoff.ledger.observe import Observed, Run, observe
from baton.core.log.entry import Entry
from baton.core.value import replace

Clean = Callable[[str], str]
REQUEST_LIMIT = 1200
COMMAND_LIMIT = 300
LINE_LIMIT = 200
KEY_LIMIT = 2000
MOST = {COMMAND: 40, DECISION: 16, IDENTIFIER: 60}
"""How many of a kind are carried; the newest stay."""


def gather(entries: Iterable[Entry], carried: Ledger | None = None, clean: Clean = str) -> Ledger:
    """The ledger of a conversation whose newest session has these entries and began from `carried`.

    `clean` takes secrets out of a text; it is applied before anything is kept or an id is made.
    """
    return _Merge(carried or Ledger(), clean).take(observe(entries))


class _Merge:
    def __init__(self, carried: Ledger, clean: Clean) -> None:
        self._generation = carried.generation + 1
        self._clean = clean
        self._facts = {fact.id: fact for fact in carried.facts if self._stays(fact)}
        self._silent = not carried.of(REQUEST)

    def _stays(self, fact: Fact) -> bool:
        return fact.open and fact.kind != PENDING

    def take(self, seen: Observed) -> Ledger:
        self._requests(seen)
        for path, (state, at) in seen.files.items():
            self._keep(FILE, path, path, at, data={"last": state})
        for key, run in seen.runs.items():
            self._run(key, run)
        self._plan(seen)
        for text, at in seen.decisions.items():
            self._keep(DECISION, text.lower(), text, at)
        for call_id, (name, purpose, at) in seen.pending.items():
            purpose = self._clean(purpose)[:COMMAND_LIMIT]
            self._keep(PENDING, call_id, purpose, at, data={"started": name.startswith("started:")})
        return Ledger(self._generation, tuple(self._within_limits()))

    def _keep(
        self, kind: str, key: str, text: str, at: str, state: str = OPEN, data: Mapping[str, object] | None = None
    ) -> None:
        """A new fact, or a known one seen again: it keeps its birth and takes the newest of everything else."""
        key, text = self._clean(key), self._clean(text)
        fact = Fact(fact_id(kind, key), kind, key, text, self._generation, at, state, None, data or {})
        if (known := self._facts.pop(fact.id, None)) is not None:
            fact = replace(fact, born=known.born)
        closed = None if state == OPEN else self._generation
        self._facts[fact.id] = replace(fact, closed=closed)

    def _requests(self, seen: Observed) -> None:
        for text, at in seen.requests:
            message = commands.fold_spaces(self._clean(text))
            key = message[:REQUEST_LIMIT]
            known = self._facts.get(fact_id(REQUEST, key))
            times = int(known.data.get("times", 1)) + 1 if known else 1
            self._keep_request(
                Fact(fact_id(REQUEST, key), REQUEST, key, key, self._generation, at), times, len(message)
            )
            revoked = self._revoke(message)
            for demand in constraints.demands(self._clean(text)):
                if not (revoked and constraints.is_revoking(demand)):
                    self._keep(CONSTRAINT, demand.lower(), demand, at)
            for name in constraints.identifiers([message]):
                self._keep(IDENTIFIER, name, name, at)

    def _keep_request(self, fact: Fact, times: int, length: int) -> None:
        """A request that is repeated becomes the last one, and stays the first if it was."""
        known = self._facts.pop(fact.id, None)
        born = known.born if known else fact.born
        first = known.data.get("first", False) if known else self._silent
        self._silent = False
        self._facts[fact.id] = replace(fact, born=born, data={"times": times, "length": length, "first": first})

    def _revoke(self, message: str) -> bool:
        """Closes the constraints that the message takes back; True if there were any."""
        if not constraints.is_revoking(message):
            return False
        held = {fact.id: fact.text for fact in self._facts.values() if fact.kind == CONSTRAINT and fact.open}
        gone = constraints.find_revoked(message, held)
        for id_ in gone:
            self._close(id_, SUPERSEDED)
        return bool(gone)

    def _close(self, id_: str, state: str) -> None:
        if (known := self._facts.get(id_)) is not None and known.open:
            self._facts[id_] = replace(known, state=state, closed=self._generation)

    def _run(self, key: str, run: Run) -> None:
        """A failure is an open error until the same command passes; a pass that proves something is a fact of its
        own.
        """
        data: dict[str, object] = {
            "exit": run.exit,
            "log": self._clean(run.log),
            "line": self._clean(run.line)[:LINE_LIMIT],
            "runs": run.runs,
        }
        if run.tests:
            data["tests"] = [self._clean(name)[:LINE_LIMIT] for name in run.tests]
        text = self._clean(commands.fold_spaces(run.command))[:COMMAND_LIMIT]
        key = self._clean(key)[:KEY_LIMIT]
        if not run.ok:
            self._keep(ERROR, key, text, run.at, data={**data, "probe": commands.is_probe(run.command)})
            self._facts.pop(fact_id(COMMAND, key), None)
            return
        self._close(fact_id(ERROR, key), DONE)
        if not commands.is_probe(run.command):
            self._keep(COMMAND, key, text, run.at, data={**data, "validates": commands.is_validating(run.command)})

    def _plan(self, seen: Observed) -> None:
        for text, at in seen.finished.items():
            if not seen.plan or text not in seen.plan:
                self._keep(PLAN, text.lower(), text, at, DONE)
        if seen.plan is None:
            return
        now = {fact_id(PLAN, self._clean(text.lower())) for text in seen.plan}
        for fact in [fact for fact in self._facts.values() if fact.kind == PLAN and fact.open and fact.id not in now]:
            self._close(fact.id, SUPERSEDED)
        for text, (state, at) in seen.plan.items():
            self._keep(PLAN, text.lower(), text, at, DONE if state == "done" else OPEN, {"doing": state == "doing"})

    def _within_limits(self) -> Iterable[Fact]:
        left = {kind: sum(fact.kind == kind for fact in self._facts.values()) - most for kind, most in MOST.items()}
        for fact in self._facts.values():
            if left.get(fact.kind, 0) > 0:
                left[fact.kind] -= 1
            else:
                yield fact
