"""Handoffs through the engine: asked for, by policy, declined, edited, stale; what the fresh session knows."""

from __future__ import annotations

import asyncio
import json
import stat
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.tools.session_handoff import SessionHandoff
from baton.core.agent.event import (
    HandoffEnded,
    HandoffOffered,
    HandoffStarted,
    HeadAdvanced,
    Noticed,
    ProcessWanted,
    TurnEnded,
)
from baton.core.agent.message import Call, Prompt, UserMessage
from baton.core.errors import BadInput, DraftStale, HandoffError, PacketNotSaved
from baton.core.handoff.policy import FRESH_PROCESS, PROMPT_USER, Policy
from baton.core.handoff.twin import twin_of
from baton.core.log.entry import NewEntry
from baton.core.log.payloads import UserInput
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause, Handoff
from baton.engine.handoff.narrator import Pace
from baton.ports.redactor import Leak, Redacted, Secret
from baton.ports.tool import Outcome
from baton.surfaces.shared.handoffs import load_review
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench, FakeTool
from tests.support.handoffs import PLACEHOLDER, SECRET, OneSecret, kit, repository

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
TALE = "## Completed work\nLooked at a.py.\n## Design decisions\nNone.\n## Next recommended action\nRun `make`."


def script(prompt: Prompt) -> list[Any]:
    if prompt.system.startswith("You are closing"):
        return [TALE]
    return ["Noted."]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")


@pytest.fixture
def made(bench: Make, root: Path, tmp_path: Path) -> Callable[..., Bench]:
    def make(policy: Policy | None = None, model: FakeModel | None = None, mode: str = "ask", **more: Any) -> Bench:
        tools = more.pop("tools", [SessionHandoff()])
        settings = replace(QUICK, handoff=kit(root, tmp_path / "home", policy, **more))
        return bench(model or FakeModel(script), tools, mode=mode, settings=settings)

    return make


def head(bench: Bench) -> Any:
    return bench.store.sessions.get(bench.store.conversations.get(bench.conversation_id).head_id)


def compressed(bench: Bench, times: int, outcome: str = "compressed") -> None:
    proof = bench.store.conversations.claim(bench.conversation_id, "other", 60)
    session = head(bench)
    data = {"outcome": outcome, "keep_from": session.entries + 1, "text": "short", "first": "", "constraints": []}
    bench.store.entries.append(proof, session.id, [NewEntry("compression", {**data, "summary": "s"})] * times)
    bench.store.conversations.release(proof)


def of(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


async def test_a_confirmed_draft_begins_a_session_from_the_packet(made: Make, root: Path) -> None:
    bench = made()
    await bench.turn("Fix the race. Never touch migrations.")
    old = head(bench)
    offered = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.offer(Cause()))
    assert head(bench) == old
    session = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.confirm(offered.draft_id))
    ended = bench.store.sessions.get(old.id)
    assert (ended.end_reason, session.parent_id, session.edge) == ("handoff", old.id, "handoff")
    first = bench.entries()[0]
    assert first.kind == "packet"
    assert "Never touch migrations." in first.data["text"]
    assert "Looked at a.py." in first.data["text"]
    saved = root / first.data["path"]
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert saved.read_text() == bench.store.packets.get(first.data["packet"]).markdown
    assert json.loads(saved.with_suffix(".json").read_text())["ledger"]["generation"] == 1


async def test_the_fresh_session_compares_before_its_first_turn(made: Make, root: Path) -> None:
    model = FakeModel(script)
    bench = made(model=model)
    await bench.turn("Fix it")
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.now(Cause()))
    (root / "a.py").write_text("print(3)\n")
    events = await bench.turn("go on")
    assert [event.code for event in of(events, Noticed)] == ["drift"]
    sent = model.prompts[-1].messages
    assert isinstance(sent[0], UserMessage)
    assert "<<<packet-" in sent[0].text
    assert any(isinstance(message, UserMessage) and "Edited: a.py" in message.text for message in sent)
    assert not of(await bench.turn("and on"), Noticed)


async def test_without_drift_nothing_is_said_to_the_person(made: Make) -> None:
    bench = made(mode="unattended")
    await bench.turn("Fix it")
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.now(Cause()))
    events = await bench.turn("go on")
    assert events[-1].reason == "completed"
    assert not of(events, Noticed)


