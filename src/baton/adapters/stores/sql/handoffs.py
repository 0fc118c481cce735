"""Packets and drafts: what a fresh session starts from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from baton.adapters.stores.sql.conversations import get_conversation, get_session
from baton.adapters.stores.sql.database import Database, Tx
from baton.core.errors import StoreDamaged
from baton.core.handoff import packet as rules
from baton.core.handoff.packet import Draft, Packet
from baton.core.ids import is_id, not_found
from baton.core.log.conversation import Conversation
from baton.core.value import asdict


def get_draft(tx: Tx, draft_id: str) -> Draft:
    row = tx.one("draft_get", {"id": draft_id}) if is_id("draft", draft_id) else None
    if row is None:
        raise not_found("draft", draft_id)
    return Draft(*row)


def _conversation_of(tx: Tx, draft_id: str) -> Conversation:
    row = tx.one("draft_conversation", {"id": draft_id}) if is_id("draft", draft_id) else None
    if row is None:
        raise not_found("draft", draft_id)
    return get_conversation(tx, row[0])


def set_draft(tx: Tx, draft: Draft) -> None:
    tx.run("draft_set", asdict(draft))


def get_packet(tx: Tx, packet_id: str, location: str) -> Packet:
    row = tx.one("packet_get", {"id": packet_id}) if is_id("packet", packet_id) else None
    if row is None:
        raise not_found("packet", packet_id)
    return _check_digest(Packet(*row), location)


def _check_digest(packet: Packet, location: str) -> Packet:
    if not packet.intact():
        raise StoreDamaged(path=location, reason=f"packet {packet.id} does not fit its digest")
    return packet


class SqlPackets:
    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, session_id: str, markdown: str, ledger: Mapping[str, Any], tokens: int = 0) -> Packet:
        packet = rules.write(session_id, markdown, ledger, tokens, self._db.clock.now())
        with self._db.write() as tx:
            get_conversation(tx, get_session(tx, session_id).conversation_id)
            tx.run("packet_add", asdict(packet))
        return packet

    def get(self, packet_id: str) -> Packet:
        with self._db.read() as tx:
            return get_packet(tx, packet_id, self._db.location)

    def of(self, conversation_id: str) -> list[Packet]:
        if not is_id("conversation", conversation_id):
            return []
        with self._db.read() as tx:
            rows = tx.all("packet_of_conversation", {"id": conversation_id})
        return [_check_digest(Packet(*row), self._db.location) for row in rows]


class SqlDrafts:
    def __init__(self, db: Database) -> None:
        self._db = db

    def open(self, conversation_id: str, version: int, packet_id: str) -> Draft:
        with self._db.write() as tx:
            conversation = get_conversation(tx, conversation_id)
            draft = rules.open_draft(conversation, version, packet_id, self._db.clock.now())
            self._own_packet(tx, conversation_id, packet_id)
            tx.run("draft_add", asdict(draft))
            tx.wake("work")
        return draft

    def get(self, draft_id: str) -> Draft:
        with self._db.read() as tx:
            return get_draft(tx, draft_id)

    def list_waiting(self, conversation_id: str | None = None) -> list[Draft]:
        with self._db.glance() as tx:
            found = [Draft(*row) for row in tx.all("draft_waiting")]
        return [draft for draft in found if conversation_id in (None, draft.conversation_id)]

    def edit(self, draft_id: str, packet_id: str) -> Draft:
        def change(tx: Tx, conversation: Conversation, draft: Draft) -> Draft:
            self._own_packet(tx, conversation.id, packet_id)
            return rules.edit(draft, conversation.version, packet_id, self._db.clock.now())

        return self._change(draft_id, change)

    def cancel(self, draft_id: str) -> Draft:
        return self._change(draft_id, lambda _tx, _conversation, draft: rules.cancel(draft, self._db.clock.now()))

    def _change(self, draft_id: str, change: Callable[[Tx, Conversation, Draft], Draft]) -> Draft:
        """The conversation is locked before its draft, as in `advance`."""
        with self._db.write() as tx:
            conversation = _conversation_of(tx, draft_id)
            draft = change(tx, conversation, get_draft(tx, draft_id))
            set_draft(tx, draft)
            tx.wake("work")
        return draft

    def _own_packet(self, tx: Tx, conversation_id: str, packet_id: str) -> None:
        packet = get_packet(tx, packet_id, self._db.location)
        rules.check_written_for(packet, get_session(tx, packet.session_id).conversation_id, conversation_id)
