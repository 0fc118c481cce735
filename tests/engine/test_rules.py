"""Pinned rules: in every request of every session that follows, numbered, bounded, stored before they are answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.message import Call
from baton.core.errors import BadInput, OwnedElsewhere
from baton.core.log.payloads import Compression, RulePinned, UserInput, payload
from baton.core.log.pins import find_pins
from baton.core.value import replace
from baton.engine.handoff import rules
from baton.engine.handoff.handoff import Cause
from baton.engine.handoff.rules import Pinned
from baton.engine.turns.fork import fork
from baton.engine.turns.undo import undo
from baton.ports.tool import Outcome
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench, FakeTool
from tests.engine.test_compress import SUMMARY, WINDOW, fill, is_summary, paired
from tests.engine.test_compress_by_split import SPLIT
from tests.support.handoffs import kit, repository

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
RULES = (
    "Ask me before you push.",
    "Erstattungen über 50 EUR braucht die Leitung.",
    "Avise-me antes de apagar tabelas.",
    "提交前先给我看差异。",
)


async def pin(made: Bench, text: str) -> Pinned:
    return await made.runtime.write(made.conversation_id, lambda writer: rules.pin(writer, text))


async def drop(made: Bench, named: str) -> None:
    found = rules.find_rule(rules.list_rules(made.store, made.conversation_id, str), named)
    await made.runtime.write(made.conversation_id, lambda writer: rules.drop(writer, found))


def summarising() -> FakeModel:
    return FakeModel(lambda prompt: [SUMMARY] if is_summary(prompt) else ["ok"], window=WINDOW)


def has_all(model: FakeModel) -> bool:
    return all(model.prompts[-1].system.count(rule) == 1 for rule in RULES)


@pytest.mark.parametrize("settings", [QUICK, SPLIT], ids=["in place", "split"])
async def test_pins_are_in_every_request_through_compressions(bench: Make, settings: Any) -> None:
    model = summarising()
    made = bench(model, settings=settings)
    for rule in RULES:
        await pin(made, rule)
    await made.turn("hello")
    assert has_all(model)
    for number in range(3):
        fill(made.store, made.conversation_id, 25)
        await made.turn(f"and now {number}?")
        assert has_all(model)
    sessions = made.store.sessions.of(made.conversation_id)
    assert sum(made.store.sessions.vitals(session.id).compressions for session in sessions) >= 2
    written = [entry for session in sessions for entry in made.store.entries.load(session.id)]
    shown = [entry for entry in written if entry.kind == "rule_pinned" and not entry.copied]
    assert len(shown) == len(RULES)


async def test_pins_survive_handoffs_and_forks_and_the_process(bench: Make, tmp_path: Path) -> None:
    model = FakeModel([["ok"]])
    handing = replace(QUICK, handoff=kit(repository(tmp_path / "repo"), tmp_path / "home"))
    made = bench(model, settings=handing)
    await made.turn("hello")
    for rule in RULES:
        await pin(made, rule)
    for _ in range(3):
        await made.runtime.hand_off(made.conversation_id, lambda handoff: handoff.now(Cause()), narrate=False)
        await made.turn("go on")
        assert has_all(model)
    forked = fork(made.store, made.store.conversations.get(made.conversation_id))
    other = bench(model)
    assert [entry async for entry in other.runtime.turn(forked.id, UserInput("hi"))]
    assert has_all(model)


async def test_a_pin_made_while_a_draft_waits_is_in_the_fresh_session(bench: Make, tmp_path: Path) -> None:
    model = FakeModel([["ok"]])
    made = bench(model, settings=replace(QUICK, handoff=kit(repository(tmp_path / "repo"), tmp_path / "home")))
    await made.turn("hello")
    offered = await made.runtime.hand_off(made.conversation_id, lambda h: h.offer(Cause()), narrate=False)
    for rule in RULES:
        await pin(made, rule)
    await made.runtime.hand_off(made.conversation_id, lambda h: h.confirm(offered.draft_id))
    await made.turn("go on")
    assert has_all(model)
    written = await made.runtime.hand_off(made.conversation_id, lambda h: h.write(Cause()), narrate=False)
    assert all(rule in written.packet.markdown for rule in RULES)


async def test_undo_keeps_the_pins_made_before_and_since(bench: Make, tmp_path: Path) -> None:
    model = FakeModel([["ok"]])
    made = bench(model, settings=replace(QUICK, handoff=kit(repository(tmp_path / "repo"), tmp_path / "home")))
    await made.turn("hello")
    await pin(made, RULES[0])
    await pin(made, "Gone soon.")
    await made.runtime.hand_off(made.conversation_id, lambda h: h.now(Cause()), narrate=False)
    for rule in RULES[1:]:
        await pin(made, rule)
    await drop(made, "2")
    await made.runtime.write(made.conversation_id, undo)
    await made.turn("go on")
    assert has_all(model)
    assert "Gone soon." not in model.prompts[-1].system


async def test_a_pin_dropped_before_an_undone_handoff_stays_out_of_the_next_packet(bench: Make, tmp_path: Path) -> None:
    made = bench(
        FakeModel([["ok"]]), settings=replace(QUICK, handoff=kit(repository(tmp_path / "repo"), tmp_path / "home"))
    )
    await made.turn("hello")
    await pin(made, "Gone soon.")
    await drop(made, "1")
    await pin(made, RULES[0])
    await made.runtime.hand_off(made.conversation_id, lambda h: h.now(Cause()), narrate=False)
    await made.turn("and now?")
    await made.runtime.write(made.conversation_id, undo)
    written = await made.runtime.hand_off(made.conversation_id, lambda h: h.write(Cause()), narrate=False)
    assert f"- {RULES[0]} (pinned)" in written.packet.markdown
    assert "Gone soon. (pinned)" not in written.packet.markdown


async def test_a_rule_that_is_dropped_while_a_draft_waits_is_taken_out_of_it(bench: Make, tmp_path: Path) -> None:
    made = bench(
        FakeModel([["ok"]]), settings=replace(QUICK, handoff=kit(repository(tmp_path / "repo"), tmp_path / "home"))
    )
    await made.turn("Fix the race. Never touch the migrations. Always sign commits.")
    await pin(made, RULES[0])
    offered = await made.runtime.hand_off(made.conversation_id, lambda h: h.offer(Cause()), narrate=False)
    listed = rules.list_rules_of_draft(made.store, offered.draft_id)
    assert [each.text for each in listed] == [RULES[0], "Never touch the migrations.", "Always sign commits."]
    gone = rules.find_rule(listed, "2")
    await made.runtime.hand_off(
        made.conversation_id, lambda h: rules.take_out_of_drafts(h, made.store, made.conversation_id, gone)
    )
    await made.runtime.write(made.conversation_id, lambda writer: rules.drop(writer, gone))
    left = rules.list_rules_of_draft(made.store, offered.draft_id)
    assert [each.text for each in left] == [RULES[0], "Always sign commits."]
    assert left == rules.list_rules(made.store, made.conversation_id, str)
    await made.runtime.hand_off(made.conversation_id, lambda h: h.confirm(offered.draft_id))
    opening = made.entries()[0].data
    assert "- No longer asked for: Never touch the migrations." in opening["text"]
    assert "Never touch the migrations." not in opening["constraints"]
    written = await made.runtime.hand_off(made.conversation_id, lambda h: h.write(Cause()), narrate=False)
    assert "- Always sign commits." in written.packet.markdown
    assert "- Never touch the migrations." not in written.packet.markdown


async def test_a_pin_during_a_turn_is_in_its_next_request_and_parts_no_call_from_its_result(bench: Make) -> None:
    running, go = asyncio.Event(), asyncio.Event()

    async def act(*_: Any) -> Outcome:
        running.set()
        await go.wait()
        return Outcome("done")

    model = FakeModel([[Call("1", "wait", {})], ["ok"]])
    made = bench(model, [FakeTool("wait", act)])
    turn = asyncio.create_task(made.turn("work"))
    await running.wait()
    assert (await pin(made, RULES[0])).rule.number == 1
    go.set()
    await turn
    assert RULES[0] not in model.prompts[0].system
    assert RULES[0] in model.prompts[1].system
    assert paired(model.prompts[1].messages)
    await made.turn("again")
    assert paired(model.prompts[2].messages)


async def test_a_dropped_pin_is_in_no_later_request_and_keeps_the_other_numbers(bench: Make) -> None:
    model = summarising()
    made = bench(model)
    for rule in RULES:
        await pin(made, rule)
    await drop(made, "2")
    fill(made.store, made.conversation_id, 25)
    await made.turn("hello")
    assert RULES[1] not in model.prompts[-1].system
    assert [each.number for each in find_pins(made.entries())] == [1, 3, 4]
    assert (await pin(made, RULES[1])).rule.number == 5


async def test_the_same_pin_twice_is_one(bench: Make) -> None:
    made = bench(FakeModel([["ok"]]))
    first = await pin(made, RULES[0])
    again = await pin(made, "  ask me  before you push.\n")
    assert (first.known, again.known, again.rule) == (False, True, first.rule)
    assert made.kinds() == ["rule_pinned"]


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "nothing to pin"), (" \n", "nothing to pin"), ("x" * 2001, "2,001 characters. Allowed: up to 2,000.")],
)
async def test_a_rule_that_cannot_be_pinned_changes_nothing(bench: Make, text: str, says: str) -> None:
    made = bench(FakeModel([["ok"]]))
    with pytest.raises(BadInput, match=says):
        await pin(made, text)
    assert made.kinds() == []


async def test_pins_together_are_bounded(bench: Make) -> None:
    made = bench(FakeModel([["ok"]]))
    for letter in "abcd":
        await pin(made, letter * 2000)
    with pytest.raises(BadInput, match=r"8,001 characters\. Allowed: up to 8,000\. Unpin one first\."):
        await pin(made, "e")
    assert len(find_pins(made.entries())) == 4


@pytest.mark.parametrize("named", ["99", "", "x" * 100, "-1", "K00000000"])
async def test_a_number_that_is_not_there_drops_nothing(bench: Make, named: str) -> None:
    made = bench(FakeModel([["ok"]]))
    await pin(made, RULES[0])
    with pytest.raises(BadInput, match=r"There is no rule .{1,20}\. Allowed: 1\."):
        await drop(made, named)
    assert made.kinds() == ["rule_pinned"]


async def test_a_rule_that_was_found_is_listed_after_the_pins_and_can_be_dropped(bench: Make) -> None:
    made = bench(FakeModel([["ok"]]))
    await made.turn("Fix the race. Never touch the migrations.")
    await pin(made, RULES[0])
    listed = rules.list_rules(made.store, made.conversation_id, str)
    assert [(each.number, each.text) for each in listed] == [(1, RULES[0]), (2, "Never touch the migrations.")]
    await drop(made, "2")
    assert [each.scope for each in rules.list_rules(made.store, made.conversation_id, str)] == ["pinned"]


async def test_another_process_at_work_is_named_and_nothing_changes(bench: Make) -> None:
    made = bench(FakeModel([["ok"]]))
    proof = made.store.conversations.claim(made.conversation_id, "gateway:1:x", 60)
    with pytest.raises(OwnedElsewhere):
        await pin(made, RULES[0])
    made.store.conversations.release(proof)
    assert made.kinds() == []


async def test_pins_count_towards_the_context(bench: Make) -> None:
    made = bench(FakeModel([["ok"]]))

    async def measure(writer: Any) -> int:
        before = writer.tokens
        await rules.pin(writer, "word " * 300)
        return writer.tokens - before

    assert await made.runtime.write(made.conversation_id, measure) > 200
    assert isinstance(payload(made.entries()[0]), RulePinned)


async def test_a_dropped_rule_is_not_kept_by_the_next_compression(bench: Make, tmp_path: Path) -> None:
    model = FakeModel(lambda prompt: [SUMMARY] if is_summary(prompt) else ["ok"], window=8000)
    made = bench(model, settings=replace(QUICK, handoff=kit(repository(tmp_path / "repo"), tmp_path / "home")))
    await made.turn("Fix the race. Never touch the migrations. Always sign commits.")
    await made.runtime.hand_off(made.conversation_id, lambda h: h.now(Cause()), narrate=False)
    await drop(made, "1")
    fill(made.store, made.conversation_id, 90)
    await made.turn("and now?")
    compression = next(held for entry in made.entries() if isinstance(held := payload(entry), Compression))
    assert "Never touch the migrations." not in compression.constraints
    assert "Always sign commits." in compression.constraints
