"""One context window's life inside a conversation, and the lineage that sessions form.

Exactly one session of a conversation is live: its head. A session ends once, when its continuation begins; at most
one session continues it (compression or handoff), while any number may fork from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from baton.core.errors import BadInput

ROOT = "root"
COMPRESSION = "compression"
HANDOFF = "handoff"
FORK = "fork"
IMPORT = "import"
EDGES = (ROOT, COMPRESSION, HANDOFF, FORK, IMPORT)
CONTINUATIONS = (COMPRESSION, HANDOFF)
END_REASONS = ("compression", "handoff", "compression_handoff")


@dataclass(frozen=True, slots=True)
class Session:
    """`edge` says how it came to be, `reason` why; `depth` is its distance from `root_id`.

    `parent_seq` is set on forks: how many of the parent's entries belong to the fork's past.
    """

    id: str
    conversation_id: str
    parent_id: str | None
    parent_seq: int | None
    root_id: str
    edge: str
    reason: str
    depth: int
    model: str
    started_at: int
    ended_at: int | None
    end_reason: str | None
    entries: int
    tokens: int

    @property
    def live(self) -> bool:
        return self.ended_at is None


@dataclass(frozen=True, slots=True)
class Vitals:
    """Counts read off the transcript, so that no counter has to be kept in step with it."""

    compressions: int = 0
    lossy: int = 0
    failed: int = 0
    timed_out: int = 0
    last_error: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A session in the picture of its lineage."""

    session: Session
    children: tuple[Node, ...]


def check_continuation(edge: str, end_reason: str) -> None:
    """`BadInput` unless a head may end for `end_reason` and go on by `edge`."""
    if edge not in CONTINUATIONS or end_reason not in END_REASONS:
        reason = f"A session cannot end by {end_reason!r} and go on by {edge!r}."
        raise BadInput(reason=f"{reason} Allowed: {', '.join(END_REASONS)} with {', '.join(CONTINUATIONS)}.")


def forest(sessions: Iterable[Session]) -> tuple[Node, ...]:
    """The sessions as trees, oldest first. Iterative, so that a chain of any length can be drawn."""
    known = {session.id: session for session in sessions}
    children: dict[str | None, list[Session]] = {}
    for session in known.values():
        parent = session.parent_id if session.parent_id in known else None
        children.setdefault(parent, []).append(session)
    nodes: dict[str, Node] = {}
    for session in sorted(known.values(), key=lambda each: (-each.depth, each.started_at, each.id)):
        below = sorted(children.get(session.id, ()), key=lambda each: (each.started_at, each.id))
        nodes[session.id] = Node(session, tuple(nodes[child.id] for child in below if child.id in nodes))
    tops = sorted(children.get(None, ()), key=lambda each: (each.started_at, each.id))
    return tuple(nodes[top.id] for top in tops)
