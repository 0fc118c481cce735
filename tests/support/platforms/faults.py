"""Trouble that tests ask for: how many sends it will still happen to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Faults:
    limit: int = 0
    after: float = 0.0
    fail: int = 0
    swallow: int = 0
    cut: bool = False

    def take(self, name: str) -> bool:
        left: int = getattr(self, name)
        if left:
            setattr(self, name, left - 1)
        return bool(left)
