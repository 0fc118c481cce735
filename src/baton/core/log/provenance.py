"""Where a conversation's head comes from, in the form editors read: under `_meta`, beside the protocol's own fields.

`hermes.sessionProvenance` has the names that clients already know, `baton` says more, and `agentSessionId` is the head.
All of it is derived from what is stored; none of it is ever part of a context.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from baton.core.log.session import (
    COMPRESSION,
    CONTINUATIONS,
    FORK,
    HANDOFF,
    IMPORT,
    Session,
    Vitals,
    count_handoffs,
    lineage_vitals,
)
from baton.core.value import value

SPLIT = "split"
IN_PLACE = "in_place"
NONE = "none"
OFFERED = "offered"
DONE = "done"
_CREATORS = {COMPRESSION: "compression", HANDOFF: "handoff", FORK: "user", IMPORT: "import"}


@value
class Standing:
    """A conversation as it stands: its sessions from the root to the head, each with its vitals, through forks.

    `packet_id` and `packet_path` are of the packet the head's work began from; `draft_id` is of one that waits for
    your yes.
    """

    conversation_id: str
    chain: Sequence[Session]
    vitals: Sequence[Vitals]
    packet_id: str = ""
    packet_path: str = ""
    draft_id: str = ""

    @property
    def head(self) -> Session:
        return self.chain[-1]


def provenance(acp_id: str, standing: Standing, previous_id: str = "") -> dict[str, Any]:
    """The `_meta` of a session that its client knows as `acp_id`. `previous_id` is the head it knew before, if that is
    another one.
    """
    return {
        "agentSessionId": standing.head.id,
        "hermes": {"sessionProvenance": _hermes_fields(acp_id, standing, previous_id)},
        "baton": _baton_fields(standing),
    }


def _hermes_fields(acp_id: str, standing: Standing, previous_id: str) -> dict[str, Any]:
    head = standing.head
    went_on = head.edge in CONTINUATIONS
    before = previous_id if previous_id not in ("", head.id) else head.parent_id if went_on else None
    return {
        "acpSessionId": acp_id,
        "currentHermesSessionId": head.id,
        "rootHermesSessionId": head.root_id,
        "parentHermesSessionId": head.parent_id,
        **({"previousHermesSessionId": before} if before else {}),
        "sessionKind": "continuation" if went_on else "fork" if head.edge == FORK else "root",
        "creatorKind": _CREATORS.get(head.edge, "user"),
        **({"reason": _reason(head)} if head.edge in _CREATORS else {}),
        "compressionDepth": lineage_vitals(standing.vitals).compressions,
        "isUserFacing": True,
    }


def _reason(head: Session) -> str:
    """How the head came to be, in one word that existing clients know; the reason is among Baton's own fields."""
    return head.edge


def _baton_fields(standing: Standing) -> dict[str, Any]:
    head, here, lineage = standing.head, standing.vitals[-1], lineage_vitals(standing.vitals)
    return {
        "conversationId": standing.conversation_id,
        "sessionId": head.id,
        "rootSessionId": head.root_id,
        "parentSessionId": head.parent_id,
        "edge": head.edge,
        "reason": head.reason,
        "depth": head.depth,
        "sessions": sum(session.conversation_id == standing.conversation_id for session in standing.chain),
        "handoffs": count_handoffs(standing.chain),
        "handoffId": standing.draft_id or standing.packet_id or None,
        "handoffState": OFFERED if standing.draft_id else DONE if standing.packet_id else NONE,
        "packetPath": standing.packet_path or None,
        "compressionMode": _mode(head, here),
        "compressions": max(0, here.compressions),
        "lineageCompressions": lineage.compressions,
        "lossyCount": lineage.lossy,
        "failedCount": lineage.failed,
        "timedOutCount": lineage.timed_out,
    }


def _mode(head: Session, here: Vitals) -> str | None:
    """How the head's context was last compressed. A session that a split began counts that split as its own."""
    by_split = head.edge == COMPRESSION
    if here.compressions > by_split:
        return IN_PLACE
    return SPLIT if by_split else None
