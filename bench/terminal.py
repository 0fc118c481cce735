"""A program in a terminal of its own: a real pty, what it draws, what is typed, and the CPU time it has used.

It answers the one question programs ask a terminal before they draw: whether updates can be synchronised.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

ROWS, COLUMNS = 40, 120
GIVE_UP = 180.0
_PIECE = 1 << 16
_SYNC_ASKED, _SYNC_ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
_TICK = os.sysconf("SC_CLK_TCK")


class Silent(Exception):
    """What was waited for was not drawn; the message says what came last."""


class Terminal:
    """Use as `with`: the program runs inside it and is gone afterwards."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        self._command = command
        self._env = {**env, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self._cwd = cwd
        self._pid = 0
        self._fd = -1
        self.drawn = bytearray()

    def __enter__(self) -> Terminal:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._pid = os.fork()
        if not self._pid:
            try:
                os.close(master)
                os.login_tty(slave)
                os.chdir(self._cwd)
                os.execve(self._command[0], self._command, self._env)
            finally:
                os._exit(127)
        os.close(slave)
        self._fd = master
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._fd)

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def cpu(self) -> float:
        """Milliseconds of CPU, user and system, of the program and of the children it has waited for."""
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) * 1000 / _TICK

    def work(self) -> float:
        """Milliseconds of CPU of the program's main thread, to the microsecond. What it waits for others is not in it,
        so that it is the same on a busy machine.
        """
        return int(Path(f"/proc/{self._pid}/schedstat").read_text().split()[0]) / 1e6

    def until(self, seen: Callable[[bytes], bool], seconds: float = GIVE_UP) -> float:
        """The moment at which what was drawn from now on satisfied `seen`, in nanoseconds. Raises `Silent`."""
        start, end = len(self.drawn), time.monotonic() + seconds
        while time.monotonic() < end:
            if self.take(end - time.monotonic()) and seen(bytes(self.drawn[start:])):
                return time.perf_counter_ns()
        raise Silent(f"not drawn within {seconds:.0f} s; last: {bytes(self.drawn[-300:])!r}")

    def take(self, seconds: float) -> bool:
        """Takes what comes next; False if nothing came in that time."""
        if not select.select([self._fd], [], [], max(0.0, seconds))[0]:
            return False
        try:
            piece = os.read(self._fd, _PIECE)
        except OSError:
            raise Silent(f"the program ended; last: {bytes(self.drawn[-300:])!r}") from None
        if _SYNC_ASKED in piece:
            os.write(self._fd, _SYNC_ANSWER)
        self.drawn += piece
        return True

    def settle(self, quiet: float = 1.0, seconds: float = GIVE_UP) -> None:
        """Waits until the program rests: less than a twentieth of a CPU for `quiet` seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            used, began = self.cpu(), time.monotonic()
            while (left := quiet - (time.monotonic() - began)) > 0:
                self.take(left)
            if self.cpu() - used < quiet * 1000 / 20:
                return
        raise Silent("the program did not come to rest")
