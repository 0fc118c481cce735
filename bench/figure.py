"""One measured thing: Baton's times, the floor's times from the same minute, and further facts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from bench.plan import Size
from bench.timing import Pair, Timing

SQLITE = "sqlite"
POSTGRES = "postgres"
PROCESS = "process"


@dataclass(frozen=True, slots=True)
class Figure:
    """`store` is sqlite, postgres or process (no store of its own). `floor_is` says in words what the floor does."""

    name: str
    store: str
    size: Size | None = None
    baton: Timing | None = None
    floor: Timing | None = None
    floor_is: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    paired_ratio: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the floor Baton takes: round by round where they took turns, else by medians."""
        if self.paired_ratio is not None:
            return self.paired_ratio
        return self.baton.median / self.floor.median if self.baton and self.floor else None

    @property
    def ratio_of_minima(self) -> float | None:
        return self.baton.min / self.floor.min if self.baton and self.floor else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "store": self.store,
            "sessions": self.size.sessions if self.size else None,
            "entries": self.size.entries if self.size else None,
            "baton": asdict(self.baton) if self.baton else None,
            "floor": asdict(self.floor) if self.floor else None,
            "floor_is": self.floor_is,
            "ratio": self.ratio,
            "ratio_of_minima": self.ratio_of_minima,
            "facts": self.facts,
        }


def against_floor(
    name: str, store: str, size: Size | None, pair: Pair, floor_is: str, facts: dict[str, Any] | None = None
) -> Figure:
    return Figure(name, store, size, pair.baton, pair.floor, floor_is, facts or {}, pair.ratio)
