"""Session updates in the protocol's form: one function for each kind that Baton sends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from baton.surfaces.acp.frames import Json

PIECE = 1_000_000
_STATES = {"pending": "pending", "doing": "in_progress", "done": "completed"}
_OUTCOMES = {"compressed": "completed", "lossy": "completed", "cancelled": "cancelled"}


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def agent_text(words: str, message_id: str, meta: Json | None = None) -> Json:
    return _chunk("agent_message_chunk", text(words), message_id, meta)


def thought(words: str, message_id: str) -> Json:
    return _chunk("agent_thought_chunk", text(words), message_id)


def user(block: Json, message_id: str) -> Json:
    return _chunk("user_message_chunk", block, message_id)


def pieces(words: str) -> Iterator[str]:
    """A text, cut into parts that fit into a message."""
    for start in range(0, len(words), PIECE):
        yield words[start : start + PIECE]


def _chunk(kind: str, content: Json, message_id: str, meta: Json | None = None) -> Json:
    found = {"_meta": meta} if meta else {}
    return {"sessionUpdate": kind, "content": content, "messageId": message_id, **found}


def plan(items: Sequence[tuple[str, str]]) -> Json:
    entries = [{"content": words, "priority": "medium", "status": _STATES.get(state, state)} for words, state in items]
    return {"sessionUpdate": "plan", "entries": entries}


def usage(used: int, size: int, cost: float | None) -> Json:
    spent = {} if cost is None else {"cost": {"amount": cost, "currency": "USD"}}
    return {"sessionUpdate": "usage_update", "used": max(0, used), "size": max(0, size), **spent}


def notice(severity: str, title: str) -> Json:
    head, _, rest = title.partition("\n")
    description = {"description": rest.strip()} if rest.strip() else {}
    return {"sessionUpdate": "notice", "severity": severity, "title": head.strip() or "Notice", **description}


def title(title: str) -> Json:
    return {"sessionUpdate": "session_info_update", "title": title}


def provenance(meta: Json) -> Json:
    return {"sessionUpdate": "session_info_update", "_meta": meta}


def mode(current: str) -> Json:
    return {"sessionUpdate": "current_mode_update", "currentModeId": current}


def options(every: list[Json]) -> Json:
    return {"sessionUpdate": "config_option_update", "configOptions": every}


def compaction(compaction_id: str, outcome: str, *, summary: str = "", error: str = "") -> Json:
    """`outcome` is in_progress, or how a compression ended."""
    status = outcome if outcome == "in_progress" else _OUTCOMES.get(outcome, "failed")
    return {
        "sessionUpdate": "compaction_update",
        "compactionId": compaction_id,
        "status": status,
        **({"summary": [text(summary)]} if summary else {}),
        **({"error": error} if error else {}),
        **({"_meta": {"baton": {"outcome": outcome}}} if outcome != "in_progress" else {}),
    }


def own_work(work_id: str, title: str, status: str, words: str = "", output: Mapping[str, Any] | None = None) -> Json:
    """Baton's own work, shown as a tool call of kind `think`."""
    return {
        "sessionUpdate": "tool_call",
        "toolCallId": work_id,
        "title": title,
        "kind": "think",
        "status": status,
        **_content(words, output),
    }


def own_work_update(work_id: str, status: str, words: str = "", output: Mapping[str, Any] | None = None) -> Json:
    return {"sessionUpdate": "tool_call_update", "toolCallId": work_id, "status": status, **_content(words, output)}


def _content(words: str, output: Mapping[str, Any] | None) -> Json:
    content = {"content": [{"type": "content", "content": text(words)}]} if words else {}
    return {**content, **({"rawOutput": dict(output)} if output is not None else {})}
