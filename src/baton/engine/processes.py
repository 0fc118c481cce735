"""Processes of this machine: naming this one as an owner, and telling whether another owner's is gone.

In doubt an owner lives, and its lease decides: on another machine, in another container, without `/proc`, or named by
an older Baton. A process that is stopped lives. Whoever is wrong about it loses nothing: the epoch refuses late writes.
"""

from __future__ import annotations

import gc
import hashlib
import os
from contextlib import suppress
from functools import cache

from baton.core.ids import new_id
from baton.core.log.owner import Owner, Process, parse_owner
from baton.core.value import value

_tokens: set[str] = set()
_here: dict[int, Process] = {}
"""This process, by its number: a child that was forked off is another."""
_DEAD = ("Z", "X", "x")
_ARENA_MAX = -8
"""`M_ARENA_MAX` of `mallopt`, in glibc."""


def new_owner(surface: str) -> str:
    """A name for one that claims, in this process."""
    token = new_id("turn")[2:8]
    _tokens.add(token)
    return str(Owner(surface, token, os.getpid(), this_process()))


def is_gone(owner: str) -> bool:
    """Whether its process certainly lives no more. A process that replaced itself by another program is gone too, as
    far as that program itself is asked.
    """
    known = parse_owner(owner)
    here = this_process()
    if known is None or known.process is None or here is None or known.process.place != here.place:
        return False
    if known.process == here:
        return known.token not in _tokens
    return not _lives(known.process)


def share_memory_of_threads() -> None:
    """From now on all threads allocate from one pool. Otherwise the C library gives each its own, and what a thread has
    freed there serves no other. For a process that lives long; where it cannot be set, nothing happens.
    """
    import ctypes  # every command imports this module, and few need it

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back_memory() -> None:
    """Returns to the system what the C library's allocator keeps after a burst; where it cannot, nothing happens."""
    import ctypes  # every command imports this module, and few need it

    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def this_process() -> Process | None:
    """None where the system does not tell enough."""
    pid = os.getpid()
    if (known := _here.get(pid)) is None and (place := _place(pid)) and (seen := _look_at(pid)):
        known = _here[pid] = Process(place, pid, seen.started)
    return known


@value
class _Seen:
    state: str
    started: int


def _lives(process: Process) -> bool:
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's, and it lives; whether it is the same one is seen below
        pass
    seen = _look_at(process.pid)
    if seen is None:
        return True
    return seen.started == process.started and not (seen.state in _DEAD and _is_alone(process.pid))


def _is_alone(pid: int) -> bool:
    """Whether no thread is left beside the first, which may end before the others."""
    try:
        return len(os.listdir(f"/proc/{pid}/task")) <= 1
    except OSError:
        return True


def _look_at(pid: int) -> _Seen | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return _Seen(fields[0].decode(), int(fields[19]))
    except (OSError, ValueError, IndexError):
        return None


@cache
def _place(pid: int) -> str:
    """The machine since its start, and the table that process numbers stand in; empty where one is unknown."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
        table = os.readlink("/proc/self/ns/pid")
        sight = os.readlink("/proc/self")
    except OSError:
        return ""
    if not boot or sight != str(pid):  # a /proc of another table would show other processes
        return ""
    return hashlib.sha256(f"{os.uname().nodename}\n{boot}\n{table}".encode()).hexdigest()[:20]
