"""The exit code of each part of a pipeline, which a shell throws away: it tells the last one's only.

A trap in the bash that runs the command reports the codes of the pipeline that ran last, when the shell ends. The
command itself is given unchanged, and its exit code stays what it is without this. Where there is no bash, or where the
command sets a trap of its own or replaces the shell, nothing is reported.
"""

from __future__ import annotations

import fcntl
import os
import stat

_LONGEST = 4096
_MOST = 64
_LOWEST = 100
"""Below this are the descriptors that scripts use."""
_TRAP = """trap '{{ _codes="${{PIPESTATUS[*]}}"; set +x; }} 2>/dev/null; printf %s "$_codes" {to}' EXIT"""


class PipeCodes:
    """Goes with one run of bash: `env` and `descriptors` are for its start, `read` is for after its end.

    The trap is set by what bash reads before a command (`BASH_ENV`), so that no line of the command moves.
    """

    def __init__(self) -> None:
        self._reader, self._writer = _pipe()
        self._script, writing = _pipe()
        trap = _TRAP.format(to=f">&{self._writer}")
        os.write(writing, f"unset BASH_ENV; exec {self._script}<&-; {trap}\n".encode())
        os.close(writing)

    @property
    def env(self) -> dict[str, str]:
        return {"BASH_ENV": f"/dev/fd/{self._script}"}

    @property
    def descriptors(self) -> tuple[int, ...]:
        return self._writer, self._script

    def read(self) -> tuple[int, ...]:
        """Empty if nothing was reported. Does not wait for processes that were left behind."""
        os.set_blocking(self._reader, False)
        try:
            return _parse(os.read(self._reader, _LONGEST))
        except BlockingIOError:
            return ()

    def close(self) -> None:
        for descriptor in (self._reader, self._writer, self._script):
            os.close(descriptor)


def report_to_file(path: str) -> str:
    """A line of bash that sets the trap to write into a file, whose path needs no quotes."""
    return _TRAP.format(to=f">{path}")


def read_report(path: str) -> tuple[int, ...]:
    """The codes in such a file. The command could put anything in its place, so only a plain file is read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ()
    try:
        return _parse(os.read(descriptor, _LONGEST)) if stat.S_ISREG(os.fstat(descriptor).st_mode) else ()
    finally:
        os.close(descriptor)


def _pipe() -> tuple[int, int]:
    reader, writer = os.pipe()
    try:
        return fcntl.fcntl(reader, fcntl.F_DUPFD_CLOEXEC, _LOWEST), fcntl.fcntl(writer, fcntl.F_DUPFD_CLOEXEC, _LOWEST)
    finally:
        os.close(reader)
        os.close(writer)


def _parse(told: bytes) -> tuple[int, ...]:
    words = told.split()
    if len(words) > _MOST or not all(word.isdigit() and len(word) <= 3 for word in words):
        return ()
    return tuple(map(int, words))
