"""A state that lasts as long as the test: what a restarted gateway finds."""

from __future__ import annotations


class MemoryState:
    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        return self.texts.get(key)

    def put(self, key: str, text: str) -> None:
        self.texts[key] = text
