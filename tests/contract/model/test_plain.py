"""Models over plain HTTP: what real servers do that the rules do not say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest

from baton.adapters.models.plain.events import LONGEST, Event, events
from baton.adapters.models.plain.fields import Unreadable, write
from baton.core.agent.message import AssistantMessage, Call, Prompt, ToolMessage
from baton.core.errors import ContextOverflow, ModelRefused, ModelUnavailable, RateLimited
from baton.ports.model import Reasoning, Text
from tests.contract.model.kit import ANTHROPIC, CHAT, HELLO, READ, Backend, calls_of, end_of, text_of
from tests.support.model_servers import AnthropicServer, Raw, Request, Think, Use, fail, say
from tests.support.model_servers.http import event

pytestmark = pytest.mark.anyio


def chunk(**delta: Any) -> Raw:
    whole = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return Raw(event({**whole, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}))


def fragment(index: int | None, id_: str | None, name: str | None, args: Any) -> dict[str, Any]:
    made = {"id": id_, "type": "function", "function": {"name": name, "arguments": args}}
    return made if index is None else {"index": index, **made}


@pytest.mark.parametrize(
    "fragments",
    [
        [fragment(None, "a", "read", '{"path":"x"}'), fragment(None, "b", "read", '{"path":"y"}')],
        [fragment(0, "a", "read", '{"path":"x"}'), fragment(0, "b", "read", '{"path":"y"}')],
        [
            fragment(None, "a", "read", '{"pa'),
            fragment(None, None, None, 'th":"x"}'),
            fragment(None, "b", "read", '{"path":"y"}'),
        ],
        [fragment(0, "a", "read", {"path": "x"}), fragment(1, "b", "read", {"path": "y"})],
        [fragment(0, "a", "read", '{"path"'), fragment(0, "a", "", ':"x"}'), fragment(1, "b", "read", '{"path":"y"}')],
    ],
    ids=["no index", "one index", "no index, in pieces", "as objects", "the id again"],
)
async def test_calls_are_told_apart_however_a_server_marks_them(fragments: list[dict[str, Any]]) -> None:
    async with CHAT.play(say(*(chunk(tool_calls=[each]) for each in fragments))) as stage:
        calls = calls_of(await stage.ask())
    assert calls == [Call("a", "read", {"path": "x"}), Call("b", "read", {"path": "y"})]


@pytest.mark.parametrize(
    ("pieces", "thought", "said"),
    [
        (["<think>", "Hm", ".", "</think>", "\n\n", "Yes."], "Hm.", "Yes."),
        (["\n<think>Hm.", "</think>Yes."], "Hm.", "Yes."),
        (["<think>", "\n", "</think>", "\n\nYes."], "\n", "Yes."),
        (["A mark: ", "<think>", " is text."], "", "A mark: <think> is text."),
        (["<think>", "never closed"], "never closed", ""),
    ],
)
async def test_thoughts_before_the_text_are_reasoning(pieces: list[str], thought: str, said: str) -> None:
    async with CHAT.play(say(*pieces)) as stage:
        found = await stage.ask()
    assert "".join(each.text for each in found if isinstance(each, Reasoning)) == thought
    assert text_of(found) == said


async def test_a_text_in_parts_and_an_empty_choice_are_read() -> None:
    empty = Raw(event({"id": "c", "choices": None, "usage": None}))
    async with CHAT.play(say(empty, chunk(content=[{"type": "text", "text": "Hi"}]), chunk())) as stage:
        assert text_of(await stage.ask()) == "Hi"


async def test_thoughts_in_a_field_go_back_in_it_and_what_stood_at_a_call_too() -> None:
    call = {**fragment(0, "c1", "read", "{}"), "extra_content": {"google": {"thought_signature": "s"}}}
    script = (say(Think("Hm."), chunk(tool_calls=[call])), say("Done."))
    async with CHAT.play(*script) as stage:
        [made] = calls_of(await stage.ask())
        assert stage.server
        stage.server.check = lambda _: iter(())  # pyright: ignore[reportAttributeAccessIssue]
        answer = (AssistantMessage("", (made,)), ToolMessage("c1", "read", "A"))
        await stage.ask(Prompt("", (*HELLO.messages, *answer), (READ,)))
        sent = stage.server.requests[1].body["messages"][1]
    assert sent["reasoning_content"] == "Hm."
    assert sent["tool_calls"][0]["extra_content"] == call["extra_content"]


class Lenient(AnthropicServer):
    """Takes thoughts that are hidden, too."""

    def check(self, request: Request) -> Any:
        return (fault for fault in super().check(request) if "redacted_thinking" not in fault)


async def test_thoughts_that_are_hidden_go_back_as_they_came() -> None:
    hidden = {"type": "redacted_thinking", "data": "sealed"}
    start = {"type": "content_block_start", "index": 0, "content_block": hidden}
    stop = {"type": "content_block_stop", "index": 0}
    raw = Raw(event(start, "content_block_start") + event(stop, "content_block_stop"))
    script = (say(raw, Use("c1", "read", {"path": "a"})), say("Done."))
    async with Backend(ANTHROPIC.name, Lenient).play(*script) as stage:
        [call] = calls_of(await stage.ask())
        answer = (AssistantMessage("", (call,)), ToolMessage("c1", "read", "A"))
        await stage.ask(Prompt("", (*HELLO.messages, *answer), (READ,)))
        assert stage.server
        sent = stage.server.requests[1].body["messages"][1]["content"]
    assert sent == [hidden, {"type": "tool_use", "id": "c1", "name": "read", "input": {"path": "a"}}]


async def test_thoughts_that_are_bound_to_another_past_are_left_out() -> None:
    """After the system prompt has changed, for instance, the provider refuses the thoughts of before."""
    bound = (
        "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation"
    )
    script = (say(Think("Hm.", "sig"), Use("c1", "read", {"path": "a"})), fail(400, bound), say("Done."))
    async with ANTHROPIC.play(*script) as stage:
        [call] = calls_of(await stage.ask())
        answer = (AssistantMessage("", (call,)), ToolMessage("c1", "read", "A"))
        assert text_of(await stage.ask(Prompt("Changed.", (*HELLO.messages, *answer), (READ,)))) == "Done."
        assert stage.server
        blocks = [
            [block["type"] for block in request.body["messages"][1]["content"]] for request in stage.server.requests[1:]
        ]
    assert blocks == [["thinking", "tool_use"], ["tool_use"]]


async def test_a_refusal_without_kept_thoughts_is_not_tried_again() -> None:
    async with ANTHROPIC.play(fail(400, "thinking is not supported")) as stage:
        with pytest.raises(ModelRefused):
            await stage.ask()
        assert stage.server
        assert len(stage.server.requests) == 1


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({"error": {"message": "slow down", "code": 429}}, RateLimited),
        ({"error": {"message": "This model's maximum context length is 4096 tokens"}}, ContextOverflow),
        ({"error": {"message": "Insufficient credits", "code": 402}}, RateLimited),
        ({"error": {"message": "it broke", "code": "server_error"}}, ModelUnavailable),
        ({"error": "it broke"}, ModelUnavailable),
    ],
)
async def test_an_error_in_the_middle_has_the_error_of_its_kind(told: dict[str, Any], kind: type[Exception]) -> None:
    async with CHAT.play(say("Hel", Raw(event(told)))) as stage:
        with pytest.raises(kind):
            await stage.ask()


async def test_a_limit_may_name_a_time() -> None:
    import email.utils
    import time

    async with CHAT.play(fail(429, retry_after=email.utils.formatdate(time.time() + 90))) as stage:
        with pytest.raises(RateLimited) as caught:
            await stage.ask()
    assert 80 < caught.value.facts["after"] <= 90


async def test_the_cost_a_server_names_is_the_cost() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5, "cost": 0.0125}
    async with CHAT.play(say("Hi", Raw(event({"id": "c", "choices": [], "usage": usage})), usage=None)) as stage:
        assert end_of(await stage.ask()).usage.cost == 0.0125


async def test_numbers_that_json_has_no_word_for_are_null() -> None:
    assert write({"a": [float("nan"), 1.5], "b": float("inf")}) == b'{"a":[null,1.5],"b":null}'


async def read(*chunks: bytes) -> list[Event]:
    async def come() -> AsyncIterator[bytes]:
        for each in chunks:
            yield each

    async with aclosing(events(come())) as found:
        return [each async for each in found]


async def test_events_are_put_together_whatever_their_pieces() -> None:
    whole = b": a comment\r\nevent: x\r\ndata: one\r\ndata:two \xc3\xbc\r\nid: 7\r\n\r\ndata: last\n\ndata: cut o"
    expected = [Event("x", "one\ntwo ü"), Event("", "last")]
    assert await read(whole) == expected
    assert await read(*(whole[place : place + 1] for place in range(len(whole)))) == expected


async def test_a_line_without_an_end_is_given_up() -> None:
    piece = b"x" * 2**20
    with pytest.raises(Unreadable):
        await read(*[piece] * (LONGEST // len(piece) + 1))


async def test_the_environments_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = asyncio.Queue[str]()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.put_nowait((await reader.readline()).decode())
        writer.close()

    async with await asyncio.start_server(accept, "127.0.0.1", 0) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        from baton.adapters.models.open import open_model

        model = open_model("openai:m", {"OPENAI_BASE_URL": "http://models.invalid/v1"})
        with pytest.raises(ModelUnavailable):
            [each async for each in model.stream(HELLO)]
        await model.close()
        assert (await heard.get()).startswith("POST http://models.invalid/v1/chat/completions")


async def test_a_stream_of_text_alone_has_no_reasoning() -> None:
    async with CHAT.play(say("One", " two")) as stage:
        assert [type(each) for each in (await stage.ask())[:-1]] == [Text, Text]
