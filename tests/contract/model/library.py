"""The request that the model library would send for a prompt: what ours are compared with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

import httpx2
from pydantic_ai.models import Model, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider as Service
from pydantic_ai.providers import infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from baton.adapters.models.plain.dialects import plain_dialect
from baton.adapters.models.registry import COMPATIBLE, NO_KEY, PROVIDERS, Provider, address, key, kind
from baton.adapters.models.replies import Replies
from baton.adapters.models.translate import Manner, ask
from baton.core.agent.message import Prompt

_MAX_TOKENS = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
_MAX_COMPLETION_TOKENS = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=True)
_REASONING = ("gpt-5", "gpt-6", "o1", "o3", "o4")
_COMPATIBLE = (COMPATIBLE, "xai", "groq")

_CALL = {"index": 0, "id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
_CHUNK = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "provider": "p"}
_CHOICE = {"index": 0, "delta": {"content": "a", "tool_calls": [_CALL]}, "finish_reason": "stop"}
_CHAT: tuple[dict[str, Any], ...] = (
    {**_CHUNK, "choices": [{**_CHOICE, "native_finish_reason": "stop"}]},
    {**_CHUNK, "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}},
)

_ITEM = {"type": "function_call", "id": "f", "call_id": "c", "name": "look", "arguments": "{}"}
_USED = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
_RESPONSE = {"id": "r", "created_at": 1, "model": "m", "output": [_ITEM], "status": "completed", "usage": _USED}
_AT = {"item_id": "m", "output_index": 0, "content_index": 0, "sequence_number": 0}
_RESPONSES: tuple[dict[str, Any], ...] = (
    {"type": "response.created", "response": _RESPONSE, "sequence_number": 0},
    {"type": "response.output_text.delta", "delta": "a", "logprobs": [], **_AT},
    {"type": "response.output_item.added", "item": _ITEM, **_AT},
    {"type": "response.function_call_arguments.delta", "delta": "{}", **_AT},
    {"type": "response.completed", "response": _RESPONSE, "sequence_number": 0},
)

_MESSAGE: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}
_USE: dict[str, Any] = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
_MESSAGES: tuple[dict[str, Any], ...] = (
    {"type": "message_start", "message": {**_MESSAGE, "usage": {"input_tokens": 1, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": _USE},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}},
    {"type": "message_stop"},
)

_PARTS: list[dict[str, Any]] = [{"text": "a"}, {"functionCall": {"name": "look", "args": {}}}]
_GEMINI: tuple[dict[str, Any], ...] = (
    {
        "candidates": [{"content": {"parts": _PARTS, "role": "model"}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    },
)

_SCRIPTS = {"/chat/completions": _CHAT, "/responses": _RESPONSES, "/messages": _MESSAGES}


async def sent_by_library(
    provider: str, model: str, environ: Mapping[str, str], prompt: Prompt, thinking: bool | str | None = None
) -> httpx2.Request:
    sent: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return _answer(request)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer), timeout=1200) as http:
        made = _make(PROVIDERS[provider], model, environ, http)
        asked = ask(prompt, made, Replies(), Manner(True, thinking, 5.0))
        async with made.request_stream(asked.messages, asked.settings, asked.parameters) as stream:
            [each async for each in stream]
    return sent[0]


def _make(provider: Provider, name: str, environ: Mapping[str, str], http: httpx2.AsyncClient) -> Model[Any]:
    known = kind(provider, environ)
    if known in _COMPATIBLE:
        base = plain_dialect(provider, name, environ).base
        # OpenAI's reasoning models refuse `max_tokens`; many servers know nothing else.
        profile = _MAX_COMPLETION_TOKENS if name.startswith(_REASONING) else _MAX_TOKENS
        secret = key(provider, environ) or NO_KEY
        service = OpenAICompatibleProvider(
            provider.name, base_url=base, api_key=secret, http_client=http, profile=profile
        )
        return OpenAIChatModel(name, provider=service)
    model = infer_model(f"{known}:{name}", lambda known: _service(known, provider, environ, http))
    if provider.name != "ollama":
        return model
    return cast("Any", type(model))(model.model_name, provider=model.provider, profile=_MAX_TOKENS)


def _service(known: str, provider: Provider, environ: Mapping[str, str], http: httpx2.AsyncClient) -> Service[Any]:
    if provider.name == "anthropic":
        return _anthropic(environ, provider, http)
    given: dict[str, Any] = {"api_key": key(provider, environ) or NO_KEY, "http_client": http}
    if base := address(provider, environ):
        given["base_url"] = base
    return cast("Any", infer_provider_class(known))(**given)


def _anthropic(environ: Mapping[str, str], provider: Provider, http: httpx2.AsyncClient) -> Service[Any]:
    from anthropic import AsyncAnthropic
    from pydantic_ai.providers.anthropic import AnthropicProvider

    secret = environ.get("ANTHROPIC_API_KEY", "").strip() or NO_KEY
    base = address(provider, environ)
    headers = {"x-api-key": secret} if base else {}
    client = AsyncAnthropic(base_url=base or None, http_client=http, default_headers=headers, api_key=secret)
    return AnthropicProvider(anthropic_client=client)


def _answer(request: httpx2.Request) -> httpx2.Response:
    path = request.url.path
    script = next((script for end, script in _SCRIPTS.items() if path.endswith(end)), _GEMINI)
    text = "".join(_event(each) for each in script)
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, text=text)


def _event(data: dict[str, Any]) -> str:
    name = f"event: {data['type']}\n" if "type" in data else ""
    return f"{name}data: {json.dumps(data)}\n\n"
