"""What a provider counted is known in the next process, and every figure is the same there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from baton.core.agent.event import CompressionEnded, Pressure
from baton.core.agent.message import Prompt, Usage
from baton.core.handoff.compression import Limits
from baton.core.log.usage import count_tokens
from baton.core.value import replace
from baton.engine.turns.writer import SessionWriter
from baton.ports.model import Finished
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
SUMMARY = "The user said words, and the agent noted them one after another."


def double(prompt: Prompt) -> list[Any]:
    """Counts about twice as many tokens as we estimate."""
    if not prompt.tools and prompt.system != "be good":
        return [SUMMARY]
    size = sum(len(getattr(message, "text", "").split()) for message in prompt.messages)
    return ["Noted.", Finished(Usage(100 + 2 * size, 7, 0), "stop")]


async def test_every_process_reckons_as_one_process_would(bench: Make) -> None:
    texts = ["word " * 500, "word " * 50, "next"]

    async def pressures(*benches: Bench) -> list[Pressure]:
        events = [event for one, text in zip(benches, texts, strict=True) for event in await one.turn(text)]
        return [event for event in events if isinstance(event, Pressure)]

    one = bench(FakeModel(double))
    first = bench(FakeModel(double))
    later = [replace(bench(FakeModel(double)), conversation_id=first.conversation_id) for _ in texts[1:]]
    found = await pressures(first, *later)
    assert found == await pressures(one, one, one)
    assert [event.reported for event in found] == [False, True, True]
    assert found[-1].tokens > 2 * 550


@pytest.mark.parametrize("split", [False, True], ids=["in place", "split"])
async def test_the_figure_after_a_compression_is_the_same_everywhere(bench: Make, split: bool) -> None:
    settings = replace(QUICK, limits=Limits(deadline=2, tries=1, cool_down=60, split=split))
    one = bench(FakeModel(double, window=4000), settings=settings)
    for _ in range(4):
        await one.turn("word " * 300)
    counted = count_tokens(one.entries())
    subscription = one.runtime.watch(one.conversation_id)
    await one.runtime.compress(one.conversation_id)
    ended = await subscription.next()
    while not isinstance(ended, CompressionEnded):
        ended = await subscription.next()
    assert ended.outcome == "compressed"
    assert count_tokens(one.entries()) == ended.after != counted
    async with SessionWriter(one.store, one.conversation_id, "another process", 30) as writer:
        assert writer.pressure() == ended.after


async def test_a_handed_off_session_begins_without_a_count(bench: Make) -> None:
    one = bench(FakeModel(double))
    await one.turn("word " * 500)
    async with SessionWriter(one.store, one.conversation_id, "x", 30) as writer:
        assert writer.gauge.reported
        await writer.advance(edge="handoff", end_reason="handoff")
        assert not writer.gauge.reported
