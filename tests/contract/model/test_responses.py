"""The Responses' own ways: sealed thoughts, refusals, errors as events."""

from __future__ import annotations

from typing import Any

import pytest

from baton.core.agent.message import AssistantMessage, Call, Prompt, ToolMessage
from baton.core.errors import ContextOverflow, ModelRefused, ModelUnavailable, RateLimited
from baton.ports.model import Reasoning
from tests.contract.model.kit import HELLO, READ, RESPONSES, Backend, calls_of, end_of, text_of
from tests.support.model_servers import OpenAIServer, Raw, Stop, Think, Use, fail, say
from tests.support.model_servers.http import event

pytestmark = pytest.mark.anyio


def told(kind: str, **given: Any) -> Raw:
    return Raw(event({"type": kind, **given}, kind))


def item(place: int, **given: Any) -> Raw:
    return told("response.output_item.done", output_index=place, item=given)


def completed(**given: Any) -> Raw:
    whole = {"id": "resp_1", "model": "gpt-5-mini", "status": "completed", "output": [], **given}
    return told("response.completed", response=whole)


SEALED = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"}
OPEN = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": None}
SPOKEN = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "phase": "commentary",
    "content": [{"type": "output_text", "text": "I read.", "annotations": []}],
}
CALLED = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "read", "arguments": '{"path":"a"}'}


async def sent_back(*items: dict[str, Any]) -> list[dict[str, Any]]:
    """What of an answer goes into the request after it."""
    script = (say(*(item(place, **each) for place, each in enumerate(items)), completed(), Stop()), say("Done."))
    async with RESPONSES.play(*script) as stage:
        pieces = await stage.ask()
        calls = tuple(calls_of(pieces))
        answer = (AssistantMessage(text_of(pieces), calls), ToolMessage("c1", "read", "A"))
        await stage.ask(Prompt("", (*HELLO.messages, *answer), (READ,)))
        assert stage.server
        return stage.server.requests[1].body["input"][1:-1]


async def test_sealed_thoughts_go_back_with_all_that_came() -> None:
    assert await sent_back(SEALED, SPOKEN, {**CALLED, "status": "completed"}) == [SEALED, SPOKEN, CALLED]


async def test_without_its_seal_a_thought_stays_away_and_nothing_goes_by_its_id() -> None:
    """The provider keeps nothing, so that it could not find what is meant."""
    plain = [{"role": "assistant", "content": "I read."}, {key: CALLED[key] for key in CALLED if key != "id"}]
    assert await sent_back(OPEN, {**SPOKEN, "phase": None}, CALLED) == plain
    spoken, _ = await sent_back(OPEN, SPOKEN, CALLED)
    assert (spoken["phase"], "id" in spoken) == ("commentary", False)


async def test_thoughts_that_are_bound_to_another_past_are_left_out() -> None:
    bound = "The encrypted content for item rs_0 could not be verified. Reason: reasoning item is of another model."
    script = (say(Think("Hm.", "sealed"), Use("c1", "read", {"path": "a"})), fail(400, bound), say("Done."))
    async with RESPONSES.play(*script) as stage:
        [call] = calls_of(await stage.ask())
        answer = (AssistantMessage("", (call,)), ToolMessage("c1", "read", "A"))
        assert text_of(await stage.ask(Prompt("Changed.", (*HELLO.messages, *answer), (READ,)))) == "Done."
        assert stage.server
        kinds = [[each.get("type") for each in request.body["input"]] for request in stage.server.requests[1:]]
    assert kinds[0][1:] == ["reasoning", "function_call", "function_call_output"]
    assert kinds[1][1:] == ["function_call", "function_call_output"]


async def test_a_call_and_a_text_that_come_whole_only_are_read() -> None:
    script = (item(0, **SPOKEN), item(1, **CALLED), completed(), Stop())
    async with RESPONSES.play(say(*script)) as stage:
        pieces = await stage.ask()
    assert (text_of(pieces), calls_of(pieces)) == ("I read.", [Call("c1", "read", {"path": "a"})])


async def test_the_parts_of_a_summary_are_told_apart() -> None:
    def piece(place: int, text: str) -> tuple[Raw, Raw]:
        added = told("response.reasoning_summary_part.added", output_index=0, summary_index=place)
        delta = told("response.reasoning_summary_text.delta", output_index=0, summary_index=place, delta=text)
        return added, delta

    async with RESPONSES.play(say(*piece(0, "One."), *piece(1, "Two."), "Hi")) as stage:
        pieces = await stage.ask()
    assert "".join(each.text for each in pieces if isinstance(each, Reasoning)) == "One.\n\nTwo."


async def test_a_refusal_is_told() -> None:
    async with RESPONSES.play(say(told("response.refusal.delta", delta="I will not."))) as stage:
        pieces = await stage.ask()
    assert (text_of(pieces), end_of(pieces).stop) == ("I will not.", "refusal")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("server_error", ModelUnavailable),
        ("rate_limit_exceeded", RateLimited),
        ("insufficient_quota", RateLimited),
        ("context_length_exceeded", ContextOverflow),
        ("invalid_prompt", ModelRefused),
    ],
)
async def test_an_error_has_the_error_of_its_kind_however_it_comes(code: str, kind: type[Exception]) -> None:
    error = {"code": code, "message": "It went wrong"}
    failed = told("response.failed", response={"id": "r", "status": "failed", "error": error})
    for raw in (told("error", **error, param=None), told("error", error=error), failed):
        async with RESPONSES.play(say("Hel", raw)) as stage:
            with pytest.raises(kind):
                await stage.ask()


async def test_a_model_that_does_not_reason_is_not_asked_for_thoughts() -> None:
    async with Backend("openai-responses:gpt-4o", OpenAIServer).play(say("Hi")) as stage:
        await stage.ask()
        assert stage.server
        assert not {"include", "reasoning"} & set(stage.server.requests[0].body)


async def test_a_newer_model_keeps_the_system_prompt_in_its_cache() -> None:
    async with Backend("openai-responses:gpt-6.1-sol", OpenAIServer).play(say("Hi")) as stage:
        await stage.ask()
        assert stage.server
        first = stage.server.requests[0].body["input"][0]
    assert (first["role"], first["content"][0]["text"]) == ("system", HELLO.system)
