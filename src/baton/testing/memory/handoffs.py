"""Packets and drafts: what a fresh session starts from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.core.errors import StoreDamaged
from baton.core.handoff import packet as rules
from baton.core.handoff.packet import OPEN, Draft, Packet
from baton.core.ids import not_found
from baton.ports.clock import Clock
from baton.ports.store import WORK
from baton.testing.memory.data import LOCATION, MemoryData


class MemoryPackets:
    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def add(self, session_id: str, markdown: str, ledger: Mapping[str, Any], tokens: int = 0) -> Packet:
        packet = rules.write(session_id, markdown, ledger, tokens, self._clock.now())
        with self._data.lock():
            self._data.session(session_id)
            self._data.packets[packet.id] = packet
        return packet

    def get(self, packet_id: str) -> Packet:
        with self._data.lock():
            return _get(self._data, packet_id)

    def of(self, conversation_id: str) -> list[Packet]:
        with self._data.lock():
            return [_check_digest(packet) for packet in packets_of(self._data, conversation_id)]


class MemoryDrafts:
    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def open(self, conversation_id: str, version: int, packet_id: str) -> Draft:
        with self._data.lock():
            conversation = self._data.conversation(conversation_id)
            draft = rules.open_draft(conversation, version, packet_id, self._clock.now())
            self._check_packet(packet_id, conversation_id)
            return self._set(draft)

    def get(self, draft_id: str) -> Draft:
        with self._data.lock():
            return self._get(draft_id)

    def list_waiting(self, conversation_id: str | None = None) -> list[Draft]:
        with self._data.lock():
            found = [draft for draft in self._data.drafts.values() if draft.state == OPEN]
        found.sort(key=lambda draft: (draft.created_at, draft.id))
        return [draft for draft in found if conversation_id in (None, draft.conversation_id)]

    def edit(self, draft_id: str, packet_id: str) -> Draft:
        with self._data.lock():
            draft = self._get(draft_id)
            self._check_packet(packet_id, draft.conversation_id)
            version = self._data.conversation(draft.conversation_id).version
            return self._set(rules.edit(draft, version, packet_id, self._clock.now()))

    def cancel(self, draft_id: str) -> Draft:
        with self._data.lock():
            return self._set(rules.cancel(self._get(draft_id), self._clock.now()))

    def _get(self, draft_id: str) -> Draft:
        if draft_id not in self._data.drafts:
            raise not_found("draft", draft_id)
        return self._data.drafts[draft_id]

    def _set(self, draft: Draft) -> Draft:
        self._data.drafts[draft.id] = draft
        self._data.wake(WORK)
        return draft

    def _check_packet(self, packet_id: str, conversation_id: str) -> None:
        packet = _get(self._data, packet_id)
        rules.check_written_for(packet, self._data.session(packet.session_id).conversation_id, conversation_id)


def packets_of(data: MemoryData, conversation_id: str) -> list[Packet]:
    sessions = {session.id for session in data.sessions_of(conversation_id)}
    found = [packet for packet in data.packets.values() if packet.session_id in sessions]
    return sorted(found, key=lambda packet: (packet.created_at, packet.id))


def _get(data: MemoryData, packet_id: str) -> Packet:
    if packet_id not in data.packets:
        raise not_found("packet", packet_id)
    return _check_digest(data.packets[packet_id])


def _check_digest(packet: Packet) -> Packet:
    if not packet.intact():
        raise StoreDamaged(path=LOCATION, reason=f"packet {packet.id} does not fit its digest")
    return packet
