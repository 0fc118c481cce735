"""Undo as it runs: the last compression or handoff that holds is found in the record and taken back in one write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from baton.core.errors import BadInput
from baton.core.log.payloads import PacketOpening, new_entry
from baton.core.log.session import COMPRESSION, HANDOFF, UNDO, UNDONE
from baton.core.log.undo import Part, Target, find_target, rebuild
from baton.core.value import value
from baton.engine.aio import in_thread

if TYPE_CHECKING:
    from baton.core.log.entry import NewEntry
    from baton.core.log.session import Session
    from baton.engine.turns.writer import SessionWriter
    from baton.ports.store import Store

NOTHING = "There is nothing to undo: no compression and no handoff of this conversation is in force."


@value
class Undone:
    """`what` was taken back: compression or handoff. The session that continues and the one before it are the same if
    the compression was one in place. `tokens` is what the next request takes, by our own estimate.
    """

    what: str
    session_id: str
    previous_id: str
    tokens: int


async def undo(writer: SessionWriter) -> Undone:
    """One write, so that a process that dies leaves it undone or not. `BadInput` if there is nothing to undo."""
    old = writer.session
    target, first = await in_thread(_find, writer.store, old)
    if target is None:
        raise BadInput(reason=NOTHING)
    what = HANDOFF if isinstance(target.held, PacketOpening) else COMPRESSION
    if first is None:
        await writer.append(new_entry(target.undone()))
    else:
        await writer.advance(edge=UNDO, end_reason=UNDONE, reason=what, entries=lambda _: first)
    return Undone(what, writer.session.id, old.id, writer.tokens)


def _find(store: Store, head: Session) -> tuple[Target | None, Sequence[NewEntry] | None]:
    """What to take back, and the first entries of the session that continues, where another one has to."""
    parts = _Parts(store, head)
    target = find_target(parts)
    if target is None or (target.session.id == head.id and not target.opening):
        return target, None
    return target, rebuild(parts, target)


class _Parts:
    """The sessions of a lineage with their entries, newest first, each loaded once and when it is needed."""

    def __init__(self, store: Store, head: Session) -> None:
        self._store = store
        self._sessions = store.sessions.chain(head.id)[::-1]
        self._loaded: list[Part] = []

    def __iter__(self) -> Iterator[Part]:
        for index, session in enumerate(self._sessions):
            if index == len(self._loaded):
                self._loaded.append(Part(session, self._store.entries.load(session.id)))
            yield self._loaded[index]
