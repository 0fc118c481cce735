"""What a crash left behind, read off the transcript: the turn that never ended, and input nobody answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from baton.core import entry as kinds
from baton.core.entry import Entry
from baton.core.value import value

INTERRUPTED = "interrupted"
HEADLINE = "The last turn was interrupted before it ended."
DONE = "Finished before that: {titles}."
UNKNOWN = "Started, outcome unknown: {titles}. Check what it did before doing it again."
NOT_RUN = "Asked for and not started: {titles}."


@value
class Interrupted:
    """A turn without an end. Calls are given by their titles."""

    turn_id: str
    done: tuple[str, ...]
    unknown: tuple[str, ...]
    not_run: tuple[str, ...]

    @property
    def text(self) -> str:
        parts = [HEADLINE]
        for template, titles in ((DONE, self.done), (UNKNOWN, self.unknown), (NOT_RUN, self.not_run)):
            if titles:
                parts.append(template.format(titles="; ".join(titles)))
        return " ".join(parts)


def interrupted(entries: Sequence[Entry]) -> Interrupted | None:
    """The last turn, if it has no end."""
    start = next((i for i in reversed(range(len(entries))) if entries[i].kind == kinds.USER), None)
    if start is None:
        return None
    turn_id = str(entries[start].data.get("turn", ""))
    rest = [(entry.kind, entry.data) for entry in entries[start + 1 :]]
    if not turn_id or any(kind == kinds.NOTE and data.get("turn") == turn_id and "end" in data for kind, data in rest):
        return None
    return Interrupted(turn_id, *_calls(rest))


def _calls(rest: Sequence[tuple[str, dict[str, Any]]]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    asked = {
        call["id"]: call["name"] for kind, data in rest if kind == kinds.ASSISTANT for call in data.get("calls", ())
    }
    started = {data["id"]: data.get("title", data["name"]) for kind, data in rest if kind == kinds.TOOL_CALL}
    ended = {data["id"] for kind, data in rest if kind == kinds.TOOL_RESULT}
    done = tuple(title for call_id, title in started.items() if call_id in ended)
    unknown = tuple(title for call_id, title in started.items() if call_id not in ended)
    not_run = tuple(name for call_id, name in asked.items() if call_id not in started and call_id not in ended)
    return done, unknown, not_run


def unanswered(entries: Sequence[Entry]) -> list[tuple[int, dict[str, Any]]]:
    """Queued input that no turn took up, with its seq, in order of arrival."""
    taken = {entry.data.get("queued") for entry in entries if entry.kind == kinds.USER}
    return [(entry.seq, entry.data) for entry in entries if entry.kind == kinds.QUEUED and entry.seq not in taken]
