"""What a crash left behind, read off the transcript: the turn that never ended, and input nobody answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.value import value

INTERRUPTED = "interrupted"
CUT_OFF = "cut off"
SUSPENDED = "suspended"
"""The end of a turn that a stopping process left for the next one."""

HEADLINE = "The last turn was interrupted before it ended."
DONE = "Finished before that: {titles}."
UNKNOWN = "Started, outcome unknown: {titles}. Check what it did before doing it again."
_MARKS = ("turn", "copied", "first")
_LOOK_BACK = 300
_WORK = (kinds.ASSISTANT, kinds.TOOL_CALL, kinds.TOOL_RESULT)
_BEGINNINGS = (kinds.USER, kinds.COMPRESSION, kinds.PACKET)
NOT_RUN = "Asked for and not started: {titles}."
UNSAID = "What the model may have been saying then was not kept."


@value
class Interrupted:
    """A turn without an end. Calls are given by their titles. `unsaid` if it was the model's turn to speak; `answered`
    if its last word is there and only the end was not written down. `suspended` if it was stopped in good order.
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


def interrupted(entries: Sequence[Entry]) -> Interrupted | None:
    """The last turn, if it has no end."""
    turn_id, rest = _last_turn(entries)
    if not turn_id or any(kind == kinds.NOTE and data.get("turn") == turn_id and _ends(data) for kind, data in rest):
        return None
    done, unknown, not_run = _calls(rest)
    work = [each for each in rest if each[0] in _WORK]
    spoken = bool(work) and work[-1][0] == kinds.ASSISTANT
    answered = spoken and not work[-1][1].get("calls") and work[-1][1].get("stop") != CUT_OFF
    ends = [data for kind, data in rest if kind == kinds.NOTE and data.get("end") == SUSPENDED]
    suspended = bool(ends) and not any(data.get("error") for data in ends)
    return Interrupted(turn_id, done, unknown, not_run, not (unknown or not_run or spoken), answered, suspended)


def _ends(note: Mapping[str, Any]) -> bool:
    return note.get("end", SUSPENDED) != SUSPENDED


def input_of(entries: Sequence[Entry], turn_id: str) -> Mapping[str, Any]:
    """What a turn began with; empty if that is not among the entries."""
    found = (entry.data for entry in reversed(entries) if _begins(entry, turn_id))
    return next(found, dict[str, Any]())


def interruptions(entries: Sequence[Entry]) -> int:
    """How many of the last turns, one after another, were interrupted by something else than a stop in good order."""
    notes = (entry.data for entry in reversed(entries) if entry.kind == kinds.NOTE and '"end"' in entry.body)
    count = 0
    for note in notes:
        if note["end"] not in (INTERRUPTED, SUSPENDED):
            break
        count += note["end"] == INTERRUPTED and not note.get("suspended")
    return count


def open_turn(entries: Sequence[Entry]) -> str:
    """The id of the turn that has not ended, or an empty string."""
    cut = interrupted(entries)
    return cut.turn_id if cut else ""


def _last_turn(entries: Sequence[Entry]) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """The id of the last turn and what came after its input.

    A compression or a packet in the middle of a turn says so (`turn`), because the input itself may be before it.
    """
    for index in reversed(range(len(entries))):
        if entries[index].kind in _BEGINNINGS and (turn_id := str(entries[index].data.get("turn", ""))):
            inputs = (i for i in reversed(range(index + 1)) if _begins(entries[i], turn_id))
            start = next(inputs, -1)
            return turn_id, [(entry.kind, entry.data) for entry in entries[start + 1 :]]
        if entries[index].kind == kinds.USER:
            break
    return "", []


def _begins(entry: Entry, turn_id: str) -> bool:
    return entry.kind == kinds.USER and entry.data.get("turn") == turn_id


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


def as_kept(entries: Sequence[Entry], turn_id: str, given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Input as the transcript has it: None once a turn took it up or it was taken back; with its name in the queue
    (`queued`) while it waits there; else as it is. It is known by that name, or by that of its message in the inbox.
    """
    recent = [entry for entry in entries[-_LOOK_BACK:] if entry.kind in (kinds.USER, kinds.QUEUED)]
    inbox = [entry for entry in recent if "inbox" in given and _says(entry, "inbox", given["inbox"])]
    queued = given.get("queued") or next((entry.data["turn"] for entry in inbox if entry.kind == kinds.QUEUED), turn_id)
    if any(entry.kind == kinds.USER for entry in inbox) or any(_says(entry, "queued", queued) for entry in recent):
        return None
    if any(entry.kind == kinds.QUEUED and _says(entry, "turn", queued) for entry in recent):
        waits = any(entry.data["turn"] == queued for entry in waiting(entries))
        return {**given, "queued": queued} if waits else None
    return given


def before(entries: Sequence[Entry], given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The input at a place whose turn it is, if queued input at a place would overtake it."""
    if "queued" not in given or not given.get("place"):
        return None
    first = next(iter(unanswered(entries)), given)
    return first if first["queued"] != given["queued"] and first.get("place") else None


def overtakes(entries: Sequence[Entry], given: Mapping[str, Any]) -> bool:
    """Whether input that somebody sent to a place would begin before the turn that was cut there goes on."""
    return bool(given.get("place")) and ("inbox" in given or "queued" in given) and bool(open_turn(entries))


def _says(entry: Entry, name: str, value: object) -> bool:
    return f'"{name}"' in entry.body and entry.data.get(name) == value


def unanswered(entries: Sequence[Entry]) -> list[Mapping[str, Any]]:
    """Queued input that no turn took up and nobody took back, in order of arrival; `queued` says which it is."""
    return [
        {**{name: each for name, each in data.items() if name not in _MARKS}, "queued": data["turn"]}
        for data in (entry.data for entry in waiting(entries))
    ]


def waiting(entries: Sequence[Entry]) -> list[Entry]:
    """The entries of such input, what goes on with a cut turn `first`; where there is a copy of one, only the last."""
    queued = [(entry.data.get("turn"), entry) for entry in entries if entry.kind == kinds.QUEUED]
    if not queued:
        return []
    named = (entry for entry in entries if entry.kind in (kinds.USER, kinds.NOTE) and '"queued"' in entry.body)
    taken = {entry.data.get("queued") for entry in named}
    found = {turn_id: entry for turn_id, entry in queued if turn_id not in taken}
    return sorted(found.values(), key=lambda entry: (not entry.data.get("first"), entry.at))
