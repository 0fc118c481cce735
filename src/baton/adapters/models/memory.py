"""What a provider wants back word for word: signed reasoning, which Baton's own record does not hold.

A model that reasons between tool calls signs its thoughts and expects them in the next request. They live as long as
the process; afterwards the plain record is sent, which every provider takes too.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

    from baton.core.agent.message import AssistantMessage, Call

_KEPT = 256

Key = tuple[str, ...]


class Replies:
    """The newest answers with tool calls, found again by the message that came of them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, tuple[str, tuple[Call, ...], ModelResponse]] = OrderedDict()

    def keep(self, text: str, calls: tuple[Call, ...], response: ModelResponse) -> None:
        if calls:
            self._kept[_key(calls)] = (text, calls, response)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def of(self, message: AssistantMessage) -> ModelResponse | None:
        """The answer as it came, if this message is still what it was."""
        text, calls, response = self._kept.get(_key(message.calls), ("", (), None))
        return response if response and (text, calls) == (message.text, message.calls) else None


def _key(calls: tuple[Call, ...]) -> Key:
    return tuple(call.id for call in calls)
