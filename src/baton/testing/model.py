"""A model that says what a test wrote for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from baton.core.agent.message import Call, Prompt, Usage
from baton.ports.model import Called, Finished, Piece, Text

Line = str | Call | float | asyncio.Event | Exception | Piece
"""Text to say, a call to make, seconds or what to wait for, an error to raise, or a piece as it is."""

Script = Sequence[Sequence[Line]] | Callable[[Prompt], Sequence[Line]]


class FakeModel:
    """Plays one line of the script per request, then repeats the last; remembers every prompt."""

    def __init__(self, script: Script, *, window: int = 32_000, name: str = "fake:model") -> None:
        self._script = script
        self.name = name
        self.window = window
        self.images = True
        self.prompts: list[Prompt] = []
        self.stopped = 0

    async def stream(self, prompt: Prompt) -> AsyncIterator[Piece]:
        self.prompts.append(prompt)
        lines = self._lines(prompt)
        try:
            for line in lines:
                if isinstance(line, Exception):
                    raise line
                if isinstance(line, float | int):
                    await asyncio.sleep(line)
                elif isinstance(line, asyncio.Event):
                    await line.wait()
                else:
                    yield _piece(line)
            if not any(isinstance(line, Finished) for line in lines):
                yield Finished(Usage(), "calls" if any(isinstance(line, Call) for line in lines) else "stop")
        except (asyncio.CancelledError, GeneratorExit):
            self.stopped += 1
            raise

    def _lines(self, prompt: Prompt) -> Sequence[Line]:
        if callable(self._script):
            return self._script(prompt)
        return self._script[min(len(self.prompts), len(self._script)) - 1]

    async def close(self) -> None:
        pass


def _piece(line: str | Call | Piece) -> Piece:
    if isinstance(line, str):
        return Text(line)
    return Called(line) if isinstance(line, Call) else line