def add_hook(root: Path) -> None:
    (root / ".git" / "hooks").mkdir(exist_ok=True)
    (root / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh\nevil\n")


def git(*words: str) -> Callable[[Path], object]:
    return lambda root: subprocess.run(["git", *words], cwd=root, check=True)


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "new.py").write_text("x"),
        add_hook,
        git("config", "core.fsmonitor", "evil"),
        git("remote", "add", "origin", "https://evil.example/x"),
        git("update-index", "--assume-unchanged", "a.py"),
    ],
    ids=["file", "hook", "config", "remote", "unwatched"],
)
async def test_with_drift_an_unattended_turn_stops_once(
    made: Make, root: Path, change: Callable[[Path], object]
) -> None:
    bench = made(mode="unattended")
    await bench.turn("Fix it")
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.now(Cause()))
    change(root)
    stopped = (await bench.turn("go on"))[-1]
    assert (stopped.reason, stopped.error_code) == ("failed", "drift-found")
    assert (await bench.turn("yes, go on"))[-1].reason == "completed"


async def test_tools_stay_locked_while_the_comparison_cannot_run(made: Make, bench: Make, tmp_path: Path) -> None:
    ran: list[str] = []

    async def act(args: Any, output: Any) -> Outcome:
        ran.append("yes")
        return Outcome("done")

    calls = iter([[Call("1", "change", {})], ["ok"]])
    model = FakeModel(lambda prompt: next(calls, ["ok"]) if prompt.tools else [TALE])
    one = made(model=FakeModel(script))
    await one.turn("Fix it")
    await one.runtime.hand_off(one.conversation_id, lambda handoff: handoff.now(Cause()))

    class Broken:
        def __getattr__(self, name: str) -> Any:
            raise PacketNotSaved(path="x", reason="the disk is gone")

    settings = replace(QUICK, handoff=replace(kit(tmp_path, tmp_path), workspace=Broken()))
    two = bench(model, [FakeTool("change", act, "edit")], settings=settings)
    two = replace(two, conversation_id=one.conversation_id)
    events = await two.turn("go on")
    assert [event.code for event in of(events, Noticed)] == ["unverified"]
    assert ran == []
    assert "only reading is allowed" in two.entries()[-3].data["text"]


async def test_two_compressions_hand_off_in_the_middle_of_a_turn(made: Make) -> None:
    bench = made(Policy(enabled=True))
    await bench.turn("Fix the race. Never touch migrations.")
    compressed(bench, 2)
    old = head(bench)
    events = await bench.turn("next step please")
    assert of(events, HandoffStarted)[0].because == "Session compressed 2 times"
    (advanced,) = of(events, HeadAdvanced)
    assert (advanced.previous_id, advanced.edge) == (old.id, "handoff")
    assert bench.store.sessions.get(old.id).end_reason == "compression_handoff"
    assert events[-1].reason == "completed"
    text = bench.entries()[0].data["text"]
    assert "Current request: next step please" in text
    assert "Never touch migrations." in text


async def test_a_chain_is_bounded_and_a_person_resets_it(made: Make) -> None:
    bench = made(Policy(enabled=True, max_auto_handoffs=2))
    for _ in range(2):
        await bench.turn("go")
        compressed(bench, 2)
    await bench.turn("go")
    compressed(bench, 2)
    events = await bench.turn("go")
    (offered,) = of(events, HandoffOffered)
    assert "2 automatic handoffs" in offered.doubt
    assert events[-1].reason == "waiting"
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.confirm(offered.draft_id))
    compressed(bench, 2)
    assert of(await bench.turn("go"), HeadAdvanced)


async def test_a_declined_offer_is_not_made_again_until_something_changes(made: Make) -> None:
    bench = made(Policy(enabled=True, mode=PROMPT_USER))
    compressed(bench, 2)
    (offered,) = of(await bench.turn("go"), HandoffOffered)
    assert offered.resumes
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.cancel(offered.draft_id))
    assert not of(await bench.turn("go"), HandoffOffered)
    compressed(bench, 1)
    assert of(await bench.turn("go"), HandoffOffered)


async def test_the_model_may_ask_and_a_person_decides(made: Make) -> None:
    asked = [[Call("1", "session_handoff", {"reason": "too long"})], ["never said"]]
    model = FakeModel(lambda prompt: asked.pop(0) if prompt.tools else [TALE])
    bench = made(model=model)
    events = await bench.turn("go")
    (offered,) = of(events, HandoffOffered)
    assert "too long" in offered.because
    assert events[-1].reason == "waiting"
    assert asked == [["never said"]]
    assert "session-handoff-requested" in [entry.data.get("text") for entry in bench.entries()]


async def test_a_risky_next_step_is_asked_about(made: Make) -> None:
    risky = TALE.replace("`make`", "`git push --force`")
    model = FakeModel(lambda prompt: ["ok"] if prompt.tools else [risky])
    bench = made(Policy(enabled=True), model)
    await bench.turn("go")
    compressed(bench, 2)
    (offered,) = of(await bench.turn("go"), HandoffOffered)
    assert "a forced push" in offered.doubt


