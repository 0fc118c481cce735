"""Repairs that are killed, and what the next one makes of it. A process of its own, because it forks.

    python -m tests.support.killed_repairs moments|steps <directory with a damaged baton.db> <scratch directory>

Prints how many repairs were killed before they were done; fails loudly if one could not be finished.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.stores.sqlite.repair import repair
from baton.testing.clock import FrozenClock
from tests.support.stocked import everything

MOMENTS = 20
STEPS = ("rename", "unlink", "fsync", "rmdir")


def child(path: Path, before: Callable[[], None] = lambda: None) -> int:
    pid = os.fork()
    if pid == 0:
        before()
        repair(str(path), clock=FrozenClock())
        os._exit(0)
    return pid


def killed(pid: int) -> bool:
    _, status = os.waitpid(pid, 0)
    assert status in (0, signal.SIGKILL), status
    return status != 0


def at_moment(path: Path, moment: float) -> bool:
    pid = child(path)
    time.sleep(moment)
    os.kill(pid, signal.SIGKILL)
    return killed(pid)


def at_step(path: Path, number: int) -> bool:
    """Killed just before the given one of all calls that change what is on the disk for good."""
    left = number

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*given: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*given, **named)

        return counting

    def count() -> None:
        for name in STEPS:
            setattr(os, name, counted(getattr(os, name)))

    return killed(child(path, count))


def finish(path: Path, damaged: bytes) -> list[str]:
    done = repair(str(path), clock=FrozenClock())
    copies = [copy for copy in path.parent.glob("*.damaged-*") if not copy.name.endswith("-wal")]
    assert [copy.read_bytes() for copy in copies] == [damaged], copies
    left = [name for name in os.listdir(path.parent) if ".repair" in name or name.endswith(".partial")]
    assert not left, left
    with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
        assert [finding.level for finding in store.upkeep.check()] == ["ok"], done
        return everything(store)


def copies(source: Path, scratch: Path) -> Iterator[Path]:
    while True:
        shutil.copytree(source, scratch / "run")
        yield scratch / "run" / "baton.db"
        shutil.rmtree(scratch / "run")


def main(kind: str, source: Path, scratch: Path) -> int:
    damaged = (source / "baton.db").read_bytes()
    runs = copies(source, scratch)
    start = time.monotonic()
    expected = finish(next(runs), damaged)
    longest, count = time.monotonic() - start, 0
    if kind == "moments":
        while count < MOMENTS:
            path = next(runs)
            if at_moment(path, random.uniform(0, longest)):
                count += 1
            else:
                longest *= 0.9  # this one was faster than thought
            assert finish(path, damaged) == expected
    else:
        while at_step(path := next(runs), count + 1):
            count += 1
            assert finish(path, damaged) == expected
    print(count)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
