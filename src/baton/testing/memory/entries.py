"""Entries: append to the head, read back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from baton.core.errors import StoreDamaged
from baton.core.log import conversation as conversations
from baton.core.log import lease as leases
from baton.core.log import session as sessions
from baton.core.log.entry import Entry, NewEntry, encode_body, make
from baton.core.log.lease import Ownership
from baton.core.value import replace
from baton.ports.clock import Clock
from baton.ports.store import LOG
from baton.testing.memory.data import LOCATION, MemoryData


class MemoryEntries:
    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def append(
        self, proof: Ownership, session_id: str, entries: Sequence[NewEntry], *, expected: int | None = None
    ) -> list[Entry]:
        bodies = [encode_body(each.data) for each in entries]
        with self._data.lock():
            conversation = self._data.conversation(proof.id)
            leases.check(conversation.lease, proof)
            conversations.check_head(proof.id, conversation.head_id, session_id)
            head = self._data.session(session_id)
            sessions.check_count(session_id, head.entries, expected)
            now = self._clock.now()
            added = make(session_id, head.entries, entries, bodies, now)
            tokens = head.tokens + sum(each.tokens for each in added)
            self._data.entries[session_id] += added
            self._data.sessions[session_id] = replace(head, entries=head.entries + len(added), tokens=tokens)
            self._data.conversations[proof.id] = replace(conversation, updated_at=now)
            self._data.wake(LOG)
        return added

    def load(self, session_id: str, *, after: int = 0, limit: int | None = None) -> list[Entry]:
        with self._data.lock():
            self._data.session(session_id)
            found = self._data.entries[session_id][max(0, after) :]
        return check_entries(found if limit is None else found[: max(0, limit)])

    def last(self, session_id: str, count: int) -> list[Entry]:
        with self._data.lock():
            self._data.session(session_id)
            found = self._data.entries[session_id]
            return check_entries(found[max(0, len(found) - max(0, count)) :])

    def pick(self, places: Sequence[tuple[str, int]]) -> list[Entry]:
        with self._data.lock():
            held = ((self._data.entries.get(session_id, []), seq) for session_id, seq in places)
            return check_entries(entries[seq - 1] for entries, seq in held if 0 < seq <= len(entries))


def check_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The entries, each with the right checksum; `StoreDamaged` names the first that is not."""
    found = list(entries)
    for each in found:
        if not each.intact():
            reason = f"entry {each.seq} of session {each.session_id} does not fit its checksum"
            raise StoreDamaged(path=LOCATION, reason=reason)
    return found
