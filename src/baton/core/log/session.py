"""One context window's life inside a conversation, and the lineage that sessions form.

Exactly one session of a conversation is live: its head. A session ends once, when its continuation begins; at most
one session continues it (compression, handoff or undo), while any number may fork from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from baton.core.errors import BadInput, SequenceMoved
from baton.core.text import check_text
from baton.core.value import value

ROOT = "root"
COMPRESSION = "compression"
HANDOFF = "handoff"
FORK = "fork"
IMPORT = "import"
UNDO = "undo"
EDGES = (ROOT, COMPRESSION, HANDOFF, FORK, IMPORT, UNDO)
CONTINUATIONS = (COMPRESSION, HANDOFF, UNDO)
UNDONE = "undone"
END_REASONS = ("compression", "handoff", "compression_handoff", UNDONE)
MODEL_LIMIT = 200


@value
class Session:
    """`edge` says how it came to be, `reason` why; `depth` is its distance from `root_id`. The reason of an undo is
    what it took back: compression or handoff.

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


@value
class Vitals:
    """Counts read off the transcript, so there is no counter that could disagree with it. A session that began with
    an undo counts the compression taken back as -1: it was counted in an earlier one.
    """

    compressions: int = 0
    lossy: int = 0
    failed: int = 0
    timed_out: int = 0
    last_error: str = ""

    def plus(self, later: Vitals) -> Vitals:
        """The sum of both; the last error is that of the later one, if it has any."""
        return Vitals(
            self.compressions + later.compressions,
            self.lossy + later.lossy,
            self.failed + later.failed,
            self.timed_out + later.timed_out,
            later.last_error or self.last_error,
        )


@value
class Node:
    """A session in the picture of its lineage."""

    session: Session
    children: tuple[Node, ...]


def check_continuation(edge: str, end_reason: str) -> None:
    """`BadInput` unless a head may end for `end_reason` and continue by `edge`."""
    if edge not in CONTINUATIONS or end_reason not in END_REASONS:
        reason = f"A session cannot end by {end_reason!r} and continue by {edge!r}."
        raise BadInput(reason=f"{reason} Allowed: {', '.join(END_REASONS)} with {', '.join(CONTINUATIONS)}.")


def begin(
    id: str,  # noqa: A002
    conversation_id: str,
    model: str,
    now: int,
    *,
    parent: Session | None = None,
    parent_seq: int | None = None,
    edge: str = ROOT,
    reason: str = "",
) -> Session:
    """A live session without entries: a root, or below `parent` in its lineage."""
    return Session(
        id=id,
        conversation_id=conversation_id,
        parent_id=parent.id if parent else None,
        parent_seq=parent_seq,
        root_id=parent.root_id if parent else id,
        edge=edge,
        reason=check_text("reason", reason),
        depth=parent.depth + 1 if parent else 0,
        model=check_text("model", model, MODEL_LIMIT),
        started_at=now,
        ended_at=None,
        end_reason=None,
        entries=0,
        tokens=0,
    )


def check_count(session_id: str, count: int, expected: int | None) -> None:
    """`SequenceMoved` if the writer expects another number of entries than there are."""
    if expected is not None and count != expected:
        raise SequenceMoved(session=session_id, count=count, expected=expected)


def read_vitals(compressions: Iterable[Mapping[str, Any]]) -> Vitals:
    """Counts of compression entries by their outcome; copies were counted where they come from, and what was taken
    back no longer counts.
    """
    outcomes: list[str] = []
    taken_back: list[str] = []
    last_error = ""
    for body in compressions:
        if "copied" in body:
            continue
        outcome = str(body.get("outcome", "compressed"))
        if outcome == UNDONE:
            taken_back.append(str(body.get("was", "")))
        outcomes.append(outcome)
        last_error = str(body.get("error") or last_error)
    return Vitals(
        compressions=outcomes.count("compressed") + outcomes.count("lossy") - len(taken_back),
        lossy=outcomes.count("lossy") - taken_back.count("lossy"),
        failed=outcomes.count("failed"),
        timed_out=outcomes.count("timed_out"),
        last_error=last_error,
    )


def lineage_vitals(vitals: Iterable[Vitals]) -> Vitals:
    """The sum along a lineage, from its oldest session to its newest."""
    total = Vitals()
    for each in vitals:
        total = total.plus(each)
    return total


def count_handoffs(sessions: Iterable[Session]) -> int:
    """How many handoffs hold: those that were taken back do not count."""
    return sum((each.edge == HANDOFF) - (each.edge == UNDO and each.reason == HANDOFF) for each in sessions)


def lineage(session_id: str, sessions: Iterable[Session]) -> list[Session]:
    """From the oldest known ancestor to this session; empty if the parents lead in a circle."""
    known: dict[str | None, Session] = {session.id: session for session in sessions}
    upward: dict[str, Session] = {}
    here = known.get(session_id)
    while here is not None:
        if here.id in upward:
            return []
        upward[here.id] = here
        here = known.get(here.parent_id)
    return list(upward.values())[::-1]


def forest(sessions: Iterable[Session]) -> tuple[Node, ...]:
    """The sessions as trees, oldest first. Iterative, so that a chain of any length can be drawn.

    Each is drawn once, even if a damaged lineage is a loop: only a session of less depth counts as a parent.
    """
    known: dict[str | None, Session] = {session.id: session for session in sessions}
    children: dict[str | None, list[Session]] = {}
    for session in known.values():
        above = known.get(session.parent_id)
        parent = above.id if above is not None and above.depth < session.depth else None
        children.setdefault(parent, []).append(session)
    nodes: dict[str, Node] = {}
    for session in sorted(known.values(), key=lambda each: (-each.depth, each.started_at, each.id)):
        below = sorted(children.get(session.id, ()), key=lambda each: (each.started_at, each.id))
        nodes[session.id] = Node(session, tuple(nodes[child.id] for child in below))
    tops = sorted(children.get(None, ()), key=lambda each: (each.started_at, each.id))
    return tuple(nodes[top.id] for top in tops)
