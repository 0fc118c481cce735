"""How full the context is and what the whole conversation has cost, as an editor shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from baton.core.log.usage import count_tokens
from baton.surfaces.acp import updates
from baton.surfaces.acp.frames import Json
from baton.surfaces.shared.transcript import sum_cost

if TYPE_CHECKING:
    from baton.core.agent.message import Usage
    from baton.core.log.entry import Entry


class UsageMeter:
    def __init__(self) -> None:
        self.used = 0
        self.window = 0
        self.cost: float | None = None
        self._told: Json | None = None

    def pressure(self, tokens: int, window: int) -> None:
        self.used, self.window = tokens, window

    def add(self, usage: Usage) -> None:
        """After a request: its input and output are what is in the context now."""
        self.used = usage.input + usage.output or self.used
        if usage.cost is not None:
            self.cost = (self.cost or 0.0) + usage.cost

    def recall(self, past: Iterable[Entry], head_id: str) -> None:
        """Reads the cost and the size of the context off a transcript that has the entries of the head, copies too."""
        entries = list(past)
        here = [entry for entry in entries if entry.session_id == head_id]
        self.cost = sum_cost(entries)
        self.used = count_tokens(here)

    def news(self) -> Json | None:
        """The update, if it differs from the last one; None while the model's window is unknown."""
        before = self._told
        self._told = updates.usage(self.used, self.window, self.cost) if self.window else None
        return self._told if self._told != before else None
