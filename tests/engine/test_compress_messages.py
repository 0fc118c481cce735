"""A compression keeps what the person wrote, the next one keeps what the first kept, and nobody is told otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.event import CompressionEnded, CompressionStarted
from baton.core.agent.message import Call, Image, Prompt, Usage, UserMessage
from baton.core.errors import ModelUnavailable
from baton.core.handoff.compression import Limits, plan
from baton.core.log.entry import NewEntry, encode_body, entry
from baton.core.log.payloads import Compression, CompressionFailed, UserInput, payload, read
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.ports.model import Finished, Text
from baton.ports.tool import Outcome
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench, FakeTool
from tests.engine.test_compress import SUMMARY, is_summary, of
from tests.support.handoffs import kit, repository

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
RULES = (
    "Ask me before you push.",
    "Rückerstattungen über 50 Euro gibt Anna frei.",
    "支払いの画面は触らない方針です。",
    "Los viernes no se despliega nada.",
)
TOPIC = "Look at part {number} of the shop and tell me what you think of it: "
NOTES = [TOPIC.format(number=number) + "the cart was slow again today. " * 150 for number in range(8)]
WINDOW = 12_000
PICTURE = Image("image/png", "aGVsbG8=", "lock.png")


def model_of(says: Any = None, **more: Any) -> FakeModel:
    return FakeModel(
        lambda prompt: [SUMMARY] if is_summary(prompt) else says or ["Noted."], **{"window": WINDOW, **more}
    )


async def tell_rules(bench: Bench) -> None:
    """A greeting, four rules that hold no word of any list, and eight long messages."""
    await bench.turn("Hello, this is about the shop.")
    await bench.turn(" ".join(RULES))
    for note in NOTES:
        await bench.turn(note)


def opening(model: FakeModel) -> str:
    first = model.prompts[-1].messages[0]
    assert isinstance(first, UserMessage)
    return first.text


@pytest.mark.parametrize("split", [False, True])
async def test_four_rules_without_a_keyword_in_four_languages_outlive_compressions(bench: Make, split: bool) -> None:
    model = model_of()
    bench_ = bench(model, settings=replace(QUICK, limits=Limits(deadline=2, tries=1, split=split)))
    await tell_rules(bench_)
    for again in range(3):
        assert await bench_.runtime.compress(bench_.conversation_id) == "compressed"
        for number in range(4):
            await bench_.turn(f"And now {again}.{number}? " + "The cart was slow again. " * 150)
        assert [rule for rule in RULES if rule in opening(model)] == list(RULES)
        assert opening(model).count("Hello, this is about the shop.") == 1
        for note in range(8):
            assert TOPIC.format(number=note) in str(model.prompts[-1].messages)


async def test_without_a_summary_the_same_messages_stay(bench: Make) -> None:
    model = FakeModel(
        lambda prompt: [ModelUnavailable(model="m", reason="500")] if is_summary(prompt) else ["Noted."], window=WINDOW
    )
    bench_ = bench(model)
    await tell_rules(bench_)
    (ended,) = of(await bench_.turn("The cart was slow again. " * 900), CompressionEnded)
    assert ended.outcome == "lossy"
    assert [rule for rule in RULES if rule in opening(model)] == list(RULES)


async def test_what_baton_itself_wrote_is_no_message_of_the_person(bench: Make) -> None:
    model = model_of()
    bench_ = bench(model)
    [event async for event in bench_.runtime.turn(bench_.conversation_id, UserInput("Go on.", synthetic=True))]
    await tell_rules(bench_)
    await bench_.runtime.compress(bench_.conversation_id)
    held = [payload(entry) for entry in bench_.entries() if entry.kind == "compression"][-1]
    assert isinstance(held, Compression)
    assert held.first == "Hello, this is about the shop."
    assert "Go on." not in [each.text for each in held.messages]


async def test_the_summariser_is_told_exactly_what_is_kept(bench: Make) -> None:
    model = model_of()
    bench_ = bench(model)
    await tell_rules(bench_)
    await bench_.runtime.compress(bench_.conversation_id)
    asked = model.prompts[-1]
    material = asked.messages[0]
    assert isinstance(material, UserMessage)
    held = [payload(entry) for entry in bench_.entries() if entry.kind == "compression"][-1]
    assert isinstance(held, Compression)
    assert any(not each.whole for each in held.messages)
    assert "what is left out of those that are cut, stay only in your words" in asked.system
    assert "KEPT:\n1. Hello" in material.text
    for each in held.messages:
        assert each.text[:60] in material.text
    assert "{" not in asked.system


async def test_with_nothing_of_the_person_to_keep_nothing_is_promised(bench: Make) -> None:
    async def look(args: Any, output: Any) -> Outcome:
        return Outcome("word " * 400)

    model = model_of(window=2000)
    bench_ = bench(model, [FakeTool("look", look)])
    work = [NewEntry("assistant", {"text": "step " * 300, "calls": []}) for _ in range(8)]
    proof = bench_.store.conversations.claim(bench_.conversation_id, "other", 60)
    bench_.store.entries.append(proof, bench_.store.conversations.get(bench_.conversation_id).head_id, work)
    bench_.store.conversations.release(proof)
    await bench_.runtime.compress(bench_.conversation_id)
    assert "Nothing that the person wrote stays" in model.prompts[-1].system


async def test_what_was_kept_and_what_it_cost_is_told_in_plain_words(bench: Make) -> None:
    summary = [Text(SUMMARY), Finished(Usage(12_000, 600, 8_000, 0.01), "stop")]
    model = FakeModel(lambda prompt: summary if is_summary(prompt) else ["Noted."], window=WINDOW)
    bench_ = bench(model)
    await tell_rules(bench_)
    events = await bench_.turn("The cart was slow again. " * 700)
    (started,), (ended,) = of(events, CompressionStarted), of(events, CompressionEnded)
    assert started.kept[0] == "your first request"
    assert "more of your messages" in started.kept[1]
    assert ended.usage == Usage(12_000, 600, 8_000, 0.01)
    held = [payload(entry) for entry in bench_.entries() if entry.kind == "compression"][-1]
    assert isinstance(held, Compression)
    assert held.usage == ended.usage
    assert 0 < held.after < held.before


async def test_tries_that_failed_cost_too_and_say_so(bench: Make) -> None:
    useless = [Text("no"), Finished(Usage(100, 1), "stop")]
    model = FakeModel(lambda prompt: useless if is_summary(prompt) else ["Noted."], window=WINDOW)
    bench_ = bench(model)
    await tell_rules(bench_)
    assert await bench_.runtime.compress(bench_.conversation_id) == "failed"
    held = [payload(entry) for entry in bench_.entries() if entry.kind == "compression"][-1]
    assert isinstance(held, CompressionFailed)
    assert held.usage == Usage(200, 2)


async def test_a_message_without_an_answer_stays_whole_with_its_picture(bench: Make) -> None:
    """The turn works so long that its own message leaves the tail."""

    async def look(args: Any, output: Any) -> Outcome:
        return Outcome("word " * 900)

    def says(prompt: Prompt) -> list[Any]:
        if is_summary(prompt):
            return [SUMMARY]
        return [Call(f"c{len(model.prompts)}", "look", {})] if len(model.prompts) < 12 else ["Done."]

    model = FakeModel(says, window=4000)
    bench_ = bench(model, [FakeTool("look", look)], settings=replace(QUICK, max_steps=20))
    text = "Look at everything. " * 30 + "So which one is it?"
    events = [event async for event in bench_.runtime.turn(bench_.conversation_id, UserInput(text, (PICTURE,)))]
    assert (events[-1].reason, len(of(events, CompressionEnded)) > 1) == ("completed", True)
    sent = model.prompts[-1].messages
    assert sent[1] == UserMessage(text, (PICTURE,))
    assert [message for message in sent if isinstance(message, UserMessage)] == list(sent[:2])
    await bench_.turn("Thanks. " + "word " * 2500)
    await bench_.runtime.compress(bench_.conversation_id)
    held = [payload(entry) for entry in bench_.entries() if entry.kind == "compression"][-1]
    assert isinstance(held, Compression)
    assert not any(each.images for each in held.messages)


async def test_messages_from_before_a_handoff_outlive_a_compression_after_it(bench: Make, tmp_path: Path) -> None:
    model = model_of()
    settings = replace(QUICK, handoff=kit(repository(tmp_path / "repo"), tmp_path / "home"))
    bench_ = bench(model, settings=settings)
    await bench_.turn("Hello, this is about the shop.")
    await bench_.turn(" ".join(RULES))
    await bench_.runtime.hand_off(bench_.conversation_id, lambda handoff: handoff.now(Cause()), narrate=False)
    for note in NOTES:
        await bench_.turn(note)
    assert await bench_.runtime.compress(bench_.conversation_id) == "compressed"
    await bench_.turn("And now?")
    assert [rule for rule in RULES if rule in opening(model)] == list(RULES)


def test_a_compression_of_an_older_version_is_read_and_carried_on(tmp_path: Path) -> None:
    old = {"outcome": "compressed", "keep_from": 2, "first": "Fix it.", "constraints": ["Never push."], "summary": "s"}
    held = read("compression", {**old, "text": "t", "error": "", "seconds": 0.1, "before": 9})
    assert isinstance(held, Compression)
    assert (held.messages, held.dropped, held.usage) == ((), 0, None)
    rows = [
        ("compression", {**old, "text": "t"}),
        *[("user", {"text": "word " * 500, "turn": f"{n}"}) for n in range(6)],
    ]
    made = [entry("s", seq, kind, 0, 0, encode_body(data)) for seq, (kind, data) in enumerate(rows, 1)]
    found = plan(made, 2000)
    assert found is not None
    assert (found.kept.first, found.kept.constraints) == ("Fix it.", ("Never push.",))
