"""Entries: append to the head, read back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from baton.adapters.stores.sql.conversations import get_conversation
from baton.adapters.stores.sql.database import Database, Row, Tx
from baton.core.errors import BatonError, HeadMoved, StoreDamaged
from baton.core.ids import is_id, is_session_id, not_found
from baton.core.log import conversation as conversations
from baton.core.log import lease as leases
from baton.core.log import session as sessions
from baton.core.log.entry import SEQ_BITS, SEQ_LIMIT, Entry, NewEntry, encode_body, make
from baton.core.log.lease import Lease, Ownership


class SqlEntries:
    def __init__(self, db: Database) -> None:
        self._db = db

    def append(
        self, proof: Ownership, session_id: str, entries: Sequence[NewEntry], *, expected: int | None = None
    ) -> list[Entry]:
        bodies = [encode_body(each.data) for each in entries]
        with self._db.write() as tx:
            number, count = _own_head(tx, proof, session_id)
            sessions.check_count(session_id, count, expected)
            now = self._db.clock.now()
            stored = make(session_id, count, entries, bodies, now)
            write(tx, number, count, stored)
            tx.run("conversation_touch", {"id": proof.id, "now": now})
        return stored

    def load(self, session_id: str, *, after: int = 0, limit: int | None = None) -> list[Entry]:
        with self._db.read() as tx:
            number = session_number(tx, session_id)
            low, high = _span(number, after)
            rows = tx.all("entry_range", {"low": low, "high": high, "limit": _at_most(limit)})
        return check_rows(rows, session_id, self._db.location)

    def last(self, session_id: str, count: int) -> list[Entry]:
        with self._db.read() as tx:
            low, high = _span(session_number(tx, session_id), 0)
            rows = tx.all("entry_last", {"low": low, "high": high, "limit": _at_most(count)})
        return check_rows(rows[::-1], session_id, self._db.location)

    def pick(self, places: Sequence[tuple[str, int]]) -> list[Entry]:
        found: list[Entry] = []
        with self._db.read() as tx:
            numbers = {session_id: tx.one("session_number", {"id": session_id}) for session_id, _ in places}
            for session_id, seq in places:
                number = numbers[session_id]
                low, high = _span(number[0], seq - 1) if number and 0 < seq < SEQ_LIMIT else (0, 0)
                rows = tx.all("entry_range", {"low": low, "high": min(high, low + 2), "limit": 1})
                found += check_rows(rows, session_id, self._db.location)
        return found


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


def write_all(tx: Tx, numbers: Mapping[str, int], entries: Iterable[Entry]) -> None:
    """Adds the entries of whole sessions, whose rows already count them, by the sessions' numbers."""
    tx.many("entry_add", (_row(numbers[each.session_id] << SEQ_BITS, each) for each in entries))


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
    row = tx.one("session_number", {"id": session_id}) if is_session_id(session_id) else None
    if row is None:
        raise not_found("session", session_id)
    return row[0]


def check_rows(rows: Iterable[Row], session_id: str, location: str) -> list[Entry]:
    """Rows as entries, in order and each with the right checksum; `StoreDamaged` names the first that is not."""
    mask = SEQ_LIMIT - 1
    entries = [
        Entry(session_id, key & mask, kind, at, tokens, body, total) for key, kind, at, tokens, body, total in rows
    ]
    for each in entries:
        if not _readable(each):
            reason = f"entry {each.seq} of session {session_id} does not fit its checksum"
            raise StoreDamaged(path=location, reason=reason)
    return entries


def _readable(each: Entry) -> bool:
    """A damaged row may hold anything, or nothing, in any column."""
    try:
        return each.intact()
    except (AttributeError, TypeError, UnicodeError):
        return False


def _at_most(limit: int | None) -> int:
    return SEQ_LIMIT if limit is None else max(0, min(limit, SEQ_LIMIT))


def _span(number: int, after: int) -> tuple[int, int]:
    base = number << SEQ_BITS
    return base + max(0, min(after, SEQ_LIMIT - 1)), base + SEQ_LIMIT


def _own_head(tx: Tx, proof: Ownership, session_id: str) -> tuple[int, int]:
    """The number and size of the head, after checking that `proof` may write to it."""
    row = tx.one("head_for_append", {"id": proof.id}) if is_id("conversation", proof.id) else None
    if row is None:
        raise _no_head(tx, proof, session_id)
    owner, epoch, head_id, number, count = row
    if owner != proof.owner or epoch != proof.epoch:
        leases.check(Lease(owner, epoch), proof)
    conversations.check_head(proof.id, head_id, session_id)
    return number, count


def _no_head(tx: Tx, proof: Ownership, session_id: str) -> BatonError:
    """There is no such conversation; or, where rows are locked one by one, its head moved while this waited for the
    lock.
    """
    conversation = get_conversation(tx, proof.id)
    leases.check(conversation.lease, proof)
    return HeadMoved(conversation=proof.id, expected=session_id, head=conversation.head_id)
