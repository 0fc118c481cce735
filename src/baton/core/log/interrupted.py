"""What a crash left behind, read off the transcript: the turn that has no end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.log.payloads import (
    CUT_OFF,
    SUSPENDED,
    AssistantStep,
    Compression,
    CompressionFailed,
    PacketOpening,
    Payload,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnInterrupted,
    UserInput,
    payload,
)
from baton.core.value import value

HEADLINE = "The last turn was interrupted before it ended."
DONE = "Finished before that: {titles}."
UNKNOWN = "Started, outcome unknown: {titles}. Check what it did before doing it again."
NOT_RUN = "Asked for and not started: {titles}."
UNSAID = "What the model may have been saying then was not kept."

_ENDS = (kinds.TURN_ENDED, kinds.TURN_INTERRUPTED, kinds.NOTE)
_BEGINNINGS = (kinds.USER, kinds.COMPRESSION, kinds.PACKET)


@value
class Interrupted:
    """A turn without an end. Calls are given by their titles. `unsaid` if it was the model's turn to speak; `answered`
    if its last word is there and only its end was not stored. `suspended` if it was stopped in good order.
    """

    turn_id: str
    done: tuple[str, ...]
    unknown: tuple[str, ...]
    not_run: tuple[str, ...]
    unsaid: bool = False
    answered: bool = False
    suspended: bool = False

    @property
    def text(self) -> str:
        parts = [HEADLINE]
        for template, titles in ((DONE, self.done), (UNKNOWN, self.unknown), (NOT_RUN, self.not_run)):
            if titles:
                parts.append(template.format(titles="; ".join(titles)))
        return " ".join([*parts, UNSAID] if self.unsaid else parts)


def find_interrupted(entries: Sequence[Entry]) -> Interrupted | None:
    """The last turn, if it has no end."""
    turn_id, rest = _last_turn(entries)
    if not turn_id or any(_is_end(each, turn_id) for each in rest):
        return None
    done, unknown, not_run = _calls(rest)
    work = [each for each in rest if isinstance(each, AssistantStep | ToolCall | ToolResult)]
    last = work[-1] if work else None
    spoken = isinstance(last, AssistantStep)
    answered = isinstance(last, AssistantStep) and not last.calls and last.stop != CUT_OFF
    ends = [each for each in rest if isinstance(each, TurnEnd) and each.end == SUSPENDED]
    suspended = bool(ends) and not any(each.error for each in ends)
    return Interrupted(turn_id, done, unknown, not_run, not (unknown or not_run or spoken), answered, suspended)


def open_turn(entries: Sequence[Entry]) -> str:
    """The id of the turn that has not ended, or an empty string."""
    cut = find_interrupted(entries)
    return cut.turn_id if cut else ""


def input_of(entries: Sequence[Entry], turn_id: str) -> UserInput | None:
    """What a turn began with; None if that is not among the entries."""
    return next((held for entry in reversed(entries) if (held := _input_beginning(entry, turn_id))), None)


def count_interruptions(entries: Sequence[Entry]) -> int:
    """How many of the last turns in a row were interrupted by something other than a stop in good order."""
    count = 0
    for end in _ends_backwards(entries):
        if isinstance(end, TurnEnd) and end.end != SUSPENDED:
            break
        count += isinstance(end, TurnInterrupted) and not end.suspended
    return count


def _ends_backwards(entries: Sequence[Entry]) -> Iterator[TurnEnd | TurnInterrupted]:
    for entry in reversed(entries):
        if entry.kind in _ENDS and isinstance(held := payload(entry), TurnEnd | TurnInterrupted):
            yield held


def _is_end(held: Payload, turn_id: str) -> bool:
    if isinstance(held, TurnInterrupted):
        return held.turn == turn_id
    return isinstance(held, TurnEnd) and held.turn == turn_id and held.end != SUSPENDED


def _last_turn(entries: Sequence[Entry]) -> tuple[str, list[Payload]]:
    """The id of the last turn and what came after its input.

    A compression or a packet in the middle of a turn says so (`turn`), because the input itself may be before it.
    """
    for index in reversed(range(len(entries))):
        if entries[index].kind in _BEGINNINGS and (turn_id := _turn_of(entries[index])):
            inputs = (i for i in reversed(range(index + 1)) if _input_beginning(entries[i], turn_id))
            start = next(inputs, -1)
            return turn_id, [payload(entry) for entry in entries[start + 1 :]]
        if entries[index].kind == kinds.USER:
            break
    return "", []


def _turn_of(entry: Entry) -> str:
    held = payload(entry)
    return held.turn if isinstance(held, UserInput | Compression | CompressionFailed | PacketOpening) else ""


def _input_beginning(entry: Entry, turn_id: str) -> UserInput | None:
    """The input of an entry that began this turn."""
    held = payload(entry) if entry.kind == kinds.USER else None
    return held if isinstance(held, UserInput) and held.turn == turn_id else None


def _calls(rest: Sequence[Payload]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    asked = {call.id: call.name for each in rest if isinstance(each, AssistantStep) for call in each.calls}
    started = {each.id: each.title or each.name for each in rest if isinstance(each, ToolCall)}
    ended = {each.id for each in rest if isinstance(each, ToolResult)}
    done = tuple(title for call_id, title in started.items() if call_id in ended)
    unknown = tuple(title for call_id, title in started.items() if call_id not in ended)
    not_run = tuple(name for call_id, name in asked.items() if call_id not in started and call_id not in ended)
    return done, unknown, not_run
