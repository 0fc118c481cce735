"""Imports what models need, in a thread and as early as it may be needed: for plain HTTP that is a tenth of a second,
for the model library one to three.

Heavy imports happen one at a time and without the garbage collector. Up to CPython 3.12 a collection in the middle of
`importlib`'s locks can end an import with a KeyError and leave its module locked for ever; several threads import here.
"""

from __future__ import annotations

import gc
import importlib
import warnings
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Lock, RLock, Thread
from typing import TypeVar

T = TypeVar("T")

_OURS_WITH_LIBRARY = ("errors", "pieces", "translate")
_LIBRARIES = ("pydantic_ai", "openai", "anthropic", "google")

_started: dict[str, Future[None]] = {}
_lock = Lock()
_turn = RLock()


def run_in_thread(work: Callable[[], T]) -> Future[T]:
    """Runs `work` in a daemon thread, which blocks neither an event loop nor the end of the process."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def body() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001, it is raised where the future is awaited
            future.set_exception(error)

    Thread(target=body, name="baton-models", daemon=True).start()
    return future


def load_library() -> Future[None]:
    """Imports the model library, once. A failed attempt is repeated."""
    return _load_once("library", _load_library)


def load_plain() -> Future[None]:
    """Imports what models over plain HTTP need, once."""
    return _load_once("plain", _load_plain)


def _load_once(name: str, load: Callable[[], None]) -> Future[None]:
    with _lock:
        known = _started.get(name)
        if known is None or (known.done() and known.exception()):
            known = _started[name] = run_in_thread(load)
        return known


def _load_library() -> None:
    with import_alone():
        for library in _LIBRARIES:
            warnings.filterwarnings("ignore", module=rf"{library}\b")
        for name in _OURS_WITH_LIBRARY:
            importlib.import_module(f"baton.adapters.models.{name}")
        gc.freeze()  # modules are no garbage: looking through them takes a quarter of a second during an answer


def _load_plain() -> None:
    with import_alone():
        importlib.import_module("baton.adapters.models.plain.line")


@contextmanager
def import_alone() -> Generator[None]:
    """Inside such a block no other thread loads a library, and the garbage collector rests."""
    with _turn:
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()
