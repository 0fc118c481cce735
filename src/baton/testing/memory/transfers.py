"""Transfers and bindings: every change is a guarded transition of `core`, made while the data is locked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from baton.core.ids import not_found
from baton.core.log.conversation import Conversation, page_limit
from baton.core.log.lease import Ownership, micros
from baton.core.transfer import place as places
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import Binding, Place
from baton.core.transfer.transfer import ACTIVE, Transfer
from baton.engine.processes import is_gone
from baton.ports.clock import Clock
from baton.ports.store import BOUND_PAGE, WORK
from baton.testing.memory.data import MemoryData


class MemoryTransfers:
    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def request(self, conversation_id: str, origin: str, target: str) -> Transfer:
        with self._data.lock():
            transfer = rules.request(conversation_id, origin, target, self._clock.now())
            self._data.conversation(conversation_id)
            rules.check_none_active(self.of(conversation_id))
            return self._set(transfer)

    def get(self, transfer_id: str) -> Transfer:
        with self._data.lock():
            if transfer_id not in self._data.transfers:
                raise not_found("transfer", transfer_id)
            return self._data.transfers[transfer_id]

    def of(self, conversation_id: str) -> list[Transfer]:
        return self._those(lambda each: each.conversation_id == conversation_id)

    def active(self) -> list[Transfer]:
        return self._those(lambda each: each.state in ACTIVE)

    def recent(self, limit: int = 50) -> list[Transfer]:
        return self._those(lambda _: True)[::-1][: page_limit(limit)]

    def _those(self, fits: Callable[[Transfer], bool]) -> list[Transfer]:
        with self._data.lock():
            found = [each for each in self._data.transfers.values() if fits(each)]
        return sorted(found, key=lambda each: (each.requested_at, each.id))

    def claim(self, transfer_id: str, owner: str, ttl: float) -> tuple[Transfer, Ownership]:
        with self._data.lock():
            return self._claim(self.get(transfer_id), owner, ttl)

    def claim_next(self, platforms: Sequence[str], owner: str, ttl: float) -> tuple[Transfer, Ownership] | None:
        with self._data.lock():
            for transfer in self.active():
                if transfer.platform in platforms and rules.claimable(transfer, self._clock.ticks(), is_gone):
                    return self._claim(transfer, owner, ttl)
        return None

    def is_due(self, platforms: Sequence[str]) -> bool:
        with self._data.lock():
            here = [each for each in self.active() if each.platform in platforms]
            return any(rules.claimable(each, self._clock.ticks(), is_gone) for each in here)

    def _claim(self, transfer: Transfer, owner: str, ttl: float) -> tuple[Transfer, Ownership]:
        claimed, proof = rules.claim(transfer, owner, self._clock.ticks(), micros(ttl), self._clock.now(), is_gone)
        return self._set(claimed), proof

    def beat(self, proof: Ownership, ttl: float) -> Transfer:
        return self._change(proof.id, lambda transfer: rules.beat(transfer, proof, self._clock.ticks(), micros(ttl)))

    def reach(self, proof: Ownership, step: str, notes: Mapping[str, Any]) -> Transfer:
        return self._change(proof.id, lambda transfer: rules.reach(transfer, proof, step, notes, self._clock.now()))

    def complete(self, proof: Ownership) -> Transfer:
        return self._change(proof.id, lambda transfer: rules.complete(transfer, proof, self._clock.now()))

    def fail(self, proof: Ownership, error: str) -> Transfer:
        return self._change(proof.id, lambda transfer: rules.fail(transfer, proof, error, self._clock.now()))

    def give_back(self, proof: Ownership) -> Transfer:
        return self._change(proof.id, lambda transfer: rules.give_back(transfer, proof, self._clock.now()))

    def cancel(self, transfer_id: str) -> Transfer:
        return self._change(transfer_id, lambda transfer: rules.cancel(transfer, self._clock.now()))

    def _change(self, transfer_id: str, change: Callable[[Transfer], Transfer]) -> Transfer:
        with self._data.lock():
            return self._set(change(self.get(transfer_id)))

    def _set(self, transfer: Transfer) -> Transfer:
        self._data.transfers[transfer.id] = transfer
        self._data.wake(WORK)
        return transfer


class MemoryBindings:
    """Which conversation a place speaks for."""

    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def bind(
        self, place: Place, conversation_id: str, *, instead_of: str | None = None, by: Ownership | None = None
    ) -> Binding:
        with self._data.lock():
            self._data.conversation(conversation_id)
            self._check(by)
            bound = self._data.bindings.get(place.key)
            places.check_free(bound, conversation_id, instead_of)
            if bound is not None and bound.conversation_id == conversation_id:
                return bound
            binding = Binding(place.key, conversation_id, self._clock.now())
            self._data.bindings[place.key] = binding
            self._data.wake(WORK)
        return binding

    def at(self, place: Place) -> Binding | None:
        with self._data.lock():
            return self._data.bindings.get(place.key)

    def of(self, conversation_id: str) -> list[Binding]:
        with self._data.lock():
            found = [each for each in self._data.bindings.values() if each.conversation_id == conversation_id]
        return sorted(found, key=lambda each: (each.bound_at, each.place))

    def list_conversations(
        self, platforms: Sequence[str], since: int, before: Conversation | None = None, *, owned: bool = False
    ) -> list[Conversation]:
        with self._data.lock():
            bound = [each for each in self._data.bindings.values() if each.place.partition(":")[0] in platforms]
            listed = [self._data.conversation(name) for name in {each.conversation_id for each in bound}]
        found = [each for each in listed if each.updated_at >= since and (each.owner is not None or not owned)]
        found.sort(key=lambda each: (each.updated_at, each.id), reverse=True)
        after = [each for each in found if not before or (each.updated_at, each.id) < (before.updated_at, before.id)]
        return after[:BOUND_PAGE]

    def unbind(self, place: Place, conversation_id: str, *, by: Ownership | None = None) -> bool:
        with self._data.lock():
            self._check(by)
            bound = self._data.bindings.get(place.key)
            if bound is None or bound.conversation_id != conversation_id:
                return False
            del self._data.bindings[place.key]
        return True

    def _check(self, by: Ownership | None) -> None:
        if by is not None:
            if by.id not in self._data.transfers:
                raise not_found("transfer", by.id)
            rules.check_carried(self._data.transfers[by.id], by)
