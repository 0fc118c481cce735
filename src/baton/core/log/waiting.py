"""Input that waits for its turn, and what a new session must carry along.

Queued input is an entry. A turn that takes it up names it (`queued`), and so does a withdrawal; all other queued
input waits. A compression or a handoff begins with copies of what waits, of pinned rules and of the tail it keeps; a
copy is marked (`copied`, with the seq of its original), so that a reader of the whole conversation sees each entry
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from baton.core.log import entry as kinds
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.interrupted import open_turn
from baton.core.log.payloads import Compression, InputWithdrawn, QueuedInput, UserInput, new_entry, payload
from baton.core.log.pins import left_behind_pins
from baton.core.value import replace

_LOOK_BACK = 300
_FAR_BACK = 1000
_REVISED = " ~ "
_TAKES = (kinds.USER, kinds.INPUT_WITHDRAWN, kinds.NOTE)


class Waiting(NamedTuple):
    """Queued input and the entry that keeps it."""

    entry: Entry
    queued: QueuedInput


def find_waiting(entries: Sequence[Entry]) -> list[Waiting]:
    """Queued input that no turn took up and nobody withdrew, in order of arrival; what continues an interrupted turn
    comes `first`. Where there are copies of one, the last counts.
    """
    queued = [Waiting(entry, held) for entry in entries if isinstance(held := _queued_input(entry), QueuedInput)]
    if not queued:
        return []
    takes = [held for entry in entries if entry.kind in _TAKES and (held := _taking(entry))]
    found = {each.queued.name: each for each in queued if not any(_took(held, each.queued) for held in takes)}
    return sorted(found.values(), key=lambda each: (not each.queued.first, each.entry.at))


def waiting_input(entries: Sequence[Entry]) -> list[UserInput]:
    """What waits, as input for `Runtime.send`; `queued` is its name in the queue."""
    return [replace(each.queued.input, queued=each.queued.name) for each in find_waiting(entries)]


def as_stored(entries: Sequence[Entry], turn_id: str, given: UserInput) -> UserInput | None:
    """Input as the transcript has it: None once a turn took it up or it was withdrawn; with its name in the queue
    (`queued`) while it waits there; otherwise as it is. It is recognised by that name, or by its message in the inbox.
    """
    if not given.inbox and not given.queued and all(entry.kind != kinds.QUEUED for entry in entries[-_FAR_BACK:]):
        return given
    recent = [payload(entry) for entry in entries[-_LOOK_BACK:] if entry.kind in (kinds.USER, kinds.QUEUED)]
    begun = [held for held in recent if isinstance(held, UserInput)]
    queued = [held for held in recent if isinstance(held, QueuedInput)]
    name = given.queued or next((held.name for held in queued if _same(held.input, given)), turn_id)
    if any(_same(held, given) or held.queued == name for held in begun):
        return None
    if any(held.name == name for held in queued):
        waits = any(each.queued.name == name for each in find_waiting(entries))
        return replace(given, queued=name) if waits else None
    return given


BEGUN, WAITING, WITHDRAWN, UNKNOWN = "begun", "waiting", "withdrawn", "unknown"


def find_fate(entries: Sequence[Entry], inbox: str) -> str:
    """What became of a message of the inbox, or of its revisions: the turn of one has begun, one waits in the queue,
    they were withdrawn from there, or these entries do not know them.
    """
    if any(isinstance(held := payload(entry), UserInput) and is_of(held.inbox, inbox) for entry in entries):
        return BEGUN
    if any(is_of(each.queued.input.inbox, inbox) for each in find_waiting(entries)):
        return WAITING
    known = any((held := _queued_input(entry)) is not None and is_of(held.input.inbox, inbox) for entry in entries)
    return WITHDRAWN if known else UNKNOWN


def name_revision(original: str, edit: str) -> str:
    """Under which name new words for a message of the inbox are known."""
    return f"{original}{_REVISED}{edit}"


def is_of(inbox: str, original: str) -> bool:
    """Whether this is that message, or a revision of it."""
    return inbox == original or inbox.startswith(f"{original}{_REVISED}")


def find_earlier(entries: Sequence[Entry], given: UserInput) -> UserInput | None:
    """The queued input at a place that must begin first, if `given` would overtake it."""
    if not given.queued or not given.place:
        return None
    first = next(iter(waiting_input(entries)), given)
    return first if first.queued != given.queued and first.place else None


def overtakes(entries: Sequence[Entry], given: UserInput) -> bool:
    """Whether input that somebody sent to a place would begin before the turn continues that was interrupted there, or
    before input that another process put into the queue for a place.
    """
    if not given.place or not (given.inbox or given.queued):
        return False
    return bool(open_turn(entries)) or (not given.queued and any(each.place for each in waiting_input(entries)))


def left_behind(entries: Sequence[Entry], keep_from: int) -> list[NewEntry]:
    """Copies of pinned rules and of waiting input whose entry is before the tail."""
    waits = [each.entry for each in find_waiting(entries) if each.entry.seq < keep_from]
    return [copy(entry) for entry in (*left_behind_pins(entries, keep_from), *waits)]


def continuation(entries: Sequence[Entry], compression: Compression, tokens: int) -> list[NewEntry]:
    """The first entries of the session that continues after a split: the compression, then copies of what is kept."""
    keep_from = compression.keep_from
    tail = [copy(entry) for entry in entries if entry.seq >= keep_from and entry.kind != kinds.COMPRESSION]
    copies = left_behind(entries, keep_from) + tail
    return [new_entry(replace(compression, keep_from=1, tail=len(copies)), tokens), *copies]


def copy(entry: Entry) -> NewEntry:
    """A marked copy; its tokens were counted with the original."""
    return NewEntry(entry.kind, {**entry.data, "copied": entry.seq}, at=entry.at)


def _queued_input(entry: Entry) -> QueuedInput | None:
    held = payload(entry) if entry.kind == kinds.QUEUED else None
    return held if isinstance(held, QueuedInput) else None


def _taking(entry: Entry) -> UserInput | InputWithdrawn | None:
    held = payload(entry)
    return held if isinstance(held, UserInput | InputWithdrawn) else None


def _took(held: UserInput | InputWithdrawn, queued: QueuedInput) -> bool:
    """Whether input was taken out of the queue: by its name, or because a turn began with the same message."""
    return held.queued == queued.name or (isinstance(held, UserInput) and _same(held, queued.input))


def _same(held: UserInput, given: UserInput) -> bool:
    """Whether both are the same message of the inbox."""
    return bool(given.inbox) and held.inbox == given.inbox
