"""What you see as one thread of work: a stable id, a title, and the session that is its head."""

from __future__ import annotations

from collections.abc import Sequence

from baton.core.errors import Ambiguous, BadInput, HeadMoved
from baton.core.ids import is_id, is_session_id, new_id, not_found, quote
from baton.core.log import session as sessions
from baton.core.log.lease import Lease
from baton.core.log.session import Session
from baton.core.text import check_text, check_title
from baton.core.value import value

CANDIDATES = 6
PAGE_LIMIT = 1000


@value
class Conversation:
    """`version` counts the moves of the head. Times are microseconds since the epoch, UTC."""

    id: str
    title: str
    workspace: str
    head_id: str
    version: int
    created_at: int
    updated_at: int
    owner: str | None = None
    epoch: int = 0
    lease_until: int = 0

    @property
    def lease(self) -> Lease:
        return Lease(self.owner, self.epoch, self.lease_until)


@value
class Row:
    """One line of a list: a conversation, the model of its head, totals over all its sessions, and the platform it was
    last transferred to, if it ever was.
    """

    conversation: Conversation
    model: str
    sessions: int
    entries: int
    tokens: int
    moved_to: str = ""


@value
class Page:
    """Rows newest first; `after` continues the list, None at its end."""

    rows: tuple[Row, ...]
    after: str | None


def start(title: str, workspace: str, model: str, session_id: str, now: int) -> tuple[Conversation, Session]:
    """A conversation and its root."""
    name, where = check_title(title), check_text("workspace", workspace)
    conversation = Conversation(new_id("conversation"), name, where, session_id, 1, now, now)
    return conversation, sessions.begin(session_id, conversation.id, model, now)


def fork(
    parent: Session, seq: int, title: str, workspace: str, model: str, session_id: str, now: int
) -> tuple[Conversation, Session]:
    """A conversation whose root continues the first `seq` entries of `parent`."""
    if not 0 <= seq <= parent.entries:
        raise BadInput(reason=f"Session {parent.id} has {parent.entries} entries; it cannot fork after {seq}.")
    conversation, _ = start(title, workspace, model, session_id, now)
    edge = sessions.FORK
    root = sessions.begin(
        session_id, conversation.id, model or parent.model, now, parent=parent, parent_seq=seq, edge=edge
    )
    return conversation, root


def check_head(conversation_id: str, head_id: str, expected: str) -> None:
    """`HeadMoved` unless the head is the session the writer knows."""
    if head_id != expected:
        known = expected if is_session_id(expected) else quote(expected)
        raise HeadMoved(conversation=conversation_id, expected=known, head=head_id)


def pick(text: str, fits: Sequence[tuple[str, str]]) -> str:
    """The id of the one conversation (id and title) that fits; `NotFound` if none does, `Ambiguous` if several do.

    No more than `CANDIDATES` need be given.
    """
    if not fits:
        raise not_found("conversation", text)
    if len(fits) > 1:
        many = len(fits) >= CANDIDATES
        named = [f"{conversation_id} ({title})" for conversation_id, title in fits[: CANDIDATES - 1]]
        candidates = ", ".join(named) + (", …" if many else "")
        raise Ambiguous(value=quote(text), count=f"{CANDIDATES} or more" if many else len(fits), candidates=candidates)
    return fits[0][0]


def page_limit(limit: int) -> int:
    return max(1, min(limit, PAGE_LIMIT))


def page(rows: Sequence[Row], limit: int) -> Page:
    """The first `limit` rows of those that follow; one more row than that means that the list continues."""
    last = rows[limit - 1].conversation if rows[limit:] else None
    return Page(tuple(rows[:limit]), f"{last.updated_at}.{last.id}" if last else None)


def parse_after(after: str) -> tuple[int, str]:
    """The time and id of the last row of the page before; `BadInput` if no page ever gave this."""
    updated_at, _, last_id = after.partition(".")
    known = updated_at.isascii() and updated_at.isdecimal() and len(updated_at) <= 18
    if not known or not is_id("conversation", last_id):
        raise BadInput(reason=f"{quote(after)} is not a position in the list. Allowed: the `after` of an earlier page.")
    return int(updated_at), last_id
