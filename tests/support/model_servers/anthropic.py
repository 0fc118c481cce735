"""Anthropic's Messages, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from tests.support.model_servers.http import KEY, Frame, ModelServer, Request, event
from tests.support.model_servers.script import Control, Failure, Reply, Say, Think, Together, Use, Wait
from tests.support.model_servers.shapes import header, keys, paired, schema, text

_STOPS = {"stop": "end_turn", "calls": "tool_use", "length": "max_tokens", "refusal": "refusal"}
_OPTIONAL = ("system", "tools", "tool_choice", "thinking", "cache_control", "output_config")
_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class AnthropicServer(ModelServer):
    variables: ClassVar[tuple[str, str]] = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")

    def check(self, request: Request) -> Iterator[str]:
        yield from header(request.headers, "x-api-key", KEY)
        if "anthropic-version" not in request.headers:
            yield "no anthropic-version"
        if request.method != "POST" or request.path != "/v1/messages":
            yield f"{request.method} {request.path}"
            return
        body = request.body
        yield from keys("the body", body, ("model", "messages", "max_tokens", "stream"), _OPTIONAL)
        if body.get("stream") is not True:
            yield "not a stream"
        for tool in body.get("tools", ()):
            yield from keys("a tool", tool, ("name", "input_schema"), ("description", "cache_control", "strict"))
            yield from schema("its input", tool["input_schema"])
        for block in body["system"] if isinstance(body.get("system"), list) else ():
            yield from text("a system block", block["text"])
        yield from _messages(body["messages"])

    def frames(self, reply: Reply, request: Request) -> Iterator[Frame]:
        usage = reply.usage
        fresh = usage.input - usage.cached if usage else 0
        counted = {"input_tokens": fresh, "cache_read_input_tokens": usage.cached if usage else 0, "output_tokens": 1}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.body["model"], "content": []}
        start = {**message, "stop_reason": None, "stop_sequence": None, "usage": counted}
        yield _event("message_start", message=start)
        yield _event("ping")
        for index, part in enumerate(_flat(reply)):
            if isinstance(part, Say | Think | Use):
                yield from _block(index, part)
            else:
                yield part
        delta = {"stop_reason": _STOPS[reply.stop], "stop_sequence": None}
        yield _event("message_delta", delta=delta, usage={"output_tokens": usage.output if usage else 0})
        yield _event("message_stop")

    def failure(self, failure: Failure) -> tuple[int, dict[str, Any]]:
        if failure.kind == "overflow":
            return 400, _error("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")
        if failure.kind == "quota":
            low = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."
            return 400, _error("invalid_request_error", low)
        return failure.status, _error(_TYPES.get(failure.status, "api_error"), failure.message)


def _messages(messages: list[dict[str, Any]]) -> Iterator[str]:
    calls: list[str] = []
    if not messages or messages[0]["role"] != "user":
        yield "the first message is not the user's"
    for before, message in zip([{"role": "assistant"}, *messages], messages, strict=False):
        if message["role"] == before["role"]:
            yield f"two {message['role']} messages in a row"
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        yield from paired(calls, results)
        kinds = [block["type"] for block in blocks]
        if results and kinds[: len(results)] != ["tool_result"] * len(results):
            yield f"results that do not come first: {kinds}"
        yield from (fault for block in blocks for fault in _content(block))
        calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    yield from paired(calls, [])


def _content(block: dict[str, Any]) -> Iterator[str]:
    if block["type"] == "text":
        yield from text("a text block", block["text"])
    elif block["type"] == "image":
        yield from keys("an image", block["source"], ("type", "media_type", "data"))
    elif block["type"] == "tool_use":
        yield from keys("a tool use", block, ("type", "id", "name", "input"), ("cache_control",))
    elif block["type"] == "thinking":
        yield from keys("a thought", block, ("type", "thinking", "signature"))
    elif block["type"] != "tool_result":
        yield f"a block of type {block['type']}"


def _flat(reply: Reply) -> Iterator[Say | Think | Use | Control]:
    for part in reply.parts:
        if isinstance(part, Together):
            yield from part.uses
        else:
            yield part


def _block(index: int, part: Say | Think | Use) -> Iterator[Frame]:
    if isinstance(part, Say):
        start, deltas = {"type": "text", "text": ""}, [{"type": "text_delta", "text": part.text}]
    elif isinstance(part, Think):
        start = {"type": "thinking", "thinking": "", "signature": ""}
        deltas = [{"type": "thinking_delta", "thinking": part.text}]
        deltas += [{"type": "signature_delta", "signature": part.signature}]
    else:
        start = {"type": "tool_use", "id": part.id, "name": part.name, "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in part.pieces()]
    yield _event("content_block_start", index=index, content_block=start)
    for delta in deltas:
        yield _event("content_block_delta", index=index, delta=delta)
        yield Wait(part.pause if isinstance(part, Use) else 0.0)
    yield _event("content_block_stop", index=index)


def _event(kind: str, **given: Any) -> bytes:
    return event({"type": kind, **given}, kind)


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}
