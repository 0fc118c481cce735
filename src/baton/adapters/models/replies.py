"""Answers as they came, kept for the requests that follow them."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from baton.core.agent.message import AssistantMessage, Call

T = TypeVar("T")
Key = tuple[str, ...]

_KEPT = 256


class Replies(Generic[T]):
    """The newest answers with tool calls, found again by the message that came of them.

    A model that reasons between tool calls signs its thoughts and expects them back word for word in the next request;
    Baton's own record does not hold them. They live as long as the process; afterwards the plain record is sent, which
    every provider takes too.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, tuple[str, tuple[Call, ...], T]] = OrderedDict()

    def keep(self, text: str, calls: tuple[Call, ...], response: T) -> None:
        if calls:
            self._kept[_key(calls)] = (text, calls, response)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def of(self, message: AssistantMessage) -> T | None:
        """The answer as it came, if the message has not changed since."""
        text, calls, response = self._kept.get(_key(message.calls), ("", (), None))
        return response if response is not None and (text, calls) == (message.text, message.calls) else None

    def forget(self) -> None:
        self._kept.clear()


def _key(calls: tuple[Call, ...]) -> Key:
    return tuple(call.id for call in calls)
