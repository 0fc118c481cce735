"""A store in memory: the whole port in plain Python, by the same rules and under the same contract suite."""

from baton.testing.memory.data import MemoryData
from baton.testing.memory.store import MemoryStore

__all__ = ["MemoryData", "MemoryStore"]
