"""A language model: one verb."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Protocol

from baton.core.value import value

if TYPE_CHECKING:
    from baton.core.agent.message import Call, Prompt, Usage


@value
class Text:
    """A piece of the answer."""

    text: str


@value
class Reasoning:
    """A piece of the model's thinking, where a provider shows it."""

    text: str


@value
class Called:
    """A whole tool call; fragments are put together by the adapter."""

    call: Call


@value
class Finished:
    """The last thing of every stream. `stop` is stop, calls, length or refusal."""

    usage: Usage
    stop: str


Piece = Text | Reasoning | Called | Finished


class Model(Protocol):
    @property
    def name(self) -> str:
        """`provider:name`."""
        ...

    @property
    def window(self) -> int:
        """Tokens of context the model takes, output included."""
        ...

    @property
    def images(self) -> bool:
        """Whether it takes images."""
        ...

    def stream(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """The answer as it comes; `Finished` last and once. Raises a `ModelError`; closing the iterator stops the
        request within a second.
        """
        ...

    async def close(self) -> None: ...
