"""A fork that knows what its parent knew: a new conversation that begins with copies of what is in the context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.log import entry as kinds
from baton.core.log.context import last_compression
from baton.core.log.entry import NewEntry
from baton.core.log.payloads import to_json
from baton.core.log.waiting import copy
from baton.core.value import replace
from baton.engine.processes import new_owner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baton.core.log.conversation import Conversation
    from baton.core.log.entry import Entry
    from baton.ports.store import Store

_LEASE = 30.0


def fork(store: Store, parent: Conversation) -> Conversation:
    """The parent is not touched. Copies are marked, so that a reader of the fork's past sees each entry once."""
    head = store.sessions.get(parent.head_id)
    entries = store.entries.load(head.id)
    conversation, root = store.conversations.fork(head.id, len(entries), parent.title, head.model)
    if copies := _copies(entries):
        proof = store.conversations.claim(conversation.id, new_owner("fork"), _LEASE)
        try:
            store.entries.append(proof, root.id, copies)
        finally:
            store.conversations.release(proof)
    return store.conversations.get(conversation.id)


def _copies(entries: Sequence[Entry]) -> list[NewEntry]:
    compression = last_compression(entries)
    if compression is None:
        return [copy(entry) for entry in entries if entry.kind not in (kinds.QUEUED, kinds.COMPRESSION)]
    kept = (entry for entry in entries if entry.seq >= compression.keep_from and entry.kind != kinds.COMPRESSION)
    tail = [copy(entry) for entry in kept]
    first = replace(compression, keep_from=1, tail=len(tail))
    return [NewEntry(kinds.COMPRESSION, {**to_json(first), "copied": 0}), *tail]
