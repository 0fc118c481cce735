"""The store, put together over one database and one index.

Each part is imported when it is first used: a command that lists conversations pays for nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from baton.adapters.stores.sql.conversations import SqlConversations

if TYPE_CHECKING:
    from baton.adapters.stores.sql.bindings import SqlBindings
    from baton.adapters.stores.sql.database import Database, Index
    from baton.adapters.stores.sql.entries import SqlEntries
    from baton.adapters.stores.sql.handoffs import SqlDrafts, SqlPackets
    from baton.adapters.stores.sql.mail import SqlMailbox
    from baton.adapters.stores.sql.register import SqlRegister
    from baton.adapters.stores.sql.search import SqlSearch
    from baton.adapters.stores.sql.sessions import SqlSessions
    from baton.adapters.stores.sql.transfers import SqlTransfers
    from baton.adapters.stores.sql.upkeep import SqlUpkeep
    from baton.ports.store import Waiter

T = TypeVar("T")


class SqlStore:
    def __init__(self, db: Database, index: Index) -> None:
        self._db = db
        self._index = index
        self._parts: dict[tuple[Any, ...], Any] = {}
        self._closed = False
        self.conversations = SqlConversations(db)

    @property
    def sessions(self) -> SqlSessions:
        from baton.adapters.stores.sql.sessions import SqlSessions

        return self._part(SqlSessions)

    @property
    def entries(self) -> SqlEntries:
        from baton.adapters.stores.sql.entries import SqlEntries

        return self._part(SqlEntries)

    @property
    def packets(self) -> SqlPackets:
        from baton.adapters.stores.sql.handoffs import SqlPackets

        return self._part(SqlPackets)

    @property
    def drafts(self) -> SqlDrafts:
        from baton.adapters.stores.sql.handoffs import SqlDrafts

        return self._part(SqlDrafts)

    @property
    def transfers(self) -> SqlTransfers:
        from baton.adapters.stores.sql.transfers import SqlTransfers

        return self._part(SqlTransfers)

    @property
    def bindings(self) -> SqlBindings:
        from baton.adapters.stores.sql.bindings import SqlBindings

        return self._part(SqlBindings)

    @property
    def inbox(self) -> SqlMailbox:
        return self._mailbox("inbox")

    @property
    def outbox(self) -> SqlMailbox:
        return self._mailbox("outbox")

    @property
    def register(self) -> SqlRegister:
        from baton.adapters.stores.sql.register import SqlRegister

        return self._part(SqlRegister)

    @property
    def search(self) -> SqlSearch:
        from baton.adapters.stores.sql.search import SqlSearch

        return self._part(SqlSearch, self._index)

    @property
    def upkeep(self) -> SqlUpkeep:
        from baton.adapters.stores.sql.upkeep import SqlUpkeep

        return self._part(SqlUpkeep, self.search)

    @property
    def location(self) -> str:
        return self._db.location

    def waiter(self, topic: str) -> Waiter:
        return self._db.waiter(topic)

    def close(self) -> None:
        """May be called more than once."""
        if not self._closed:
            self._closed = True
            self._index.close()
            self._db.close()

    def _part(self, make: Callable[..., T], *more: Any) -> T:
        """The one part of this kind, made when it is first asked for."""
        if (make, *more) not in self._parts:
            self._parts[make, *more] = make(self._db, *more)
        return self._parts[make, *more]

    def _mailbox(self, box: str) -> SqlMailbox:
        from baton.adapters.stores.sql.mail import SqlMailbox

        return self._part(SqlMailbox, box)
