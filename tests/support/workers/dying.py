"""Death at a chosen point: a store whose process kills itself around its n-th commit."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from baton.ports.store import Store


def die_at_commit(store: Store, where: str, number: int) -> None:
    """`where` is "before commit" or "after commit": all statements done, or the commit too, but nothing said yet."""
    database: Any = vars(store)["_db"]
    write, commits = database.write, count(1)

    @contextmanager
    def mortal(*arguments: Any, **named: Any) -> Iterator[Any]:
        dies = next(commits) == number
        with write(*arguments, **named) as tx:
            yield tx
            if dies and where == "before commit":
                die()
        if dies:
            die()

    database.write = mortal


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
