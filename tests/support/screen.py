"""A program on a real pseudo-terminal, seen through a terminal emulator.

    async with Screen(["-m", "baton"], environ, directory) as screen:
        await screen.shows("Ask, or:")
        screen.type("hello\\r")
        await screen.shows("answer")

Nothing here sleeps for a guess: `shows` waits for what is on the screen, with a deadline. `raw` is every byte the
program wrote to the terminal.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import struct
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pyte

from tests.support.patience import PATIENCE

ENTER, ESCAPE, TAB, UP, DOWN = "\r", "\x1b", "\t", "\x1b[A", "\x1b[B"
CTRL_C, CTRL_J, CTRL_O, CTRL_Y = "\x03", "\x0a", "\x0f", "\x19"
_IN_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


class Screen:
    def __init__(
        self, arguments: Sequence[str], environ: Mapping[str, str], directory: Path, size: tuple[int, int] = (100, 32)
    ) -> None:
        self._arguments = arguments
        self._environ = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": os.environ["PATH"], **environ}
        self._directory = directory
        self._columns, self._rows = size
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._changed = asyncio.Event()
        self.raw = b""

    async def __aenter__(self) -> Screen:
        self._master, slave = os.openpty()
        self.resize(self._columns, self._rows)
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _IN_TERMINAL,
            *self._arguments,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=self._directory,
            env=self._environ,
            start_new_session=True,
        )
        os.close(slave)
        asyncio.get_running_loop().add_reader(self._master, self._read)
        return self

    async def __aexit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    async def shows(self, text: str | Callable[[str], bool]) -> str:
        """Waits until the screen has this text, however it is wrapped, or fits; gives it back. Fails with what is
        there instead.
        """
        fits = (lambda shown: text in shown or text in unwrapped(shown)) if isinstance(text, str) else text
        try:
            async with asyncio.timeout(PATIENCE):
                while not fits(self.text):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"the screen never showed {text!r}:\n{self.text}") from None
        return self.text

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    async def feed(self, text: str) -> None:
        """Types a text of any length: as much as the terminal takes, and the rest once the program has read that."""
        data = memoryview(text.encode())
        os.set_blocking(self._master, False)
        while data:
            try:
                data = data[os.write(self._master, data) :]
            except BlockingIOError:
                await asyncio.sleep(0.002)
        os.set_blocking(self._master, True)

    def paste(self, text: str) -> None:
        self.type(f"\x1b[200~{text}\x1b[201~")

    def resize(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def kill(self) -> None:
        """As the kernel does it: nothing can be said or kept any more."""
        self.process.send_signal(signal.SIGKILL)

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()

    def _read(self) -> None:
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the other side is gone
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
        self.raw += data
        self._stream.feed(data)
        self._changed.set()


def unwrapped(shown: str) -> str:
    return " ".join(shown.split())
