"""The store, put together over one database and one index.

Each part is imported when it is first used: a command that lists conversations pays for nothing else.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from baton.adapters.stores.sql.conversations import SqlConversations

if TYPE_CHECKING:
    from baton.adapters.stores.sql.bindings import SqlBindings
    from baton.adapters.stores.sql.database import Database, Index
    from baton.adapters.stores.sql.entries import SqlEntries
    from baton.adapters.stores.sql.handoffs import SqlDrafts, SqlPackets
    from baton.adapters.stores.sql.mail import SqlMailbox
    from baton.adapters.stores.sql.search import SqlSearch
    from baton.adapters.stores.sql.sessions import SqlSessions
    from baton.adapters.stores.sql.transfers import SqlTransfers
    from baton.adapters.stores.sql.upkeep import SqlUpkeep
    from baton.ports.store import Waiter


class SqlStore:
    def __init__(self, db: Database, index: Index) -> None:
        self._db = db
        self._index = index
        self.conversations = SqlConversations(db)

    @cached_property
    def sessions(self) -> SqlSessions:
        from baton.adapters.stores.sql.sessions import SqlSessions

        return SqlSessions(self._db)

    @cached_property
    def entries(self) -> SqlEntries:
        from baton.adapters.stores.sql.entries import SqlEntries

        return SqlEntries(self._db)

    @cached_property
    def packets(self) -> SqlPackets:
        from baton.adapters.stores.sql.handoffs import SqlPackets

        return SqlPackets(self._db)

    @cached_property
    def drafts(self) -> SqlDrafts:
        from baton.adapters.stores.sql.handoffs import SqlDrafts

        return SqlDrafts(self._db)

    @cached_property
    def transfers(self) -> SqlTransfers:
        from baton.adapters.stores.sql.transfers import SqlTransfers

        return SqlTransfers(self._db)

    @cached_property
    def bindings(self) -> SqlBindings:
        from baton.adapters.stores.sql.bindings import SqlBindings

        return SqlBindings(self._db)

    @cached_property
    def inbox(self) -> SqlMailbox:
        return self._mailbox("inbox")

    @cached_property
    def outbox(self) -> SqlMailbox:
        return self._mailbox("outbox")

    @cached_property
    def search(self) -> SqlSearch:
        from baton.adapters.stores.sql.search import SqlSearch

        return SqlSearch(self._db, self._index)

    @cached_property
    def upkeep(self) -> SqlUpkeep:
        from baton.adapters.stores.sql.upkeep import SqlUpkeep

        return SqlUpkeep(self._db, self.search)

    @property
    def location(self) -> str:
        return self._db.location

    def waiter(self, topic: str) -> Waiter:
        return self._db.waiter(topic)

    def close(self) -> None:
        self._index.close()
        self._db.close()

    def _mailbox(self, box: str) -> SqlMailbox:
        from baton.adapters.stores.sql.mail import SqlMailbox

        return SqlMailbox(self._db, box)
