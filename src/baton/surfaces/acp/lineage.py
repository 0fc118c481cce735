"""What the store knows of a conversation that an editor is shown: its lineage, its past, its place in a list."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from baton.core.errors import NotFound
from baton.core.ids import is_id, is_session_id
from baton.core.log import entry as kinds
from baton.core.log.provenance import Standing, provenance
from baton.core.log.session import HANDOFF, Session

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.core.log.entry import Entry
    from baton.ports.store import Store
    from baton.surfaces.acp.frames import Json

UNTITLED = "Untitled"


def resolve(store: Store, given: str) -> Conversation:
    """By its own id or that of any session it ever had; `NotFound` for every other text."""
    if is_session_id(given):
        return store.conversations.get(store.sessions.get(given).conversation_id)
    if is_id("conversation", given):
        return store.conversations.get(given)
    raise NotFound(noun="session", value=repr(given[:80]), suggestion="session/list shows what there is.")


def standing(store: Store, conversation: Conversation) -> Standing:
    chain = store.sessions.chain(conversation.head_id)
    packet_id, path = _packet(store, chain)
    drafts = store.drafts.waiting(conversation.id)
    return Standing(
        conversation.id,
        chain,
        [store.sessions.vitals(session.id) for session in chain],
        packet_id,
        path,
        drafts[-1].id if drafts else "",
    )


def _packet(store: Store, chain: list[Session]) -> tuple[str, str]:
    """The id and the path of the packet that the work of the last session began from."""
    for session in reversed(chain):
        if session.edge == HANDOFF:
            first = store.entries.load(session.id, limit=1)
            data = first[0].data if first else {}
            return str(data.get("packet", "")), str(data.get("path", ""))
    return "", ""


def past(store: Store, head_id: str) -> Iterator[Entry]:
    """Every entry of a conversation once, in order: of all its sessions, and of what a fork began from."""
    chain = store.sessions.chain(head_id)
    for session, following in zip(chain, [*chain[1:], None], strict=True):
        upto = following.parent_seq if following else None
        for entry in store.entries.load(session.id, limit=upto):
            if not entry.copied:
                yield entry


def first_words(store: Store, conversation_id: str) -> str:
    """What a person said first; empty if nobody said anything."""
    for entry in past(store, store.conversations.get(conversation_id).head_id):
        if entry.kind == kinds.USER and not entry.data.get("synthetic"):
            return str(entry.data.get("shown") or entry.data.get("text", ""))
    return ""


def row(store: Store, conversation: Conversation) -> Json:
    """One line of session/list."""
    title = {} if conversation.title == UNTITLED else {"title": conversation.title}
    return {
        "sessionId": conversation.id,
        "cwd": conversation.workspace or os.getcwd(),
        **title,
        "updatedAt": iso(conversation.updated_at),
        "_meta": provenance(conversation.id, standing(store, conversation)),
    }


def iso(at: int) -> str:
    """A stored time (microseconds, UTC) as ISO 8601."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at // 1_000_000)) + f".{at // 1000 % 1000:03d}Z"
