"""Values as JSON objects: what `--json` prints and the HTTP API answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baton.core.transfer.place import TERMINAL
from baton.surfaces.shared.formats import iso

if TYPE_CHECKING:
    from baton.core.log.conversation import Row
    from baton.core.log.entry import Entry
    from baton.core.log.session import Session, Vitals
    from baton.core.transfer.transfer import Transfer


def row_dict(row: Row) -> dict[str, Any]:
    conversation = row.conversation
    return {
        "id": conversation.id,
        "title": conversation.title,
        "workspace": conversation.workspace,
        "head": conversation.head_id,
        "sessions": row.sessions,
        "model": row.model,
        "entries": row.entries,
        "tokens": row.tokens,
        "owner": conversation.owner,
        "lives_in": row.moved_to or TERMINAL,
        "created_at": iso(conversation.created_at),
        "updated_at": iso(conversation.updated_at),
    }


def session_dict(session: Session, vitals: Vitals) -> dict[str, Any]:
    return {
        "id": session.id,
        "conversation": session.conversation_id,
        "parent": session.parent_id,
        "root": session.root_id,
        "edge": session.edge,
        "reason": session.reason,
        "depth": session.depth,
        "model": session.model,
        "started_at": iso(session.started_at),
        "ended_at": iso(session.ended_at),
        "end_reason": session.end_reason,
        "entries": session.entries,
        "tokens": session.tokens,
        **vitals_dict(vitals),
    }


def vitals_dict(vitals: Vitals) -> dict[str, Any]:
    return {
        "compressions": vitals.compressions,
        "lossy": vitals.lossy,
        "failed": vitals.failed,
        "timed_out": vitals.timed_out,
        "last_error": vitals.last_error,
    }


def entry_dict(entry: Entry) -> dict[str, Any]:
    return {
        "session": entry.session_id,
        "seq": entry.seq,
        "kind": entry.kind,
        "at": iso(entry.at),
        "tokens": entry.tokens,
        "body": entry.data,
    }


def transfer_dict(transfer: Transfer) -> dict[str, Any]:
    notes = transfer.notes
    found: dict[str, Any] = notes.get("bound") or notes.get("opened") or {}
    place = str(found.get("place", ""))
    return {
        "transfer_id": transfer.id,
        "conversation_id": transfer.conversation_id,
        "origin": transfer.origin,
        "target": transfer.target,
        "platform": transfer.platform,
        "place": place,
        "state": transfer.state,
        "step": transfer.step,
        "attempts": transfer.attempts,
        "cancel_asked": bool(transfer.cancel_asked),
        "error": transfer.error,
        "requested_at": transfer.requested_at,
        "updated_at": transfer.updated_at,
    }
