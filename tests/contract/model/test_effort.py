"""How much a model thinks: asked for in the words of each API, or said to be no choice."""

from __future__ import annotations

from typing import Any

import pytest

from baton.adapters.models.open import open_model
from baton.adapters.models.plain import effort as efforts
from baton.adapters.models.plain.dialects import plain_dialect, takes_effort
from baton.adapters.models.registry import PROVIDERS
from baton.adapters.models.replies import Replies
from baton.core.agent.message import AssistantMessage, Call, Prompt, ToolMessage, UserMessage
from baton.core.errors import EffortNotTaken, ModelRefused
from tests.contract.model.kit import ANTHROPIC, GOOGLE, HELLO, READ, RESPONSES, Backend, calls_of, text_of
from tests.support.model_servers import AnthropicServer, OpenAIServer, Think, Use, fail, say

pytestmark = pytest.mark.anyio

UNABLE = [
    ("anthropic", "claude-3-5-haiku-latest"),
    ("openai", "gpt-4o"),
    ("openai", "gpt-5-chat-latest"),
    ("openai-chat", "gpt-4.1"),
    ("google", "gemini-2.0-flash"),
    ("google", "gemma-4"),
    ("xai", "grok-2"),
    ("deepseek", "deepseek-chat"),
    ("mistral", "mistral-large-latest"),
    ("groq", "llama-3.3-70b-versatile"),
    ("moonshotai", "moonshot-v1-8k"),
    ("zai", "glm-4-32b-0414-128k"),
    ("cerebras", "zai-glm-4.7"),
    ("together", "meta-llama/Llama-3.3-70B"),
]
ABLE: list[tuple[str, str, dict[str, Any]]] = [
    ("xai", "grok-4.7", {"reasoning_effort": "medium"}),
    ("xai", "grok-3-mini", {"reasoning_effort": "high"}),
    ("groq", "openai/gpt-oss-120b", {"reasoning_effort": "medium"}),
    ("cerebras", "gpt-oss-120b", {"reasoning_effort": "medium"}),
    ("together", "openai/gpt-oss-120b", {"reasoning_effort": "medium"}),
    ("fireworks", "accounts/fireworks/models/gpt-oss-120b", {"reasoning_effort": "medium"}),
    ("moonshotai", "kimi-k3.1-pro", {"reasoning_effort": "high"}),
    ("mistral", "mistral-medium-latest", {"reasoning_effort": "high"}),
    ("mistral", "magistral-medium-latest", {"reasoning_effort": "high"}),
    ("ollama", "qwen3:8b", {"reasoning_effort": "medium"}),
    ("lmstudio", "m", {"reasoning_effort": "medium"}),
    ("vllm", "m", {"reasoning_effort": "medium"}),
]


@pytest.mark.parametrize(("provider", "model"), UNABLE)
async def test_a_model_without_a_choice_says_so_before_anything_is_sent(provider: str, model: str) -> None:
    environ = dict.fromkeys(PROVIDERS[provider].keys, "x")
    opened = open_model(f"{provider}:{model}", environ, thinking="high")
    assert opened.window > 0
    with pytest.raises(EffortNotTaken) as caught:
        [_ async for _ in opened.stream(HELLO)]
    assert str(caught.value).startswith(f"The model {provider}:{model} cannot be told how much to think.")
    assert not caught.value.retryable


@pytest.mark.parametrize(("provider", "model", "fields"), ABLE)
def test_an_effort_reaches_servers_that_the_library_leaves_in_the_dark(
    provider: str, model: str, fields: dict[str, Any]
) -> None:
    body = plain_dialect(PROVIDERS[provider], model, {}, "medium").ask(HELLO, Replies(), images=False).body
    assert {key: body[key] for key in fields} == fields


@pytest.mark.parametrize("name", [name for name in PROVIDERS if name != "local"])
def test_without_an_effort_every_model_can_be_asked(name: str) -> None:
    assert takes_effort(PROVIDERS[name], "any-model", {}, "")


