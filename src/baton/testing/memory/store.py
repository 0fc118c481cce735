"""The store, put together over one set of data."""

from __future__ import annotations

from baton.core.transfer.mail import INBOX, OUTBOX
from baton.ports.clock import Clock
from baton.ports.store import Waiter
from baton.testing.clock import RealClock
from baton.testing.memory.conversations import MemoryConversations
from baton.testing.memory.data import LOCATION, MemoryData
from baton.testing.memory.entries import MemoryEntries
from baton.testing.memory.handoffs import MemoryDrafts, MemoryPackets
from baton.testing.memory.mail import MemoryMailbox
from baton.testing.memory.register import MemoryRegister
from baton.testing.memory.search import MemorySearch
from baton.testing.memory.sessions import MemorySessions
from baton.testing.memory.transfers import MemoryBindings, MemoryTransfers
from baton.testing.memory.upkeep import MemoryUpkeep


class MemoryStore:
    """Empty, or another handle on `data`. What it holds is gone with the process."""

    def __init__(self, clock: Clock | None = None, data: MemoryData | None = None) -> None:
        self.data = data or MemoryData()
        clock = clock or RealClock()
        self.conversations = MemoryConversations(self.data, clock)
        self.sessions = MemorySessions(self.data, clock)
        self.entries = MemoryEntries(self.data, clock)
        self.packets = MemoryPackets(self.data, clock)
        self.drafts = MemoryDrafts(self.data, clock)
        self.transfers = MemoryTransfers(self.data, clock)
        self.bindings = MemoryBindings(self.data, clock)
        self.inbox = MemoryMailbox(self.data, clock, INBOX)
        self.outbox = MemoryMailbox(self.data, clock, OUTBOX)
        self.register = MemoryRegister(self.data, clock)
        self.search = MemorySearch(self.data)
        self.upkeep = MemoryUpkeep(self.data, clock)

    @property
    def location(self) -> str:
        return LOCATION

    def waiter(self, topic: str) -> Waiter:
        return self.data.waiter(topic)

    def close(self) -> None:
        pass