async def test_fresh_process_ends_the_turn_and_says_so(made: Make) -> None:
    bench = made(Policy(enabled=True, mode=FRESH_PROCESS))
    await bench.turn("go")
    compressed(bench, 2)
    events = await bench.turn("go on with it")
    assert [event.conversation_id for event in of(events, ProcessWanted)] == [bench.conversation_id]
    assert events[-1].reason == "handed_over"
    assert head(bench).edge == "handoff"


@pytest.mark.parametrize("lines", [[30.0], [], ["no headings at all"], [ValueError("odd")]])
async def test_without_a_usable_narrative_the_facts_are_complete(made: Make, lines: list[Any]) -> None:
    model = FakeModel(lambda prompt: ["ok"] if prompt.tools else lines)
    bench = made(model=model, pace=Pace(silence=0.2))
    await bench.turn("Build it. Never use eval.")
    written = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.write(Cause()))
    assert "The narrative is missing" in written.packet.markdown
    assert "Never use eval." in written.packet.markdown
    assert not written.score.shortfalls()


async def test_a_packet_alone_changes_nothing(made: Make) -> None:
    bench = made()
    await bench.turn("Build it")
    before = (head(bench), bench.kinds())
    written = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.write(Cause()), narrate=False)
    assert (head(bench), bench.kinds()) == before
    assert bench.store.drafts.list_waiting() == []
    assert written.packet.intact()


async def test_no_secret_reaches_packet_twin_file_or_events(made: Make, root: Path) -> None:
    bench = made(
        model=FakeModel(lambda prompt: ["ok"] if prompt.tools else [TALE.replace("Looked", f"Used {SECRET}, looked")])
    )
    await bench.turn(f"Never print {SECRET} anywhere. Deploy with {SECRET}")
    subscription = bench.runtime.watch(bench.conversation_id)
    offered = await bench.runtime.hand_off(
        bench.conversation_id, lambda handoff: handoff.offer(Cause(because=f"x {SECRET}"))
    )
    packet = bench.store.packets.get(offered.packet_id)
    files = [path.read_text() for path in (root / ".baton/handoffs").iterdir()]
    for text in (packet.markdown, packet.ledger, *files):
        assert SECRET not in text
    assert PLACEHOLDER in packet.markdown
    assert "Left out because they are secret: password." in packet.markdown
    subscription.close()


class LearnsLate(OneSecret):
    """Knows the secret once it was called one."""

    def __init__(self, knows: bool = False) -> None:
        self._knows = knows

    def redact(self, text: str) -> Redacted:
        return super().redact(text) if self._knows or f"secret is {SECRET}" in text else Redacted(text, ())

    def recognise(self, text: str) -> tuple[Secret, ...]:
        return (Secret("password", SECRET),) if self.redact(text).found else ()

    def remember(self, secrets: Iterable[Secret]) -> OneSecret:
        return LearnsLate(knows=True)

    def leaks(self, text: str) -> tuple[Leak, ...]:
        return super().leaks(text) if self._knows else ()


async def test_a_secret_that_is_recognised_late_costs_no_points(made: Make) -> None:
    """The packet is cleaned once more; what it lacks then is what it must not have."""
    bench = made(redactor=lambda _: LearnsLate())
    for words in (f"Use {SECRET} in the compose file", "Never use eval", f"The secret is {SECRET}"):
        await bench.turn(words)
    written = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.write(Cause()))
    assert f"Use {PLACEHOLDER} in the compose file" in written.packet.markdown
    assert SECRET not in written.packet.markdown + written.packet.ledger
    assert not written.score.shortfalls()


async def test_an_edited_draft_is_cleaned_kept_and_used(made: Make) -> None:
    bench = made()
    await bench.turn("Build it")
    offered = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.offer(Cause()))
    mine = f"# Mine\nUse {SECRET} and do X first."
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.edit(offered.draft_id, mine))
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.confirm(offered.draft_id))
    text = bench.entries()[0].data["text"]
    assert f"Use {PLACEHOLDER} and do X first." in text


async def test_a_draft_is_stale_once_work_went_on(made: Make) -> None:
    bench = made()
    await bench.turn("Build it")
    offered = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.offer(Cause()))
    await bench.turn("one more thing")
    old = head(bench)
    with pytest.raises(DraftStale):
        await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.confirm(offered.draft_id))
    assert head(bench).id == old.id


async def test_two_drafts_only_one_is_used(made: Make) -> None:
    bench = made()
    await bench.turn("Build it")
    drafts = [
        await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.offer(Cause())) for _ in range(2)
    ]
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.confirm(drafts[0].draft_id))
    with pytest.raises(DraftStale):
        await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.confirm(drafts[1].draft_id))


