"""OpenAI's two interfaces: Chat Completions, which every compatible server has, and Responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from tests.support.model_servers import openai_chat, openai_responses
from tests.support.model_servers.http import KEY, Frame, ModelServer, Request
from tests.support.model_servers.script import Failure, Reply
from tests.support.model_servers.shapes import header

_TYPES = {401: "invalid_request_error", 403: "permission_error", 404: "invalid_request_error", 429: "requests"}
_CODES = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}


class OpenAIServer(ModelServer):
    """Takes requests with `KEY`, or with any key if `keyless`."""

    base: ClassVar[str] = "/v1"
    variables: ClassVar[tuple[str, str]] = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
    keyless = False

    def check(self, request: Request) -> Iterator[str]:
        if not self.keyless:
            yield from header(request.headers, "authorization", f"Bearer {KEY}")
        if request.method != "POST" or request.path not in ("/v1/chat/completions", "/v1/responses"):
            yield f"{request.method} {request.path}"
            return
        chat = request.path == "/v1/chat/completions"
        yield from (openai_chat.check if chat else openai_responses.check)(request.body)

    def frames(self, reply: Reply, request: Request) -> Iterator[Frame]:
        chat = request.path == "/v1/chat/completions"
        return (openai_chat.frames if chat else openai_responses.frames)(reply, request.body["model"])

    def failure(self, failure: Failure) -> tuple[int, dict[str, Any]]:
        if failure.kind == "overflow":
            message = "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001."
            return 400, _error(message, "invalid_request_error", "context_length_exceeded")
        if failure.kind == "quota":
            message = "You exceeded your current quota, please check your plan and billing details."
            return 429, _error(message, "insufficient_quota", "insufficient_quota")
        status = failure.status
        return status, _error(failure.message, _TYPES.get(status, "server_error"), _CODES.get(status))


class HerokuServer(OpenAIServer):
    """One of the many that speak Chat Completions, and that only the model library knows."""

    variables: ClassVar[tuple[str, str]] = ("HEROKU_INFERENCE_KEY", "HEROKU_INFERENCE_URL")


def _error(message: str, kind: str, code: str | None) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}
