"""Terminals of your editor, in which a command may run where you see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from baton.core.value import value


@value
class Exit:
    """How a command ended. `code` is 128 and the signal's number for one that a signal ended, as shells have it; None
    where the editor did not say.
    """

    code: int | None


@value
class Printed:
    """What a terminal holds. `cut` when its beginning was dropped."""

    text: str
    cut: bool


class Terminal(Protocol):
    """One command that was started. Each call raises `OSError` when the editor refuses it or is gone."""

    async def wait(self) -> Exit:
        """Waits for the command, without a limit."""
        ...

    async def read(self) -> Printed: ...

    async def kill(self) -> None:
        """Ends the command; what it printed can still be asked for."""
        ...

    async def release(self) -> None:
        """Releases the terminal; whatever still runs in it is ended. Call it exactly once, whatever happened."""
        ...


class Terminals(Protocol):
    def is_offered(self) -> bool:
        """Whether the editor says it has terminals."""
        ...

    async def open(
        self, command: str, args: Sequence[str], *, cwd: str, env: Mapping[str, str], keep: int
    ) -> Terminal | None:
        """Starts a command and shows its terminal in the call that runs. The last `keep` bytes it prints are kept.

        None if the editor turns out to have no terminals: nothing was started. `OSError` if it refused, or did not
        answer in time: then nobody may start the command by other means. A terminal that opens too late is ended.
        """
        ...
