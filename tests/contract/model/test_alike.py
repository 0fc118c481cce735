"""Requests over plain HTTP are the same as the model library's, byte for byte as JSON and header by header."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from baton.adapters.models.plain.dialects import plain_dialect
from baton.adapters.models.plain.effort import effort_of
from baton.adapters.models.plain.fields import write
from baton.adapters.models.registry import PROVIDERS
from baton.adapters.models.replies import Replies
from baton.core.agent.message import AssistantMessage, Prompt, ToolSpec, UserMessage
from tests.contract.model.kit import READ
from tests.contract.model.library import sent_by_library
from tests.contract.model.test_wire import PNG, WORK

pytestmark = pytest.mark.anyio
WHOLE = Prompt("Be brief.", (*WORK[:-1], AssistantMessage("ok"), UserMessage("Look", (PNG,))), (READ,))
ASKED_ALIKE = [
    ("openai", "gpt-4o-mini", {"OPENAI_BASE_URL": "http://box/v1"}),
    ("openai", "gpt-5-mini", {"OPENAI_BASE_URL": "http://box/v1"}),
    ("openai", "gpt-6.1-sol", {}),
    ("openai", "gpt-4o", {}),
    ("openai-responses", "gpt-5-mini", {"OPENAI_BASE_URL": "http://box/v1"}),
    ("openai-responses", "gpt-5.5", {}),
    ("openai-responses", "o3", {}),
    ("openai-chat", "gpt-5-mini", {}),
    ("google", "gemini-3.8-flash", {}),
    ("google", "gemini-2.5-pro", {"GOOGLE_GEMINI_BASE_URL": "http://box"}),
    ("xai", "grok-4.7", {}),
    ("groq", "openai/gpt-oss-120b", {}),
    ("deepseek", "deepseek-v4-pro", {}),
    ("deepseek", "deepseek-chat", {}),
    ("moonshotai", "kimi-k3.1-pro", {}),
    ("openrouter", "anthropic/claude-sonnet-5.5", {}),
    ("openrouter", "openai/gpt-5", {}),
    ("zai", "glm-5.3", {}),
    ("zai", "glm-4-32b-0414-128k", {}),
    ("cerebras", "gpt-oss-120b", {}),
    ("cerebras", "zai-glm-4.7", {}),
    ("together", "openai/gpt-oss-120b", {}),
    ("fireworks", "accounts/fireworks/models/gpt-oss-120b", {}),
    ("ollama", "qwen3:8b", {}),
    ("lmstudio", "m", {}),
    ("vllm", "m", {}),
    ("anthropic", "claude-sonnet-5-5", {}),
    ("anthropic", "claude-haiku-4-5", {}),
    ("anthropic", "claude-opus-4-1", {}),
    ("anthropic", "claude-something-new", {}),
    ("anthropic", "claude-opus-5", {"ANTHROPIC_BASE_URL": "http://box"}),
]


async def both(
    provider: str, model: str, environ: Mapping[str, str], prompt: Prompt, thinking: bool | str | None = None
) -> tuple[Any, Any]:
    """The bodies of ours and of the library's, whose addresses and headers are alike."""
    row = PROVIDERS[provider]
    environ = {**environ, **dict.fromkeys(row.keys[:1], "sk-key")}
    theirs = await sent_by_library(provider, model, environ, prompt, thinking)
    dialect = plain_dialect(row, model, environ, effort_of(thinking))
    ours = dialect.ask(prompt, Replies(), images=True)
    assert dialect.base.rstrip("/") + ours.path == str(theirs.url)
    for name, held in dialect.headers.items():
        assert theirs.headers[name] == held
    return json.loads(write(ours.body)), json.loads(theirs.content)


@pytest.mark.parametrize("limit", [None, 321])
@pytest.mark.parametrize(("provider", "model", "environ"), ASKED_ALIKE)
async def test_a_request_is_the_same_as_the_librarys(
    provider: str, model: str, environ: Mapping[str, str], limit: int | None
) -> None:
    ours, theirs = await both(provider, model, environ, Prompt(WHOLE.system, WHOLE.messages, WHOLE.tools, limit))
    assert ours == theirs


@pytest.mark.parametrize("thinking", [True, "low", "medium", "high"])
@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("anthropic", "claude-sonnet-5-5"),
        ("anthropic", "claude-haiku-5-5"),
        ("anthropic", "claude-opus-4-5"),
        ("anthropic", "claude-opus-4-1"),
        ("anthropic", "claude-something-new"),
        ("openai", "gpt-6.1-sol"),
        ("openai", "gpt-5.5-pro"),
        ("openai", "gpt-5-pro"),
        ("openai", "gpt-5.3-chat"),
        ("openai-chat", "gpt-5-mini"),
        ("google", "gemini-3.8-flash"),
        ("google", "gemini-3-pro-preview"),
        ("google", "gemini-2.5-flash"),
        ("openrouter", "openai/gpt-5"),
        ("zai", "glm-5.3"),
        ("zai", "glm-5.2"),
        ("zai", "glm-4.7"),
        ("deepseek", "deepseek-v4-pro"),
        ("moonshotai", "kimi-k2.6"),
    ],
)
async def test_an_effort_is_asked_for_as_the_library_does(provider: str, model: str, thinking: bool | str) -> None:
    prompt = Prompt(WHOLE.system, WHOLE.messages[-1:], WHOLE.tools)
    ours, theirs = await both(provider, model, {}, prompt, thinking)
    assert ours == theirs


SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Arguments",
    "type": "object",
    "properties": {
        "title": {"type": "string", "title": "Title", "examples": ["a"]},
        "kind": {"const": "file"},
        "size": {"type": "integer", "exclusiveMinimum": 0, "default": 1},
        "when": {"type": "string", "format": "date", "description": "A day"},
        "where": {"type": "string", "format": "uri"},
        "each": {"type": "array", "items": {"title": "One", "type": "string", "enum": ["title", "const"]}},
    },
    "required": ["title"],
}


async def test_a_schema_of_other_peoples_is_made_fit_for_google_as_the_library_does() -> None:
    tool = ToolSpec("look", "Looks.", SCHEMA)
    ours, theirs = await both("google", "gemini-3.8-flash", {}, Prompt("", WHOLE.messages[:1], (tool,)))
    assert ours == theirs
