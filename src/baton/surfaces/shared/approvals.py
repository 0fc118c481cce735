"""An approver that waits for whoever answers first on any surface of this process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from baton.ports.approver import Answer

if TYPE_CHECKING:
    from baton.core.agent.event import ApprovalAsked


class PendingApprover:
    """`ask` waits; `answer` decides, once. A question nobody can answer any more is a no."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[Answer]] = {}

    async def ask(self, asked: ApprovalAsked) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[asked.call_id] = future
        try:
            return await future
        finally:
            self._waiting.pop(asked.call_id, None)

    def answer(self, call_id: str, answer: Answer) -> bool:
        """False if nobody waits for this answer any more."""
        future = self._waiting.get(call_id)
        if future is None or future.done():
            return False
        future.set_result(answer)
        return True


class NoApprover:
    """For scripts: there is nobody to ask."""

    async def ask(self, asked: ApprovalAsked) -> Answer:
        return Answer(False, comment=f"nobody can approve {asked.tool} here (--yes allows it)")
