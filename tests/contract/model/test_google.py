"""Google's own ways: signatures, blocked prompts, thoughts that are counted apart."""

from __future__ import annotations

from typing import Any

import pytest

from baton.core.agent.message import AssistantMessage, Call, Prompt, ToolMessage, UserMessage
from baton.core.errors import ModelUnavailable, RateLimited
from baton.ports.model import Piece, Reasoning
from tests.contract.model.kit import GOOGLE, HELLO, READ, Stage, calls_of, end_of, text_of
from tests.support.model_servers import Raw, Stop, say
from tests.support.model_servers.http import event

pytestmark = pytest.mark.anyio


def chunk(*parts: dict[str, Any], **more: Any) -> Raw:
    return Raw(event({"candidates": [{"content": {"parts": [*parts], "role": "model"}, "index": 0, **more}]}))


async def asked_again(stage: Stage, pieces: list[Piece], system: str = "") -> list[dict[str, Any]]:
    """The contents of the next request, after the results of all calls."""
    calls = calls_of(pieces)
    results = tuple(ToolMessage(call.id, "read", "A") for call in calls)
    answer = AssistantMessage(text_of(pieces), tuple(calls))
    await stage.ask(Prompt(system, (*HELLO.messages, answer, *results), (READ,)))
    assert stage.server
    return stage.server.requests[-1].body["contents"]


async def test_what_a_model_signed_goes_back_where_it_stood() -> None:
    script = (
        chunk({"text": "Hm", "thought": True}),
        chunk({"text": "m.", "thought": True}),
        chunk({"text": "I re"}),
        chunk({"text": "ad."}),
        chunk({"text": "", "thoughtSignature": "c2lnLTE="}),
        chunk({"functionCall": {"id": "c1", "name": "read", "args": {"path": "a"}}, "thoughtSignature": "c2lnLTI="}),
        chunk({"functionCall": {"id": "c2", "name": "read", "args": {"path": "b"}}}),
    )
    async with GOOGLE.play(say(*script), say("Done.")) as stage:
        pieces = await stage.ask()
        assert "".join(piece.text for piece in pieces if isinstance(piece, Reasoning)) == "Hmm."
        contents = await asked_again(stage, pieces)
    assert contents[1]["parts"] == [
        {"text": "Hmm.", "thought": True},
        {"text": "I read.", "thoughtSignature": "c2lnLTE="},
        {"functionCall": {"id": "c1", "name": "read", "args": {"path": "a"}}, "thoughtSignature": "c2lnLTI="},
        {"functionCall": {"id": "c2", "name": "read", "args": {"path": "b"}}},
    ]


async def test_a_signed_call_without_an_id_goes_back_signed_with_one_of_ours() -> None:
    call = {"functionCall": {"name": "read", "args": {"path": "a"}}, "thoughtSignature": "c2ln"}
    async with GOOGLE.play(say(chunk(call)), say("Done.")) as stage:
        pieces = await stage.ask()
        [made] = calls_of(pieces)
        contents = await asked_again(stage, pieces)
    assert made.id
    [sent] = contents[1]["parts"]
    assert sent == {
        "functionCall": {"id": made.id, "name": "read", "args": {"path": "a"}},
        "thoughtSignature": "c2ln",
    }
    assert contents[2]["parts"][0]["functionResponse"]["id"] == made.id


async def test_a_call_that_another_process_made_needs_no_signature() -> None:
    """The server refuses a first call without one; this is Google's word for there being none."""
    history = (UserMessage("Hi"), AssistantMessage("", (Call("c1", "read", {}),)), ToolMessage("c1", "read", "A"))
    async with GOOGLE.play(say("Done.")) as stage:
        await stage.ask(Prompt("", history, (READ,)))
        assert stage.server
        [sent] = stage.server.requests[0].body["contents"][1]["parts"]
    assert sent["thoughtSignature"] == "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="


async def test_a_conversation_that_begins_with_an_answer_is_asked_all_the_same() -> None:
    async with GOOGLE.play(say("Done.")) as stage:
        await stage.ask(Prompt("", (AssistantMessage("I am here."), UserMessage("Hi")), ()))
        assert stage.server
        assert [each["role"] for each in stage.server.requests[0].body["contents"]] == ["user", "model", "user"]


@pytest.mark.parametrize(
    ("feedback", "said"),
    [
        ({"blockReason": "SAFETY"}, "Google blocked the prompt (safety)."),
        ({"blockReason": "PROHIBITED_CONTENT", "blockReasonMessage": "Not this."}, "Not this."),
    ],
)
async def test_a_blocked_prompt_is_a_refusal_that_says_so(feedback: dict[str, str], said: str) -> None:
    async with GOOGLE.play(say(Raw(event({"promptFeedback": feedback})), Stop())) as stage:
        pieces = await stage.ask()
    assert (text_of(pieces), end_of(pieces).stop) == (said, "refusal")


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
async def test_an_answer_that_failed_is_not_taken_for_whole(reason: str) -> None:
    async with GOOGLE.play(say(chunk({"text": "So"}, finishReason=reason), Stop())) as stage:
        with pytest.raises(ModelUnavailable):
            await stage.ask()


async def test_thoughts_count_as_output_and_a_count_that_is_left_out_stays() -> None:
    first = {"promptTokenCount": 100, "cachedContentTokenCount": 60, "thoughtsTokenCount": 7}
    last = {"promptTokenCount": 100, "candidatesTokenCount": 5, "thoughtsTokenCount": 9}
    end = {"candidates": [{"finishReason": "STOP"}], "usageMetadata": last}
    script = (Raw(event({"usageMetadata": first})), chunk({"text": "Hi"}), Raw(event(end)), Stop())
    async with GOOGLE.play(say(*script)) as stage:
        usage = end_of(await stage.ask()).usage
    assert (usage.input, usage.output, usage.cached) == (100, 14, 60)


async def test_an_error_in_the_middle_has_the_error_of_its_kind() -> None:
    told = {"error": {"code": 429, "message": "Too many", "status": "RESOURCE_EXHAUSTED"}}
    async with GOOGLE.play(say("Hel", Raw(event(told)))) as stage:
        with pytest.raises(RateLimited):
            await stage.ask()
