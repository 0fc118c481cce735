"""Whole conversations in and out, pruning, backup and checks."""

from __future__ import annotations

from collections.abc import Iterator

from baton.adapters.stores.sql import entries as entry_rows
from baton.adapters.stores.sql.conversations import get_conversation
from baton.adapters.stores.sql.database import Database, Tx
from baton.adapters.stores.sql.register import SqlRegister
from baton.adapters.stores.sql.search import SqlSearch
from baton.core.errors import AlreadyExists, NotFound, StoreDamaged
from baton.core.handoff.packet import Draft, Packet
from baton.core.ids import is_id, quote
from baton.core.log import bundle as bundles
from baton.core.log.bundle import Bundle
from baton.core.log.conversation import Conversation
from baton.core.log.entry import SEQ_BITS, SEQ_LIMIT, Entry
from baton.core.log.session import Session
from baton.core.text import MOST, title_key
from baton.core.transfer import record as records
from baton.core.transfer.place import Binding
from baton.core.transfer.transfer import Transfer
from baton.core.value import asdict
from baton.ports.store import Finding, Progress

_PART = 5000
_TODO = "`baton doctor --repair` keeps what can be read."


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
        return bundles.pack(
            conversation,
            sessions,
            packets=(Packet(*row) for row in tx.all("packet_of_conversation", given)),
            drafts=(Draft(*row) for row in tx.all("draft_of_conversation", given)),
            transfers=(Transfer(*row) for row in tx.all("transfer_of_conversation", given)),
            bindings=(Binding(*row) for row in tx.all("binding_of_conversation", given)),
            entries=self._entries(sessions),
        )

    def _entries(self, sessions: tuple[Session, ...]) -> Iterator[Entry]:
        """Exactly as many as each session counted when it was read: entries never change, so all parts fit."""
        for session in sessions:
            for low in range(0, session.entries, _PART):
                with self._db.read() as tx:
                    base = entry_rows.session_number(tx, session.id) << SEQ_BITS
                    high = base + min(low + _PART, session.entries) + 1
                    rows = tx.all("entry_range", {"low": base + low, "high": high, "limit": _PART})
                yield from entry_rows.check_rows(rows, session.id, self._db.location)

    def insert(self, bundle: Bundle) -> bool:
        bundles.check(bundle)
        with self._db.write() as tx:
            tx.reserve(bundle.conversation.id)
            if tx.one("conversation_get", {"id": bundle.conversation.id}) is not None:
                if bundles.is_same(self._bundle(tx, bundle.conversation.id), bundle):
                    return False
                raise self._exists("conversation", bundle.conversation.id)
            self._insert(tx, bundle)
            tx.wake("log")
            return True

    def _insert(self, tx: Tx, bundle: Bundle) -> None:
        conversation = bundle.conversation
        tx.run("conversation_add", {**asdict(conversation), "title_key": title_key(conversation.title)})
        numbers = {session.id: self._insert_session(tx, session) for session in bundle.sessions}
        for noun, values in (("packet", bundle.packets), ("draft", bundle.drafts), ("transfer", bundle.transfers)):
            for value in values:
                if tx.one(f"{noun}_get", {"id": value.id}) is not None:
                    raise self._exists(noun, value.id)
                tx.run(f"{noun}_add", asdict(value))
        for binding in sorted(bundle.bindings, key=lambda each: each.place):
            tx.reserve(binding.place)
            if tx.one("binding_get", {"place": binding.place}) is None:
                tx.run("binding_add", asdict(binding))
        entry_rows.write_all(tx, numbers, bundles.checked_entries(bundle))

    def _insert_session(self, tx: Tx, session: Session) -> int:
        if tx.one("session_get", {"id": session.id}) is not None:
            raise self._exists("session", session.id)
        row = tx.one("session_add", asdict(session))
        assert row is not None
        return row[0]

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
        ticks, given = tx.ticks(), {"before": max(0, min(before, MOST)), "id": conversation_id}
        found = (Conversation(*row) for row in tx.all("conversation_idle", given))
        return [each for each in found if not each.lease.live(ticks)]

    def remove(self, conversation_id: str, before: int) -> bool:
        if not is_id("conversation", conversation_id):
            return False
        with self._db.read() as tx:
            if not self._idle(tx, conversation_id, before):
                return False
            numbers = self._numbers(tx, conversation_id)
        self._search.forget_conversation(conversation_id, numbers)
        with self._db.write() as tx:
            tx.one("conversation_get", {"id": conversation_id})
            if not self._idle(tx, conversation_id, before):
                return False
            self._remove(tx, conversation_id)
        return True

    def _numbers(self, tx: Tx, conversation_id: str) -> list[int]:
        rows = tx.all("session_of_conversation", {"id": conversation_id})
        return [entry_rows.session_number(tx, row[0]) for row in rows]

    def _remove(self, tx: Tx, conversation_id: str) -> None:
        for number in self._numbers(tx, conversation_id):
            base = number << SEQ_BITS
            tx.run("entry_remove_range", {"low": base, "high": base + SEQ_LIMIT})
        for table in ("binding", "transfer", "draft", "packet", "session", "mail"):
            tx.run(f"{table}_remove_all", {"id": conversation_id})
        tx.run("mail_empty_all", {"id": conversation_id})
        tx.run("conversation_remove", {"id": conversation_id})
        tx.mark(0, 0)
        tx.wake("log")

    def prune_mail(self, before: int) -> int:
        with self._db.write() as tx:
            return tx.count_changes("mail_prune", {"before": max(0, min(before, MOST))})

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
        findings += self._check_records()
        return findings or [Finding("ok", "store", f"Every checksum matches. Conversations read: {len(ids)}.")]

    def _check_conversation(self, conversation_id: str) -> list[Finding]:
        try:
            bundle = self.bundle(conversation_id)
            reason = bundles.flaw(bundle) or bundles.describe_missing(bundle)
        except NotFound:
            return []
        except StoreDamaged as damage:
            reason = str(damage.facts["reason"])
        if not reason:
            return []
        return [Finding("error", conversation_id, reason, _TODO)]

    def _check_records(self) -> list[Finding]:
        found = [(each.key, records.damage(each)) for each in SqlRegister(self._db).list("")]
        return [Finding("error", f"record {quote(key)}", reason, _TODO) for key, reason in found if reason]

    def size(self) -> int:
        return self._db.size()
