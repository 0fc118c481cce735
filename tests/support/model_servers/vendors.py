"""Vendors that speak Chat Completions each in their own way, and refuse what others take."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, ClassVar

from tests.support.model_servers.http import Request
from tests.support.model_servers.openai import OpenAIServer


class VendorServer(OpenAIServer):
    """`own` are the fields of a body that only this vendor knows."""

    own: ClassVar[tuple[str, ...]] = ()

    def check(self, request: Request) -> Iterator[str]:
        body = {key: held for key, held in request.body.items() if key not in self.own}
        common = Request(request.method, request.path, request.query, request.headers, body)
        yield from super().check(common)


class MistralServer(VendorServer):
    variables: ClassVar[tuple[str, str]] = ("MISTRAL_API_KEY", "MISTRAL_BASE_URL")

    def check(self, request: Request) -> Iterator[str]:
        body = request.body
        if "stream_options" in body or "max_completion_tokens" in body:
            yield "a field that is not permitted"
        roles = [message["role"] for message in body.get("messages", ())]
        if ("tool", "user") in pairwise(roles):
            yield "Unexpected role 'user' after role 'tool'"
        for id_ in _ids(body.get("messages", [])):
            if len(id_) != 9 or not id_.isalnum():
                yield f"Tool call id was {id_} but must be a-z, A-Z, 0-9, with a length of 9."
        asked = {**body, "stream_options": {"include_usage": True}}
        yield from super().check(Request(request.method, request.path, request.query, request.headers, asked))


class ZaiServer(VendorServer):
    variables: ClassVar[tuple[str, str]] = ("ZAI_API_KEY", "ZAI_BASE_URL")
    own: ClassVar[tuple[str, ...]] = ("thinking",)


class CerebrasServer(VendorServer):
    variables: ClassVar[tuple[str, str]] = ("CEREBRAS_API_KEY", "CEREBRAS_BASE_URL")
    own: ClassVar[tuple[str, ...]] = ("clear_thinking",)


class OpenRouterServer(VendorServer):
    variables: ClassVar[tuple[str, str]] = ("OPENROUTER_API_KEY", "OPENROUTER_BASE_URL")
    own: ClassVar[tuple[str, ...]] = ("reasoning",)

    def check(self, request: Request) -> Iterator[str]:
        """The marks for a cache are known here only."""
        given = request.body.get("tools", [])
        tools = [{key: held for key, held in tool.items() if key != "cache_control"} for tool in given]
        body = {**request.body, "tools": tools} if tools else request.body
        yield from super().check(Request(request.method, request.path, request.query, request.headers, body))


def _ids(messages: list[dict[str, Any]]) -> Iterator[str]:
    for message in messages:
        yield from (call["id"] for call in message.get("tool_calls", ()))
        if "tool_call_id" in message:
            yield message["tool_call_id"]
