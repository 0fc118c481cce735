"""What a memory store holds, the lock around it, and how waiters are woken.

Values are immutable: a change replaces a value, so that a reader keeps what it read. A method checks everything before
its first change, so one that raises has changed nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager

from baton.core.errors import StoreBusy
from baton.core.handoff.packet import Draft, Packet
from baton.core.ids import not_found, unused_session_id
from baton.core.log.conversation import Conversation
from baton.core.log.entry import Entry
from baton.core.log.session import Session
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Binding
from baton.core.transfer.record import Record
from baton.core.transfer.transfer import Transfer
from baton.ports.store import TOPICS

LOCATION = "memory"
_PATIENCE = 10.0


class MemoryData:
    """Several stores may be handles on the same data, as several processes would be. Tables are in order of arrival."""

    def __init__(self) -> None:
        self.conversations: dict[str, Conversation] = {}
        self.sessions: dict[str, Session] = {}
        self.entries: dict[str, list[Entry]] = {}
        self.packets: dict[str, Packet] = {}
        self.drafts: dict[str, Draft] = {}
        self.transfers: dict[str, Transfer] = {}
        self.bindings: dict[str, Binding] = {}
        self.mail: dict[tuple[str, str], Mail] = {}
        self.records: dict[str, Record] = {}
        self.words: dict[str, list[list[str]]] = {}
        self._changed = threading.Condition(threading.RLock())
        self._writes: dict[str, int] = dict.fromkeys(TOPICS, 0)

    @contextmanager
    def lock(self) -> Generator[None]:
        if not self._changed.acquire(timeout=_PATIENCE):
            raise StoreBusy(path=LOCATION, holder=" thread", seconds=_PATIENCE)
        try:
            yield
        finally:
            self._changed.release()

    def wake(self, topic: str) -> None:
        """Wakes everybody who waits for this topic; the caller holds the lock."""
        self._writes[topic] += 1
        self._changed.notify_all()

    def waiter(self, topic: str) -> MemoryWaiter:
        return MemoryWaiter(self._changed, self._writes, topic)

    def conversation(self, conversation_id: str) -> Conversation:
        if conversation_id not in self.conversations:
            raise not_found("conversation", conversation_id)
        return self.conversations[conversation_id]

    def session(self, session_id: str) -> Session:
        if session_id not in self.sessions:
            raise not_found("session", session_id)
        return self.sessions[session_id]

    def sessions_of(self, conversation_id: str) -> list[Session]:
        found = [each for each in self.sessions.values() if each.conversation_id == conversation_id]
        return sorted(found, key=lambda each: each.depth)

    def new_session_id(self, now: int) -> str:
        return unused_session_id(now, self.sessions.__contains__)


class MemoryWaiter:
    def __init__(self, changed: threading.Condition, writes: dict[str, int], topic: str) -> None:
        self._changed = changed
        self._writes = writes
        self._topic = topic
        self._seen = writes[topic]

    def wait(self, timeout: float) -> bool:
        with self._changed:
            woken = self._changed.wait_for(lambda: self._writes[self._topic] != self._seen, timeout)
            self._seen = self._writes[self._topic]
        return woken

    def close(self) -> None:
        pass
