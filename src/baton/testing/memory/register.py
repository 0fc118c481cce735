"""Records: small facts that all processes of a store share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.core.transfer import record as rules
from baton.core.transfer.record import Record
from baton.ports.clock import Clock
from baton.ports.store import WORK
from baton.testing.memory.data import MemoryData


class MemoryRegister:
    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def get(self, key: str) -> Record | None:
        with self._data.lock():
            return self._data.records.get(key)

    def put(self, key: str, body: Mapping[str, Any], *, expected: int | None = None) -> Record:
        text = rules.new_body(key, body)
        with self._data.lock():
            record = rules.write(self.get(key), key, text, expected, self._clock.now())
            self._data.records[key] = record
            self._data.wake(WORK)
        return record

    def remove(self, key: str, *, expected: int | None = None) -> bool:
        with self._data.lock():
            record = self.get(key)
            if record is None:
                return False
            rules.check_version(record, key, expected)
            del self._data.records[key]
            self._data.wake(WORK)
        return True

    def list(self, prefix: str) -> list[Record]:
        with self._data.lock():
            return [self._data.records[key] for key in sorted(self._data.records) if key.startswith(prefix)]
