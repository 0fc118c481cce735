"""The store, put together over one database and one index."""

from __future__ import annotations

from baton.adapters.stores.sql.bindings import SqlBindings
from baton.adapters.stores.sql.conversations import SqlConversations
from baton.adapters.stores.sql.database import Database, Index
from baton.adapters.stores.sql.entries import SqlEntries
from baton.adapters.stores.sql.handoffs import SqlDrafts, SqlPackets
from baton.adapters.stores.sql.mail import SqlMailbox
from baton.adapters.stores.sql.search import SqlSearch
from baton.adapters.stores.sql.sessions import SqlSessions
from baton.adapters.stores.sql.transfers import SqlTransfers
from baton.adapters.stores.sql.upkeep import SqlUpkeep
from baton.core.mail import INBOX, OUTBOX
from baton.ports.store import Waiter


class SqlStore:
    def __init__(self, db: Database, index: Index) -> None:
        self._db = db
        self._index = index
        self.conversations = SqlConversations(db)
        self.sessions = SqlSessions(db)
        self.entries = SqlEntries(db)
        self.packets = SqlPackets(db)
        self.drafts = SqlDrafts(db)
        self.transfers = SqlTransfers(db)
        self.bindings = SqlBindings(db)
        self.inbox = SqlMailbox(db, INBOX)
        self.outbox = SqlMailbox(db, OUTBOX)
        self.search = SqlSearch(db, index)
        self.upkeep = SqlUpkeep(db, self.search)

    @property
    def location(self) -> str:
        return self._db.location

    def waiter(self, topic: str) -> Waiter:
        return self._db.waiter(topic)

    def close(self) -> None:
        self._index.close()
        self._db.close()
