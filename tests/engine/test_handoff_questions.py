"""What the policy asks, and what becomes of a question: answered, closed, ignored, lost with its window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.tools.session_handoff import SessionHandoff
from baton.core.agent.event import HandoffOffered, HeadAdvanced, Noticed
from baton.core.agent.message import Call, Prompt, UserMessage
from baton.core.handoff.compression import Limits
from baton.core.handoff.policy import PROMPT_USER, Policy
from baton.core.log.entry import NewEntry
from baton.core.log.payloads import CompressionFailed, UserInput, new_entry
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench
from tests.support.handoffs import kit, repository

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
TALE = "## Completed work\nLooked at a.py.\n## Design decisions\nNone.\n## Next recommended action\nRun `make`."
ASKS = Policy(enabled=True, mode=PROMPT_USER)


def script(prompt: Prompt) -> list[Any]:
    return [TALE] if prompt.system.startswith("You are closing") else ["Noted."]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")


@pytest.fixture
def made(bench: Make, root: Path, tmp_path: Path) -> Callable[..., Bench]:
    def make(policy: Policy | None = None, model: FakeModel | None = None, limits: Limits | None = None) -> Bench:
        settings = replace(QUICK, handoff=kit(root, tmp_path / "home", policy), limits=limits or QUICK.limits)
        return bench(model or FakeModel(script), [SessionHandoff()], settings=settings)

    return make


def compressed(bench: Bench, times: int) -> None:
    entries = bench.store.sessions.get(bench.store.conversations.get(bench.conversation_id).head_id).entries
    data = {"outcome": "compressed", "keep_from": entries + 1, "text": "short", "first": "", "constraints": []}
    add(bench, *[NewEntry("compression", {**data, "summary": "s"})] * times)


def add(bench: Bench, *new: NewEntry) -> None:
    proof = bench.store.conversations.claim(bench.conversation_id, "other", 60)
    bench.store.entries.append(proof, bench.store.conversations.get(bench.conversation_id).head_id, new)
    bench.store.conversations.release(proof)


def of(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def packet_files(root: Path) -> list[Path]:
    return sorted((root / ".baton/handoffs").glob("*.md"))


def narratives(model: FakeModel) -> int:
    return sum(prompt.system.startswith("You are closing") for prompt in model.prompts)


async def say(bench: Bench, given: UserInput) -> list[Any]:
    return [event async for event in bench.runtime.turn(bench.conversation_id, given)]


async def cancel(bench: Bench, draft_id: str) -> None:
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.cancel(draft_id))


async def test_a_question_that_was_lost_is_put_again_with_the_same_draft(made: Make, root: Path) -> None:
    model = FakeModel(script)
    bench = made(ASKS, model)
    await bench.turn("begin")
    compressed(bench, 2)
    (first,) = of(await bench.turn("one"), HandoffOffered)
    (second,) = of(await bench.turn("two"), HandoffOffered)
    assert (second.draft_id, second.packet_id, second.path) == (first.draft_id, first.packet_id, first.path)
    assert second.doubt == first.doubt
    assert len(packet_files(root)) == len(bench.store.packets.of(bench.conversation_id)) == narratives(model) == 1


async def test_a_question_is_not_put_for_ever(made: Make, root: Path) -> None:
    model = FakeModel(script)
    bench = made(ASKS, model)
    await bench.turn("begin")
    compressed(bench, 2)
    ends = [(await bench.turn(text))[-1].reason for text in ("one", "two", "three", "four")]
    assert ends == ["waiting", "waiting", "completed", "completed"]
    assert [each.text for each in model.prompts[-2].messages if isinstance(each, UserMessage)][-3:] == [
        "one",
        "two",
        "three",
    ]
    assert len(packet_files(root)) == 1
    assert bench.store.drafts.list_waiting(bench.conversation_id) == []
    compressed(bench, 1)
    assert of(await bench.turn("five"), HandoffOffered)


async def test_a_channel_that_keeps_talking_is_answered(made: Make, root: Path) -> None:
    bench = made(ASKS)
    await say(bench, UserInput("begin", place="telegram:7", inbox="m0"))
    compressed(bench, 2)
    asked = await say(bench, UserInput("one", place="telegram:7", inbox="m1"))
    assert asked[-1].reason == "waiting"
    ends = [(await say(bench, UserInput(text, place="telegram:7", inbox=text)))[-1].reason for text in ("two", "three")]
    assert ends == ["completed", "completed"]
    assert len(packet_files(root)) == 1


async def test_another_place_is_asked_for_itself(made: Make) -> None:
    bench = made(ASKS)
    compressed(bench, 2)
    (first,) = of(await say(bench, UserInput("one", place="telegram:7", inbox="m1")), HandoffOffered)
    (second,) = of(await say(bench, UserInput("two")), HandoffOffered)
    assert second.draft_id == first.draft_id


async def test_a_closed_question_continues_with_the_very_message(made: Make) -> None:
    model = FakeModel(script)
    bench = made(ASKS, model)
    await bench.turn("begin")
    compressed(bench, 2)
    (offered,) = of(await bench.turn("What is in a.py?"), HandoffOffered)
    asked = len(model.prompts)
    await cancel(bench, offered.draft_id)
    events = await say(bench, UserInput("", synthetic=True))
    assert events[-1].reason == "completed"
    assert model.prompts[asked].messages[-1] == UserMessage("What is in a.py?")


async def test_after_a_yes_the_message_is_answered_in_the_fresh_session(made: Make) -> None:
    model = FakeModel(script)
    bench = made(ASKS, model)
    await bench.turn("begin")
    compressed(bench, 2)
    await bench.turn("What is in a.py?")
    (offered,) = of(await bench.turn("And in b.py?"), HandoffOffered)
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.confirm(offered.draft_id))
    await say(bench, UserInput("", synthetic=True))
    texts = [each.text for each in model.prompts[-1].messages if isinstance(each, UserMessage)]
    assert "<<<packet-" in texts[0]
    assert texts[1:3] == ["What is in a.py?", "And in b.py?"]


async def test_a_draft_of_your_own_is_used_for_the_question(made: Make, root: Path) -> None:
    bench = made(ASKS)
    await bench.turn("begin")
    compressed(bench, 2)
    mine = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.offer(Cause()))
    (offered,) = of(await bench.turn("next"), HandoffOffered)
    assert offered.draft_id == mine.draft_id
    assert len(packet_files(root)) == 1


async def test_a_draft_that_the_work_has_outrun_is_closed_and_written_anew(made: Make, root: Path) -> None:
    bench = made(ASKS)
    mine = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.offer(Cause()))
    await bench.turn("begin")
    compressed(bench, 2)
    (offered,) = of(await bench.turn("next"), HandoffOffered)
    assert offered.draft_id != mine.draft_id
    assert [draft.id for draft in bench.store.drafts.list_waiting(bench.conversation_id)] == [offered.draft_id]
    assert len(packet_files(root)) == 2


async def test_past_the_limit_one_question_and_then_answers(made: Make, root: Path) -> None:
    model = FakeModel(script)
    bench = made(Policy(enabled=True, max_auto_handoffs=0), model)
    await bench.turn("begin")
    compressed(bench, 2)
    (offered,) = of(await bench.turn("one"), HandoffOffered)
    assert offered.doubt.startswith("None is allowed without asking. Continue in a fresh session?")
    await cancel(bench, offered.draft_id)
    for text in ("", "two", "three"):
        events = await say(bench, UserInput(text, synthetic=not text))
        assert events[-1].reason == "completed"
        assert not of(events, HandoffOffered)
    assert len(packet_files(root)) == 1


async def test_a_no_is_for_its_reason_and_a_crowded_window_is_another(made: Make) -> None:
    bench = made(Policy(enabled=True, mode=PROMPT_USER, max_prompt_tokens=2000))
    await bench.turn("begin")
    compressed(bench, 2)
    (offered,) = of(await bench.turn("one"), HandoffOffered)
    await cancel(bench, offered.draft_id)
    assert not of(await bench.turn("two"), HandoffOffered)
    (other,) = of(await bench.turn("word " * 3000), HandoffOffered)
    assert (offered.reason, other.reason) == ("compressions", "tokens")


async def test_one_no_is_for_everything_that_spoke_for_it(made: Make) -> None:
    bench = made(Policy(enabled=True, mode=PROMPT_USER, max_prompt_tokens=1000))
    await bench.turn("begin")
    compressed(bench, 2)
    (offered,) = of(await bench.turn("word " * 1500), HandoffOffered)
    await cancel(bench, offered.draft_id)
    for text in ("", "two", "three"):
        assert not of(await say(bench, UserInput(text, synthetic=not text)), HandoffOffered)


async def test_the_models_next_request_is_heard_after_a_no(made: Make) -> None:
    def reply(prompt: Prompt) -> list[Any]:
        if not prompt.tools:
            return [TALE]
        last = prompt.messages[-1]
        return [Call("1", "session_handoff", {"reason": "long"})] if isinstance(last, UserMessage) else ["Noted."]

    bench = made(model=FakeModel(reply))
    (offered,) = of(await bench.turn("one"), HandoffOffered)
    await cancel(bench, offered.draft_id)
    assert not of(await say(bench, UserInput("", synthetic=True)), HandoffOffered)
    assert of(await bench.turn("two"), HandoffOffered)


async def test_a_packet_over_the_limit_is_not_handed_off_again_at_once(made: Make, root: Path) -> None:
    bench = made(Policy(enabled=True, max_prompt_tokens=1000))
    await bench.turn("word " * 1500)
    assert len(packet_files(root)) == 1
    assert len(of(await bench.turn("next"), HeadAdvanced)) <= 1


async def test_a_compression_that_has_to_wait_twice_is_a_reason_even_after_a_restart(made: Make) -> None:
    policy = Policy(enabled=True, on_compression_failure=False)
    limits = Limits(deadline=1, tries=1, cool_down=3600, threshold=0.5)
    model = FakeModel(script, window=8000)
    bench = made(policy, model, limits)
    await bench.turn("begin")
    add(bench, new_entry(CompressionFailed("failed", "down", 1.0, "t_before")))
    assert not of(await bench.turn("word " * 4500), HeadAdvanced)
    again = replace(made(policy, model, limits), conversation_id=bench.conversation_id)
    (advanced,) = of(await again.turn("and now?"), HeadAdvanced)
    assert advanced.reason == "compression_cool_downs"


async def test_the_turn_in_which_it_failed_did_not_have_to_wait(made: Make) -> None:
    limits = Limits(deadline=1, tries=1, cool_down=3600, threshold=0.5)
    model = FakeModel(lambda prompt: ["Noted."] if prompt.tools else [""], window=8000)
    bench = made(model=model, limits=limits)
    await bench.turn("begin")
    await bench.turn("word " * 4500)
    assert "compression" in bench.kinds()
    assert "compression_put_off" not in bench.kinds()
    await bench.turn("next")
    assert bench.kinds().count("compression_put_off") == 1


async def test_you_are_warned_once_before_the_context_is_compressed(made: Make) -> None:
    model = FakeModel(script, window=8000)
    bench = made(model=model)

    async def warnings(bench: Bench, text: str) -> list[str]:
        return [each.text for each in of(await bench.turn(text), Noticed) if each.code == "context_filling"]

    assert await warnings(bench, "word " * 4000) == []
    (told,) = await warnings(bench, "word " * 2200)
    assert told.startswith("The context is ")
    assert told.endswith("Above 80% it is compressed: a summary replaces its older part.")
    assert await warnings(bench, "word") == []
    again = replace(made(model=model), conversation_id=bench.conversation_id)
    assert await warnings(again, "word") == []
    compressed(again, 1)
    assert await warnings(again, "word " * 6800)
