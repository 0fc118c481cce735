"""The ledger: what a conversation was about, as exchanges, rules and facts, taken by program.

Each fact has an id that is the same in every generation, the generation it was born in, the entry it was seen in, and
a state. Nothing here is written by a model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from baton.core.errors import BadInput
from baton.core.handoff.ledger.exchange import ANSWERED, Exchange, from_rows, to_rows
from baton.core.handoff.ledger.exchange import OPEN as UNANSWERED
from baton.core.handoff.rules import rule as rules
from baton.core.handoff.rules.rule import STANDING, Rule
from baton.core.value import field, replace, value

REQUEST = "request"
CONSTRAINT = "constraint"
FILE = "file"
COMMAND = "command"
ERROR = "error"
PLAN = "plan"
DECISION = "decision"
IDENTIFIER = "identifier"
PENDING = "pending"
READ = "read"
KINDS = (REQUEST, CONSTRAINT, FILE, COMMAND, ERROR, PLAN, DECISION, IDENTIFIER, PENDING, READ)
"""Requests and constraints are kinds of version 1: they are exchanges and rules now."""

OPEN = "open"
DONE = "done"
SUPERSEDED = "superseded"
STATES = (OPEN, DONE, SUPERSEDED)

SCHEMA = 2
_READABLE = (1, SCHEMA)
_LETTERS = {
    REQUEST: "U",
    CONSTRAINT: "K",
    FILE: "F",
    COMMAND: "C",
    ERROR: "E",
    PLAN: "P",
    DECISION: "D",
    IDENTIFIER: "I",
    PENDING: "A",
    READ: "R",
}


@value
class Fact:
    """`text` is what is shown. `key` is its normal form: facts of one kind with one key are the same fact.

    `at` points to the entry it was last seen in, `closed` is the generation in which it stopped being open.
    """

    id: str
    kind: str
    key: str
    text: str
    born: int
    at: str
    state: str = OPEN
    closed: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def open(self) -> bool:
        return self.state == OPEN


@value
class Ledger:
    """Exchanges oldest first, `folded` older ones are left out; facts in the order they were born. `generation` counts
    the sessions they were taken from. `steps` are the last things done in the newest one. `ended` are the rules that no
    longer hold, as far as the newest session ended them.
    """

    generation: int = 0
    facts: tuple[Fact, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    rules: tuple[Rule, ...] = ()
    ended: tuple[Rule, ...] = ()
    steps: tuple[str, ...] = ()
    folded: int = 0
    first: str = ""

    def of(self, kind: str, state: str | None = None) -> list[Fact]:
        return [fact for fact in self.facts if fact.kind == kind and state in (None, fact.state)]

    @property
    def last(self) -> Exchange | None:
        return self.exchanges[-1] if self.exchanges else None

    @property
    def unanswered(self) -> list[Exchange]:
        """The last messages that nothing was done for yet, oldest first."""
        found: list[Exchange] = []
        for each in reversed(self.exchanges):
            if each.state != UNANSWERED or each.begun:
                break
            found.insert(0, each)
        return found


def fact_id(kind: str, key: str) -> str:
    """A letter for the kind and a digest of the key, which must hold no secret any more."""
    return f"{_LETTERS[kind]}{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()[:8]}"


def to_json(ledger: Ledger) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "generation": ledger.generation,
        "first": ledger.first,
        "exchanges": to_rows(ledger.exchanges),
        "folded": ledger.folded,
        "rules": [rules.to_json(rule) for rule in ledger.rules],
        "ended": [rules.to_json(rule) for rule in ledger.ended],
        "facts": [_row(fact) for fact in ledger.facts],
        "steps": list(ledger.steps),
    }


def _row(fact: Fact) -> dict[str, Any]:
    row: dict[str, Any] = {"id": fact.id, "kind": fact.kind, "key": fact.key, "text": fact.text, "born": fact.born}
    row |= {"at": fact.at, "state": fact.state}
    if fact.closed is not None:
        row["closed"] = fact.closed
    if fact.data:
        row["data"] = dict(fact.data)
    return row


def from_json(data: Mapping[str, Any]) -> Ledger:
    """`BadInput` unless it is a ledger of a version that is known here."""
    if data.get("schema") not in _READABLE:
        known = " and ".join(map(str, _READABLE))
        raise BadInput(reason=f"A ledger of version {data.get('schema')!r} cannot be read. Known: {known}.")
    try:
        return _read(data) if data["schema"] == SCHEMA else _read_first(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(reason=f"The ledger is damaged: {type(error).__name__} {error}.") from None


def _read(data: Mapping[str, Any]) -> Ledger:
    return Ledger(
        generation=int(data["generation"]),
        facts=tuple(_facts(data["facts"])),
        exchanges=from_rows(data["exchanges"]),
        rules=tuple(map(rules.from_json, data["rules"])),
        ended=tuple(map(rules.from_json, data.get("ended", ()))),
        steps=tuple(map(str, data.get("steps", ()))),
        folded=int(data.get("folded", 0)),
        first=str(data.get("first", "")),
    )


def _read_first(data: Mapping[str, Any]) -> Ledger:
    """A ledger of version 1, as 0.1 wrote it: requests were facts, and so were constraints."""
    rows = tuple(_facts(data["facts"]))
    asked = [fact for fact in rows if fact.kind == REQUEST]
    exchanges = [_as_exchange(fact) for fact in asked]
    if exchanges:
        exchanges[-1] = replace(exchanges[-1], state=UNANSWERED)
    held = [fact for fact in rows if fact.kind == CONSTRAINT and fact.open]
    return Ledger(
        generation=int(data["generation"]),
        facts=tuple(fact for fact in rows if fact.kind not in (REQUEST, CONSTRAINT)),
        exchanges=tuple(exchanges),
        rules=tuple(Rule(fact.id, fact.text, STANDING, fact.at, fact.born) for fact in held),
        first=next((fact.text for fact in asked if fact.data.get("first")), ""),
    )


def _as_exchange(fact: Fact) -> Exchange:
    length = int(fact.data.get("length", len(fact.text)))
    return Exchange(fact.at, fact.born, fact.text, length, state=ANSWERED)


def _facts(rows: Iterable[Mapping[str, Any]]) -> Iterable[Fact]:
    for row in rows:
        kind, state = str(row["kind"]), str(row["state"])
        if kind not in KINDS or state not in STATES:
            raise ValueError(f"kind {kind!r}, state {state!r}")
        closed = row.get("closed")
        yield Fact(
            str(row["id"]),
            kind,
            str(row["key"]),
            str(row["text"]),
            int(row["born"]),
            str(row["at"]),
            state,
            None if closed is None else int(closed),
            dict(row.get("data") or {}),
        )
