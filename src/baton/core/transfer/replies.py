"""What was said to a place, read off the transcript: every reply has one key, whoever reads it and however often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.value import value

STOPPED = "◆ Stopped."
SILENT = "◆ Done. The model had nothing to say."
FAILED = "⚠ {error}"
ENDS = ("completed", "waiting", "handed_over", "suspended", "interrupted")
"""Ends of a turn that say nothing, or say it otherwise."""


@value
class Reply:
    """`place` is a place's key; `at` is when it was said."""

    place: str
    key: str
    text: str
    at: int


def replies(entries: Iterable[Entry]) -> Iterator[Reply]:
    """Those of turns that came from a place, in order. A copy of an entry gives the same reply again."""
    for entry in entries:
        if entry.kind not in (kinds.ASSISTANT, kinds.NOTE) or '"place"' not in entry.body:
            continue
        data = entry.data
        place, turn_id = str(data.get("place", "")), str(data.get("turn", ""))
        if place and turn_id and (found := _said(entry.kind, data)):
            name, text = found
            yield Reply(place, f"{turn_id}/{name}", text, entry.at)


def step_name(step: int) -> str:
    """The part of a reply's key that is the model's word in a step; 0 is one that was cut off."""
    return str(step)


def first_part(key: str) -> str:
    """The first message of a reply: one that is long is sent in parts."""
    return f"{key}/0"


def shown_under(key: str) -> str:
    """The key of a reply while it is being written."""
    return f"{key}/~"


def preview_key(key: str) -> str:
    """What showed a reply while it was being written, if that was shown."""
    return first_part(shown_under(key))


def ending(reason: str, error: str) -> str:
    """What a person is told about the end of a turn; empty where what was said speaks for itself."""
    if reason in ENDS:
        return ""
    return STOPPED if reason == "cancelled" else FAILED.format(error=error or reason)


def _said(kind: str, data: Mapping[str, Any]) -> tuple[str, str] | None:
    if kind == kinds.ASSISTANT:
        text = str(data.get("text", "")).strip()
        return (step_name(int(data.get("step", 0))), text) if text else None
    text = SILENT if data.get("silent") else ending(str(data.get("end", "completed")), str(data.get("error", "")))
    return ("end", text) if text else None
