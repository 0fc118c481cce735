"""What reaches the provider. That each request has the provider's form is checked by the servers themselves."""

from __future__ import annotations

import base64
import sys
import time
from typing import Any

import pytest

from baton.core.agent.message import (
    AssistantMessage,
    Call,
    Image,
    Message,
    Prompt,
    ToolMessage,
    ToolSpec,
    Usage,
    UserMessage,
)
from tests.contract.model.kit import ANTHROPIC, CHAT, GOOGLE, HELLO, READ, RESPONSES, Backend, calls_of, end_of
from tests.support.model_servers import OpenAIServer, Think, Tokens, Use, say

pytestmark = pytest.mark.anyio

PNG = Image("image/png", base64.b64encode(b"\x89PNG\r\n\x1a\n0000").decode())
WORK: tuple[Message, ...] = (
    UserMessage("Read both."),
    AssistantMessage("Reading.", (Call("c1", "read", {"path": "a"}), Call("c2", "read", {"path": "b"}))),
    ToolMessage("c1", "read", "A"),
    ToolMessage("c2", "read", "no such file", ok=False),
    UserMessage("And?"),
)


async def sent(backend: Backend, *messages: Message, tools: tuple[ToolSpec, ...] = (READ,), **options: Any) -> Any:
    """The body of the request."""
    async with backend.play(say("Hi"), **options) as stage:
        await stage.ask(Prompt("Be brief.", messages, tools))
        assert stage.server
        return stage.server.requests[0].body


async def test_chat_completions_get_system_calls_and_results_in_order() -> None:
    body = await sent(CHAT, *WORK)
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Read both."},
        {
            "role": "assistant",
            "content": "Reading.",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path":"a"}'}},
                {"id": "c2", "type": "function", "function": {"name": "read", "arguments": '{"path":"b"}'}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "A"},
        {"role": "tool", "tool_call_id": "c2", "content": "no such file"},
        {"role": "user", "content": "And?"},
    ]
    function = {"name": "read", "description": "Reads a file.", "parameters": READ.parameters}
    assert body["tools"] == [{"type": "function", "function": function}]


async def test_anthropic_gets_results_first_in_one_message_and_failures_marked() -> None:
    body = await sent(ANTHROPIC, *WORK)
    assert [block["text"] for block in body["system"]] == ["Be brief."]
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    results = [(block.get("tool_use_id"), block.get("is_error")) for block in body["messages"][2]["content"]]
    assert results == [("c1", False), ("c2", True), (None, None)]


async def test_anthropic_is_asked_to_cache_the_prefix() -> None:
    body = await sent(ANTHROPIC, *WORK)
    assert body["cache_control"]["type"] == body["tools"][-1]["cache_control"]["type"] == "ephemeral"


async def test_google_gets_results_by_name_and_failures_marked() -> None:
    body = await sent(GOOGLE, *WORK)
    parts = [part for content in body["contents"] for part in content["parts"]]
    results = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
    assert results == [{"return_value": "A"}, {"error": "no such file"}]


async def test_responses_are_not_stored_at_the_provider() -> None:
    body = await sent(RESPONSES, *WORK)
    assert (body["store"], body["instructions"]) == (False, "Be brief.")
    assert [item.get("type", item.get("role")) for item in body["input"]] == [
        "user",
        "assistant",
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output",
        "user",
    ]


async def test_messages_of_one_kind_in_a_row_become_one(provider: Backend) -> None:
    """The servers refuse two in a row; chat templates of local models do too."""
    messages = (UserMessage("One."), UserMessage("Two."), AssistantMessage("A."), AssistantMessage("B."))
    await sent(provider, *messages, UserMessage("Three."), UserMessage("Four."))


@pytest.mark.parametrize("text", ["", " \n\t"])
async def test_nothing_empty_is_sent(provider: Backend, text: str) -> None:
    """The servers refuse empty texts."""
    call = Call("c1", "read", {"path": "a"})
    messages = (UserMessage(text), AssistantMessage(text), UserMessage("Hm."), AssistantMessage(text, (call,)))
    await sent(provider, *messages, ToolMessage("c1", "read", text), UserMessage(text))


async def test_no_tools_and_no_system_are_no_fields(provider: Backend) -> None:
    async with provider.play(say("Hi")) as stage:
        await stage.ask(Prompt("", (UserMessage("Hello"),)))
        assert stage.server
        body = stage.server.requests[0].body
    assert not {"tools", "tool_choice", "system", "instructions", "systemInstruction", "toolConfig"} & set(body)


async def test_images_reach_the_model(provider: Backend) -> None:
    body = str(await sent(provider, UserMessage("What is this?", (PNG,)), tools=()))
    assert PNG.data.rstrip("=") in body
    assert "image/png" in body


async def test_images_are_left_out_for_a_model_that_takes_none() -> None:
    body = await sent(Backend("openai:gpt-3.5-turbo", OpenAIServer), UserMessage("Look", (PNG, PNG)))
    note = "[an image was left out: this model takes none]"
    assert body["messages"][1] == {"role": "user", "content": f"Look\n\n{note}\n\n{note}"}


async def test_text_that_is_no_unicode_is_mended(provider: Backend) -> None:
    call = Call("c1", "read", {"path": "\ud800bad", "list": ["\udfff", 1]})
    result = ToolMessage("c1", "read", "\udcff\x00binary")
    body = str(await sent(provider, UserMessage("a \ud83d b"), AssistantMessage("", (call,)), result))
    assert "a ? b" in body
    assert "?\\x00binary" in body


