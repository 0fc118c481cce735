"""What a provider counted is known in the next process, and every figure is the same there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.event import CompressionEnded, PacketWritten, Pressure
from baton.core.agent.message import Prompt, Usage
from baton.core.handoff.compression import Limits
from baton.core.log.payloads import PacketOpening, payload
from baton.core.log.usage import count_tokens
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.engine.turns.writer import SessionWriter
from baton.ports.model import Finished
from baton.surfaces.shared.transcript import last_entries, sum_cost
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench
from tests.support.handoffs import kit, repository

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
        assert writer.size() == ended.after


async def test_a_handed_off_session_begins_without_a_count(bench: Make) -> None:
    one = bench(FakeModel(double))
    await one.turn("word " * 500)
    async with SessionWriter(one.store, one.conversation_id, "x", 30) as writer:
        assert writer.gauge.reported
        await writer.advance(edge="handoff", end_reason="handoff")
        assert not writer.gauge.reported


PAID = Usage(900, 60, 400, 0.02)
TALE = "## Completed work\nNothing.\n## Design decisions\nNone.\n## Next recommended action\nRun `make`."


def dear(prompt: Prompt) -> list[Any]:
    """Every request costs the same."""
    closing = prompt.system.startswith("You are closing")
    return [TALE if closing else SUMMARY if "---" in str(prompt.messages[-1]) else "Noted.", Finished(PAID, "stop")]


async def test_what_a_handoff_cost_is_told_and_counted(bench: Make, tmp_path: Path) -> None:
    settings = replace(QUICK, handoff=kit(repository(tmp_path / "repo"), tmp_path / "home"))
    one = bench(FakeModel(dear), settings=settings)
    await one.turn("begin")
    subscription = one.runtime.watch(one.conversation_id)
    offered = await one.runtime.hand_off(one.conversation_id, lambda handoff: handoff.offer(Cause()))
    event = await subscription.next()
    while not isinstance(event, PacketWritten):
        event = await subscription.next()
    assert event.usage == PAID
    await one.runtime.hand_off(one.conversation_id, lambda handoff: handoff.confirm(offered.draft_id))
    opening = payload(one.entries()[0])
    assert isinstance(opening, PacketOpening)
    assert opening.usage == PAID
    whole = last_entries(one.store, one.store.sessions.of(one.conversation_id), None)
    assert sum_cost(whole) == pytest.approx(0.04)


async def test_what_a_compression_cost_is_counted(bench: Make) -> None:
    one = bench(FakeModel(dear, window=4000))
    for _ in range(4):
        await one.turn("word " * 300)
    before = sum_cost(one.entries()) or 0.0
    await one.runtime.compress(one.conversation_id)
    assert one.kinds()[-1] == "compression"
    assert (sum_cost(one.entries()) or 0.0) > before
