"""How much is measured: the sizes of the stores and how often each operation is repeated."""

from __future__ import annotations

from dataclasses import dataclass

MESSAGE_BYTES = 500
LISTED = 50
SHOWN = 20
WRITERS = 8


@dataclass(frozen=True, slots=True)
class Size:
    """A store of `sessions` sessions with `entries` entries: `long` of them in one session, the rest spread evenly."""

    sessions: int
    entries: int
    long: int

    def __str__(self) -> str:
        return f"{short(self.sessions)}/{short(self.entries)}"


@dataclass(frozen=True, slots=True)
class Plan:
    """`start` is the size whose list the command line prints, `postgres` the one filled into PostgreSQL.
    `peer` is who is measured beside Baton where they take turns.

    Sizes grow: the first is the base that growth is measured from.
    """

    quick: bool
    sizes: tuple[Size, ...]
    start: Size
    postgres: Size
    appends: int
    loads: int
    lists: int
    searches: int
    claims: int
    starts: int
    writer_appends: int
    wake_ups: int
    idle_seconds: float
    turn_rounds: int
    frames: int
    keys: int
    editors: int
    fill_seconds: float = 600
    redactions: int = 300
    peer: str | None = None
    packets: int = 7
    transfers: int = 200
    messages: int = 3
    recalled: int = 100_000
    recalls: int = 200
    bound: tuple[int, ...] = (400, 5_000, 50_000)
    new_topics: int = 100
    burst: int = 2_000
    rest_seconds: float = 100.0

    @property
    def mode(self) -> str:
        return "quick" if self.quick else "full"


TINY = Size(100, 1_000, 100)
SMALL = Size(1_000, 10_000, 1_000)
MEDIUM = Size(10_000, 100_000, 10_000)
LARGE = Size(100_000, 1_000_000, 10_000)

FULL = Plan(
    quick=False,
    sizes=(TINY, SMALL, MEDIUM, LARGE),
    start=MEDIUM,
    postgres=MEDIUM,
    appends=1000,
    loads=41,
    lists=150,
    searches=100,
    claims=300,
    starts=41,
    writer_appends=2000,
    wake_ups=300,
    idle_seconds=15,
    turn_rounds=15,
    frames=15,
    keys=300,
    editors=15,
)
QUICK = Plan(
    quick=True,
    sizes=(TINY, SMALL),
    start=SMALL,
    postgres=SMALL,
    appends=300,
    loads=21,
    lists=60,
    searches=40,
    claims=100,
    starts=21,
    writer_appends=200,
    wake_ups=200,
    idle_seconds=10,
    turn_rounds=5,
    frames=7,
    keys=150,
    editors=7,
    transfers=60,
    messages=1,
    recalled=20_000,
    recalls=200,
    bound=(20, 200),
    new_topics=20,
    burst=100,
    rest_seconds=80.0,
    redactions=100,
)


def short(count: int) -> str:
    """1000 → 1k, 1000000 → 1M; other numbers as they are."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= unit and count % unit == 0:
            return f"{count // unit}{letter}"
    return str(count)
