"""Bindings: which conversation a place speaks for."""

from __future__ import annotations

from collections.abc import Sequence

from baton.core import place as rules
from baton.core import transfer as transfers
from baton.core.conversation import Conversation
from baton.core.ids import not_found
from baton.core.log.lease import Ownership
from baton.core.place import Binding, Place
from baton.ports.clock import Clock
from baton.ports.store import WORK
from baton.testing.memory.data import MemoryData


class MemoryBindings:
    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def bind(
        self, place: Place, conversation_id: str, *, instead_of: str | None = None, by: Ownership | None = None
    ) -> Binding:
        with self._data.locked():
            self._data.conversation(conversation_id)
            self._check(by)
            bound = self._data.bindings.get(place.key)
            rules.check_free(bound, conversation_id, instead_of)
            if bound is not None and bound.conversation_id == conversation_id:
                return bound
            binding = Binding(place.key, conversation_id, self._clock.now())
            self._data.bindings[place.key] = binding
            self._data.wake(WORK)
        return binding

    def at(self, place: Place) -> Binding | None:
        with self._data.locked():
            return self._data.bindings.get(place.key)

    def of(self, conversation_id: str) -> list[Binding]:
        with self._data.locked():
            found = [each for each in self._data.bindings.values() if each.conversation_id == conversation_id]
        return sorted(found, key=lambda each: (each.bound_at, each.place))

    def speaking(self, platforms: Sequence[str], since: int) -> list[Conversation]:
        with self._data.locked():
            bound = [each for each in self._data.bindings.values() if each.place.partition(":")[0] in platforms]
            found = [self._data.conversation(name) for name in {each.conversation_id for each in bound}]
        return sorted((each for each in found if each.updated_at >= since), key=lambda each: each.id)

    def unbind(self, place: Place, conversation_id: str, *, by: Ownership | None = None) -> bool:
        with self._data.locked():
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
            transfers.check_carried(self._data.transfers[by.id], by)
