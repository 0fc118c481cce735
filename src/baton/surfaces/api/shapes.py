"""What the answers look like, as JSON Schema. Objects may grow: clients ignore what they do not know."""

from __future__ import annotations

from typing import Any

Shape = dict[str, Any]


def _object(**parts: Shape) -> Shape:
    """All of these are there."""
    return {"type": "object", "required": list(parts), "properties": parts}


def _loose(**parts: Shape) -> Shape:
    """Any of these may be there."""
    return {"type": "object", "properties": parts}


def _list(of: Shape) -> Shape:
    return {"type": "array", "items": of}


def _or_null(of: Shape) -> Shape:
    return {**of, "type": [of["type"], "null"]}


_TEXT: Shape = {"type": "string"}
_COUNT: Shape = {"type": "integer", "minimum": 0}
_FLAG: Shape = {"type": "boolean"}
_TIME: Shape = {"type": "string", "format": "date-time"}
_MICROS: Shape = {"type": "integer", "minimum": 0, "description": "Microseconds since the epoch, UTC."}
_ANY: Shape = {"type": "object"}

ERROR = _object(error=_object(code=_TEXT, what=_TEXT, kept=_TEXT, todo=_TEXT))
TURN = _object(conversation_id=_TEXT, turn_id=_TEXT)
STOPPED = _object(stopped=_FLAG)

_VITALS: dict[str, Shape] = {
    "compressions": _COUNT,
    "lossy": _COUNT,
    "failed": _COUNT,
    "timed_out": _COUNT,
    "last_error": _TEXT,
}
_SESSION = _object(
    id=_TEXT,
    conversation=_TEXT,
    parent=_or_null(_TEXT),
    root=_TEXT,
    edge=_TEXT,
    reason=_TEXT,
    depth=_COUNT,
    model=_TEXT,
    started_at=_TIME,
    ended_at=_or_null(_TIME),
    end_reason=_or_null(_TEXT),
    entries=_COUNT,
    tokens=_COUNT,
    **_VITALS,
)
_ROW = _object(
    id=_TEXT,
    title=_TEXT,
    workspace=_TEXT,
    head=_TEXT,
    sessions=_COUNT,
    model=_TEXT,
    entries=_COUNT,
    tokens=_COUNT,
    owner=_or_null(_TEXT),
    lives_in=_TEXT,
    created_at=_TIME,
    updated_at=_TIME,
)
CONVERSATIONS = _object(conversations=_list(_ROW), after=_or_null(_TEXT))

TRANSFER = _object(
    transfer_id=_TEXT,
    conversation_id=_TEXT,
    origin=_TEXT,
    target=_TEXT,
    platform=_TEXT,
    place=_TEXT,
    state={"type": "string", "enum": ["pending", "running", "completed", "failed"]},
    step=_TEXT,
    attempts=_COUNT,
    cancel_asked=_FLAG,
    error=_TEXT,
    requested_at=_MICROS,
    updated_at=_MICROS,
)
TRANSFERS = _object(transfers=_list(TRANSFER))

CONVERSATION = _object(
    id=_TEXT,
    title=_TEXT,
    workspace=_TEXT,
    head=_TEXT,
    owner=_or_null(_TEXT),
    busy=_FLAG,
    lives_in=_TEXT,
    created_at=_TIME,
    updated_at=_TIME,
    sessions=_list(_SESSION),
    vitals=_object(**_VITALS),
    bindings=_list(_TEXT),
    drafts=_list(_TEXT),
    transfers=_list(TRANSFER),
)
_ENTRY = _object(session=_TEXT, seq=_COUNT, kind=_TEXT, at=_TIME, tokens=_COUNT, body=_ANY)
ENTRIES = _object(entries=_list(_ENTRY), after=_TEXT, more=_FLAG)
HITS = _object(
    hits=_list(
        _object(
            conversation_id=_TEXT,
            title=_TEXT,
            session_id=_TEXT,
            seq=_COUNT,
            kind=_TEXT,
            at=_TIME,
            snippet=_TEXT,
            spans=_list(_list(_COUNT)),
        )
    )
)

APPROVALS = _object(
    approvals=_list(
        _object(
            handle=_TEXT,
            conversation_id=_TEXT,
            call_id=_TEXT,
            tool=_TEXT,
            title=_TEXT,
            reason=_TEXT,
            preview=_TEXT,
            args=_ANY,
        )
    )
)
DECIDED = _object(conversation_id=_TEXT, answer={"type": "string", "enum": ["yes", "always", "no"]})

_DRAFT: dict[str, Shape] = {
    "id": _TEXT,
    "conversation_id": _TEXT,
    "version": _COUNT,
    "packet_id": _TEXT,
    "state": {"type": "string", "enum": ["open", "confirmed", "cancelled", "stale"]},
    "created_at": _MICROS,
    "updated_at": _MICROS,
}
DRAFT = _object(**_DRAFT)
DRAFTS = _object(drafts=_list(DRAFT))
REVIEW = _object(**_DRAFT, markdown=_TEXT, packet_path=_TEXT, tokens=_COUNT, score=_ANY, removed=_list(_TEXT))
MOVED = _object(conversation_id=_TEXT, session_id=_TEXT)
HANDOFF: Shape = {
    **_loose(
        draft_id=_TEXT,
        session_id=_TEXT,
        packet_id=_TEXT,
        packet_path=_TEXT,
        tokens=_COUNT,
        doubt=_TEXT,
        doubts=_list(_TEXT),
        score=_ANY,
        conversation_id=_TEXT,
        kind=_TEXT,
    ),
    "required": ["conversation_id", "kind"],
}

GATEWAYS = _object(
    gateways=_list(
        _object(
            id=_TEXT,
            platforms=_ANY,
            names=_ANY,
            api=_TEXT,
            host=_TEXT,
            pid=_COUNT,
            started=_MICROS,
            beat=_MICROS,
            figures=_ANY,
        )
    )
)
HEALTH = _object(
    status={"type": "string", "enum": ["ok", "degraded"]},
    store={"type": "string", "enum": ["ok", "unreachable"]},
    platforms={
        "type": "object",
        "additionalProperties": {"type": "string", "enum": ["connected", "connecting", "standing by", "failed"]},
    },
)
DOCUMENT = _object(openapi=_TEXT, info=_ANY, paths=_ANY)
