"""Conversations: start, find, list, own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from baton.core.log import conversation as rules
from baton.core.log import lease as leases
from baton.core.log.conversation import Conversation, Page, Row
from baton.core.log.lease import Lease, Ownership, micros
from baton.core.log.session import Session
from baton.core.text import check_title, title_key
from baton.core.transfer import transfer as transfers
from baton.core.value import replace
from baton.engine.processes import is_gone
from baton.ports.clock import Clock
from baton.ports.store import LOG
from baton.testing.memory.data import MemoryData


class MemoryConversations:
    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def start(self, title: str, workspace: str = "", model: str = "") -> tuple[Conversation, Session]:
        with self._data.lock():
            now = self._clock.now()
            return self._add(*rules.start(title, workspace, model, self._data.new_session_id(now), now))

    def fork(self, session_id: str, seq: int, title: str, model: str = "") -> tuple[Conversation, Session]:
        with self._data.lock():
            parent = self._data.session(session_id)
            workspace = self._data.conversation(parent.conversation_id).workspace
            now = self._clock.now()
            return self._add(*rules.fork(parent, seq, title, workspace, model, self._data.new_session_id(now), now))

    def _add(self, conversation: Conversation, root: Session) -> tuple[Conversation, Session]:
        self._data.conversations[conversation.id] = conversation
        self._data.sessions[root.id] = root
        self._data.entries[root.id] = []
        self._data.wake(LOG)
        return conversation, root

    def get(self, conversation_id: str) -> Conversation:
        with self._data.lock():
            return self._data.conversation(conversation_id)

    def find(self, text: str) -> Conversation:
        wanted = text.strip()
        with self._data.lock():
            fits = self._fits(wanted) if wanted else []
            found = rules.pick(text, [(each.id, each.title) for each in fits])
            return self._data.conversation(found)

    def _fits(self, text: str) -> list[Conversation]:
        """What fits best: each way of finding is tried only if those before it found nothing."""
        for way in self._ways(text):
            if found := way():
                return found
        return []

    def _ways(self, text: str) -> Iterator[Callable[[], list[Conversation]]]:
        key = title_key(text)
        yield lambda: self._by_id(lambda held: held == text)
        yield lambda: self._by_session(lambda held: held == text)
        yield lambda: self._by_title(lambda held: held == key)
        yield lambda: self._by_id(lambda held: held.startswith(text))
        yield lambda: self._by_session(lambda held: held.startswith(text))
        yield lambda: self._by_title(lambda held: held.startswith(key))

    def _by_id(self, fits: Callable[[str], bool]) -> list[Conversation]:
        return [each for each in self._data.conversations.values() if fits(each.id)]

    def _by_session(self, fits: Callable[[str], bool]) -> list[Conversation]:
        found = {each.conversation_id for each in self._data.sessions.values() if fits(each.id)}
        return [self._data.conversations[each] for each in sorted(found)]

    def _by_title(self, fits: Callable[[str], bool]) -> list[Conversation]:
        return [each for each in self._data.conversations.values() if fits(title_key(each.title))]

    def page(
        self, limit: int = 50, after: str | None = None, workspace: str | None = None, *, begun: bool = False
    ) -> Page:
        limit = rules.page_limit(limit)
        before = None if after is None else rules.parse_after(after)
        with self._data.lock():
            found = [each for each in self._data.conversations.values() if workspace in (None, each.workspace)]
            found.sort(key=_position, reverse=True)
            found = [each for each in found if before is None or _position(each) < before]
            rows = [self._row(each) for each in found if not begun or self._has_begun(each)]
        return rules.page(rows, limit)

    def _has_begun(self, conversation: Conversation) -> bool:
        return any(each.entries or each.parent_id for each in self._data.sessions_of(conversation.id))

    def _row(self, conversation: Conversation) -> Row:
        held = self._data.sessions_of(conversation.id)
        model = self._data.session(conversation.head_id).model
        entries, tokens = sum(each.entries for each in held), sum(each.tokens for each in held)
        been = [each for each in self._data.transfers.values() if each.conversation_id == conversation.id]
        way = transfers.platforms_visited(sorted(been, key=lambda each: (each.requested_at, each.id)))
        return Row(conversation, model, len(held), entries, tokens, way[-1] if way else "")

    def count(self) -> int:
        return len(self._data.conversations)

    def rename(self, conversation_id: str, title: str) -> Conversation:
        name = check_title(title)
        with self._data.lock():
            renamed = replace(self._data.conversation(conversation_id), title=name)
            self._data.conversations[conversation_id] = renamed
        return renamed

    def claim(self, conversation_id: str, owner: str, ttl: float) -> Ownership:
        with self._data.lock():
            lease, ticks = self._data.conversation(conversation_id).lease, self._clock.ticks()
            held, proof = leases.claim(lease, "conversation", conversation_id, owner, ticks, micros(ttl), is_gone)
            self._hold(conversation_id, held)
        return proof

    def renew(self, proof: Ownership, ttl: float) -> None:
        with self._data.lock():
            lease = self._data.conversation(proof.id).lease
            self._hold(proof.id, leases.renew(lease, proof, self._clock.ticks(), micros(ttl)))

    def release(self, proof: Ownership) -> None:
        with self._data.lock():
            self._hold(proof.id, leases.release(self._data.conversation(proof.id).lease, proof))

    def _hold(self, conversation_id: str, lease: Lease) -> None:
        conversation = self._data.conversations[conversation_id]
        held = replace(conversation, owner=lease.owner, epoch=lease.epoch, lease_until=lease.until)
        self._data.conversations[conversation_id] = held


def _position(conversation: Conversation) -> tuple[int, str]:
    return conversation.updated_at, conversation.id
