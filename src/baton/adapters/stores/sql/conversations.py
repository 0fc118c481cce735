"""Conversations: start, find, list, own."""

from __future__ import annotations

from dataclasses import asdict

from baton.adapters.stores.sql.database import Database, Row, Tx
from baton.core import lease as leases
from baton.core import session as edges
from baton.core.conversation import Conversation, Page
from baton.core.conversation import Row as ListRow
from baton.core.errors import Ambiguous, BadInput, NotFound
from baton.core.ids import is_id, is_session_id, new_id, new_session_id, shown
from baton.core.lease import Lease, Ownership
from baton.core.session import Session
from baton.core.text import check_text, check_title, flaw, title_key

CANDIDATES = 6
PAGE_LIMIT = 1000
_END = 2**62
_LAST = "\U0010ffff"


def micros(seconds: float) -> int:
    return int(seconds * 1_000_000)


def get_conversation(tx: Tx, conversation_id: str) -> Conversation:
    """The row, locked for the rest of a write transaction."""
    row = tx.one("conversation_get", {"id": conversation_id})
    if row is None:
        raise NotFound(noun="conversation", value=shown(conversation_id), suggestion=SUGGESTION)
    return Conversation(*row)


SUGGESTION = "`baton sessions list` shows what there is."


class SqlConversations:
    def __init__(self, db: Database) -> None:
        self._db = db

    def start(self, title: str, workspace: str = "", model: str = "") -> tuple[Conversation, Session]:
        with self._db.write() as tx:
            return self._add(tx, title, workspace, model, edges.ROOT, None, None)

    def fork(self, session_id: str, seq: int, title: str, model: str = "") -> tuple[Conversation, Session]:
        with self._db.write() as tx:
            row = tx.one("session_get", {"id": session_id})
            if row is None:
                raise NotFound(noun="session", value=shown(session_id), suggestion=SUGGESTION)
            parent = Session(*row)
            if not 0 <= seq <= parent.entries:
                raise BadInput(reason=f"Session {parent.id} has {parent.entries} entries; it cannot fork after {seq}.")
            workspace = get_conversation(tx, parent.conversation_id).workspace
            return self._add(tx, title, workspace, model or parent.model, edges.FORK, parent, seq)

    def _add(
        self, tx: Tx, title: str, workspace: str, model: str, edge: str, parent: Session | None, seq: int | None
    ) -> tuple[Conversation, Session]:
        now = self._db.clock.now()
        name, head_id = check_title(title), new_session_id(now)
        where = check_text("workspace", workspace)
        conversation = Conversation(new_id("conversation"), name, where, head_id, 1, now, now)
        session = Session(
            id=head_id,
            conversation_id=conversation.id,
            parent_id=parent.id if parent else None,
            parent_seq=seq,
            root_id=parent.root_id if parent else head_id,
            edge=edge,
            reason="",
            depth=parent.depth + 1 if parent else 0,
            model=check_text("model", model, 200),
            started_at=now,
            ended_at=None,
            end_reason=None,
            entries=0,
            tokens=0,
        )
        tx.run("conversation_add", {**asdict(conversation), "title_key": title_key(name)})
        tx.one("session_add", asdict(session))
        tx.wake("log")
        return conversation, session

    def get(self, conversation_id: str) -> Conversation:
        with self._db.read() as tx:
            return get_conversation(tx, conversation_id)

    def find(self, text: str) -> Conversation:
        wanted = text.strip()
        with self._db.read() as tx:
            fits = _fits(tx, wanted) if wanted and not flaw(wanted, 1000) else []
            if not fits:
                raise NotFound(noun="conversation", value=shown(text), suggestion=SUGGESTION)
            if len(fits) > 1:
                raise _ambiguous(text, fits)
            return get_conversation(tx, fits[0][0])

    def page(self, limit: int = 50, after: str | None = None, workspace: str | None = None) -> Page:
        limit = max(1, min(limit, PAGE_LIMIT))
        updated_at, last_id = _cursor(after) if after else (_END, "")
        name = "conversation_page" if workspace is None else "conversation_page_of_workspace"
        position = {"updated_at": updated_at, "id": last_id, "limit": limit + 1, "workspace": workspace}
        with self._db.read() as tx:
            rows = [_list_row(row) for row in tx.all(name, position)]
        more = f"{rows[limit - 1].conversation.updated_at}.{rows[limit - 1].conversation.id}" if rows[limit:] else None
        return Page(tuple(rows[:limit]), more)

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
        check_text("owner", owner, 200)
        with self._db.write() as tx:
            lease = _lease(get_conversation(tx, conversation_id))
            held, proof = leases.claim(lease, "conversation", conversation_id, owner, tx.ticks(), micros(ttl))
            _hold(tx, conversation_id, held)
        return proof

    def renew(self, proof: Ownership, ttl: float) -> None:
        with self._db.write() as tx:
            lease = _lease(get_conversation(tx, proof.id))
            _hold(tx, proof.id, leases.renew(lease, proof, tx.ticks(), micros(ttl)))

    def release(self, proof: Ownership) -> None:
        with self._db.write() as tx:
            _hold(tx, proof.id, leases.release(_lease(get_conversation(tx, proof.id)), proof))


def _lease(conversation: Conversation) -> Lease:
    return Lease(conversation.owner, conversation.epoch, conversation.lease_until)


def _hold(tx: Tx, conversation_id: str, lease: Lease) -> None:
    held = {"id": conversation_id, "owner": lease.owner, "epoch": lease.epoch, "until": lease.until}
    tx.run("conversation_hold", held)


def _fits(tx: Tx, text: str) -> list[Row]:
    """What fits best: each way of finding is tried only if those before it found nothing."""
    key = title_key(text)
    exact = {"low": text, "high": text + "!", "limit": CANDIDATES}
    if is_id("conversation", text):
        return tx.all("conversation_by_id_prefix", exact)
    if is_session_id(text):
        return tx.all("conversation_by_session_prefix", exact)
    prefix = {"low": text, "high": text + _LAST, "limit": CANDIDATES}
    return (
        tx.all("conversation_by_title", {"key": key, "limit": CANDIDATES})
        or tx.all("conversation_by_id_prefix", prefix)
        or tx.all("conversation_by_session_prefix", prefix)
        or tx.all("conversation_by_title_prefix", {"low": key, "high": key + _LAST, "limit": CANDIDATES})
    )


def _ambiguous(text: str, fits: list[Row]) -> Ambiguous:
    named = [f"{conversation_id} ({title})" for conversation_id, title in fits[: CANDIDATES - 1]]
    many = len(fits) == CANDIDATES
    candidates = ", ".join(named) + (", …" if many else "")
    return Ambiguous(value=shown(text), count=f"{CANDIDATES} or more" if many else len(fits), candidates=candidates)


def _list_row(row: Row) -> ListRow:
    return ListRow(Conversation(*row[:10]), *row[10:])


def _cursor(after: str) -> tuple[int, str]:
    updated_at, _, last_id = after.partition(".")
    if not updated_at.isdecimal() or len(updated_at) > 18 or not is_id("conversation", last_id):
        raise BadInput(reason=f"{shown(after)} is not a position in the list. Allowed: the `after` of an earlier page.")
    return int(updated_at), last_id
