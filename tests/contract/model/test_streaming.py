"""What every model promises of its stream."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import Any, cast

import pytest

from baton.core.agent.message import Call
from baton.ports.model import Called, Finished, Reasoning, Text
from tests.contract.model.kit import CHAT, FAKE, HELLO, Backend, calls_of, end_of, text_of
from tests.support.model_servers import Hang, Raw, Think, Together, Tokens, Use, Wait, flood, say
from tests.support.model_servers.http import event
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.anyio


async def test_text_comes_in_order_and_the_end_comes_last(backend: Backend) -> None:
    async with backend.play(say("One, ", "two, ", "three.")) as stage:
        pieces = await stage.ask()
    assert [piece for piece in pieces if not isinstance(piece, Finished)] == [
        Text("One, "),
        Text("two, "),
        Text("three."),
    ]
    assert end_of(pieces).stop == "stop"


async def test_text_is_passed_on_while_the_answer_goes_on(backend: Backend) -> None:
    async with (
        backend.play(say("early", Hang())) as stage,
        aclosing(cast("Any", stage.model.stream(HELLO))) as stream,
    ):
        assert await asyncio.wait_for(anext(stream), PATIENCE) == Text("early")


async def test_reasoning_comes_apart_from_the_text(backend: Backend) -> None:
    async with backend.play(say(Think("Let me see."), "Here.")) as stage:
        pieces = await stage.ask()
    assert pieces[:2] == [Reasoning("Let me see."), Text("Here.")]


async def test_a_call_in_fragments_comes_whole(backend: Backend) -> None:
    args = {"path": "src/ünïcode \n.py", "lines": [1, 2], "deep": {"yes": True, "no": None}}
    async with backend.play(say("Reading.", Use("c1", "read", args, fragments=11))) as stage:
        pieces = await stage.ask()
    assert pieces[0] == Text("Reading.")
    assert calls_of(pieces) == [Call("c1", "read", args)]
    assert end_of(pieces).stop == "calls"


async def test_several_calls_keep_their_order(backend: Backend) -> None:
    uses = [Use(f"c{number}", "read", {"path": str(number)}) for number in range(5)]
    async with backend.play(say(*uses)) as stage:
        pieces = await stage.ask()
    assert calls_of(pieces) == [Call(f"c{number}", "read", {"path": str(number)}) for number in range(5)]


async def test_calls_written_at_the_same_time_do_not_mix(backend: Backend) -> None:
    uses = (Use("a", "read", {"path": "x" * 40}, fragments=8), Use("b", "read", {"path": "y" * 90}, fragments=9))
    async with backend.play(say(Together(uses))) as stage:
        assert calls_of(await stage.ask()) == [
            Call("a", "read", {"path": "x" * 40}),
            Call("b", "read", {"path": "y" * 90}),
        ]


async def test_calls_come_after_the_text_and_before_the_end(backend: Backend) -> None:
    async with backend.play(say(Use("c1", "read", {"path": "a"}), "Done soon.")) as stage:
        kinds = [type(piece) for piece in await stage.ask()]
    assert kinds.index(Called) < kinds.index(Finished)
    assert backend is FAKE or kinds == [Text, Called, Finished]


async def test_usage_counts_the_whole_input_and_what_of_it_was_cached(backend: Backend) -> None:
    async with backend.play(say("Hi", usage=Tokens(1200, 34, 800))) as stage:
        usage = end_of(await stage.ask()).usage
    assert (usage.input, usage.output, usage.cached) == (1200, 34, 800)


@pytest.mark.parametrize("stop", ["stop", "length", "refusal"])
async def test_the_reason_for_the_end_is_told(backend: Backend, stop: str) -> None:
    async with backend.play(say("So", stop=stop)) as stage:
        assert end_of(await stage.ask()).stop == stop


async def test_a_refusal_beside_the_text_is_told() -> None:
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    refusal = {**chunk, "choices": [{"index": 0, "delta": {"refusal": "I will not."}, "finish_reason": None}]}
    async with CHAT.play(say(Raw(event(refusal)))) as stage:
        pieces = await stage.ask()
    assert (text_of(pieces), end_of(pieces).stop) == ("I will not.", "refusal")


async def test_an_empty_answer_is_an_answer(backend: Backend) -> None:
    async with backend.play(say()) as stage:
        pieces = await stage.ask()
    assert (text_of(pieces), calls_of(pieces), end_of(pieces).stop) == ("", [], "stop")


async def test_an_answer_without_usage_counts_nothing(backend: Backend) -> None:
    async with backend.play(say("Hi", usage=None)) as stage:
        usage = end_of(await stage.ask()).usage
    assert (usage.input, usage.cached, usage.cost) == (0, 0, None)


async def test_closing_the_stream_stops_the_request_within_a_second(backend: Backend) -> None:
    async with backend.play(say("Hel", Hang())) as stage:
        stream = cast("Any", stage.model.stream(HELLO))
        assert await anext(stream) == Text("Hel")
        start = time.monotonic()
        await stream.aclose()
        assert await stage.stopped()
        assert time.monotonic() - start < 1.0


async def test_cancelling_who_waits_stops_the_request_within_a_second(backend: Backend) -> None:
    async with backend.play(say("Hel", Hang())) as stage:
        task = asyncio.create_task(stage.ask())
        await asyncio.sleep(0.2 if backend is FAKE else 0)
        while stage.server and not stage.server.requests:
            await asyncio.sleep(0.01)
        start = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await stage.stopped()
        assert time.monotonic() - start < 1.0


async def test_a_time_limit_around_a_piece_stops_the_request(backend: Backend) -> None:
    """As the engine does it: the limit cancels the stream from inside its own task."""
    async with backend.play(say("Hel", Hang())) as stage, aclosing(cast("Any", stage.model.stream(HELLO))) as stream:
        await anext(stream)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await anext(stream)
        assert await stage.stopped()


async def test_an_answer_that_drips_is_waited_for(backend: Backend) -> None:
    parts = [part for number in range(5) for part in (str(number), Wait(0.05))]
    async with backend.play(say(*parts)) as stage:
        assert text_of(await stage.ask()) == "01234"


async def test_ten_megabytes_come_whole(backend: Backend) -> None:
    async with backend.play(flood(10_000_000)) as stage:
        assert len(text_of(await stage.ask())) == 10_000_000


async def test_a_model_is_asked_again_and_again(backend: Backend) -> None:
    async with backend.play(say("first"), say("second"), say("third")) as stage:
        assert [text_of(await stage.ask()) for _ in range(3)] == ["first", "second", "third"]


async def test_two_streams_at_once_do_not_mix(backend: Backend) -> None:
    async with backend.play(say("a", Wait(0.05), "a"), say("b", Wait(0.05), "b")) as stage:
        texts = await asyncio.gather(stage.ask(), stage.ask())
    assert sorted(map(text_of, texts)) == ["aa", "bb"]


async def test_the_facts_of_a_model_are_there_before_it_is_asked(backend: Backend) -> None:
    async with backend.play(say("Hi")) as stage:
        assert (stage.model.name, stage.model.images) == (backend.name, True)
        assert stage.model.window > 0


async def test_closing_a_model_that_was_never_asked_is_nothing(backend: Backend) -> None:
    async with backend.play(say("Hi")) as stage:
        await stage.model.close()
