"""What servers of Chat Completions do each in their own way."""

from __future__ import annotations

from typing import Any

import pytest

from baton.adapters.models.plain.chat import ChatDialect
from baton.adapters.models.plain.dialects import plain_dialect
from baton.adapters.models.plain.manner import Manner
from baton.adapters.models.plain.schemas import inlined
from baton.adapters.models.registry import PROVIDERS
from baton.adapters.models.replies import Replies
from baton.core.agent.message import AssistantMessage, Call, Prompt, ToolMessage, ToolSpec, UserMessage
from baton.ports.model import Reasoning
from tests.contract.model.kit import CHAT, HELLO, READ, Backend, Stage, calls_of, end_of, text_of
from tests.contract.model.test_plain import chunk, fragment
from tests.contract.model.test_wire import PNG, WORK
from tests.support.model_servers import (
    CerebrasServer,
    MistralServer,
    OpenRouterServer,
    Think,
    Use,
    ZaiServer,
    say,
)

pytestmark = pytest.mark.anyio


def body_of(provider: str, model: str, *messages: Any, tools: tuple[ToolSpec, ...] = ()) -> Any:
    dialect = plain_dialect(PROVIDERS[provider], model, {})
    return dialect.ask(Prompt("", messages or WORK, tools), Replies(), images=False).body


def test_mistral_gets_ids_of_nine_letters_and_digits_and_no_person_after_a_tool() -> None:
    messages = body_of("mistral", "mistral-large-latest")["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "assistant", "user"]
    asked = [call["id"] for call in messages[1]["tool_calls"]]
    assert asked == [message["tool_call_id"] for message in messages[2:4]]
    assert all(len(each) == 9 and each.isalnum() for each in asked)
    assert len(set(asked)) == 2


def test_an_id_that_mistral_made_stays() -> None:
    work = (AssistantMessage("", (Call("Ab3dE6gH9", "read", {}),)), ToolMessage("Ab3dE6gH9", "read", "A"))
    assert body_of("mistral", "m", *work)["messages"][0]["tool_calls"][0]["id"] == "Ab3dE6gH9"


def test_mistral_is_not_asked_for_what_it_refuses() -> None:
    assert set(body_of("mistral", "mistral-large-latest", tools=(READ,))) == {
        "model",
        "stream",
        "messages",
        "tools",
        "tool_choice",
    }


@pytest.mark.parametrize(
    "backend",
    [
        Backend("mistral:mistral-medium-latest", MistralServer),
        Backend("zai:glm-5.3", ZaiServer),
        Backend("cerebras:zai-glm-4.7", CerebrasServer),
        Backend("cerebras:gpt-oss-120b", CerebrasServer),
        Backend("openrouter:anthropic/claude-sonnet-5.5", OpenRouterServer),
        Backend("openrouter:openai/gpt-5", OpenRouterServer),
    ],
    ids=lambda backend: backend.name,
)
async def test_a_long_piece_of_work_is_taken_by_each_vendor(backend: Backend) -> None:
    """Thoughts, two calls, results, a picture and another word of the person's: the servers refuse what is wrong."""
    uses = (Use("call_1", "read", {"path": "a"}), Use("call_2", "read", {"path": "b"}))
    async with backend.play(say(Think("Hm."), "I read.", *uses), say("Done."), images=True) as stage:
        pieces = await stage.ask()
        assert pieces[0] == Reasoning("Hm.")
        calls = tuple(calls_of(pieces))
        assert [call.args["path"] for call in calls] == ["a", "b"]
        work = (
            *HELLO.messages,
            AssistantMessage(text_of(pieces), calls),
            *(ToolMessage(call.id, "read", "A") for call in calls),
            UserMessage("And this?", (PNG,)),
        )
        done = await stage.ask(Prompt("Be brief.", work, (READ,), 99))
    assert text_of(done) == "Done."
    assert end_of(done).usage.input == 10


async def spoken(stage: Stage, manner: Manner) -> dict[str, Any]:
    """The answer as it goes back to a server of that manner."""
    model: Any = stage.model
    old = model._dialect
    model._dialect = ChatDialect(old.model, old.base, old.headers, manner)
    pieces = await stage.ask()
    [call] = calls_of(pieces)
    work = (*HELLO.messages, AssistantMessage(text_of(pieces), (call,)), ToolMessage("c1", "read", "A"))
    return model._ask(Prompt("", work, (READ,))).body["messages"][1]


async def test_mistrals_thoughts_are_read_and_go_back_as_a_part_of_the_content() -> None:
    thinking = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]
    said = [{"type": "text", "text": "I read."}]
    call = chunk(tool_calls=[fragment(0, "c1", "read", "{}")])
    async with CHAT.play(say(chunk(content=thinking), chunk(content=said), call)) as stage:
        sent = await spoken(stage, Manner())
        pieces = await stage.ask()
    assert pieces[0] == Reasoning("Hm.")
    assert sent["content"] == [*thinking, *said]


