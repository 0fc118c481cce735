"""A language model: one verb. And the pull of one that is not here yet, which is asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
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


@value
class Pull:
    """A model that is not here, and what fetching it means. `sources` are asked in this order; `kept` of the `bytes`
    are here from a pull that was cut; the whole must have `sha256`.
    """

    model: str
    title: str
    bytes: int
    kept: int
    sources: tuple[str, ...]
    directory: str
    sha256: str
    licence: str


Consent = Callable[[Pull], Awaitable[bool]]
"""Asked before the first byte; False leaves everything as it is."""


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
