"""The providers' own variables work as their users know them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from typing import Any, cast

import pytest

from baton.adapters.models import loading
from baton.adapters.models.open import open_model, warm
from baton.adapters.models.plain import dialects
from baton.adapters.models.registry import PROVIDERS
from baton.adapters.models.replies import Replies
from baton.core.errors import MissingKey, UnknownModel
from tests.contract.model.kit import HELLO, text_of
from tests.support.model_servers import KEY, AnthropicServer, GoogleServer, ModelServer, OpenAIServer, Request, say

pytestmark = pytest.mark.anyio


class Keyless(OpenAIServer):
    keyless = True


async def asked(server: ModelServer, name: str, environ: Mapping[str, str]) -> Request:
    model = open_model(name, environ)
    async with aclosing(cast("Any", model.stream(HELLO))) as stream:
        assert text_of([piece async for piece in stream]) == "Hi"
    await model.close()
    return server.requests[-1]


@pytest.mark.parametrize("name", ["openai:any-name", "openai-chat:any-name"])
async def test_openai_with_a_base_url_speaks_chat_completions(name: str) -> None:
    async with OpenAIServer([say("Hi")]) as server:
        request = await asked(server, name, {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url})
    assert (request.path, request.body["model"]) == ("/v1/chat/completions", "any-name")


async def test_a_server_in_place_of_openai_needs_no_key() -> None:
    async with Keyless([say("Hi")]) as server:
        request = await asked(server, "openai:any-name", {"OPENAI_BASE_URL": server.url})
    assert request.headers["authorization"] == "Bearer no-key-needed"


async def test_openai_itself_is_asked_by_its_responses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own address cannot be reached from a test, so that another stands for it."""
    async with OpenAIServer([say("Hi")]) as server:
        monkeypatch.setattr(dialects, "OPENAI", server.url)
        request = await asked(server, "openai:gpt-5-mini", {"OPENAI_API_KEY": KEY})
    assert request.path == "/v1/responses"


@pytest.mark.parametrize("end", ["", "/"])
async def test_anthropic_with_a_base_url(end: str) -> None:
    async with AnthropicServer([say("Hi")]) as server:
        environ = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url + end}
        request = await asked(server, "anthropic:claude-haiku-4-5", environ)
    assert (request.path, request.headers["authorization"]) == ("/v1/messages", f"Bearer {KEY}")


async def test_anthropic_with_a_token_in_place_of_a_key() -> None:
    class Tokens(AnthropicServer):
        def check(self, request: Request) -> Any:
            return (fault for fault in super().check(request) if "x-api-key" not in fault)

    async with Tokens([say("Hi")]) as server:
        environ = {"ANTHROPIC_AUTH_TOKEN": "token-1", "ANTHROPIC_BASE_URL": server.url}
        request = await asked(server, "anthropic:claude-haiku-4-5", environ)
    assert request.headers["authorization"] == "Bearer token-1"
    assert "x-api-key" not in request.headers


@pytest.mark.parametrize("variable", ["GOOGLE_API_KEY", "GEMINI_API_KEY"])
async def test_google_with_either_key(variable: str) -> None:
    async with GoogleServer([say("Hi")]) as server:
        environ = {variable: KEY, "GOOGLE_GEMINI_BASE_URL": server.url}
        request = await asked(server, "google:gemini-2.5-flash", environ)
    assert request.path.endswith("/models/gemini-2.5-flash:streamGenerateContent")


@pytest.mark.parametrize(
    ("name", "variable", "path"),
    [
        ("ollama:qwen3:8b", "OLLAMA_BASE_URL", "/v1"),
        ("ollama:qwen3:8b", "OLLAMA_BASE_URL", ""),
        ("ollama:qwen3:8b", "OLLAMA_HOST", ""),
        ("lmstudio:some/model", "LMSTUDIO_BASE_URL", "/v1"),
        ("vllm:Qwen/Qwen3-8B", "VLLM_BASE_URL", "/v1"),
    ],
)
async def test_servers_of_ones_own_need_no_key(name: str, variable: str, path: str) -> None:
    async with Keyless([say("Hi")]) as server:
        request = await asked(server, name, {variable: f"http://127.0.0.1:{server.port}{path}"})
    assert (request.path, request.body["model"]) == ("/v1/chat/completions", name.partition(":")[2])


async def test_ollama_gets_the_limit_it_knows() -> None:
    from baton.core.agent.message import Prompt, UserMessage

    async with Keyless([say("Hi")]) as server:
        model = open_model("ollama:qwen3:8b", {"OLLAMA_HOST": f"127.0.0.1:{server.port}"})
        [_ async for _ in model.stream(Prompt("", (UserMessage("Hi"),), max_output=99))]
        await model.close()
    assert server.requests[0].body["max_tokens"] == 99


@pytest.mark.parametrize("provider", [name for name in PROVIDERS if name != "local"])
def test_every_provider_of_the_table_is_spoken_to_without_the_library(provider: str) -> None:
    dialect = dialects.plain_dialect(PROVIDERS[provider], "some-model", {})
    assert dialect.base.startswith(("https://", "http://localhost:"))
    assert dialect.ask(HELLO, Replies(), images=False).path


async def test_a_provider_that_only_the_library_knows_says_what_it_misses() -> None:
    model = open_model("nebius:some-model", {})
    with pytest.raises(MissingKey) as caught:
        [_ async for _ in model.stream(HELLO)]
    assert caught.value.facts == {"model": "nebius:some-model", "variable": "NEBIUS_API_KEY"}


async def test_a_provider_whose_package_is_missing() -> None:
    model = open_model("cohere:command-r", {})
    with pytest.raises(UnknownModel) as caught:
        [_ async for _ in model.stream(HELLO)]
    assert caught.value.facts["reason"] == (
        "the package it needs is not installed; pip install 'pydantic-ai-slim[cohere]'"
    )


@pytest.mark.parametrize("name", ["quux:model", "no-colon", "local:tiny", ""])
def test_warming_what_cannot_be_warmed_is_nothing(name: str) -> None:
    before = dict(loading._started)  # pyright: ignore[reportPrivateUsage]
    warm(name)
    assert before == loading._started  # pyright: ignore[reportPrivateUsage]
