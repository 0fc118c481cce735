"""The entries of a session as they were written, with a note in place of each that is lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from baton.adapters.stores.sqlite.recovery.fields import Facts
from baton.adapters.stores.sqlite.recovery.salvage import Found
from baton.core.errors import BadInput
from baton.core.log.entry import NOTE, SEQ_BITS, SEQ_LIMIT, Entry, check_entry, encode_body, entry
from baton.core.log.session import Session
from baton.core.text import MOST

LOST = encode_body({"text": "[entry lost to damage]", "lost": True})
RECOVERED = encode_body(
    {"text": "[recovered: these entries were found in a damaged database without their session]", "recovered": True}
)
_COLUMNS = {"kind": str, "at": int, "tokens": int, "body": str, "checksum": int}
_SAMPLE = 3


@dataclass
class Count:
    """What became of a conversation's entries; `gaps` are the lost ones, from and to, by session."""

    kept: int = 0
    lost: int = 0
    gaps: dict[str, list[list[int]]] = field(default_factory=dict[str, list[list[int]]])

    def miss(self, session_id: str, seq: int) -> None:
        self.lost += 1
        gaps = self.gaps.setdefault(session_id, [])
        if gaps and gaps[-1][1] == seq - 1:
            gaps[-1][1] = seq
        else:
            gaps.append([seq, seq])


class Transcripts:
    """Sessions are told apart by the number that the damaged database gave them."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._last = _last_seqs(found.entries)

    def numbers(self) -> set[int]:
        return set(self._last)

    def last(self, number: int) -> int:
        return self._last.get(number, 0)

    def sample(self, number: int) -> list[Entry]:
        """Some of the entries of a session whose id is not known."""
        base = number << SEQ_BITS
        left = (seq for seq in range(1, self.last(number) + 1) if base + seq in self._found.entries)
        readable = (self._make_entry(row, "", seq) for seq in left for row in self._rows(number, seq))
        return list(islice((each for each in readable if 0 <= each.at < MOST), _SAMPLE))

    def intact(self, number: int, seq: int, session_id: str) -> Entry | None:
        """The entry, if it fits its checksum as one of this session."""
        made = (self._make_entry(row, session_id, seq) for row in self._rows(number, seq))
        return next((each for each in made if _is_allowed(each)), None)

    def readable(self, number: int, seq: int, session_id: str, new_seq: int) -> Entry | None:
        """The entry under another session, where its checksum cannot be verified any more: it gets a new one."""
        made = (self._make_entry(row, session_id, new_seq) for row in self._rows(number, seq))
        renewed = (entry(*each[:-1]) for each in made)
        return next((each for each in renewed if _is_allowed(each)), None)

    def of(self, number: int, session: Session, count: Count) -> Iterator[Entry]:
        found = (self.intact(number, seq, session.id) for seq in range(1, session.entries + 1))
        return _without_gaps(session, 0, found, count)

    def of_nobody(self, number: int, session: Session, count: Count) -> Iterator[Entry]:
        """A first note, then every readable entry one place later than it was."""
        yield entry(session.id, 1, NOTE, session.started_at, 0, RECOVERED)
        found = (self.readable(number, seq, session.id, seq + 1) for seq in range(1, session.entries))
        yield from _without_gaps(session, 1, found, count)

    def _rows(self, number: int, seq: int) -> Iterator[Facts]:
        for row in self._found.entry((number << SEQ_BITS) + seq):
            if all(isinstance(row[name], kind) for name, kind in _COLUMNS.items()):
                yield row

    def _make_entry(self, row: Facts, session_id: str, seq: int) -> Entry:
        return Entry(session_id, seq, *(row[name] for name in _COLUMNS))


def _without_gaps(session: Session, before: int, found: Iterable[Entry | None], count: Count) -> Iterator[Entry]:
    at = session.started_at
    for seq, each in enumerate(found, before + 1):
        if each is None:
            count.miss(session.id, seq)
            yield entry(session.id, seq, NOTE, at, 0, LOST)
        else:
            count.kept += 1
            at = each.at
            yield each


def _last_seqs(entries: Iterable[int]) -> dict[int, int]:
    last: dict[int, int] = {}
    for key in entries:
        number, seq = key >> SEQ_BITS, key & (SEQ_LIMIT - 1)
        if number > 0 and seq > last.get(number, 0):
            last[number] = seq
    return last


def _is_allowed(each: Entry) -> bool:
    try:
        check_entry(each)
    except BadInput:
        return False
    return True
