"""The Responses API, streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.support.model_servers.http import Frame, event
from tests.support.model_servers.script import Reply, Say, Think, Together, Use, Wait
from tests.support.model_servers.shapes import keys, paired, schema, text

_OPTIONAL = (
    "instructions",
    "tools",
    "tool_choice",
    "max_output_tokens",
    "include",
    "reasoning",
    "prompt_cache_options",
)
_LAST = {"length": "max_output_tokens", "refusal": "content_filter"}


def check(body: dict[str, Any]) -> Iterator[str]:
    yield from keys("the body", body, ("model", "input", "stream", "store"), _OPTIONAL)
    if body.get("stream") is not True or body.get("store") is not False:
        yield "not a stream that is not stored"
    for tool in body.get("tools", ()):
        yield from keys("a tool", tool, ("type", "name", "description", "parameters", "strict"))
        yield from schema("its parameters", tool["parameters"])
    if body.get("include", ["reasoning.encrypted_content"]) != ["reasoning.encrypted_content"]:
        yield f"to be included: {body['include']}"
    if body.get("tools") == [] or ("tools" not in body and "tool_choice" in body):
        yield "tools are empty"
    yield from _items(body["input"])


_ITEMS = {
    "function_call": (("type", "call_id", "name", "arguments"), ("id", "status")),
    "function_call_output": (("type", "call_id", "output"), ()),
    "reasoning": (("type", "id", "summary", "encrypted_content"), ("content",)),
    "message": (("role", "content"), ("type", "id", "status", "phase")),
}


def _items(items: list[dict[str, Any]]) -> Iterator[str]:
    """What is not stored cannot be looked up: a thought comes sealed, and before what it led to."""
    calls: list[str] = []
    results: list[str] = []
    for item, after in zip(items, [*items[1:], {}], strict=True):
        kind = item.get("type", "message")
        if kind not in _ITEMS:
            yield f"an item of type {kind}"
            continue
        yield from keys(f"an item {kind}", item, *_ITEMS[kind])
        if kind == "function_call":
            if not isinstance(json.loads(item["arguments"]), dict):
                yield f"arguments that are no object: {item['arguments']}"
            calls.append(item["call_id"])
        elif kind == "function_call_output":
            yield from text("a result", item["output"])
            results.append(item["call_id"])
        elif kind == "message":
            yield from paired(calls, results)
            yield from _content(item["content"])
        elif after.get("type") not in ("reasoning", "function_call", "message"):
            yield "a thought that led to nothing"
    yield from paired(calls, results)


def _content(content: Any) -> Iterator[str]:
    for part in [{"type": "input_text", "text": content}] if isinstance(content, str) else content:
        if part["type"] == "input_image":
            yield from keys("an image", part, ("type", "image_url"), ("detail",))
            if not part["image_url"].startswith("data:image/"):
                yield "an image that is no data URL"
        elif part["type"] in ("input_text", "output_text"):
            yield from text("a text", part["text"])
        else:
            yield f"a part of type {part['type']}"


def frames(reply: Reply, model: str) -> Iterator[Frame]:
    output: list[dict[str, Any]] = []
    number = 0

    def send(kind: str, **given: Any) -> bytes:
        nonlocal number
        number += 1
        return event({"type": kind, "sequence_number": number - 1, **given}, kind)

    def response(status: str, **given: Any) -> dict[str, Any]:
        fixed = {"id": "resp_1", "object": "response", "created_at": 1_700_000_000, "model": model, "status": status}
        common = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "output": output, "error": None}
        return {**fixed, **common, "incomplete_details": None, **given}

    yield send("response.created", response=response("in_progress"))
    for part in reply.parts:
        if isinstance(part, Say | Think):
            item = _message(len(output)) if isinstance(part, Say) else _reasoning(len(output))
            yield from _spoken(send, part, item, len(output))
            output.append(item)
        elif isinstance(part, Use | Together):
            for use in part.uses if isinstance(part, Together) else (part,):
                yield from _called(send, use, len(output))
                output.append(_call(use, use.written))
        else:
            yield part
    usage = reply.usage and {
        "input_tokens": reply.usage.input,
        "input_tokens_details": {"cached_tokens": reply.usage.cached},
        "output_tokens": reply.usage.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": reply.usage.input + reply.usage.output,
    }
    if reply.stop in _LAST:
        reason = {"reason": _LAST[reply.stop]}
        yield send("response.incomplete", response=response("incomplete", usage=usage, incomplete_details=reason))
    else:
        yield send("response.completed", response=response("completed", usage=usage))


def _spoken(send: Any, part: Say | Think, item: dict[str, Any], place: int) -> Iterator[bytes]:
    at = {"item_id": item["id"], "output_index": place}
    yield send("response.output_item.added", output_index=place, item=item)
    if isinstance(part, Say):
        empty = {"type": "output_text", "text": "", "annotations": []}
        yield send("response.content_part.added", content_index=0, part=empty, **at)
        yield send("response.output_text.delta", content_index=0, delta=part.text, logprobs=[], **at)
        yield send("response.output_text.done", content_index=0, text=part.text, logprobs=[], **at)
        item["content"] = [{**empty, "text": part.text}]
    else:
        summary = {"type": "summary_text", "text": part.text}
        yield send("response.reasoning_summary_part.added", summary_index=0, part={**summary, "text": ""}, **at)
        yield send("response.reasoning_summary_text.delta", summary_index=0, delta=part.text, **at)
        yield send("response.reasoning_summary_text.done", summary_index=0, text=part.text, **at)
        item |= {"summary": [summary], "encrypted_content": part.signature}
    yield send("response.output_item.done", output_index=place, item=item)


def _called(send: Any, use: Use, place: int) -> Iterator[Frame]:
    at = {"item_id": f"fc_{use.id}", "output_index": place}
    yield send("response.output_item.added", output_index=place, item=_call(use, ""))
    for piece in use.pieces():
        yield send("response.function_call_arguments.delta", delta=piece, **at)
        yield Wait(use.pause)
    yield send("response.function_call_arguments.done", arguments=use.written, name=use.name, **at)
    yield send("response.output_item.done", output_index=place, item=_call(use, use.written))


def _message(place: int) -> dict[str, Any]:
    return {"type": "message", "id": f"msg_{place}", "role": "assistant", "status": "completed", "content": []}


def _reasoning(place: int) -> dict[str, Any]:
    return {"type": "reasoning", "id": f"rs_{place}", "summary": [], "status": "completed"}


def _call(use: Use, args: str) -> dict[str, Any]:
    call = {"type": "function_call", "id": f"fc_{use.id}", "call_id": use.id, "name": use.name}
    return {**call, "arguments": args, "status": "completed"}
