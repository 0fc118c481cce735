"""One fact of a conversation, and the ledger that keeps them.

Each fact has an id that is the same in every generation, the generation it was born in, the entry it was seen in, and
a state. Nothing here is written by a model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from baton.core.errors import BadInput
from baton.core.value import field, value

REQUEST = "request"
CONSTRAINT = "constraint"
FILE = "file"
COMMAND = "command"
ERROR = "error"
PLAN = "plan"
DECISION = "decision"
IDENTIFIER = "identifier"
PENDING = "pending"
KINDS = (REQUEST, CONSTRAINT, FILE, COMMAND, ERROR, PLAN, DECISION, IDENTIFIER, PENDING)

OPEN = "open"
DONE = "done"
SUPERSEDED = "superseded"
STATES = (OPEN, DONE, SUPERSEDED)

SCHEMA = 1
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
    """Facts in the order they were born. `generation` counts the sessions they were taken from."""

    generation: int = 0
    facts: tuple[Fact, ...] = ()

    def of(self, kind: str, state: str | None = None) -> list[Fact]:
        return [fact for fact in self.facts if fact.kind == kind and state in (None, fact.state)]


def fact_id(kind: str, key: str) -> str:
    """A letter for the kind and a digest of the key, which must hold no secret any more."""
    return f"{_LETTERS[kind]}{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()[:8]}"


def to_json(ledger: Ledger) -> dict[str, Any]:
    return {"schema": SCHEMA, "generation": ledger.generation, "facts": [_row(fact) for fact in ledger.facts]}


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
    if data.get("schema") != SCHEMA:
        raise BadInput(reason=f"A ledger of version {data.get('schema')!r} cannot be read. Known: {SCHEMA}.")
    try:
        return Ledger(int(data["generation"]), tuple(_facts(data["facts"])))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(reason=f"The ledger is damaged: {type(error).__name__} {error}.") from None


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
