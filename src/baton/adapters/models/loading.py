"""Imports the model library, which costs one to three seconds: in a thread, and as early as it may be needed.

Heavy imports happen one at a time and without the garbage collector. Up to CPython 3.12 a collection in the middle of
`importlib`'s locks can end an import with a KeyError and leave its module locked for ever; several threads import here.
"""

from __future__ import annotations

import gc
import importlib
import warnings
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Lock, RLock, Thread
from typing import Any, TypeVar, cast

from baton.adapters.models.registry import Environ, Provider, kind

T = TypeVar("T")

_OURS_WITH_LIBRARY = ("build", "errors", "pieces", "rehearsal", "translate")
_LIBRARIES = ("pydantic_ai", "openai", "anthropic", "google")

_PLAIN = "plain"
_started: dict[str, Future[None]] = {}
_lock = Lock()
_turn = RLock()

_WALKING = ("openai.resources.chat.completions.completions", "openai.resources.responses.responses")
_WALK = "async_maybe_transform"


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


def load(provider: Provider, environ: Environ) -> Future[None]:
    """Imports all that the provider needs and rehearses a request, once. A failed attempt is repeated."""
    key = kind(provider, environ)
    with _lock:
        known = _started.get(key)
        if known is None or (known.done() and known.exception()):
            known = _started[key] = run_in_thread(lambda: _load_alone(provider, environ))
        return known


def _load_alone(provider: Provider, environ: Environ) -> None:
    with import_alone():
        _load(provider, environ)


def _load(provider: Provider, environ: Environ) -> None:
    for library in _LIBRARIES:
        warnings.filterwarnings("ignore", module=rf"{library}\b")
    importlib.import_module(f"pydantic_ai.models.{provider.module}" if provider.module else "pydantic_ai.models")
    for name in _OURS_WITH_LIBRARY:
        importlib.import_module(f"baton.adapters.models.{name}")
    if provider.sdk == "openai":
        make_lean()
    if provider.module:
        from baton.adapters.models.rehearsal import rehearse

        rehearse(provider, environ)
    gc.freeze()  # modules are no garbage: looking through them takes a quarter of a second, in the middle of an answer


def load_plain() -> Future[None]:
    """Imports what models over plain HTTP need, once."""
    with _lock:
        known = _started.get(_PLAIN)
        if known is None or (known.done() and known.exception()):
            known = _started[_PLAIN] = run_in_thread(_load_plain)
        return known


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


def make_lean() -> None:
    """Takes the walk through every message out of OpenAI's SDK, for this process. Imports the SDK.

    Before a request the SDK looks at each field of each message and tool for one to rename or to encode. Its chat and
    its responses know neither, and what it is given here is plain data; yet the walk is most of the work of a request,
    and it grows with the conversation. An SDK that is built differently stays as it is.
    """
    from openai import NotGiven, Omit

    async def drop_omitted(data: object, _: object) -> object:
        """All that was given, without what was left out."""
        if not isinstance(data, Mapping):
            return data
        known = cast("Mapping[str, Any]", data)
        return {name: each for name, each in known.items() if not isinstance(each, Omit | NotGiven)}

    for name in _WALKING:
        module = importlib.import_module(name)
        if hasattr(module, _WALK):
            setattr(module, _WALK, drop_omitted)
