"""The model library costs a second or three to import: it is done in a thread, as early as somebody thinks of it."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Lock, Thread
from typing import TypeVar

T = TypeVar("T")

_OURS = ("build", "errors", "pieces", "translate")
_LIBRARIES = "pydantic_ai", "openai", "anthropic", "google"

_started: dict[str, Future[None]] = {}
_lock = Lock()


def in_thread(work: Callable[[], T]) -> Future[T]:
    """Does `work` in a daemon thread, which holds up neither an event loop nor the end of the process."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def body() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001, it is raised where the future is awaited
            future.set_exception(error)

    Thread(target=body, name="baton-models", daemon=True).start()
    return future


def load(module: str) -> Future[None]:
    """Imports what `pydantic_ai.models.MODULE` needs, and our own modules over it, once. An import that failed is tried
    again.
    """
    with _lock:
        known = _started.get(module)
        if known is None or (known.done() and known.exception()):
            names = [f"pydantic_ai.models{f'.{module}' if module else ''}"]
            names += [f"baton.adapters.models.{each}" for each in _OURS]
            known = _started[module] = in_thread(lambda: _import(names))
        return known


def _import(names: Sequence[str]) -> None:
    for library in _LIBRARIES:
        warnings.filterwarnings("ignore", module=rf"{library}\b")
    for name in names:
        importlib.import_module(name)
