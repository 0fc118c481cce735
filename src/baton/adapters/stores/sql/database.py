"""What the shared store needs from a database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from baton.core.log.search import Term
    from baton.ports.clock import Clock
    from baton.ports.store import Finding, Waiter

Row = tuple[Any, ...]
Parameters = Mapping[str, Any]
NOTHING: Parameters = {}


class Tx(Protocol):
    """One transaction. Statements are named blocks of `queries.sql`."""

    def one(self, name: str, parameters: Parameters = NOTHING) -> Row | None: ...

    def all(self, name: str, parameters: Parameters = NOTHING) -> list[Row]: ...

    def stream(self, name: str, parameters: Parameters = NOTHING) -> Iterator[Row]: ...

    def run(self, name: str, parameters: Parameters = NOTHING) -> None:
        """Its result is not waited for: what it raises may be raised by a later statement, or at the end of the
        transaction.
        """
        ...

    def count_changes(self, name: str, parameters: Parameters = NOTHING) -> int:
        """Runs it, and returns how many rows it changed."""
        ...

    def many(self, name: str, rows: Iterable[Parameters]) -> None: ...

    def reserve(self, key: str) -> None:
        """Until the end of the transaction nobody else has this key: for rows that do not exist yet and so cannot be
        locked. Conversations come before places, and places in order.
        """
        ...

    def ticks(self) -> int:
        """Now, on the lease clock that all users of this database share."""
        ...

    def wake(self, topic: str) -> None:
        """Once committed, wakes everybody who waits for this topic."""
        ...

    def mark(self, entry_id: int, checksum: int) -> None:
        """Once committed, remembers outside the database that this entry was acknowledged."""
        ...


class Database(Protocol):
    @property
    def location(self) -> str: ...

    @property
    def clock(self) -> Clock: ...

    def write(self, *, lasting: bool = True) -> AbstractContextManager[Tx]:
        """A transaction that sees no other writer's half-done work: committed durably at the end of the block, undone
        as a whole if it raises. One that is not `lasting` outlives every process, but not surely the power: only for
        who holds what, which a power cut ends anyway. Whatever is durable after it makes it so too.
        """
        ...

    def read(self) -> AbstractContextManager[Tx]:
        """A transaction that sees one moment of the database."""
        ...

    def glance(self) -> AbstractContextManager[Tx]:
        """For one statement that reads: that sees one moment by itself, without a transaction around it."""
        ...

    def waiter(self, topic: str) -> Waiter: ...

    def backup(self, target: str) -> None: ...

    def check(self) -> list[Finding]:
        """What the database itself can say of its health."""
        ...

    def size(self) -> int: ...

    def close(self) -> None: ...


class Index(Protocol):
    """A full-text index beside the log: entry id → words. It may be lost at any time."""

    def fresh(self) -> bool:
        """False from the time it is made, lost or dropped until session 0, which does not exist, is marked: the log
        must have been told before that nothing is indexed.
        """
        ...

    def mark(self, session: int) -> int:
        """How many entries of a session it holds."""
        ...

    def add(self, session: int, after: int, upto: int, rows: list[tuple[int, str]]) -> None:
        """Entry ids with their words, and the session's new mark, in one transaction; nothing if the session's mark
        is not `after` any more, because somebody else added these or the index was dropped.
        """
        ...

    def remove(self, session: int, rows: list[tuple[int, str]]) -> None: ...

    def find(self, terms: tuple[Term, ...], limit: int, below: int | None, above: int = 0) -> list[int]:
        """Entry ids that hold every term, highest first, below `below` and above `above`."""
        ...

    def find_each(self, groups: Sequence[tuple[Term, ...]], limit: int, below: int, above: int) -> list[list[int]]:
        """As `find`, for each group of terms."""
        ...

    def tidy(self) -> None:
        """After much was added: whatever makes it faster to search."""
        ...

    def drop(self) -> None: ...

    def close(self) -> None: ...
