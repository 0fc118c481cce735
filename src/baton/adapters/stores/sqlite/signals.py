"""The writer's side of a wake-up. Apart from the waiter's, because every command writes and few wait."""

from __future__ import annotations

import os
from contextlib import suppress

_CLOEXEC = getattr(os, "O_CLOEXEC", 0)


class Signals:
    """One small write per topic after each commit."""

    def __init__(self, paths: dict[str, str]) -> None:
        self._files = {topic: os.open(path, os.O_RDWR | os.O_CREAT | _CLOEXEC, 0o600) for topic, path in paths.items()}

    def send(self, topic: str) -> None:
        with suppress(OSError):  # no room for a hint on a full disk
            os.pwrite(self._files[topic], b"\0", 0)

    def close(self) -> None:
        for file in self._files.values():
            os.close(file)
