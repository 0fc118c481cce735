"""The message of a checkpoint's commit: a line for people, and one of JSON for Baton."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from baton.core.display import one_line
from baton.core.handoff.checkpoint import Checkpoint, LeftOut
from baton.core.paths import quoted, unquoted

_MARK = "Baton-Checkpoint: "
LISTED = 200
_TITLE = 200


def written(kept: Checkpoint) -> bytes:
    data = {
        "base": kept.base,
        "branch": quoted(kept.branch) if kept.branch else "",
        "operation": kept.operation,
        "root": quoted(kept.root),
        "left_out": [each.as_dict() for each in kept.left_out[:LISTED]],
        "left_out_count": len(kept.left_out),
    }
    title = one_line(kept.message, _TITLE) or "checkpoint"
    return f"{title}\n\nSession: {kept.session_id}\n{_MARK}{json.dumps(data)}\n".encode()


def read(name: str, sha: str, at: int, message: str) -> Checkpoint:
    """What a commit says. The text is anybody's: what has no right form is taken as not said."""
    title, _, rest = message.partition("\n")
    line = next((line for line in rest.split("\n") if line.startswith(_MARK)), "")
    data = _parsed(line.removeprefix(_MARK))
    out = data.get("left_out")
    listed = cast("list[object]", out) if isinstance(out, list) else []
    left_out = tuple(found for each in listed[:LISTED] if (found := _left_out(each)))
    count = data.get("left_out_count")
    return Checkpoint(
        name=name,
        sha=sha,
        message=one_line(title, _TITLE),
        session_id=name.partition("/")[0],
        at=at,
        base=_text(data, "base"),
        branch=unquoted(_text(data, "branch")),
        operation=_text(data, "operation"),
        root=unquoted(_text(data, "root")),
        left_out=left_out,
        left_out_count=count if isinstance(count, int) else len(left_out),
    )


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        found: object = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}


def _left_out(given: object) -> LeftOut | None:
    held: Mapping[str, Any] = cast("Mapping[str, Any]", given) if isinstance(given, dict) else {}
    path, reason = _text(held, "path"), _text(held, "reason")
    return LeftOut(unquoted(path), one_line(reason, _TITLE)) if path else None


def _text(held: Mapping[str, Any], name: str) -> str:
    found = held.get(name)
    return found if isinstance(found, str) else ""
