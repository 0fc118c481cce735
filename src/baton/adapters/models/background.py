"""Something that takes long to make, made in a thread once it is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from baton.adapters.models.loading import run_in_thread

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


class Background(Generic[T]):
    """`make` is called in a thread, which holds up no event loop. A failed attempt is repeated next time."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._making: Future[T] | None = None

    async def get(self) -> T:
        made = self.begin()
        return made.result() if made.done() else await asyncio.wrap_future(made)

    def finished(self) -> T | None:
        """What was made, if it is there."""
        making = self._making
        return making.result() if making is not None and making.done() and not making.exception() else None

    def take(self) -> T | None:
        """What was made, which is made anew when it is needed again."""
        made = self.finished()
        if made is not None:
            self._making = None
        return made

    def begin(self) -> Future[T]:
        """Does not wait for it."""
        if self._making is None or (self._making.done() and self._making.exception()):
            self._making = run_in_thread(self._make)
        return self._making
