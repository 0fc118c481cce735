"""What a platform keeps between runs, as records of the store."""

from __future__ import annotations

from baton.ports.store import Register


class StoredPlatformState:
    """A platform's state: its texts are records whose keys begin with `prefix`."""

    def __init__(self, register: Register, prefix: str) -> None:
        self._register = register
        self._prefix = prefix

    def get(self, key: str) -> str | None:
        record = self._register.get(self._key(key))
        return record.data["text"] if record else None

    def put(self, key: str, text: str) -> None:
        self._register.put(self._key(key), {"text": text})

    def _key(self, key: str) -> str:
        return f"{self._prefix}/{key}"


def open_platform_state(register: Register, platform: str) -> StoredPlatformState:
    """The state of one platform, under `platform/<name>/`."""
    return StoredPlatformState(register, f"platform/{platform}")