@pytest.mark.parametrize(
    ("written", "args"),
    [
        ('{"path": "a', {"_raw": '{"path": "a'}),
        ("not json", {"_raw": "not json"}),
        ('["a"]', {"_raw": '["a"]'}),
        ('"a"', {"_raw": '"a"'}),
        ("null", {"_raw": "null"}),
        ("", {}),
        ("{}", {}),
    ],
)
@pytest.mark.parametrize("backend", [CHAT, RESPONSES, ANTHROPIC], ids=["chat", "responses", "anthropic"])
async def test_arguments_that_are_no_object_are_passed_on_raw_and_can_be_sent_back(
    backend: Backend, written: str, args: dict[str, Any]
) -> None:
    async with backend.play(say(Use("c1", "read", written)), say("I see.")) as stage:
        [call] = calls_of(await stage.ask())
        assert call == Call("c1", "read", args)
        result = ToolMessage("c1", "read", "wrong arguments", ok=False)
        await stage.ask(Prompt("", (UserMessage("Hi"), AssistantMessage("", (call,)), result), (READ,)))


@pytest.mark.parametrize("backend", [CHAT, ANTHROPIC, GOOGLE], ids=["chat", "anthropic", "google"])
@pytest.mark.parametrize("id_", ["c1", ""])
async def test_calls_with_the_same_id_or_none_are_told_apart(backend: Backend, id_: str) -> None:
    uses = (Use(id_, "read", {"path": "a"}), Use(id_, "read", {"path": "b"}))
    async with backend.play(say(*uses), say("I see.")) as stage:
        calls = calls_of(await stage.ask())
        assert [call.args for call in calls] == [{"path": "a"}, {"path": "b"}]
        assert len({call.id for call in calls} - {""}) == 2
        results = tuple(ToolMessage(call.id, "read", "ok") for call in calls)
        await stage.ask(Prompt("", (*HELLO.messages, AssistantMessage("", tuple(calls)), *results), (READ,)))


@pytest.mark.parametrize(
    ("backend", "place"),
    [
        (CHAT, ("max_tokens",)),
        (Backend("openai:gpt-5-mini", OpenAIServer), ("max_completion_tokens",)),
        (RESPONSES, ("max_output_tokens",)),
        (ANTHROPIC, ("max_tokens",)),
        (GOOGLE, ("generationConfig", "maxOutputTokens")),
    ],
)
async def test_the_longest_output_is_asked_for(backend: Backend, place: tuple[str, ...]) -> None:
    async with backend.play(say("Hi")) as stage:
        await stage.ask(Prompt("", (UserMessage("Hi"),), max_output=321))
        assert stage.server
        found: Any = stage.server.requests[0].body
    for key in place:
        found = found[key]
    assert found == 321


async def test_signed_thoughts_go_back_while_the_process_lives() -> None:
    async with ANTHROPIC.play(
        say(Think("Hm.", "sig-1"), Use("c1", "read", {"path": "a"})), say("Done."), thinking=True
    ) as stage:
        [call] = calls_of(await stage.ask())
        answer = (AssistantMessage("", (call,)), ToolMessage("c1", "read", "A"))
        await stage.ask(Prompt("", (*HELLO.messages, *answer), (READ,)))
        changed = (AssistantMessage("", (Call("c1", "read", {"path": "z"}),)), answer[1])
        await stage.ask(Prompt("", (*HELLO.messages, *changed), (READ,)))
        assert stage.server
        kept, other = (request.body["messages"][1]["content"] for request in stage.server.requests[1:])
    assert kept[0] == {"type": "thinking", "thinking": "Hm.", "signature": "sig-1"}
    assert [block["type"] for block in other] == ["tool_use"]


async def test_the_reasoning_of_the_responses_goes_back_encrypted() -> None:
    async with RESPONSES.play(say(Think("Hm.", "sealed"), Use("c1", "read", {"path": "a"})), say("Done.")) as stage:
        [call] = calls_of(await stage.ask())
        answer = (AssistantMessage("", (call,)), ToolMessage("c1", "read", "A"))
        await stage.ask(Prompt("", (*HELLO.messages, *answer), (READ,)))
        assert stage.server
        items = stage.server.requests[1].body["input"]
    assert [item["encrypted_content"] for item in items if item.get("type") == "reasoning"] == ["sealed"]


async def test_a_history_of_a_thousand_messages_is_sent_whole_and_fast(provider: Backend) -> None:
    messages: list[Message] = []
    for number in range(250):
        call = Call(f"c{number}", "read", {"path": f"file {number}"})
        messages += [UserMessage(f"Question {number}"), AssistantMessage("", (call,))]
        messages += [ToolMessage(call.id, "read", f"content {number} " * 20), AssistantMessage(f"Answer {number}")]
    async with provider.play(say("Hi")) as stage:
        await stage.ask()
        start = time.thread_time()
        await stage.ask(Prompt("", (*messages, UserMessage("Last?")), (READ,)))
        assert time.thread_time() - start < 2
        assert stage.server
        body = str(stage.server.requests[-1].body)
    for text in ("Question 0", "content 124", "Answer 249", "Last?"):
        assert text in body


async def test_the_price_is_told_where_it_is_known() -> None:
    async with ANTHROPIC.play(say("Hi", usage=Tokens(1_000_000, 0, 0))) as stage:
        cost = end_of(await stage.ask()).usage.cost
    assert cost == pytest.approx(2.0)
    async with Backend("openai:no-such-model", OpenAIServer).play(say("Hi")) as stage:
        assert end_of(await stage.ask()).usage.cost is None


async def test_without_a_price_list_an_answer_has_no_price(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    async with ANTHROPIC.play(say("Hi", usage=Tokens(1_000_000, 0, 0))) as stage:
        assert end_of(await stage.ask()).usage == Usage(1_000_000, 0, 0, None)
    async with Backend("openai:no-such-model", OpenAIServer).play(say("Hi")) as stage:
        await stage.ask()
        assert stage.model.window > 0
