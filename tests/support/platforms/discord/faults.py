"""Trouble that tests ask for. Each kind is a number of sends it will still happen to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Faults:
    limit: int = 0
    after: float = 0.0
    fail: int = 0
    swallow: int = 0
    hang: bool = False
    """A swallowed answer: the connection stays open and silent, instead of breaking."""

    def take(self, name: str) -> bool:
        left: int = getattr(self, name)
        if left:
            setattr(self, name, left - 1)
        return bool(left)