async def test_a_handoff_is_refused_while_a_turn_runs_and_can_be_stopped(made: Make) -> None:
    told = asyncio.Event()
    model = FakeModel(lambda prompt: [told, "ok"] if prompt.tools else [600.0])
    bench = made(model=model, pace=Pace(silence=600))
    await bench.runtime.send(bench.conversation_id, UserInput("go"))
    with pytest.raises(BadInput):
        await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.write(Cause()))
    told.set()
    while bench.runtime.busy(bench.conversation_id):
        await asyncio.sleep(0.01)
    waiting = asyncio.create_task(bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.offer(Cause())))
    while not any(prompt.system.startswith("You are closing") for prompt in model.prompts):
        await asyncio.sleep(0.01)
    assert await bench.runtime.cancel(bench.conversation_id)
    with pytest.raises(HandoffError):
        await waiting
    assert bench.store.drafts.list_waiting() == []


async def test_a_packet_that_cannot_be_saved_leaves_the_turn_going(made: Make, root: Path) -> None:
    (root / ".baton").mkdir()
    (root / ".baton/handoffs").symlink_to(root.parent)
    bench = made(Policy(enabled=True))
    await bench.turn("go")
    compressed(bench, 2)
    events = await bench.turn("go")
    assert "packet-not-saved" in [event.code for event in of(events, Noticed)]
    assert of(events, HandoffEnded)[0].outcome == "failed"
    assert (events[-1].reason, isinstance(events[-1], TurnEnded)) == ("completed", True)
    assert head(bench).edge == "root"


async def test_constraints_stand_after_ten_handoffs_and_a_compression_between(made: Make) -> None:
    bench = made()
    await bench.turn("Build the parser. Never use eval. Only the standard library.")

    async def fresh(handoff: Handoff) -> Any:
        return await handoff.now(Cause())

    for number in range(10):
        await bench.runtime.hand_off(bench.conversation_id, fresh, narrate=False)
        await bench.turn(f"step {number}")
    text = bench.entries()[0].data["text"]
    for wanted in ("Never use eval.", "Only the standard library.", "First request: Build the parser.", "step 8"):
        assert text.count(wanted) >= 1
    assert text.count("- Never use eval.") == 1
    assert "Handoff number 10 of this conversation." in text
    assert len(bench.store.sessions.chain(head(bench).id)) == 11


async def test_ten_automatic_handoffs_in_a_row_and_then_a_question(made: Make) -> None:
    """A task under a scripted model: each session is compressed once and handed off by policy, and works on."""
    model = FakeModel(script)
    bench = made(Policy(enabled=True, after_compressions=1, max_auto_handoffs=10), model)
    await bench.turn("Build the parser. Never use eval.")
    for number in range(10):
        compressed(bench, 1)
        events = await bench.turn(f"step {number}")
        assert [event.edge for event in of(events, HeadAdvanced)] == ["handoff"]
        assert events[-1].reason == "completed"
        sent = model.prompts[-1].messages[0]
        assert isinstance(sent, UserMessage)
        assert sent.text.count("- Never use eval.") == 1
        assert f"Current request: step {number}" in sent.text
    assert [session.end_reason for session in bench.store.sessions.chain(head(bench).id)][:-1] == [
        "compression_handoff"
    ] * 10
    compressed(bench, 1)
    events = await bench.turn("one more")
    assert "10 automatic handoffs" in of(events, HandoffOffered)[0].doubt
    assert (events[-1].reason, of(events, HeadAdvanced)) == ("waiting", [])


async def test_what_was_struck_from_the_narrative_is_shown_in_the_review(made: Make) -> None:
    tale = '## Completed work\nLooked around. Wrote src/ghost.py.\n## Rules\nstanding: "Nobody said this."\n'
    bench = made(model=FakeModel(lambda prompt: ["ok"] if prompt.tools else [tale]))
    await bench.turn("Build it")
    offered = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.offer(Cause()))
    shown = load_review(bench.store, offered.draft_id)
    assert shown.notes == [
        "Struck: “Wrote src/ghost.py.” (no file src/ghost.py was touched, read, listed or named)",
        "1 rule suggested by the model refused: 1 × nobody said it.",
    ]
    assert "Looked around." in shown.markdown
    assert "ghost" not in shown.markdown
    assert "1 × nobody said it" in shown.markdown


async def test_a_rule_without_a_keyword_is_carried_if_the_model_names_it(made: Make) -> None:
    tale = '## Completed work\nLooked around.\n## Rules\nstanding: "Kim signs whatever costs more than 900."\n'
    bench = made(model=FakeModel(lambda prompt: ["ok"] if prompt.tools else [tale]))
    await bench.turn("Kim signs whatever costs more than 900. Build it")
    written = await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.write(Cause()))
    assert "Kim signs whatever costs more than 900." in [rule.text for rule in twin_of(written.packet).ledger.rules]
