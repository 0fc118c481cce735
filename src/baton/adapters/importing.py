"""Heavy imports in a thread, one at a time and without the garbage collector.

Up to CPython 3.12 a collection in the middle of `importlib`'s locks can end an import with a KeyError and leave its
module locked for ever. Several threads import here, so the collector rests while the largest library comes in.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager
from threading import RLock

_turn = RLock()


@contextmanager
def alone() -> Generator[None]:
    with _turn:
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()
