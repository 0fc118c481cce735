"""Whole conversations in and out, pruning, backup and checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import groupby

from baton.adapters.stores.sql import entries as entry_rows
from baton.adapters.stores.sql.conversations import get_conversation
from baton.adapters.stores.sql.database import Database, Tx
from baton.adapters.stores.sql.search import SqlSearch
from baton.core.conversation import Conversation
from baton.core.entry import SEQ_BITS, SEQ_LIMIT, Entry
from baton.core.errors import AlreadyExists, BadInput, StoreDamaged
from baton.core.lease import Lease
from baton.core.packet import Draft, Packet
from baton.core.place import Binding
from baton.core.session import Session
from baton.core.text import title_key
from baton.core.transfer import ACTIVE, Transfer
from baton.ports.store import Bundle, Finding, Progress

_PART = 5000


class SqlUpkeep:
    def __init__(self, db: Database, search: SqlSearch) -> None:
        self._db = db
        self._search = search

    def bundle(self, conversation_id: str) -> Bundle:
        with self._db.read() as tx:
            return self._bundle(tx, conversation_id)

    def _bundle(self, tx: Tx, conversation_id: str) -> Bundle:
        given = {"id": conversation_id}
        conversation = get_conversation(tx, conversation_id)
        sessions = tuple(Session(*row) for row in tx.all("session_of_conversation", given))
        return Bundle(
            conversation=replace(conversation, owner=None, lease_until=0),
            sessions=sessions,
            packets=tuple(Packet(*row) for row in tx.all("packet_of_conversation", given)),
            drafts=tuple(Draft(*row) for row in tx.all("draft_of_conversation", given)),
            transfers=tuple(Transfer(*row) for row in tx.all("transfer_of_conversation", given)),
            bindings=tuple(Binding(*row) for row in tx.all("binding_of_conversation", given)),
            entries=self._entries(sessions),
        )

    def _entries(self, sessions: tuple[Session, ...]) -> Iterator[Entry]:
        """Exactly as many as each session counted when it was read: entries never change, so parts fit together."""
        for session in sessions:
            for low in range(0, session.entries, _PART):
                with self._db.read() as tx:
                    base = entry_rows.session_number(tx, session.id) << SEQ_BITS
                    high = base + min(low + _PART, session.entries) + 1
                    rows = tx.all("entry_range", {"low": base + low, "high": high, "limit": _PART})
                yield from entry_rows.checked(rows, session.id, self._db.location)

    def insert(self, bundle: Bundle) -> bool:
        with self._db.write() as tx:
            if tx.one("conversation_get", {"id": bundle.conversation.id}) is not None:
                if self._same(tx, bundle):
                    return False
                raise self._exists("conversation", bundle.conversation.id)
            self._insert(tx, bundle)
            tx.wake("log")
            return True

    def _same(self, tx: Tx, bundle: Bundle) -> bool:
        mine = self._bundle(tx, bundle.conversation.id)
        if replace(mine, entries=()) != replace(bundle, entries=()):
            return False
        theirs = iter(bundle.entries)
        return all(entry == next(theirs, None) for entry in mine.entries) and next(theirs, None) is None

    def _insert(self, tx: Tx, bundle: Bundle) -> None:
        conversation = bundle.conversation
        tx.run("conversation_add", {**asdict(conversation), "title_key": title_key(conversation.title)})
        numbers = {session.id: self._insert_session(tx, session) for session in bundle.sessions}
        for packet in bundle.packets:
            if tx.one("packet_get", {"id": packet.id}) is not None:
                raise self._exists("packet", packet.id)
            tx.run("packet_add", asdict(packet))
        for draft in bundle.drafts:
            tx.run("draft_add", asdict(draft))
        for transfer in bundle.transfers:
            tx.run("transfer_add", asdict(transfer))
        for binding in bundle.bindings:
            if tx.one("binding_get", {"place": binding.place}) is None:
                tx.run("binding_put", asdict(binding))
        self._insert_entries(tx, bundle, numbers)

    def _insert_session(self, tx: Tx, session: Session) -> int:
        if tx.one("session_get", {"id": session.id}) is not None:
            raise self._exists("session", session.id)
        row = tx.one("session_add", asdict(session))
        assert row is not None
        return row[0]

    def _insert_entries(self, tx: Tx, bundle: Bundle, numbers: dict[str, int]) -> None:
        seen = dict.fromkeys(numbers, 0)

        def counted(entries: Iterator[Entry]) -> Iterator[Entry]:
            for entry in entries:
                seen[entry.session_id] += 1
                if entry.seq != seen[entry.session_id]:
                    raise BadInput(reason=f"Entry {seen[entry.session_id]} of session {entry.session_id} is missing.")
                yield entry

        for session_id, entries in groupby(bundle.entries, key=lambda entry: entry.session_id):
            if session_id not in numbers:
                raise BadInput(reason=f"An entry belongs to session {session_id}, which is not in the file.")
            entry_rows.write_all(tx, numbers[session_id], counted(entries))
        for session in bundle.sessions:
            if seen[session.id] != session.entries:
                raise BadInput(reason=f"Session {session.id} has {seen[session.id]} of its {session.entries} entries.")

    def _exists(self, noun: str, value: str) -> AlreadyExists:
        return AlreadyExists(noun=noun, value=value, suggestion="Import it into another store to compare.")

    def ids(self) -> Iterator[str]:
        with self._db.read() as tx:
            rows = tx.all("conversation_ids")
        return (row[0] for row in rows)

    def idle_since(self, before: int) -> list[Conversation]:
        with self._db.read() as tx:
            return self._idle(tx, "", before)

    def _idle(self, tx: Tx, conversation_id: str, before: int) -> list[Conversation]:
        ticks = tx.ticks()
        found = (Conversation(*row) for row in tx.all("conversation_idle", {"before": before, "id": conversation_id}))
        return [each for each in found if not Lease(each.owner, each.epoch, each.lease_until).live(ticks)]

    def remove(self, conversation_id: str, before: int) -> bool:
        with self._db.read() as tx:
            if not self._idle(tx, conversation_id, before):
                return False
            rows = tx.all("session_of_conversation", {"id": conversation_id})
            numbers = [(entry_rows.session_number(tx, row[0]), 0) for row in rows]
        self._search.forget_conversation(conversation_id, numbers)
        with self._db.write() as tx:
            get_conversation(tx, conversation_id)
            if not self._idle(tx, conversation_id, before):
                return False
            self._remove(tx, conversation_id, [number for number, _ in numbers])
        return True

    def _remove(self, tx: Tx, conversation_id: str, numbers: list[int]) -> None:
        for number in numbers:
            base = number << SEQ_BITS
            tx.run("entry_remove_range", {"low": base, "high": base + SEQ_LIMIT})
        for table in ("binding", "transfer", "draft", "packet", "session"):
            tx.run(f"{table}_remove_all", {"id": conversation_id})
        tx.run("conversation_remove", {"id": conversation_id})
        tx.mark(0, 0)
        tx.wake("log")

    def backup(self, target: str) -> None:
        self._db.backup(target)

    def check(self, progress: Progress | None = None) -> list[Finding]:
        findings = self._db.check()
        if any(finding.level == "error" for finding in findings):
            return findings
        ids = list(self.ids())
        for done, conversation_id in enumerate(ids, 1):
            findings += self._check_conversation(conversation_id)
            if progress:
                progress(done, len(ids))
        return findings or [Finding("ok", "store", f"{len(ids)} conversations read, every checksum fits.")]

    def _check_conversation(self, conversation_id: str) -> list[Finding]:
        try:
            bundle = self.bundle(conversation_id)
            reason = _flaw(bundle)
        except StoreDamaged as damage:
            reason = str(damage.facts["reason"])
        if not reason:
            return []
        return [Finding("error", conversation_id, reason, "`baton doctor --repair` keeps what can be read.")]

    def size(self) -> int:
        return self._db.size()


def _flaw(bundle: Bundle) -> str:
    """What of a conversation does not fit together, or an empty string."""
    live = [session.id for session in bundle.sessions if session.live]
    if live != [bundle.conversation.head_id]:
        return f"its head is {bundle.conversation.head_id}, but the live sessions are {', '.join(live) or 'none'}"
    for packet in bundle.packets:
        if not packet.intact():
            return f"packet {packet.id} does not fit its digest"
    active = [transfer.id for transfer in bundle.transfers if transfer.state in ACTIVE]
    if len(active) > 1:
        return f"it has {len(active)} active transfers"
    counted = sum(1 for _ in bundle.entries)
    expected = sum(session.entries for session in bundle.sessions)
    return "" if counted == expected else f"{expected - counted} of its {expected} entries are missing"
