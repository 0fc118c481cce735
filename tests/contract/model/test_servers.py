"""The scripted providers themselves: what they refuse, and what they tell a test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from tests.support.model_servers import (
    KEY,
    AnthropicServer,
    GoogleServer,
    MistralServer,
    ModelServer,
    OpenAIServer,
    fail,
    say,
)

pytestmark = pytest.mark.anyio

USER = {"role": "user", "content": "Hi"}
CALL = {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"arguments": "{}"}}]}
CHAT: dict[str, Any] = {"model": "m", "stream": True, "stream_options": {"include_usage": True}, "messages": [USER]}
CLAUDE: dict[str, Any] = {"model": "m", "stream": True, "max_tokens": 9, "messages": [USER]}
USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "read", "input": {}}]}
GEMINI: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient() as client:
        yield client


async def faults_of(server: ModelServer, client: httpx2.AsyncClient, path: str, body: Any) -> list[str]:
    headers = {"authorization": f"Bearer {KEY}", "x-api-key": KEY, "x-goog-api-key": KEY, "anthropic-version": "1"}
    async with server:
        await client.post(f"{server.url}{path}", json=body, headers=headers)
        faults = list(server.faults)
        server.faults.clear()
    return faults


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (CHAT, None),
        ({**CHAT, "stream": False}, "not a stream with usage"),
        ({**CHAT, "temperatur": 1}, "the body has an unknown temperatur"),
        ({**CHAT, "messages": [USER, USER]}, "two user messages in a row"),
        ({**CHAT, "messages": [{"role": "user", "content": " "}]}, "a text is empty: ' '"),
        ({**CHAT, "messages": [USER, CALL]}, "calls ['c1'] are followed by results []"),
        ({**CHAT, "messages": [USER, CALL, USER]}, "calls ['c1'] are followed by results []"),
        ({**CHAT, "messages": [USER, {"role": "system", "content": "x"}]}, "a system message that is not the first"),
        ({**CHAT, "tools": []}, "tools are empty"),
    ],
)
async def test_chat_completions_are_checked(client: httpx2.AsyncClient, body: Any, fault: str | None) -> None:
    faults = await faults_of(OpenAIServer([say("Hi")]), client, "/chat/completions", body)
    assert faults == ([fault] if fault else [])


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (CLAUDE, None),
        ({**CLAUDE, "messages": [USER, USER]}, "two user messages in a row"),
        ({**CLAUDE, "messages": [USER, USE, USER]}, "calls ['c1'] are followed by results []"),
        ({**CLAUDE, "messages": [USER, USE]}, "calls ['c1'] are followed by results []"),
        ({key: held for key, held in CLAUDE.items() if key != "max_tokens"}, "the body has no max_tokens"),
    ],
)
async def test_messages_are_checked(client: httpx2.AsyncClient, body: Any, fault: str | None) -> None:
    faults = await faults_of(AnthropicServer([say("Hi")]), client, "/v1/messages", body)
    assert faults == ([fault] if fault else [])


GEMINI_CALL: dict[str, Any] = {"functionCall": {"id": "c1", "name": "read", "args": {}}, "thoughtSignature": "s"}
GEMINI_RESULT = {"functionResponse": {"id": "c1", "name": "read", "response": {}}}


def contents(*turns: list[dict[str, Any]]) -> dict[str, Any]:
    """The person's and the model's, by turns."""
    roles = ["user", "model"] * len(turns)
    return {"contents": [{"role": role, "parts": parts} for role, parts in zip(roles, turns, strict=False)]}


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (GEMINI, None),
        ({"contents": GEMINI["contents"] * 2}, "two contents of user in a row"),
        (contents([{"text": "Hi"}], [GEMINI_CALL], [GEMINI_RESULT]), None),
        (
            contents([{"text": "Hi"}], [{"functionCall": GEMINI_CALL["functionCall"]}], [GEMINI_RESULT]),
            "a first call without a signature",
        ),
        (contents([{"text": "Hi"}], [GEMINI_CALL], [GEMINI_RESULT, {"text": "!"}]), "something beside the results"),
        ({**GEMINI, "generationConfig": {"thinking": 1}}, "the configuration has an unknown thinking"),
    ],
)
async def test_contents_are_checked(client: httpx2.AsyncClient, body: Any, fault: str | None) -> None:
    path = "/v1/models/m:streamGenerateContent?alt=sse"
    faults = await faults_of(GoogleServer([say("Hi")]), client, path, body)
    assert faults == ([fault] if fault else [])


PERSON = {"role": "user", "content": "Hi"}
MADE = {"type": "function_call", "call_id": "c1", "name": "read", "arguments": "{}"}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "A"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"}


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        ([PERSON], None),
        ([PERSON, THOUGHT, MADE, RESULT], None),
        ([PERSON, THOUGHT], "a thought that led to nothing"),
        (
            [PERSON, {key: THOUGHT[key] for key in ("type", "id", "summary")}, MADE, RESULT],
            "an item reasoning has no encrypted_content",
        ),
        ([PERSON, {**MADE, "arguments": "[]"}, RESULT], "arguments that are no object: []"),
        ([PERSON, MADE], "calls ['c1'] are followed by results []"),
    ],
)
async def test_responses_are_checked(client: httpx2.AsyncClient, items: list[Any], fault: str | None) -> None:
    body = {"model": "m", "stream": True, "store": False, "input": items}
    faults = await faults_of(OpenAIServer([say("Hi")]), client, "/responses", body)
    assert faults == ([fault] if fault else [])


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([USER], None),
        ([USER, CALL, {"role": "tool", "tool_call_id": "c1", "content": "A"}], "Tool call id was c1 but must be"),
        (
            [{"role": "tool", "tool_call_id": "abcdefgh1", "content": "A"}, USER],
            "Unexpected role 'user' after role 'tool'",
        ),
    ],
)
async def test_mistral_is_checked(client: httpx2.AsyncClient, messages: list[Any], fault: str | None) -> None:
    body = {"model": "m", "stream": True, "messages": messages}
    faults = await faults_of(MistralServer([say("Hi")]), client, "/chat/completions", body)
    assert any(each.startswith(fault) for each in faults) if fault else faults == []


async def test_a_fault_fails_the_test_that_leaves_the_server(client: httpx2.AsyncClient) -> None:
    server = OpenAIServer([say("Hi")])
    await server.__aenter__()
    answer = await client.post(f"{server.url}/chat/completions", json=CHAT)
    assert answer.status_code == 400
    with pytest.raises(AssertionError, match="the header authorization"):
        await server.__aexit__(None, None, None)


async def test_a_script_may_be_a_function_of_the_request(client: httpx2.AsyncClient) -> None:
    headers = {"authorization": f"Bearer {KEY}"}
    async with OpenAIServer(lambda request: fail(418, request.body["model"])) as server:
        answer = await client.post(f"{server.url}/chat/completions", json=CHAT, headers=headers)
        assert (answer.status_code, answer.json()["error"]["message"]) == (418, "m")
        assert server.requests[0].body == CHAT


async def test_a_client_that_stays_has_not_hung_up(client: httpx2.AsyncClient) -> None:
    async with OpenAIServer([say("Hi")]) as server:
        await client.post(f"{server.url}/chat/completions", json=CHAT, headers={"authorization": f"Bearer {KEY}"})
        assert await server.hung_up(0.05) is False
