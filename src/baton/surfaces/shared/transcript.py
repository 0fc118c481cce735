"""A whole conversation as a person reads it: the entries of all its sessions in order, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.log import entry as kinds
from baton.core.log.payloads import (
    AssistantStep,
    Compression,
    CompressionFailed,
    CompressionUndone,
    HandoffUndone,
    PacketOpening,
    payload,
)
from baton.core.log.session import COMPRESSION, HANDOFF, UNDO

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from baton.core.log.entry import Entry
    from baton.core.log.session import Session
    from baton.ports.store import Store

_CARRIED = 100
"""A handoff carries along what waits: among its first entries are all of those copies."""

_Paid = AssistantStep | Compression | CompressionFailed | PacketOpening
_PAID = (kinds.ASSISTANT, kinds.COMPRESSION, kinds.PACKET)


def last_entries(store: Store, sessions: Sequence[Session], limit: int | None) -> list[Entry]:
    """The newest `limit` entries over all sessions, or every one, in order. Copies are left out."""
    found: list[Entry] = []
    for session in reversed(sessions):
        if limit is None:
            found = [entry for entry in store.entries.load(session.id) if not entry.copied] + found
        elif len(found) < limit:
            found = _last_originals(store, session, limit - len(found)) + found
        else:
            break
    return found


def _last_originals(store: Store, session: Session, limit: int) -> list[Entry]:
    """The newest `limit` entries of a session that are no copies, or all of them."""
    take = limit + _copies(store, session)
    while True:
        part = store.entries.last(session.id, take)
        found = [entry for entry in part if not entry.copied]
        if len(found) >= limit or len(part) < take:
            return found[len(found) - min(limit, len(found)) :]
        take *= 2


def count_entries(store: Store, sessions: Sequence[Session]) -> int:
    """How many entries the sessions have, without copies."""
    return sum(session.entries - _copies(store, session) for session in sessions)


def _copies(store: Store, session: Session) -> int:
    """How many entries a session began with that are copies of its parent's."""
    if session.edge == HANDOFF:
        return sum(entry.copied for entry in store.entries.load(session.id, limit=_CARRIED))
    first = store.entries.load(session.id, limit=1) if session.edge in (COMPRESSION, UNDO) else []
    held = payload(first[0]) if first else None
    return held.tail if isinstance(held, Compression | CompressionUndone | HandoffUndone) else 0


def sum_cost(entries: Iterable[Entry]) -> float | None:
    """What answers, summaries and narratives cost, in US dollars; None where nobody said."""
    held = (payload(entry) for entry in entries if entry.kind in _PAID)
    usages = (each.usage for each in held if isinstance(each, _Paid))
    costs = [usage.cost for usage in usages if usage and usage.cost is not None]
    return sum(costs) if costs else None


def last_model(entries: Sequence[Entry]) -> str:
    """Who answered last, or an empty string."""
    return next((step.model for entry in reversed(entries) if (step := _step(entry)) and step.model), "")


def last_words(entries: Sequence[Entry]) -> str:
    """The agent's last words, or an empty string."""
    answers = (step.text.strip() for entry in reversed(entries) if (step := _step(entry)))
    return next(filter(None, answers), "")


def _step(entry: Entry) -> AssistantStep | None:
    held = payload(entry) if entry.kind == kinds.ASSISTANT else None
    return held if isinstance(held, AssistantStep) else None
