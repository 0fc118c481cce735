"""Makes the library's model for a provider of the table. Imports the library: only `loading` imports this."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

import httpx2
from pydantic_ai.models import Model, create_async_httpx2_client, infer_model
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider as Service
from pydantic_ai.providers import infer_provider, infer_provider_class

from baton.adapters.models.registry import COMPATIBLE, NO_KEY, Environ, Provider, address, key, kind
from baton.core.value import value

_MAX_TOKENS = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
_MAX_COMPLETION_TOKENS = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=True)
_REASONING = ("gpt-5", "gpt-6", "o1", "o3", "o4")


@value
class Built:
    """A model of the library, and the connections that are ours to close."""

    model: Model[Any]
    wire: Wire


def build(provider: Provider, name: str, environ: Environ, timeout: float) -> Built:
    """Raises what the library raises: for a missing package, a missing key, or an unknown name."""
    wire = Wire(timeout)
    return Built(make(provider, name, environ, wire.http), wire)


def make(provider: Provider, name: str, environ: Environ, http: httpx2.AsyncClient) -> Model[Any]:
    known = kind(provider, environ)
    if known == COMPATIBLE:
        return _compatible(provider, name, environ, http)
    model = infer_model(f"{known}:{name}", lambda known: _service(known, provider, environ, http))
    return _with_max_tokens(model) if provider.name == "ollama" else model


def _compatible(provider: Provider, name: str, environ: Environ, http: httpx2.AsyncClient) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    # OpenAI's reasoning models refuse `max_tokens`; many servers know nothing else.
    profile = _MAX_COMPLETION_TOKENS if name.startswith(_REASONING) else _MAX_TOKENS
    service = OpenAICompatibleProvider(
        provider.name,
        base_url=address(provider, environ),
        api_key=key(provider, environ) or NO_KEY,
        http_client=http,
        profile=profile,
    )
    return OpenAIChatModel(name, provider=service)


def _with_max_tokens(model: Model[Any]) -> Model[Any]:
    """Ollama ignores `max_completion_tokens`, and its answer would not end."""
    return cast("Any", type(model))(model.model_name, provider=model.provider, profile=_MAX_TOKENS)


def _service(known: str, provider: Provider, environ: Environ, http: httpx2.AsyncClient) -> Service[Any]:
    if not provider.module:
        return infer_provider(known)
    if provider.name == "anthropic":
        return _anthropic(environ, provider, http)
    given: dict[str, Any] = {"api_key": key(provider, environ) or NO_KEY, "http_client": http}
    if base := address(provider, environ):
        given["base_url"] = base
    return cast("Any", infer_provider_class(known))(**given)


def _anthropic(environ: Environ, provider: Provider, http: httpx2.AsyncClient) -> Service[Any]:
    from anthropic import AsyncAnthropic
    from pydantic_ai.providers.anthropic import AnthropicProvider

    token = environ.get("ANTHROPIC_AUTH_TOKEN", "").strip()
    secret = {"api_key": environ.get("ANTHROPIC_API_KEY", "").strip() or NO_KEY}
    if token and secret["api_key"] == NO_KEY:
        secret = {"auth_token": token}
    base = address(provider, environ)
    # The SDK has given up `x-api-key`; servers that stand in for Anthropic may not have.
    headers = {"x-api-key": secret["api_key"]} if base and "api_key" in secret else {}
    given = cast("dict[str, Any]", secret)
    client = AsyncAnthropic(base_url=base or None, http_client=http, default_headers=headers, **given)
    return AnthropicProvider(anthropic_client=client)


_CONNECT = 10.0


class Wire:
    """The HTTP connections of one model. It knows which responses a task has open, because not every SDK closes them
    when a stream is left: Google's are held by generators that only the garbage collector ends.
    """

    def __init__(self, timeout: float) -> None:
        limits = httpx2.Timeout(timeout, connect=min(timeout, _CONNECT), pool=None)
        self.http = create_async_httpx2_client(timeout=limits)
        self.http.event_hooks["response"].append(self._note_response)
        self._watching: dict[asyncio.Task[Any] | None, list[httpx2.Response]] = {}

    @contextmanager
    def watch(self) -> Generator[list[httpx2.Response]]:
        """The responses that this task opens inside the block."""
        task = asyncio.current_task()
        self._watching[task] = found = []
        try:
            yield found
        finally:
            del self._watching[task]

    async def close(self) -> None:
        await self.http.aclose()

    async def _note_response(self, response: httpx2.Response) -> None:
        if (found := self._watching.get(asyncio.current_task())) is not None:
            found.append(response)
