"""Taking back a compression or a handoff: which one is the last that holds, and what the context is without it.

Nothing is rewritten. In place, one more entry says that a compression no longer replaces anything. After a split or a
handoff, one more session continues the one that was undone: it begins with copies of what the context would be, the
work since included. So a lineage only grows at its end, and pointers into it stay right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.core.log import entry as kinds
from baton.core.log.context import last_compression
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.payloads import (
    Compression,
    CompressionUndone,
    HandoffUndone,
    PacketOpening,
    UserInput,
    payload,
    to_json,
)
from baton.core.log.session import COMPRESSION, HANDOFF, UNDO, Session
from baton.core.log.waiting import copy, left_behind
from baton.core.value import replace, value

_OPERATIONS = (kinds.COMPRESSION, kinds.PACKET)
_MARKS = (kinds.COMPRESSION, kinds.HANDOFF_UNDONE)


@value
class Part:
    """A session of a lineage with all its entries."""

    session: Session
    entries: Sequence[Entry]


@value
class Target:
    """What would be taken back: the compression or handoff that is entry `seq` of `session`."""

    session: Session
    seq: int
    held: Compression | PacketOpening

    @property
    def opening(self) -> bool:
        """Whether the session began with it."""
        return self.session.edge in (COMPRESSION, HANDOFF) and self.seq == 1

    def undone(self, tail: int = 0) -> CompressionUndone | HandoffUndone:
        """The entry that says so, before `tail` copies."""
        if isinstance(self.held, PacketOpening):
            return HandoffUndone(self.session.id, tail)
        return CompressionUndone(self.session.id, self.seq, self.held.outcome, tail)


def find_target(newest_first: Iterable[Part]) -> Target | None:
    """The last compression or handoff of a conversation that was not taken back; what came before a fork stays."""
    undone: set[tuple[str, int]] = set()
    for part in newest_first:
        undone.update(_find_undone(part.entries))
        if found := _last_operation(part, undone):
            return found
        if part.session.edge not in (COMPRESSION, HANDOFF, UNDO):
            return None
    return None


def rebuild(newest_first: Iterable[Part], target: Target) -> list[NewEntry]:
    """The first entries of the session that continues without `target`."""
    undone = {(target.session.id, target.seq)}
    later: list[list[Entry]] = []
    base: Part | None = None
    for part in newest_first:
        undone.update(_find_undone(part.entries))
        if _is_base(part, undone):
            base = part
            break
        later.append(list(_originals(part, undone)))
    work = [entry for entries in reversed(later) for entry in entries]
    copies = [*(_copy_base(base, undone) if base else ()), *map(copy, _without_repeated_input(base, work))]
    first = target.undone(len(copies))
    return [NewEntry(first.kind, to_json(first)), *copies]


def since_packet(chain: Sequence[Session], undone: Iterable[str]) -> Sequence[Session]:
    """The end of a lineage since the last handoff that holds. `undone` are the sessions whose beginning was taken
    back.
    """
    passed = (COMPRESSION, UNDO)
    taken_back = frozenset(undone)
    begun = (index for index, each in enumerate(chain) if each.edge not in passed and each.id not in taken_back)
    return chain[max(begun, default=0) :]


def opening_undone(first: Entry) -> str:
    """The session whose beginning was taken back by the undo that this entry opens; empty if it is none."""
    match payload(first):
        case HandoffUndone(session=session) | CompressionUndone(session=session, seq=1):
            return session
        case _:
            return ""


def _find_undone(entries: Sequence[Entry]) -> Iterator[tuple[str, int]]:
    for entry in entries:
        held = payload(entry) if entry.kind in _MARKS else None
        if isinstance(held, CompressionUndone):
            yield held.session, held.seq
        elif isinstance(held, HandoffUndone):
            yield held.session, 1


def _last_operation(part: Part, undone: set[tuple[str, int]]) -> Target | None:
    for entry in reversed(part.entries):
        if entry.kind not in _OPERATIONS or (entry.session_id, entry.seq) in undone or entry.copied:
            continue
        held = payload(entry)
        if isinstance(held, Compression) or (isinstance(held, PacketOpening) and part.session.edge == HANDOFF):
            return Target(part.session, entry.seq, held)
    return None


def _is_base(part: Part, undone: set[tuple[str, int]]) -> bool:
    """Whether what is sent begins in this session: with its own beginning, or with a compression in it."""
    if _last_operation(part, undone):
        return True
    begun_by_operation = part.session.edge in (COMPRESSION, HANDOFF) and (part.session.id, 1) in undone
    return not begun_by_operation and part.session.edge != UNDO


def _originals(part: Part, undone: set[tuple[str, int]]) -> Iterator[Entry]:
    """What was said and done in a session that is passed through. What a fresh session was told about its packet goes
    with the packet.
    """
    fresh = part.session.edge == HANDOFF and (part.session.id, 1) in undone
    for entry in part.entries:
        of_packet = fresh and entry.kind in (kinds.PACKET, kinds.WORKSPACE_VERIFIED)
        if entry.kind not in _MARKS and not of_packet and not entry.copied:
            yield entry


def _copy_base(part: Part, undone: set[tuple[str, int]]) -> list[NewEntry]:
    """The live entries of a session, a compression in force first."""
    standing = [entry for entry in part.entries if not _is_taken_back(entry, undone)]
    compression = last_compression(standing)
    start = compression.keep_from if compression else 0
    tail = [copy(entry) for entry in standing if entry.seq >= start and entry.kind not in _MARKS]
    if compression is None:
        return tail
    copies = [*left_behind(standing, start), *tail]
    first = replace(compression, keep_from=1, tail=len(copies))
    return [NewEntry(kinds.COMPRESSION, {**to_json(first), "copied": 0}), *copies]


def _is_taken_back(entry: Entry, undone: set[tuple[str, int]]) -> bool:
    return entry.kind == kinds.COMPRESSION and (entry.session_id, entry.seq) in undone


def _without_repeated_input(base: Part | None, work: Sequence[Entry]) -> Iterator[Entry]:
    """A handoff in the middle of a turn may have said its input once more."""
    seen = {_turn(entry) for entry in base.entries} if base else set[str]()
    for entry in work:
        turn = _turn(entry)
        if not turn or turn not in seen:
            yield entry
        seen.add(turn)


def _turn(entry: Entry) -> str:
    held = payload(entry) if entry.kind == kinds.USER else None
    return held.turn if isinstance(held, UserInput) else ""
