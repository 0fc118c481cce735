"""A first request that goes nowhere. The SDKs build their types when the first answer comes, which takes up to a second
and would block the event loop; here they are built in a thread. Imports the library: only `loading` imports this.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import httpx2
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters, create_async_httpx2_client
from pydantic_ai.tools import ToolDefinition

from baton.adapters.models.build import make
from baton.adapters.models.registry import Environ, Provider

_TOOLS = [ToolDefinition(name="look", parameters_json_schema={"type": "object", "properties": {}}, strict=False)]

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


def rehearse(provider: Provider, environ: Environ) -> None:
    """Its errors are ignored: the first real request will show them."""
    with suppress(Exception):
        asyncio.run(perform(provider, environ))


async def perform(provider: Provider, environ: Environ) -> None:
    environ = {**environ, **dict.fromkeys(provider.keys, "rehearsal")}
    async with create_async_httpx2_client(transport=httpx2.MockTransport(_answer)) as http:
        model = make(provider, provider.default or "rehearsal", environ, http)
        messages = [ModelRequest(parts=[UserPromptPart(content="a")])]
        parameters = ModelRequestParameters(function_tools=_TOOLS, allow_text_output=True)
        async with model.request_stream([*messages], {"max_retries": 0, "cache": True}, parameters) as stream:
            async for _ in stream:
                pass


def _answer(request: httpx2.Request) -> httpx2.Response:
    path = request.url.path
    script = next((script for end, script in _SCRIPTS.items() if path.endswith(end)), _GEMINI)
    text = "".join(_event(each) for each in script)
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, text=text)


def _event(data: dict[str, Any]) -> str:
    name = f"event: {data['type']}\n" if "type" in data else ""
    return f"{name}data: {json.dumps(data)}\n\n"
