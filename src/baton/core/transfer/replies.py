"""What was said to a place, read off the transcript: a reply has the same key however often it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from baton.core.agent.shown import ShownFile, shown_file
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.log.payloads import (
    CANCELLED,
    COMPLETED,
    HANDED_OFF,
    INTERRUPTED,
    SUSPENDED,
    WAITING,
    AssistantStep,
    ToolResult,
    TurnEnd,
    UserInput,
    payload,
)
from baton.core.value import value

STOPPED = "◆ Stopped."
SILENT = "◆ Done. The model had nothing to say."
FAILED = "⚠ {error}"
ENDS = (COMPLETED, WAITING, HANDED_OFF, SUSPENDED, INTERRUPTED)
"""Ends of a turn that say nothing, or say it otherwise."""

_SHOWING = (kinds.USER, kinds.ASSISTANT, kinds.TOOL_RESULT)
_SPEAKING = (kinds.ASSISTANT, kinds.TURN_ENDED, kinds.NOTE)


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
        held = payload(entry) if entry.kind in _SPEAKING else None
        if isinstance(held, AssistantStep | TurnEnd) and held.place and held.turn and (found := _words(held)):
            name, text = found
            yield Reply(held.place, f"{held.turn}/{name}", text, entry.at)


def shown_files(entries: Iterable[Entry]) -> Iterator[tuple[Reply, ShownFile]]:
    """Files that the agent showed in turns that came from a place, in order. A reply's text is empty then."""
    turn, place, step = "", "", 0
    for entry in entries:
        match payload(entry) if entry.kind in _SHOWING else None:
            case UserInput() as given:
                turn, place, step = given.turn, given.place, 0
            case AssistantStep() as said:
                step = said.step
            case ToolResult() as result if result.ok and place and turn and (shown := shown_file(result.details)):
                yield Reply(place, f"{turn}/{show_name(step, result.id, shown)}", "", entry.at), shown
            case _:
                pass


def show_name(step: int, call_id: str, shown: ShownFile) -> str:
    """The part of a reply's key that is a file shown in a step: models use the ids of calls more than once."""
    return f"show/{step}/{call_id}/{shown.sha256[:12]}"


def step_name(step: int) -> str:
    """The part of a reply's key that is the model's word in a step; 0 is one that was cut off."""
    return str(step)


def first_part(key: str) -> str:
    """The key of a reply's first message: a long reply is sent in parts."""
    return f"{key}/0"


def shown_under(key: str) -> str:
    """The key of a reply while it is being written."""
    return f"{key}/~"


def preview_key(key: str) -> str:
    """The key of the message that showed a reply while it was being written, if any."""
    return first_part(shown_under(key))


def ending_text(reason: str, error: str) -> str:
    """What you are told about the end of a turn; empty if the reply speaks for itself."""
    if reason in ENDS:
        return ""
    return STOPPED if reason == CANCELLED else FAILED.format(error=error or reason)


def _words(held: AssistantStep | TurnEnd) -> tuple[str, str] | None:
    if isinstance(held, AssistantStep):
        text = held.text.strip()
        return (step_name(held.step), text) if text else None
    text = SILENT if held.silent else ending_text(held.end, held.error)
    return ("end", text) if text else None
