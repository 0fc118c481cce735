"""Where a reader is in a conversation: a session and an entry of it, written `20261115_201133_a1b2c3.12`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.errors import BadInput
from baton.core.ids import is_session_id, quote
from baton.core.log.entry import SEQ_LIMIT
from baton.core.value import value
from baton.surfaces.words import api as words

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.core.log.session import Session
    from baton.ports.store import Store

FORM = r"^[0-9]{8}_[0-9]{6}_[0-9a-f]{6}\.[0-9]{1,8}$"


@value
class Position:
    session_id: str
    seq: int

    def __str__(self) -> str:
        return f"{self.session_id}.{self.seq}"


@value
class Read:
    """Entries in order, where they end, and whether there are more."""

    entries: tuple[Entry, ...]
    position: Position
    more: bool


def parse_position(text: str) -> Position:
    session_id, _, seq = text.partition(".")
    if not is_session_id(session_id) or not (seq.isascii() and seq.isdecimal()) or int(seq[:9]) >= SEQ_LIMIT:
        raise BadInput(reason=words.NO_POSITION.format(position=quote(text), allowed=words.POSITION_ALLOWED))
    return Position(session_id, int(seq[:9]))


def end_of(store: Store, conversation_id: str) -> Position:
    head = store.sessions.get(store.conversations.get(conversation_id).head_id)
    return Position(head.id, head.entries)


def read_after(store: Store, conversation_id: str, position: Position | None, limit: int) -> Read:
    """Up to `limit` entries after the position, or from the beginning, over all sessions; copies that a split made are
    left out. `BadInput` if the position is not in this conversation.
    """
    sessions = store.sessions.of(conversation_id)
    here = position or Position(sessions[0].id, 0)
    found: list[Entry] = []
    for session in _from(sessions, here):
        seq = here.seq if session.id == here.session_id else 0
        while len(found) < limit and (page := store.entries.load(session.id, after=seq, limit=limit - len(found))):
            seq = page[-1].seq
            found += [entry for entry in page if not entry.copied]
        here = Position(session.id, seq)
        if len(found) >= limit:
            break
    more = here.session_id != sessions[-1].id or here.seq < sessions[-1].entries
    return Read(tuple(found), here, more)


def _from(sessions: list[Session], position: Position) -> list[Session]:
    for number, session in enumerate(sessions):
        if session.id == position.session_id:
            return sessions[number:]
    raise BadInput(
        reason=words.POSITION_ELSEWHERE.format(position=quote(str(position)), allowed=words.POSITION_ALLOWED)
    )
