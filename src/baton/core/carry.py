"""What a compression must not leave behind besides words: the tail of a split, and input that waits for its turn.

A split begins a session with copies of the entries it keeps. A copy is marked (`copied`, with the seq of its
original), so that whoever reads a whole conversation meets every entry once.
"""

from __future__ import annotations

from collections.abc import Sequence

from baton.core.log import entry as kinds
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.interrupted import waiting


def left_behind(entries: Sequence[Entry], keep_from: int) -> list[NewEntry]:
    """Copies of input that waits, where its entry is before the tail."""
    return [copy(entry) for entry in waiting(entries) if entry.seq < keep_from]


def continuation(entries: Sequence[Entry], compression: NewEntry, keep_from: int) -> list[NewEntry]:
    """The first entries of the session that goes on after a split: the compression, then copies of what is kept."""
    tail = [copy(entry) for entry in entries if entry.seq >= keep_from and entry.kind != kinds.COMPRESSION]
    copies = left_behind(entries, keep_from) + tail
    data = {**compression.data, "keep_from": 1, "tail": len(copies)}
    return [NewEntry(compression.kind, data, compression.tokens), *copies]


def copy(entry: Entry) -> NewEntry:
    """Its tokens were counted with the original."""
    return NewEntry(entry.kind, {**entry.data, "copied": entry.seq}, at=entry.at)
