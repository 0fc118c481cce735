"""Questions that a command asks at a terminal: may the work of `baton run` continue in a fresh session, may a model be
pulled?

Enter means yes, the end of the terminal no. Where nobody sits at a terminal nothing is asked: the work continues in the
session it is in, and a pull is told on standard error and begins.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, TextIO, cast

from baton.surfaces.shared import handoffs
from baton.surfaces.shared.wording import describe_pull_plan
from baton.surfaces.words import run as words

if TYPE_CHECKING:
    from baton.core.agent.event import HandoffOffered
    from baton.ports.model import Pull
    from baton.surfaces.shared.chat import Chat


def can_ask() -> bool:
    """Whether somebody sits at a terminal and sees what is written beside the answer."""
    stdin = cast("TextIO | None", sys.stdin)
    return stdin is not None and stdin.isatty() and sys.stderr.isatty()


def is_yes(line: str) -> bool:
    """Enter, or anything that is not a no. A line without its end was cut off: nobody is there."""
    return line.endswith("\n") and line.strip().lower() not in ("n", "no")


class TerminalLine:
    """Reads one line beside the event loop."""

    def __init__(self) -> None:
        self._line: asyncio.Future[str] | None = None

    async def read(self, prompt: str) -> str | None:
        """A line from the terminal, without its end if the terminal was closed; None if it was stopped."""
        _tell(prompt)
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


class PullConsent:
    """Tells what a pull would fetch, and asks at a terminal. A yes is good for this model while the process lives."""

    def __init__(self, *, asks: bool) -> None:
        self._asks = asks
        self._agreed: set[str] = set()

    async def __call__(self, plan: Pull) -> bool:
        if plan.model in self._agreed:
            return True
        _tell(words.PULL.format(plan=describe_pull_plan(plan)))
        if self._asks and not is_yes(await TerminalLine().read(words.MAY_PULL) or ""):
            return False
        self._agreed.add(plan.model)
        return True


def may_pull(plan: Pull, *, asks: bool) -> bool:
    """As `PullConsent`, for a command without an event loop."""
    _tell(words.PULL.format(plan=describe_pull_plan(plan)))
    if asks:
        _tell(words.MAY_PULL)
    return not asks or is_yes(sys.stdin.readline())


class Question:
    """`offered` is the draft that the last turn was stopped for."""

    def __init__(self, chat: Chat, *, asks: bool) -> None:
        self.offered: HandoffOffered | None = None
        self._chat = chat
        self._asks = asks
        self._line = TerminalLine()

    async def answer(self) -> bool:
        """Carries out the answer. False if there was no question, or if it was stopped: then the draft waits."""
        offered, self.offered = self.offered, None
        if offered is None:
            return False
        if not self._asks:
            return await self._stay(offered, words.NOBODY_TO_ASK.format(conversation=self._chat.current().id))
        said = await self._line.read(words.START_IT)
        if said is None:
            return False
        if not is_yes(said):
            return await self._stay(offered, words.STAYED)
        await handoffs.start(self._chat, offered.draft_id)
        return True

    async def _stay(self, offered: HandoffOffered, told: str) -> bool:
        await handoffs.cancel(self._chat, offered.draft_id)
        _tell(f"{told}\n")
        return True

    def stop(self) -> bool:
        """Takes the question back. False if none is open."""
        return self._line.stop()


def _tell(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
