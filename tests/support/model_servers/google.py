"""Google's generateContent, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from tests.support.model_servers.http import KEY, Frame, ModelServer, Request, event
from tests.support.model_servers.script import Failure, Reply, Say, Think, Together, Use
from tests.support.model_servers.shapes import header, keys, paired, schema, text

_STOPS = {"stop": "STOP", "calls": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}
_OPTIONAL = ("systemInstruction", "tools", "toolConfig", "generationConfig")
_CONFIG = ("responseModalities", "maxOutputTokens", "thinkingConfig")
_REFUSED = ("$schema", "title", "const", "examples", "exclusiveMinimum", "exclusiveMaximum")
_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


class GoogleServer(ModelServer):
    """Its calls have no fragments: a call comes whole, with an object as arguments."""

    variables: ClassVar[tuple[str, str]] = ("GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL")

    def check(self, request: Request) -> Iterator[str]:
        yield from header(request.headers, "x-goog-api-key", KEY)
        if request.method != "POST" or not request.path.endswith(":streamGenerateContent"):
            yield f"{request.method} {request.path}"
            return
        if request.query.get("alt") != ["sse"]:
            yield f"the query {request.query}"
        body = request.body
        yield from keys("the body", body, ("contents",), _OPTIONAL)
        yield from keys("the configuration", body.get("generationConfig", {}), (), _CONFIG)
        for tool in (each for tools in body.get("tools", ()) for each in tools["functionDeclarations"]):
            yield from keys("a tool", tool, ("name", "description", "parameters_json_schema"))
            yield from schema("its parameters", tool["parameters_json_schema"])
            yield from (f"a schema with {word}" for word in _REFUSED if word in tool["parameters_json_schema"])
        yield from _contents(body["contents"])

    def frames(self, reply: Reply, request: Request) -> Iterator[Frame]:
        def chunk(parts: list[dict[str, Any]], **more: Any) -> bytes:
            candidate = {"content": {"parts": parts, "role": "model"}, "index": 0, **more}
            usage = _usage(reply)
            return event({"candidates": [candidate], **usage, "modelVersion": "gemini-test", "responseId": "r1"})

        for part in reply.parts:
            if isinstance(part, Say):
                yield chunk([{"text": part.text}])
            elif isinstance(part, Think):
                yield chunk([{"text": part.text, "thought": True}])
            elif isinstance(part, Use | Together):
                yield chunk([_call(use) for use in (part.uses if isinstance(part, Together) else (part,))])
            else:
                yield part
        yield chunk([{"text": ""}], finishReason=_STOPS[reply.stop])

    def failure(self, failure: Failure) -> tuple[int, dict[str, Any]]:
        if failure.kind == "overflow":
            message = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
            return 400, _error(400, message)
        if failure.kind == "quota":
            delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17s"}
            return 429, _error(429, "You exceeded your current quota.", [delay])
        return failure.status, _error(failure.status, failure.message)


def _contents(contents: list[dict[str, Any]]) -> Iterator[str]:
    calls: list[str] = []
    for before, content in zip([{"role": "model", "parts": []}, *contents], contents, strict=False):
        yield from keys("a content", content, ("role", "parts"))
        if content["role"] == before["role"] and not any("functionResponse" in part for part in before["parts"]):
            yield f"two contents of {content['role']} in a row"
        results = [_named(part["functionResponse"]) for part in content["parts"] if "functionResponse" in part]
        yield from paired(calls, results)
        if results and len(results) != len(content["parts"]):
            yield "something beside the results"
        calls = [_named(part["functionCall"]) for part in content["parts"] if "functionCall" in part]
        yield from (fault for part in content["parts"] for fault in _part(part))
        signed = [bool(part.get("thoughtSignature")) for part in content["parts"] if "functionCall" in part]
        if signed and not signed[0]:
            yield "a first call without a signature"
    yield from paired(calls, [])


def _named(given: dict[str, Any]) -> str:
    return f"{given['name']} {given['id']}"


def _part(part: dict[str, Any]) -> Iterator[str]:
    if "text" in part:
        yield from keys("a text", part, ("text",), ("thought", "thoughtSignature"))
        yield from text("a text", part["text"])
    elif "inlineData" in part:
        yield from keys("an image", part["inlineData"], ("mime_type", "data"))
    elif "functionCall" in part:
        yield from keys("a call", part, ("functionCall",), ("thoughtSignature",))
        yield from keys("a call", part["functionCall"], ("id", "name", "args"))
        if not isinstance(part["functionCall"]["args"], dict):
            yield "arguments that are no object"
    else:
        yield from keys("a part", part, ("functionResponse",))
        yield from keys("a result", part["functionResponse"], ("id", "name", "response"))


def _call(use: Use) -> dict[str, Any]:
    given = {"id": use.id} if use.id else {}
    return {"functionCall": {**given, "name": use.name, "args": use.args}}


def _usage(reply: Reply) -> dict[str, Any]:
    if (usage := reply.usage) is None:
        return {}
    counted = {"promptTokenCount": usage.input, "candidatesTokenCount": usage.output}
    total = {"totalTokenCount": usage.input + usage.output}
    return {"usageMetadata": {**counted, **total, "cachedContentTokenCount": usage.cached}}


def _error(status: int, message: str, details: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    error = {"code": status, "message": message, "status": _STATUSES.get(status, "UNKNOWN")}
    return {"error": {**error, "details": details} if details else error}