async def test_thoughts_in_parts_grow_together_and_go_back_whole() -> None:
    """As OpenRouter passes on what the makers of models sign."""

    def detail(**given: Any) -> Any:
        return chunk(reasoning=given.get("text"), reasoning_details=[{"format": "anthropic-claude-v1", **given}])

    script = (
        detail(type="reasoning.text", index=0, text="Hm"),
        detail(type="reasoning.text", index=0, text="m."),
        detail(type="reasoning.text", index=0, signature="sig"),
        detail(type="reasoning.encrypted", index=1, data="sealed"),
        chunk(tool_calls=[fragment(0, "c1", "read", "{}")]),
    )
    async with CHAT.play(say(*script)) as stage:
        sent = await spoken(stage, Manner())
    assert sent["reasoning_details"] == [
        {"format": "anthropic-claude-v1", "type": "reasoning.text", "index": 0, "text": "Hmm.", "signature": "sig"},
        {"format": "anthropic-claude-v1", "type": "reasoning.encrypted", "index": 1, "data": "sealed"},
    ]
    assert "reasoning" not in sent


async def test_thoughts_go_back_inside_the_text_where_a_server_wants_them_there() -> None:
    call = chunk(tool_calls=[fragment(0, "c1", "read", "{}")])
    async with CHAT.play(say(chunk(reasoning="Hm."), chunk(content="I read."), call)) as stage:
        sent = await spoken(stage, Manner(tags=True))
    assert sent["content"] == "<think>Hm.</think>\n\nI read."
    assert "reasoning" not in sent


NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
POINT = {"type": "object", "properties": {"x": {"type": "integer"}}}


def test_a_definition_is_written_where_it_is_referred_to() -> None:
    schema = {
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/Point", "description": "Here"}},
        "$defs": {"Point": POINT},
    }
    assert inlined(schema) == {"type": "object", "properties": {"at": {**POINT, "description": "Here"}}}
    assert inlined(READ.parameters) == READ.parameters


def test_a_definition_that_holds_itself_stays_a_reference() -> None:
    schema = {"type": "object", "properties": {"first": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": NODE}}
    made = inlined(schema)
    assert made["properties"] == {"first": NODE}
    assert made["$defs"] == {"Node": NODE}


def test_a_schema_that_would_grow_out_of_hand_stays_as_it_is() -> None:
    names = [f"D{number}" for number in range(40)]
    twice = {
        name: {"type": "object", "properties": {side: {"$ref": f"#/$defs/{after}"} for side in ("a", "b")}}
        for name, after in zip(names, [*names[1:], "none"], strict=True)
    }
    schema = {"type": "object", "properties": {"root": {"$ref": "#/$defs/D0"}}, "$defs": twice}
    assert inlined(schema) == schema


def test_a_tool_without_parameters_names_that_it_has_none() -> None:
    tool = ToolSpec("now", "The time.", {"type": "object"})
    for provider, model in (("openai-chat", "gpt-5"), ("openai", "gpt-5")):
        [made] = body_of(provider, model, tools=(tool,))["tools"]
        assert made.get("function", made)["parameters"] == {"type": "object", "properties": {}}
