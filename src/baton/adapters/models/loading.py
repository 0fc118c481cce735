"""The model library costs a second or three to import: it is done in a thread, as early as somebody thinks of it."""

from __future__ import annotations

import gc
import importlib
import warnings
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import TypeVar

from baton.adapters.importing import alone
from baton.adapters.models.registry import Environ, Provider, kind

T = TypeVar("T")

_OURS = ("build", "errors", "pieces", "rehearsal", "translate")
_LIBRARIES = ("pydantic_ai", "openai", "anthropic", "google")

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


def load(provider: Provider, environ: Environ) -> Future[None]:
    """Imports all that the provider needs and tries it out, once. What failed is tried again."""
    key = kind(provider, environ)
    with _lock:
        known = _started.get(key)
        if known is None or (known.done() and known.exception()):
            known = _started[key] = in_thread(lambda: _load_alone(provider, environ))
        return known


def _load_alone(provider: Provider, environ: Environ) -> None:
    with alone():
        _load(provider, environ)


def _load(provider: Provider, environ: Environ) -> None:
    for library in _LIBRARIES:
        warnings.filterwarnings("ignore", module=rf"{library}\b")
    importlib.import_module(f"pydantic_ai.models.{provider.module}" if provider.module else "pydantic_ai.models")
    for name in _OURS:
        importlib.import_module(f"baton.adapters.models.{name}")
    if provider.sdk == "openai":
        from baton.adapters.models.lean import make_lean

        make_lean()
    if provider.module:
        from baton.adapters.models.rehearsal import rehearse

        rehearse(provider, environ)
    gc.freeze()  # modules are no garbage: looking through them takes a quarter of a second, in the middle of an answer
