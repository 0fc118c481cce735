"""Sessions: lineage, vitals, and the one move of the head."""

from __future__ import annotations

from collections.abc import Sequence

from baton.core.errors import StoreDamaged
from baton.core.handoff import packet as drafts
from baton.core.handoff.packet import OPEN, Draft
from baton.core.ids import not_found
from baton.core.log import conversation as conversations
from baton.core.log import lease as leases
from baton.core.log import session as rules
from baton.core.log.conversation import Conversation
from baton.core.log.entry import COMPRESSION, Entry, NewEntry, encode_body, make
from baton.core.log.lease import Ownership
from baton.core.log.session import Session, Vitals
from baton.core.value import replace
from baton.ports.clock import Clock
from baton.ports.store import LOG, WORK
from baton.testing.memory.data import LOCATION, MemoryData


class MemorySessions:
    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def get(self, session_id: str) -> Session:
        with self._data.lock():
            return self._data.session(session_id)

    def of(self, conversation_id: str) -> list[Session]:
        with self._data.lock():
            self._data.conversation(conversation_id)
            return self._data.sessions_of(conversation_id)

    def chain(self, session_id: str) -> list[Session]:
        with self._data.lock():
            self._data.session(session_id)
            chain = rules.lineage(session_id, self._data.sessions.values())
        if not chain:
            raise StoreDamaged(path=LOCATION, reason=f"the lineage of session {session_id} is a loop")
        return chain

    def tree(self, session_id: str) -> list[Session]:
        with self._data.lock():
            root_id = self._data.session(session_id).root_id
            return [each for each in self._data.sessions.values() if each.root_id == root_id]

    def vitals(self, session_id: str) -> Vitals:
        with self._data.lock():
            self._data.session(session_id)
            return rules.read_vitals(each.data for each in self._data.entries[session_id] if each.kind == COMPRESSION)

    def advance(
        self,
        proof: Ownership,
        head_id: str,
        *,
        edge: str,
        end_reason: str,
        reason: str = "",
        model: str = "",
        entries: Sequence[NewEntry] = (),
        draft_id: str | None = None,
    ) -> Session:
        rules.check_continuation(edge, end_reason)
        bodies = [encode_body(each.data) for each in entries]
        with self._data.lock():
            conversation = self._data.conversation(proof.id)
            leases.check(conversation.lease, proof)
            conversations.check_head(proof.id, conversation.head_id, head_id)
            now, head = self._clock.now(), self._data.session(head_id)
            new_id, name = self._data.new_session_id(now), model or head.model
            child = rules.begin(new_id, proof.id, name, now, parent=head, edge=edge, reason=reason)
            first = make(child.id, 0, entries, bodies, now)
            changed = self._drafts(conversation, draft_id, now)
            self._move(conversation, replace(head, ended_at=now, end_reason=end_reason), child, first)
            self._data.drafts.update(changed)
            return self._data.session(child.id)

    def _drafts(self, conversation: Conversation, draft_id: str | None, now: int) -> dict[str, Draft]:
        """The draft this move is made for, confirmed; every other open draft of the conversation, stale."""
        changed: dict[str, Draft] = {}
        if draft_id is not None:
            if draft_id not in self._data.drafts:
                raise not_found("draft", draft_id)
            changed[draft_id] = drafts.confirm(self._data.drafts[draft_id], conversation, now)
        for draft in self._data.drafts.values():
            if draft.conversation_id == conversation.id and draft.state == OPEN and draft.id != draft_id:
                changed[draft.id] = drafts.outrun(draft, now)
        return changed

    def _move(self, conversation: Conversation, head: Session, child: Session, first: list[Entry]) -> None:
        data, now = self._data, child.started_at
        data.sessions[head.id] = head
        data.sessions[child.id] = replace(child, entries=len(first), tokens=sum(each.tokens for each in first))
        data.entries[child.id] = first
        moved = replace(conversation, head_id=child.id, version=conversation.version + 1, updated_at=now)
        data.conversations[conversation.id] = moved
        data.wake(LOG)
        data.wake(WORK)
