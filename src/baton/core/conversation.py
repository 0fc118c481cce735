"""What a person sees as one thread of work: a stable id, a title, and the session that is its head."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list: a conversation with what its head tells."""

    conversation: Conversation
    model: str
    depth: int
    entries: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Page:
    """Rows newest first; `after` continues the list, None at its end."""

    rows: tuple[Row, ...]
    after: str | None
