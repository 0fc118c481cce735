"""The question that stops a turn of `baton run`: may the work continue in a fresh session?

With a terminal you are asked; without one, or without an answer, the work continues in the session it is in.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, TextIO, cast

from baton.surfaces.shared import handoffs

if TYPE_CHECKING:
    from baton.core.agent.event import HandoffOffered
    from baton.surfaces.shared.chat import Chat

PROMPT = "Start it? [Y/n] "
NOBODY = (
    "◆ Nobody can be asked here, so the work continues in this session. For a fresh one: baton handoff {conversation}"
)
STAYED = "◆ The work continues in this session."


class Question:
    """`offered` is the draft that the last turn was stopped for."""

    def __init__(self, chat: Chat, *, asks: bool) -> None:
        self.offered: HandoffOffered | None = None
        self._chat = chat
        self._asks = asks
        self._line: asyncio.Future[str] | None = None

    @staticmethod
    def can_ask() -> bool:
        """Whether somebody sits at a terminal and sees what is written beside the answer."""
        stdin = cast("TextIO | None", sys.stdin)
        return stdin is not None and stdin.isatty() and sys.stderr.isatty()

    async def answer(self) -> bool:
        """Carries out the answer. False if there was no question, or if it was stopped: then the draft waits."""
        offered, self.offered = self.offered, None
        if offered is None:
            return False
        if not self._asks:
            return await self._stay(offered, NOBODY.format(conversation=self._chat.current().id))
        said = await self._ask()
        if said is None:
            return False
        if said.strip().lower() in ("n", "no") or not said.endswith("\n"):
            return await self._stay(offered, STAYED)
        await handoffs.start(self._chat, offered.draft_id)
        return True

    async def _stay(self, offered: HandoffOffered, told: str) -> bool:
        await handoffs.cancel(self._chat, offered.draft_id)
        _tell(f"{told}\n")
        return True

    async def _ask(self) -> str | None:
        """A line from the terminal, without its end if the terminal was closed; None if it was stopped."""
        _tell(PROMPT)
        loop = asyncio.get_running_loop()
        line = self._line = loop.create_future()

        def read() -> None:
            if not line.done():
                line.set_result(sys.stdin.readline())

        loop.add_reader(sys.stdin.fileno(), read)
        try:
            return await line
        except asyncio.CancelledError:
            if line.cancelled():
                return None
            raise
        finally:
            self._line = None
            loop.remove_reader(sys.stdin.fileno())

    def stop(self) -> bool:
        """Takes the question back. False if none is open."""
        return self._line is not None and self._line.cancel()


def _tell(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