def test_a_level_there_is_not_is_refused() -> None:
    with pytest.raises(ModelRefused, match="there is no effort extreme, only low, medium, high"):
        open_model("openai:gpt-5", {"OPENAI_API_KEY": "x"}, thinking="extreme")


@pytest.mark.parametrize(
    ("backend", "place"),
    [
        (ANTHROPIC, ("output_config", "effort")),
        (RESPONSES, ("reasoning", "effort")),
        (GOOGLE, ("generationConfig", "thinkingConfig", "thinking_level")),
        (Backend("openai:gpt-5-mini", OpenAIServer), ("reasoning_effort",)),
    ],
)
async def test_a_level_reaches_the_provider(backend: Backend, place: tuple[str, ...]) -> None:
    async with backend.play(say("Hi"), thinking="low") as stage:
        await stage.ask()
        assert stage.server
        found: Any = stage.server.requests[0].body
    for key in place:
        found = found[key]
    assert found.lower() == "low"


BUDGET = Backend("anthropic:claude-haiku-4-5", AnthropicServer)


async def test_a_budget_leaves_room_for_the_answer() -> None:
    async with BUDGET.play(say("Hi"), thinking="high") as stage:
        for limit in (None, 321, 60_000):
            await stage.ask(Prompt("", (UserMessage("Hi"),), max_output=limit))
        assert stage.server
        bodies = [request.body for request in stage.server.requests]
    assert [body["max_tokens"] for body in bodies] == [64_000, 321 + 16_384, 60_000]
    assert {body["thinking"]["budget_tokens"] for body in bodies} == {16_384}


async def test_after_a_restart_a_model_with_a_budget_goes_on_without_thoughts_until_its_turn_ends() -> None:
    """The provider refuses calls without the thought that led to them as long as it is to think."""
    work = (*HELLO.messages, AssistantMessage("", (Call("c1", "read", {}),)), ToolMessage("c1", "read", "A"))
    ended = (*work, AssistantMessage("Done."), UserMessage("And now?"))
    async with BUDGET.play(say("Hi"), thinking="high") as stage:
        await stage.ask(Prompt("", work, (READ,)))
        await stage.ask(Prompt("", ended, (READ,)))
        assert stage.server
        assert ["thinking" in request.body for request in stage.server.requests] == [False, True]


async def test_a_model_with_a_budget_goes_on_thinking_where_it_thought() -> None:
    script = (say(Think("Hm.", "sig"), Use("c1", "read", {"path": "a"})), say("Done."))
    async with BUDGET.play(*script, thinking="high") as stage:
        [call] = calls_of(await stage.ask())
        await stage.ask(
            Prompt("", (*HELLO.messages, AssistantMessage("", (call,)), ToolMessage("c1", "read", "A")), (READ,))
        )
        assert stage.server
        body = stage.server.requests[1].body
    assert body["thinking"]["type"] == "enabled"
    assert [block["type"] for block in body["messages"][1]["content"]] == ["thinking", "tool_use"]


async def test_a_refused_thought_is_left_out_and_so_is_the_thinking_that_needs_it() -> None:
    script = (
        say(Think("Hm.", "sig"), Use("c1", "read", {"path": "a"})),
        fail(400, "Invalid `signature`"),
        say("Done."),
    )
    async with BUDGET.play(*script, thinking="high") as stage:
        [call] = calls_of(await stage.ask())
        work = (*HELLO.messages, AssistantMessage("", (call,)), ToolMessage("c1", "read", "A"))
        assert text_of(await stage.ask(Prompt("Changed.", work, (READ,)))) == "Done."
        assert stage.server
        assert ["thinking" in request.body for request in stage.server.requests] == [True, True, False]


def test_the_nearest_level_is_taken() -> None:
    assert efforts.nearest("low", ("medium", "high")) == "medium"
    assert efforts.nearest("medium", ("low", "high")) == "high"
