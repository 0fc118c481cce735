"""Sessions: lineage, vitals, and the one move of the head."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from baton.adapters.stores.sql import entries as entry_rows
from baton.adapters.stores.sql.conversations import SUGGESTION, get_conversation
from baton.adapters.stores.sql.database import Database, Tx
from baton.adapters.stores.sql.handoffs import get_draft, set_draft
from baton.core import lease as leases
from baton.core import packet as drafts
from baton.core.conversation import Conversation
from baton.core.entry import SEQ_BITS, SEQ_LIMIT, NewEntry, encode_body
from baton.core.errors import HeadMoved, NotFound, StoreDamaged
from baton.core.ids import new_session_id, shown
from baton.core.lease import Lease, Ownership
from baton.core.session import Session, Vitals, check_continuation
from baton.core.text import check_text


def get_session(tx: Tx, session_id: str) -> Session:
    row = tx.one("session_get", {"id": session_id})
    if row is None:
        raise NotFound(noun="session", value=shown(session_id), suggestion=SUGGESTION)
    return Session(*row)


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
        known = {session.id for session in found}
        if all(session.parent_id in known for session in found):
            raise StoreDamaged(path=self._db.location, reason=f"the lineage of session {session_id} is a loop")
        return sorted(found, key=lambda session: session.depth)

    def tree(self, session_id: str) -> list[Session]:
        with self._db.read() as tx:
            root_id = get_session(tx, session_id).root_id
            return [Session(*row) for row in tx.all("session_of_root", {"id": root_id})]

    def vitals(self, session_id: str) -> Vitals:
        with self._db.read() as tx:
            base = entry_rows.session_number(tx, session_id) << SEQ_BITS
            rows = tx.all("entry_compressions", {"low": base, "high": base + SEQ_LIMIT})
        return read_vitals(json.loads(body) for (body,) in rows)

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
        check_continuation(edge, end_reason)
        bodies = [encode_body(each.data) for each in entries]
        with self._db.write() as tx:
            conversation = get_conversation(tx, proof.id)
            leases.check(Lease(conversation.owner, conversation.epoch, conversation.lease_until), proof)
            if conversation.head_id != head_id:
                raise HeadMoved(conversation=proof.id, expected=head_id, head=conversation.head_id)
            now = self._db.clock.now()
            child = _child(get_session(tx, head_id), edge, check_text("reason", reason), model, now)
            _confirm(tx, conversation, draft_id, now)
            tx.run("session_end", {"id": head_id, "now": now, "end_reason": end_reason})
            row = tx.one("session_add", asdict(child))
            assert row is not None
            entry_rows.write(tx, row[0], 0, entry_rows.make(child.id, 0, entries, bodies, now))
            tx.run("conversation_move_head", {"id": proof.id, "head": head_id, "child": child.id, "now": now})
            tx.wake("work")
            return get_session(tx, child.id)


def _child(head: Session, edge: str, reason: str, model: str, now: int) -> Session:
    return Session(
        id=new_session_id(now),
        conversation_id=head.conversation_id,
        parent_id=head.id,
        parent_seq=None,
        root_id=head.root_id,
        edge=edge,
        reason=reason,
        depth=head.depth + 1,
        model=check_text("model", model, 200) or head.model,
        started_at=now,
        ended_at=None,
        end_reason=None,
        entries=0,
        tokens=0,
    )


def _confirm(tx: Tx, conversation: Conversation, draft_id: str | None, now: int) -> None:
    """Confirms the draft this move is made for; every other open draft of the conversation becomes stale."""
    if draft_id is not None:
        set_draft(tx, drafts.confirm(get_draft(tx, draft_id), conversation.version, now))
    tx.run("draft_make_stale", {"id": conversation.id, "now": now})


def read_vitals(compressions: Iterable[dict[str, Any]]) -> Vitals:
    """Counts of compression entries by their outcome."""
    outcomes: list[str] = []
    last_error = ""
    for body in compressions:
        outcomes.append(str(body.get("outcome", "compressed")))
        last_error = str(body.get("error") or last_error)
    return Vitals(
        compressions=outcomes.count("compressed") + outcomes.count("lossy"),
        lossy=outcomes.count("lossy"),
        failed=outcomes.count("failed"),
        timed_out=outcomes.count("timed_out"),
        last_error=last_error,
    )
