"""A prompt as a local model is given it."""

from __future__ import annotations

from baton.adapters.models.local.translate import MAX_OUTPUT, messages, request, shorten, tool_line
from baton.core.agent.message import AssistantMessage, Call, Image, Prompt, ToolMessage, ToolSpec, UserMessage
from baton.engine.prompts import prompt_text

READ = ToolSpec(
    "read",
    "Read a file. Lines\ncome with numbers.",
    {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "from": {"type": "integer", "default": 1},
            "how": {"enum": ["whole", "head"]},
            "more": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}},
        },
        "required": ["path", "more"],
    },
)


def said(*given: object, tools: tuple[ToolSpec, ...] = (READ,)) -> list[tuple[str, str]]:
    """The messages after the system text."""
    prompt = Prompt("be good", given, tools)  # type: ignore[arg-type]
    return [(each["role"], each["content"]) for each in messages(prompt)[1:]]


def test_a_tool_is_one_line_that_shows_the_call_and_its_defaults() -> None:
    assert tool_line(READ) == (
        '{"tool": "read", "args": {"path": string, "from"?: 1, "how"?: "whole" or "head", "more": [{"x": string}, …]}}'
        "  // Read a file."
    )


def test_the_system_text_holds_the_tools_and_what_the_prompt_adds_to_the_usual() -> None:
    usual = prompt_text("system").strip()
    system = messages(Prompt(f"{usual}\n\nProject: use tabs, {{tools}}.", (), (READ,)))[0]["content"]
    assert tool_line(READ) in system
    assert system.endswith("Project: use tabs, {tools}.")
    assert usual not in system


def test_the_beginning_stays_the_same_from_step_to_step() -> None:
    given = [UserMessage("a"), AssistantMessage("", (Call("1", "read", {"path": "x"}),)), ToolMessage("1", "read", "y")]
    prompts = [messages(Prompt("s", tuple(given[:count]), (READ,))) for count in (1, 3)]
    assert prompts[1][: len(prompts[0])] == prompts[0]


def test_every_turn_of_the_model_is_one_json_object() -> None:
    assert said(UserMessage("hi"), AssistantMessage("é\n"), UserMessage("bye")) == [
        ("user", "hi"),
        ("assistant", '{"tool": "answer", "args": {"text": "é\\n"}}'),
        ("user", "bye"),
    ]


def test_calls_made_at_once_are_told_one_by_one_each_with_its_result() -> None:
    both = AssistantMessage("I look.", (Call("1", "read", {"path": "a"}), Call("2", "read", {"path": "b"})))
    assert said(both, ToolMessage("2", "read", "no such file", ok=False), ToolMessage("1", "read", "one")) == [
        ("assistant", '{"tool": "read", "args": {"path": "a"}}'),
        ("user", "Tool result:\none"),
        ("assistant", '{"tool": "read", "args": {"path": "b"}}'),
        ("user", "Error:\nno such file"),
    ]


def test_a_call_id_that_comes_again_keeps_its_own_result() -> None:
    call = AssistantMessage("", (Call("1", "read", {"path": "a"}),))
    found = said(call, ToolMessage("1", "read", "first"), call, ToolMessage("1", "read", "second"))
    assert [content for role, content in found if role == "user"] == ["Tool result:\nfirst", "Tool result:\nsecond"]


def test_without_tools_it_is_plain_text() -> None:
    prompt = Prompt("sum up", (UserMessage("a"), AssistantMessage("b")), max_output=50)
    body = request(prompt)
    assert body["messages"] == [
        {"role": "system", "content": "sum up"},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
    ]
    assert "grammar" not in body
    assert body["max_tokens"] == 50


def test_the_output_is_bounded() -> None:
    assert request(Prompt("", (), max_output=100_000))["max_tokens"] == MAX_OUTPUT
    assert request(Prompt("", ()))["max_tokens"] == MAX_OUTPUT


def test_images_are_said_to_be_unseen() -> None:
    assert said(UserMessage("look", (Image("image/png", "…"),))) == [
        ("user", "look\n[an image, which this model cannot see]")
    ]


def test_a_long_result_keeps_its_head_and_its_tail() -> None:
    short = shorten("a" * 500 + "b" * 500, 300)
    assert short.startswith("a" * 200)
    assert short.endswith("b" * 100)
    assert "700 characters left out" in short
    assert shorten("x" * 300, 300) == "x" * 300
