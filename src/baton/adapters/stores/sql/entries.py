"""Entries: append to the head, read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from baton.adapters.stores.sql.conversations import SUGGESTION
from baton.adapters.stores.sql.database import Database, Row, Tx
from baton.core import lease as leases
from baton.core.entry import SEQ_BITS, SEQ_LIMIT, Entry, NewEntry, encode_body, entry
from baton.core.errors import BadInput, BadText, HeadMoved, NotFound, SequenceMoved, StoreDamaged
from baton.core.ids import shown
from baton.core.lease import Lease, Ownership

_KIND = re.compile(r"[a-z][a-z_]{0,31}")
_ALL = 2**31
_MOST = 2**62


class SqlEntries:
    def __init__(self, db: Database) -> None:
        self._db = db

    def append(
        self, proof: Ownership, session_id: str, entries: Sequence[NewEntry], *, expected: int | None = None
    ) -> list[Entry]:
        bodies = [encode_body(each.data) for each in entries]
        with self._db.write() as tx:
            number, count = _own_head(tx, proof, session_id)
            if expected is not None and count != expected:
                raise SequenceMoved(session=session_id, count=count, expected=expected)
            now = self._db.clock.now()
            stored = make(session_id, count, entries, bodies, now)
            write(tx, number, count, stored)
            tx.run("conversation_touch", {"id": proof.id, "now": now})
        return stored

    def load(self, session_id: str, *, after: int = 0, limit: int | None = None) -> list[Entry]:
        with self._db.read() as tx:
            number = session_number(tx, session_id)
            low, high = _span(number, after)
            rows = tx.all("entry_range", {"low": low, "high": high, "limit": _ALL if limit is None else limit})
        return checked(rows, session_id, self._db.location)

    def last(self, session_id: str, count: int) -> list[Entry]:
        with self._db.read() as tx:
            low, high = _span(session_number(tx, session_id), 0)
            rows = tx.all("entry_last", {"low": low, "high": high, "limit": max(0, count)})
        return checked(rows[::-1], session_id, self._db.location)


def make(session_id: str, count: int, new: Sequence[NewEntry], bodies: Sequence[str], now: int) -> list[Entry]:
    """The stored form of new entries, checked; they follow `count` others."""
    if count + len(new) >= SEQ_LIMIT:
        raise BadInput(reason=f"Session {session_id} is full: it can hold {SEQ_LIMIT - 1:,} entries.")
    for each in new:
        if _KIND.fullmatch(each.kind) is None:
            allowed = "a name in lower case of at most 32 letters"
            raise BadText(field="entry", reason=f"{shown(each.kind)} is not a kind", allowed=allowed)
        if not 0 <= each.tokens < _MOST or not 0 <= (each.at or 0) < _MOST:
            raise BadText(field="entry", reason="its time or token count is out of range", allowed="0 to 2^62")
    return [
        entry(session_id, seq, each.kind, now if each.at is None else each.at, each.tokens, body)
        for seq, (each, body) in enumerate(zip(new, bodies, strict=True), count + 1)
    ]


def write(tx: Tx, number: int, count: int, entries: Sequence[Entry]) -> None:
    """Adds entries to a session that holds `count`."""
    base = number << SEQ_BITS
    for each in entries:
        tx.run("entry_add", _row(base, each))
    tokens = sum(each.tokens for each in entries)
    tx.run("session_grow", {"n": number, "entries": count + len(entries), "tokens": tokens})
    if entries:
        tx.mark(base + entries[-1].seq, entries[-1].checksum)
    tx.wake("log")


def write_all(tx: Tx, number: int, entries: Iterable[Entry]) -> None:
    """Adds the entries of a whole session whose row already counts them."""
    base = number << SEQ_BITS
    tx.many("entry_add", (_row(base, each) for each in entries))


def _row(base: int, each: Entry) -> dict[str, object]:
    return {
        "id": base + each.seq,
        "kind": each.kind,
        "at": each.at,
        "tokens": each.tokens,
        "body": each.body,
        "checksum": each.checksum,
    }


def session_number(tx: Tx, session_id: str) -> int:
    row = tx.one("session_number", {"id": session_id})
    if row is None:
        raise NotFound(noun="session", value=shown(session_id), suggestion=SUGGESTION)
    return row[0]


def checked(rows: Iterable[Row], session_id: str, location: str) -> list[Entry]:
    """Rows as entries, in order and each with the right checksum; `StoreDamaged` names the first that is not."""
    mask = SEQ_LIMIT - 1
    entries = [
        Entry(session_id, key & mask, kind, at, tokens, body, total) for key, kind, at, tokens, body, total in rows
    ]
    for each in entries:
        if not each.intact():
            reason = f"entry {each.seq} of session {session_id} does not fit its checksum"
            raise StoreDamaged(path=location, reason=reason)
    return entries


def _span(number: int, after: int) -> tuple[int, int]:
    base = number << SEQ_BITS
    return base + max(0, min(after, SEQ_LIMIT - 1)), base + SEQ_LIMIT


def _own_head(tx: Tx, proof: Ownership, session_id: str) -> tuple[int, int]:
    """The number and size of the head, once it is sure that `proof` may write to it."""
    row = tx.one("head_for_append", {"id": proof.id})
    if row is None:
        raise NotFound(noun="conversation", value=shown(proof.id), suggestion=SUGGESTION)
    owner, epoch, head_id, number, count = row
    if owner != proof.owner or epoch != proof.epoch:
        leases.check(Lease(owner, epoch), proof)
    if head_id != session_id:
        raise HeadMoved(conversation=proof.id, expected=session_id, head=head_id)
    return number, count
