"""Sessions: lineage, vitals, and the one move of the head."""

from __future__ import annotations

import json
from collections.abc import Sequence

from baton.adapters.stores.sql import entries as entry_rows
from baton.adapters.stores.sql.conversations import get_conversation, get_session, new_session_id
from baton.adapters.stores.sql.database import Database, Tx
from baton.adapters.stores.sql.handoffs import get_draft, set_draft
from baton.core.errors import StoreDamaged
from baton.core.handoff import packet as drafts
from baton.core.log import conversation as conversations
from baton.core.log import lease as leases
from baton.core.log import session as rules
from baton.core.log.conversation import Conversation
from baton.core.log.entry import SEQ_BITS, SEQ_LIMIT, NewEntry, encode_body, make
from baton.core.log.lease import Ownership
from baton.core.log.session import Session, Vitals
from baton.core.value import asdict


class SqlSessions:
    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, session_id: str) -> Session:
        with self._db.read() as tx:
            return get_session(tx, session_id)

    def of(self, conversation_id: str) -> list[Session]:
        with self._db.read() as tx:
            get_conversation(tx, conversation_id)
            return [Session(*row) for row in tx.all("session_of_conversation", {"id": conversation_id})]

    def chain(self, session_id: str) -> list[Session]:
        with self._db.read() as tx:
            get_session(tx, session_id)
            found = [Session(*row) for row in tx.all("session_chain", {"id": session_id})]
        chain = rules.lineage(session_id, found)
        if not chain:
            raise StoreDamaged(path=self._db.location, reason=f"the lineage of session {session_id} is a loop")
        return chain

    def tree(self, session_id: str) -> list[Session]:
        with self._db.read() as tx:
            root_id = get_session(tx, session_id).root_id
            return [Session(*row) for row in tx.all("session_of_root", {"id": root_id})]

    def vitals(self, session_id: str) -> Vitals:
        with self._db.read() as tx:
            base = entry_rows.session_number(tx, session_id) << SEQ_BITS
            rows = tx.all("entry_compressions", {"low": base, "high": base + SEQ_LIMIT})
        return rules.read_vitals(json.loads(body) for (body,) in rows)

    def advance(
        self,
        proof: Ownership,
        head_id: str,
        *,
        edge: str,
        end_reason: str,
        reason: str = "",
        model: str = "",
        entries: Sequence[NewEntry] = (),
        draft_id: str | None = None,
    ) -> Session:
        rules.check_continuation(edge, end_reason)
        bodies = [encode_body(each.data) for each in entries]
        with self._db.write() as tx:
            conversation = get_conversation(tx, proof.id)
            leases.check(conversation.lease, proof)
            conversations.check_head(proof.id, conversation.head_id, head_id)
            now, head = self._db.clock.now(), get_session(tx, head_id)
            child = rules.begin(
                new_session_id(tx, now),
                proof.id,
                model or head.model,
                now,
                parent=head,
                edge=edge,
                reason=reason,
            )
            _confirm(tx, conversation, draft_id, now)
            tx.run("session_end", {"id": head_id, "now": now, "end_reason": end_reason})
            row = tx.one("session_add", asdict(child))
            assert row is not None
            entry_rows.write(tx, row[0], 0, make(child.id, 0, entries, bodies, now))
            tx.run("conversation_move_head", {"id": proof.id, "head": head_id, "child": child.id, "now": now})
            tx.wake("work")
            return get_session(tx, child.id)


def _confirm(tx: Tx, conversation: Conversation, draft_id: str | None, now: int) -> None:
    """Confirms the draft this move is made for; every other open draft of the conversation becomes stale."""
    if draft_id is not None:
        set_draft(tx, drafts.confirm(get_draft(tx, draft_id), conversation, now))
    tx.run("draft_make_stale", {"id": conversation.id, "now": now})
