"""Who owns a conversation: a surface's process, named so that others on its machine can tell whether it still lives.

    terminal:4711:k3xw9a                            which surface, which process, and a token of its own
    terminal:4711:k3xw9a@9f2c…41.8812345            and where: the place its number is valid in, and when it started

The place is a machine between two of its starts, and there one table of processes: a container has a table of its own.
A process number comes again after a while, so only the number together with the start names one process.
"""

from __future__ import annotations

from baton.core.value import value


@value
class Process:
    """`place` is where its number is valid; `started` is in ticks since the machine started."""

    place: str
    pid: int
    started: int


@value
class Owner:
    """`process` is None where it could not be found out, or the owner was named by an older Baton."""

    surface: str
    token: str
    pid: int
    process: Process | None = None

    def __str__(self) -> str:
        name = f"{self.surface}:{self.pid}:{self.token}"
        return f"{name}@{self.process.place}.{self.process.started}" if self.process else name


def parse_owner(text: str) -> Owner | None:
    """None for an owner of another form: nothing is known of its process."""
    name, at, where = text.partition("@")
    surface, _, rest = name.partition(":")
    pid, _, token = rest.partition(":")
    if not (surface and pid.isdecimal() and token):
        return None
    place, dot, started = where.partition(".")
    known = at and place and dot and started.isdecimal()
    return Owner(surface, token, int(pid), Process(place, int(pid), int(started)) if known else None)


_SURFACES = {
    "gateway": "a gateway",
    "terminal": "a terminal",
    "editor": "an editor",
    "run": "a script",
    "handoff": "a handoff",
}


def describe_owner(text: str, *, capital: bool = False) -> str:
    """`an editor (process 5969)`; for people, who should not read tokens."""
    known = parse_owner(text)
    surface, pid = (known.surface, known.pid) if known else (text.partition(":")[0], 0)
    words = _SURFACES.get(surface, "another process")
    words = f"{words} (process {pid})" if pid else words
    return words[0].upper() + words[1:] if capital else words


def short_owner(text: str) -> str:
    """Without where its process is, for people."""
    return text.partition("@")[0]
