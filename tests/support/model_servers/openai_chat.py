"""Chat Completions, streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from tests.support.model_servers.http import Frame, event
from tests.support.model_servers.script import Reply, Say, Think, Together, Use, Wait
from tests.support.model_servers.shapes import keys, paired, schema, text

_STOPS = {"stop": "stop", "calls": "tool_calls", "length": "length", "refusal": "content_filter"}
_BESIDE = ("content", "tool_calls", "reasoning_content", "reasoning", "reasoning_details")
_OPTIONAL = ("tools", "tool_choice", "stream_options", "max_tokens", "max_completion_tokens", "reasoning_effort")


def check(body: dict[str, Any]) -> Iterator[str]:
    yield from keys("the body", body, ("model", "messages", "stream"), _OPTIONAL)
    if body.get("stream") is not True or body.get("stream_options") != {"include_usage": True}:
        yield "not a stream with usage"
    for tool in body.get("tools", ()):
        yield from keys("a tool", tool, ("type", "function"))
        yield from keys("a function", tool["function"], ("name", "description", "parameters"), ("strict",))
        yield from schema("its parameters", tool["function"]["parameters"])
    if body.get("tools") == [] or ("tools" not in body and "tool_choice" in body):
        yield "tools are empty"
    yield from _messages(body["messages"])


def _messages(messages: list[dict[str, Any]]) -> Iterator[str]:
    calls: list[str] = []
    results: list[str] = []
    last = ""
    for place, message in enumerate(messages):
        role = message["role"]
        if role == "tool":
            yield from keys("a tool message", message, ("role", "content", "tool_call_id"))
            results.append(message["tool_call_id"])
            continue
        yield from paired(calls, results)
        calls, results = [], []
        if role == "system" and place:
            yield "a system message that is not the first"
        elif role in ("system", "user"):
            yield from keys(f"a {role} message", message, ("role", "content"))
            yield from _content(message["content"])
            if role == last:
                yield f"two {role} messages in a row"
        elif role == "assistant":
            yield from _assistant(message)
            calls = [call["id"] for call in message.get("tool_calls", ())]
        else:
            yield f"the role {role}"
        last = role
    yield from paired(calls, results)


def _assistant(message: dict[str, Any]) -> Iterator[str]:
    yield from keys("an assistant message", message, ("role",), _BESIDE)
    if not message.get("content") and not message.get("tool_calls"):
        yield "an empty assistant message"
    for call in message.get("tool_calls", ()):
        yield from keys("a call", call, ("id", "type", "function"))
        if not isinstance(json.loads(call["function"]["arguments"]), dict):
            yield f"arguments that are no object: {call['function']['arguments']}"


def _content(content: Any) -> Iterator[str]:
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if part["type"] == "text":
            yield from text("a text", part["text"])
        elif part["type"] == "image_url":
            if not part["image_url"]["url"].startswith("data:image/"):
                yield "an image that is no data URL"
        else:
            yield f"a part of type {part['type']}"


def frames(reply: Reply, model: str) -> Iterator[Frame]:
    def chunk(choices: list[dict[str, Any]], **more: Any) -> bytes:
        whole = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": model}
        return event({**whole, "choices": choices, **more})

    def delta(**given: Any) -> bytes:
        return chunk([{"index": 0, "delta": given, "finish_reason": None}])

    yield delta(role="assistant", content="")
    index = 0
    for part in reply.parts:
        if isinstance(part, Say):
            yield delta(content=part.text)
        elif isinstance(part, Think):
            yield delta(reasoning_content=part.text)
        elif isinstance(part, Use | Together):
            uses = part.uses if isinstance(part, Together) else (part,)
            for call in _calls(uses, index):
                yield delta(tool_calls=[call])
                yield Wait(uses[0].pause)
            index += len(uses)
        else:
            yield part
    yield chunk([{"index": 0, "delta": {}, "finish_reason": _STOPS[reply.stop]}])
    if usage := reply.usage:
        details = {"prompt_tokens_details": {"cached_tokens": usage.cached}, "total_tokens": usage.input + usage.output}
        yield chunk([], usage={"prompt_tokens": usage.input, "completion_tokens": usage.output, **details})
    yield event("[DONE]")


def _calls(uses: tuple[Use, ...], first: int) -> Iterator[dict[str, Any]]:
    """The fragments of calls that are written at the same time."""
    for index, use in enumerate(uses, first):
        yield {"index": index, "id": use.id, "type": "function", "function": {"name": use.name, "arguments": ""}}
    for pieces in zip_longest(*(use.pieces() for use in uses)):
        for index, piece in enumerate(pieces, first):
            if piece is not None:
                yield {"index": index, "function": {"arguments": piece}}
