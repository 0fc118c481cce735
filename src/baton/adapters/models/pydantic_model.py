"""A model that only the model library knows how to speak to."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing
from typing import TYPE_CHECKING, Any

from baton.adapters.models.address import host_of
from baton.adapters.models.background import Background
from baton.adapters.models.replies import Replies
from baton.adapters.models.traits import Traits
from baton.core.errors import ModelError, UnknownModel

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model

    from baton.core.agent.message import Prompt
    from baton.ports.model import Piece


class PydanticModel:
    """Used from one event loop. `build` makes the library's model; it is called in a thread, once it is needed."""

    def __init__(self, name: str, traits: Traits, build: Callable[[], Model[Any]]) -> None:
        self.name = name
        self._traits = traits
        self._building = Background(build)
        self._replies: Replies[ModelResponse] = Replies()

    @property
    def window(self) -> int:
        """For a model that is not in our table: what the library knows, once it is loaded."""
        built = self._building.finished()
        known = None if built is None or self._traits.settled else built.context_window
        return known or self._traits.window

    @property
    def images(self) -> bool:
        return self._traits.images

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        host = ""
        try:
            built = await self._building.get()
            host = host_of(built.base_url or "")
            async with aclosing(self._answer(built, prompt)) as pieces:
                async for piece in pieces:
                    yield piece
        except ModelError:
            raise
        except Exception as error:  # noqa: BLE001, the library's edge: whatever it raises becomes a `ModelError`
            raise self._error(error, host, prompt) from None

    async def close(self) -> None:
        if built := self._building.take():
            async with built:
                pass  # it closes its connections on the way out

    async def _answer(self, built: Model[Any], prompt: Prompt) -> AsyncGenerator[Piece]:
        from baton.adapters.models.pieces import pieces
        from baton.adapters.models.translate import Manner, ask

        traits = self._traits
        asked = ask(prompt, built, self._replies, Manner(traits.images, traits.thinking, traits.timeout))
        async with AsyncExitStack() as stack:
            request = built.request_stream(asked.messages, asked.settings, asked.parameters)
            stream = await stack.enter_async_context(request)
            found = await stack.enter_async_context(aclosing(pieces(stream, self.name, self._replies)))
            async for piece in found:
                yield piece

    def _error(self, error: Exception, host: str, prompt: Prompt) -> ModelError:
        try:
            from baton.adapters.models.errors import model_error
            from baton.adapters.models.failure import Case
        except ImportError:
            return UnknownModel(model=self.name, reason="the model library cannot be imported; install Baton again")
        return model_error(error, Case(self.name, host, self._traits.timeout, self._traits.secrets, prompt))
