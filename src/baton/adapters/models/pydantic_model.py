"""A model behind the library's own model layer, which knows how each provider wants to be spoken to."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing
from typing import TYPE_CHECKING, cast

from baton.adapters.models.address import host_of
from baton.adapters.models.loading import run_in_thread
from baton.core.errors import ModelError, UnknownModel
from baton.core.value import value

if TYPE_CHECKING:
    from concurrent.futures import Future

    from pydantic_ai.messages import ModelResponse

    from baton.adapters.models.build import Built
    from baton.core.agent.message import AssistantMessage, Call, Prompt
    from baton.ports.model import Piece


@value
class Traits:
    """What is known of a model before it is asked. `settled` windows are not corrected by what the library knows."""

    window: int
    images: bool
    settled: bool
    thinking: bool | str | None
    timeout: float
    secrets: tuple[str, ...]


class PydanticModel:
    """Used from one event loop. `build` makes the library's model; it is called in a thread, once it is needed."""

    def __init__(self, name: str, traits: Traits, build: Callable[[], Built]) -> None:
        self.name = name
        self._traits = traits
        self._build = build
        self._building: Future[Built] | None = None
        self._replies = Replies()

    @property
    def window(self) -> int:
        """For a model that is not in our table: what the library knows, once it is loaded."""
        built = self._finished_build()
        known = None if built is None or self._traits.settled else built.model.context_window
        return known or self._traits.window

    @property
    def images(self) -> bool:
        return self._traits.images

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        host = ""
        try:
            built = await self._wait_until_built()
            host = host_of(_base_url(built))
            async with aclosing(self._answer(built, prompt)) as pieces:
                async for piece in pieces:
                    yield piece
        except ModelError:
            raise
        except Exception as error:  # noqa: BLE001, the library's edge: whatever it raises becomes a `ModelError`
            raise self._error(error, host, prompt) from None

    async def close(self) -> None:
        if built := self._finished_build():
            await built.wire.close()
            self._building = None

    async def _answer(self, built: Built, prompt: Prompt) -> AsyncGenerator[Piece]:
        from baton.adapters.models.pieces import pieces
        from baton.adapters.models.translate import Manner, ask

        traits = self._traits
        asked = ask(prompt, built.model, self._replies, Manner(traits.images, traits.thinking, traits.timeout))
        async with AsyncExitStack() as stack:
            with built.wire.watch() as opened:
                request = built.model.request_stream(asked.messages, asked.settings, asked.parameters)
                stream = await stack.enter_async_context(request)
            for response in opened:
                stack.push_async_callback(response.aclose)
            found = await stack.enter_async_context(aclosing(pieces(stream, self.name, self._replies)))
            async for piece in found:
                yield piece

    def _error(self, error: Exception, host: str, prompt: Prompt) -> ModelError:
        try:
            from baton.adapters.models.errors import Case, model_error
        except ImportError:
            return UnknownModel(model=self.name, reason="the model library cannot be imported; install Baton again")
        return model_error(error, Case(self.name, host, self._traits.timeout, self._traits.secrets, prompt))

    async def _wait_until_built(self) -> Built:
        """Waits for the thread. A failed build is repeated next time."""
        if self._building is None or (self._building.done() and self._building.exception()):
            self._building = run_in_thread(self._build)
        return await asyncio.wrap_future(self._building)

    def _finished_build(self) -> Built | None:
        done = self._building is not None and self._building.done() and not self._building.exception()
        return cast("Future[Built]", self._building).result() if done else None


def _base_url(built: Built) -> str:
    return built.model.base_url or ""


_KEPT = 256

Key = tuple[str, ...]


class Replies:
    """The newest answers with tool calls, found again by the message that came of them.

    A model that reasons between tool calls signs its thoughts and expects them back word for word in the next request;
    Baton's own record does not hold them. They live as long as the process; afterwards the plain record is sent, which
    every provider takes too.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, tuple[str, tuple[Call, ...], ModelResponse]] = OrderedDict()

    def keep(self, text: str, calls: tuple[Call, ...], response: ModelResponse) -> None:
        if calls:
            self._kept[_key(calls)] = (text, calls, response)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def of(self, message: AssistantMessage) -> ModelResponse | None:
        """The answer as it came, if the message has not changed since."""
        text, calls, response = self._kept.get(_key(message.calls), ("", (), None))
        return response if response and (text, calls) == (message.text, message.calls) else None


def _key(calls: tuple[Call, ...]) -> Key:
    return tuple(call.id for call in calls)
