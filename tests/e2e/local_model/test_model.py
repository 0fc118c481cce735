"""The smallest local model, for real: its form and its manners. What it says is not judged here."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import aclosing
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from baton.adapters.models.local.catalogue import SMOLLM_135M
from baton.adapters.models.local.model import LocalModel, Tuning
from baton.adapters.models.local.translate import request
from baton.core.agent.message import AssistantMessage, Call, Prompt, ToolMessage, ToolSpec, UserMessage
from baton.core.errors import ContextOverflow, ModelError
from baton.core.value import replace
from baton.ports.model import Called, Finished, Piece, Reasoning, Text
from tests.e2e.local_model.conftest import Local
from tests.support.local_models import smollm_directory

pytestmark = pytest.mark.timeout(300)


def tool(name: str, **properties: Any) -> ToolSpec:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return ToolSpec(name, f"Does {name}.", {**parameters, "additionalProperties": False})


TEXT = {"type": "string"}
TOOLS = (tool("read", path=TEXT), tool("count", start={"type": "integer", "minimum": 3, "maximum": 5}))
TALE = Prompt("", (UserMessage("Tell me a very long story about a dog."),), max_output=400)
HELLO = Prompt("", (UserMessage("Say hello."),), max_output=12)


def used_cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def ask(text: str, **more: Any) -> Prompt:
    return Prompt("Be brief.", (UserMessage(text),), TOOLS, **more)


def test_every_reply_is_a_call_of_a_tool_or_an_answer(local: Local) -> None:
    for question in ("Read the file a.txt", "Count from 4", "What is your name?"):
        *pieces, last = local.run(local.said(ask(question, max_output=120)))
        assert isinstance(last, Finished)
        calls = [piece.call for piece in pieces if isinstance(piece, Called)]
        assert len(calls) + bool([piece for piece in pieces if isinstance(piece, Text)]) == 1
        assert last.stop == ("calls" if calls else "stop")
        for call in calls:
            (spec,) = [spec for spec in TOOLS if spec.name == call.name]
            jsonschema.validate(dict(call.args), dict(spec.parameters))


def test_a_call_in_the_history_is_made_again_when_the_same_is_asked_again(local: Local) -> None:
    asked = UserMessage("Read the file a.txt")
    called = AssistantMessage("", (Call("1", "read", {"path": "a.txt"}),))
    history = (asked, called, ToolMessage("1", "read", "empty")) * 3
    *_, made, last = local.run(local.said(Prompt("", (*history, asked), TOOLS)))
    assert isinstance(made, Called)
    assert made.call.name == "read"
    assert made.call.id != "1"
    assert isinstance(last, Finished)
    assert last.stop == "calls"


def test_tools_with_unusual_schemas_still_hold_the_model_to_the_form(local: Local) -> None:
    odd = {
        "type": "object",
        "$defs": {"node": {"type": "object", "properties": {"below": {"$ref": "#/$defs/node"}, "name": TEXT}}},
        "properties": {
            "node": {"$ref": "#/$defs/node"},
            "far": {"$ref": "https://elsewhere.example/x"},
            "uri": {"type": "string", "format": "uri", "pattern": "^h(?=t)"},
            "not": {"not": TEXT},
            "none": {"anyOf": []},
            "pair": {"type": "array", "prefixItems": [TEXT], "minItems": 2, "uniqueItems": True},
            "or": {"type": ["integer", "null"], "minimum": 9, "maximum": 1, "multipleOf": 0.1},
            "if": {"if": {"type": "string"}, "then": {"minLength": 3}, "allOf": [{"minLength": 1}]},
        },
        "patternProperties": {"^x": TEXT},
        "dependentRequired": {"uri": ["not"]},
    }
    prompt = Prompt("", (UserMessage("What is odd?"),), (ToolSpec("odd", "Odd.", odd), tool("plain", a=TEXT)))

    async def raw() -> str:
        worker = await local.model._warm.get()
        return "".join([message.get("text", "") async for message in worker.ask(request(prompt) | {"max_tokens": 60})])

    assert local.run(raw()).startswith('{"tool": "')


def test_text_is_streamed_and_counted(local: Local) -> None:
    prompt = Prompt("You tell stories.", (UserMessage("Tell me a story."),), max_output=30)
    *pieces, last = local.run(local.said(prompt))
    assert all(isinstance(piece, Text) and piece.text for piece in pieces)
    assert len(pieces) > 10
    assert isinstance(last, Finished)
    assert (last.usage.output, last.usage.cost, last.stop) == (30, 0.0, "length")
    assert 10 < last.usage.input < 100


def test_the_second_turn_reads_only_what_is_new(local: Local) -> None:
    first = ask("What is your name?", max_output=60)
    *pieces, _ = local.run(local.said(first))
    answer = AssistantMessage("".join(piece.text for piece in pieces if isinstance(piece, Text)))
    *_, last = local.run(
        local.said(Prompt(first.system, (*first.messages, answer, UserMessage("And mine?")), TOOLS, max_output=60))
    )
    assert isinstance(last, Finished)
    assert last.usage.cached > 0.7 * last.usage.input


def test_another_prompt_in_between_does_not_cost_the_cache(local: Local) -> None:
    local.run(local.said(ask("What is your name?", max_output=40)))
    local.run(local.said(Prompt("Sum up in five words.", (UserMessage("The dog ran after the cat."),), max_output=8)))
    *_, last = local.run(local.said(ask("What is your name?", max_output=40)))
    assert isinstance(last, Finished)
    assert last.usage.cached > 0.7 * last.usage.input


def test_reading_is_reported(local: Local) -> None:
    seen: list[tuple[int, int, float]] = []
    local.model._on_read = lambda *report: seen.append(report)
    local.run(local.said(Prompt("", (UserMessage("word " * 100),), max_output=4)))
    local.model._on_read = None
    assert len(seen) > 2
    assert seen[-1][0] == seen[-1][1] > 100
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)


def test_closing_the_stream_stops_the_generation_within_a_second(local: Local) -> None:
    async def cancelled() -> tuple[float, float]:
        async with aclosing(local.model.stream(TALE)) as stream:
            async for piece in stream:
                if isinstance(piece, Text):
                    break
            start = time.monotonic()
        took = time.monotonic() - start
        await asyncio.sleep(1)
        before = used_cpu(local.model.worker_pid or 0)
        await asyncio.sleep(0.5)
        return took, used_cpu(local.model.worker_pid or 0) - before

    took, worked = local.run(cancelled())
    assert took < 1
    assert worked < 0.1
    assert isinstance(local.run(local.said(HELLO))[-1], Finished)


def test_closing_the_stream_while_the_prompt_is_read_takes_effect_too(local: Local) -> None:
    async def cancelled() -> float:
        task = asyncio.create_task(local.said(Prompt("", (UserMessage("other words " * 600),), max_output=4)))
        await asyncio.sleep(1)
        start = time.monotonic()
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        return time.monotonic() - start

    assert local.run(cancelled()) < 1
    start = time.monotonic()
    assert isinstance(local.run(local.said(HELLO))[-1], Finished)
    assert time.monotonic() - start < 20


def test_requests_at_once_are_served_one_after_the_other(local: Local) -> None:
    order: list[str] = []

    async def one(name: str) -> None:
        async for piece in local.model.stream(Prompt("", (UserMessage(f"Say {name}."),), max_output=8)):
            if piece != Reasoning(""):
                order.append(name)  # noqa: PERF401, the order in which they come is the point

    async def both() -> None:
        await asyncio.gather(*(one(name) for name in "abc"))

    local.run(both())
    assert len(order) > 5
    assert order == sorted(order)


def test_a_request_that_waits_can_be_cancelled(local: Local) -> None:
    async def both() -> list[Any]:
        first = asyncio.create_task(local.said(HELLO))
        second = asyncio.create_task(local.said(TALE))
        await asyncio.sleep(0.1)
        second.cancel()
        return await first

    assert isinstance(local.run(both())[-1], Finished)


def test_a_prompt_that_does_not_fit_is_refused_with_its_size(local: Local) -> None:
    with pytest.raises(ContextOverflow, match=r"\d{4} tokens.*2048"):
        local.run(local.said(Prompt("", (UserMessage("word " * 4000),))))


def test_a_call_that_is_cut_off_is_an_error_and_no_call(local: Local) -> None:
    with pytest.raises(ModelError, match="was cut off after 4 tokens"):
        local.run(local.said(ask("Read the file a.txt", max_output=4)))


def test_what_a_model_is(local: Local) -> None:
    model = local.model
    assert (model.name, model.window, model.images) == ("local:smollm2-135m", 2048, False)
    assert json.dumps(request(HELLO))


def test_what_was_rehearsed_is_not_read_again(local: Local) -> None:
    system = "You keep a diary of the weather. " * 20
    local.run(local.model.rehearse(Prompt(system, (), TOOLS)))
    *_, last = local.run(local.said(Prompt(system, (UserMessage("Hello."),), TOOLS, max_output=60)))
    assert isinstance(last, Finished)
    assert last.usage.input - last.usage.cached < 40 < last.usage.cached


def test_a_rehearsal_pulls_nothing(models: str) -> None:
    asyncio.run(LocalModel(models, SMOLLM_135M).rehearse(HELLO))
    assert not Path(models).exists()


def test_an_answer_that_goes_round_in_circles_ends(local: Local) -> None:
    weights = replace(local.model.weights, repeat_penalty=1.0)
    circling = Prompt("", (UserMessage("Repeat without end: ab ab ab ab ab ab ab ab ab ab ab ab"),))

    async def said() -> list[Piece]:
        model = LocalModel(smollm_directory(), weights, Tuning(window=2048))
        try:
            return [piece async for piece in model.stream(circling) if piece != Reasoning("")]
        finally:
            await model.close()

    *texts, last = asyncio.run(said())
    assert isinstance(last, Finished)
    assert last.stop == "length"
    assert 100 < last.usage.output < 300
    assert last.usage.input > 10
    assert "".join(piece.text for piece in texts if isinstance(piece, Text)).endswith("ab ab ab ab ab ab")
