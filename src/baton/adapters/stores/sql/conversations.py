"""Conversations: start, find, list, own."""

from __future__ import annotations

from baton.adapters.stores.sql.database import Database, Row, Tx
from baton.core.ids import is_id, is_session_id, not_found, unused_session_id
from baton.core.log import conversation as rules
from baton.core.log import lease as leases
from baton.core.log.conversation import CANDIDATES, Conversation, Page
from baton.core.log.conversation import Row as ListRow
from baton.core.log.lease import Lease, Ownership, micros
from baton.core.log.session import Session
from baton.core.text import FIELD_LIMIT, MOST, check_title, flaw, title_key
from baton.core.value import asdict
from baton.engine.processes import is_gone

_LAST = "\U0010ffff"


def get_conversation(tx: Tx, conversation_id: str) -> Conversation:
    """The row, locked for the rest of a write transaction."""
    row = tx.one("conversation_get", {"id": conversation_id}) if is_id("conversation", conversation_id) else None
    if row is None:
        raise not_found("conversation", conversation_id)
    return Conversation(*row)


def get_session(tx: Tx, session_id: str) -> Session:
    row = tx.one("session_get", {"id": session_id}) if is_session_id(session_id) else None
    if row is None:
        raise not_found("session", session_id)
    return Session(*row)


def new_session_id(tx: Tx, now: int) -> str:
    return unused_session_id(now, lambda candidate: tx.one("session_number", {"id": candidate}) is not None)


class SqlConversations:
    def __init__(self, db: Database) -> None:
        self._db = db

    def start(self, title: str, workspace: str = "", model: str = "") -> tuple[Conversation, Session]:
        with self._db.write() as tx:
            now = self._db.clock.now()
            return _add(tx, *rules.start(title, workspace, model, new_session_id(tx, now), now))

    def fork(self, session_id: str, seq: int, title: str, model: str = "") -> tuple[Conversation, Session]:
        with self._db.write() as tx:
            parent = get_session(tx, session_id)
            workspace = get_conversation(tx, parent.conversation_id).workspace
            now = self._db.clock.now()
            return _add(tx, *rules.fork(parent, seq, title, workspace, model, new_session_id(tx, now), now))

    def get(self, conversation_id: str) -> Conversation:
        with self._db.glance() as tx:
            return get_conversation(tx, conversation_id)

    def find(self, text: str) -> Conversation:
        wanted = text.strip()
        with self._db.read() as tx:
            fits = _fits(tx, wanted) if wanted and not flaw(wanted, FIELD_LIMIT) else []
            return get_conversation(tx, rules.pick(text, [(row[0], row[1]) for row in fits]))

    def page(
        self, limit: int = 50, after: str | None = None, workspace: str | None = None, *, begun: bool = False
    ) -> Page:
        limit = rules.page_limit(limit)
        updated_at, last_id = (MOST, "") if after is None else rules.parse_after(after)
        if workspace is not None and flaw(workspace, FIELD_LIMIT):
            return Page((), None)
        name = "conversation_page" if workspace is None else "conversation_page_of_workspace"
        position = {"updated_at": updated_at, "id": last_id, "limit": limit + 1, "workspace": workspace}
        position["every"] = 0 if begun else 1
        with self._db.read() as tx:
            rows = [_list_row(row) for row in tx.all(name, position)]
        return rules.page(rows, limit)

    def count(self) -> int:
        with self._db.read() as tx:
            row = tx.one("conversation_count")
        return row[0] if row else 0

    def rename(self, conversation_id: str, title: str) -> Conversation:
        name = check_title(title)
        with self._db.write() as tx:
            get_conversation(tx, conversation_id)
            tx.run("conversation_rename", {"id": conversation_id, "title": name, "title_key": title_key(name)})
            return get_conversation(tx, conversation_id)

    def claim(self, conversation_id: str, owner: str, ttl: float) -> Ownership:
        with self._db.write(lasting=False) as tx:
            lease = get_conversation(tx, conversation_id).lease
            held, proof = leases.claim(lease, "conversation", conversation_id, owner, tx.ticks(), micros(ttl), is_gone)
            _hold(tx, conversation_id, held)
        return proof

    def renew(self, proof: Ownership, ttl: float) -> None:
        with self._db.write(lasting=False) as tx:
            lease = get_conversation(tx, proof.id).lease
            _hold(tx, proof.id, leases.renew(lease, proof, tx.ticks(), micros(ttl)))

    def release(self, proof: Ownership) -> None:
        with self._db.write(lasting=False) as tx:
            _hold(tx, proof.id, leases.release(get_conversation(tx, proof.id).lease, proof))


def _add(tx: Tx, conversation: Conversation, root: Session) -> tuple[Conversation, Session]:
    tx.run("conversation_add", {**asdict(conversation), "title_key": title_key(conversation.title)})
    tx.one("session_add", asdict(root))
    tx.wake("log")
    return conversation, root


def _hold(tx: Tx, conversation_id: str, lease: Lease) -> None:
    held = {"id": conversation_id, "owner": lease.owner, "epoch": lease.epoch, "until": lease.until}
    tx.run("conversation_hold", held)


def _fits(tx: Tx, text: str) -> list[Row]:
    """What fits best: each way of finding is tried only if those before it found nothing."""
    key = title_key(text)
    exact = {"low": text, "high": text + "!", "limit": CANDIDATES}
    prefix = {"low": text, "high": text + _LAST, "limit": CANDIDATES}
    return (
        (is_id("conversation", text) and tx.all("conversation_by_id_prefix", exact))
        or (is_session_id(text) and tx.all("conversation_by_session_prefix", exact))
        or tx.all("conversation_by_title", {"key": key, "limit": CANDIDATES})
        or tx.all("conversation_by_id_prefix", prefix)
        or tx.all("conversation_by_session_prefix", prefix)
        or tx.all("conversation_by_title_prefix", {"low": key, "high": key + _LAST, "limit": CANDIDATES})
    )


def _list_row(row: Row) -> ListRow:
    return ListRow(Conversation(*row[:10]), *row[10:])
