"""`/undo` on every store: the next request is, byte for byte, what it would have been without what was taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.event import HeadAdvanced
from baton.core.agent.message import Call, Image, Prompt, UserMessage
from baton.core.errors import BadInput
from baton.core.handoff.compression import Limits
from baton.core.handoff.policy import Policy
from baton.core.log.context import project
from baton.core.log.entry import Entry
from baton.core.log.payloads import UserInput
from baton.core.log.session import Vitals, count_handoffs, lineage_vitals
from baton.core.log.waiting import waiting_input
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.engine.handoff.packets import history
from baton.engine.turns.fork import fork
from baton.engine.turns.parts import Parts
from baton.engine.turns.runtime import BUSY, Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.store import Store
from baton.ports.tool import Outcome
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, FakeApprover, FakeMemory, FakeTool
from tests.support.handoffs import kit, repository

pytestmark = pytest.mark.anyio
SUMMARY = "Done: looked at the lock in checkout.py. State: two tests fail. Open: the retry. " * 2
WORDS = " ".join(f"word{number}" for number in range(150))
FIRST = ["say Fix the race. Never touch the migrations.", f"say Look at it. {WORDS}", f"say And again. {WORDS}"]
IN_PLACE = Limits(deadline=5, tries=1, cool_down=60)
SPLIT = replace(IN_PLACE, split=True)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Script:
    """Answers in the order of the questions, whatever stands before them."""

    def __init__(self) -> None:
        self._asked = 0

    def __call__(self, prompt: Prompt) -> Sequence[Any]:
        if prompt.system.startswith(("You summarise", "You are closing")):
            return [SUMMARY]
        self._asked += 1
        if any(isinstance(each, UserMessage) and each.text.startswith("Look") for each in prompt.messages[-2:]):
            return [f"Looking, {self._asked}.", Call(f"call{self._asked}", "shell", {"command": "make"})]
        return [f"Answer {self._asked}."]


class Story:
    """A conversation told in steps: `say …`, `compress`, `fresh`, `undo`."""

    def __init__(self, store: Store, root: Path, limits: Limits, policy: Policy | None = None) -> None:
        async def make(args: Any, output: Any) -> Outcome:
            return Outcome("2 failed", ok=False, details={"exit": 2})

        self.store = store
        self.model = FakeModel(Script(), window=4000)
        settings = replace(QUICK, limits=limits, handoff=kit(root, root.parent / "home", policy))
        toolbox = Toolbox([FakeTool("shell", make)], FakeApprover(), FakeMemory(), "unattended")
        self.runtime = Runtime(store, lambda _: Parts(self.model, toolbox, settings), surface="test")
        self.id = store.conversations.start("test", str(root))[0].id

    async def tell(self, *steps: str) -> Story:
        for step in steps:
            verb, _, text = step.partition(" ")
            if verb == "say":
                given = UserInput(text, (Image("image/png", "aGk="),) if "picture" in text else ())
                assert [event async for event in self.runtime.turn(self.id, given)][-1].reason == "completed"
            elif verb == "compress":
                assert await self.runtime.compress(self.id) == "compressed"
            elif verb == "fresh":
                await self.runtime.hand_off(self.id, lambda handoff: handoff.now(Cause()))
            else:
                await self.runtime.undo(self.id)
        return self

    @property
    def request(self) -> bytes:
        """What was sent last, without the conversation's own ids, which no request holds."""
        return repr(self.model.prompts[-1]).encode()

    @property
    def chain(self) -> list[Any]:
        return self.store.sessions.chain(self.store.conversations.get(self.id).head_id)

    def transcript(self) -> list[Entry]:
        sessions = self.store.sessions.of(self.id)
        return [entry for each in sessions for entry in self.store.entries.load(each.id) if not entry.copied]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")


CASES = {
    "in place": (IN_PLACE, ["compress"], ["undo"]),
    "split": (SPLIT, ["compress"], ["undo"]),
    "handoff": (IN_PLACE, ["fresh"], ["undo"]),
    "in place, then work": (IN_PLACE, ["compress", "say Look at b.", "say A picture"], ["undo"]),
    "split, then work": (SPLIT, ["compress", "say Look at b.", "say A picture"], ["undo"]),
    "handoff, then work": (IN_PLACE, ["fresh", "say Look at b.", "say A picture"], ["undo"]),
    "in place, then a handoff, then work": (IN_PLACE, ["compress", "fresh", "say Look at b."], ["undo", "undo"]),
    "split, then a handoff": (SPLIT, ["compress", "fresh", "say Look at b."], ["undo", "undo"]),
    "handoff, then in place": (IN_PLACE, ["fresh", f"say Look at b. {WORDS}", "compress"], ["undo", "undo"]),
    "two handoffs": (IN_PLACE, ["fresh", "say Look at b.", "fresh", "say A picture"], ["undo", "undo"]),
    "undone, done again": (IN_PLACE, ["fresh", "undo", "say Look at b.", "fresh"], ["undo"]),
}


@pytest.mark.parametrize("case", CASES)
async def test_the_next_request_is_what_it_would_have_been(store: Store, root: Path, case: str) -> None:
    limits, steps, undos = CASES[case]
    said = [step for step in steps if step.startswith("say")]
    plain = await Story(store, root, limits).tell(*FIRST, *said, "say What now?")
    undone = await Story(store, root, limits).tell(*FIRST, *steps)
    before = undone.transcript()
    await undone.tell(*undos, "say What now?")
    assert undone.request == plain.request
    assert undone.transcript()[: len(before)] == before, "nothing that was written is changed or lost"


async def test_one_of_two_undone_leaves_the_other_in_force(store: Store, root: Path) -> None:
    once = await Story(store, root, IN_PLACE).tell(*FIRST, "compress", "say What now?")
    both = await Story(store, root, IN_PLACE).tell(*FIRST, "compress", "fresh", "undo", "say What now?")
    assert both.request == once.request
    assert SUMMARY.strip() in both.request.decode()


async def test_the_counts_are_those_of_what_holds(store: Store, root: Path) -> None:
    story = await Story(store, root, SPLIT).tell(*FIRST, "compress", "say ok", "fresh", "say ok", "undo")
    chain = story.chain
    assert [(each.edge, each.end_reason) for each in chain] == [
        ("root", "compression"), ("compression", "handoff"), ("handoff", "undone"), ("undo", None),
    ]  # fmt: skip
    assert count_handoffs(chain) == 0
    assert lineage_vitals(store.sessions.vitals(each.id) for each in chain) == Vitals(1)
    await story.tell("undo")
    assert lineage_vitals(store.sessions.vitals(each.id) for each in story.chain) == Vitals(0)
    assert [each.depth for each in story.chain] == [0, 1, 2, 3, 4]
    seen = await _vitals(story)
    assert seen == Vitals(0)


async def _vitals(story: Story) -> Vitals:
    """As the policy sees them in the next turn."""
    writers: list[Vitals] = []

    async def look(writer: Any) -> None:
        writers.append(writer.vitals)

    await story.runtime.write(story.id, look)
    return writers[0]


@pytest.mark.parametrize("limits", [IN_PLACE, SPLIT])
async def test_another_process_sees_it_at_once(store: Store, other: Store, root: Path, limits: Limits) -> None:
    story = await Story(store, root, limits).tell(*FIRST, "compress")
    there = Story(other, root, limits)
    there.id, there.model = story.id, story.model
    await there.tell("say hm")
    await story.tell("undo")
    await there.tell("say What now?")
    plain = await Story(store, root, limits).tell(*FIRST, "say hm", "say What now?")
    assert there.request == plain.request


@pytest.mark.parametrize("limits", [IN_PLACE, SPLIT])
async def test_what_was_taken_back_is_not_done_again_at_the_next_message(
    store: Store, root: Path, limits: Limits
) -> None:
    plain = await Story(store, root, limits).tell(*FIRST, f"say Once more. {WORDS}")
    tokens = project(store.entries.load(plain.chain[-1].id)).tokens
    story = Story(store, root, limits)
    story.model.window = int(tokens / 0.86)
    await story.tell(*FIRST, f"say Once more. {WORDS}")
    sent = story.model.prompts[-1]
    assert any("compressed" in getattr(each, "text", "") for each in sent.messages), "it came of itself"
    await story.tell("undo", "say What now?")
    await plain.tell("say What now?")
    assert story.request == plain.request
    await story.tell(f"say Too much. {WORDS} {WORDS}")
    assert "compressed" in story.model.prompts[-1].messages[0].text, "without room it is done all the same"


async def test_a_handoff_in_the_middle_of_a_turn_is_taken_back_with_its_answer_kept(store: Store, root: Path) -> None:
    automatic = Policy(enabled=True, after_compressions=1, require_clean_checkpoint=False)
    story = await Story(store, root, IN_PLACE, automatic).tell(*FIRST, "compress", "say And a picture")
    assert [each.edge for each in story.chain] == ["root", "handoff"]
    await story.tell("undo", "say What now?")
    plain = await Story(store, root, IN_PLACE).tell(*FIRST, "compress", "say And a picture", "say What now?")
    assert story.request == plain.request
    assert [each.edge for each in story.chain] == ["root", "handoff", "undo"], "it is not made again at once"


async def test_nothing_to_undo_is_said_and_changes_nothing(store: Store, root: Path) -> None:
    story = await Story(store, root, IN_PLACE).tell(*FIRST)
    before = store.entries.load(story.chain[-1].id)
    with pytest.raises(BadInput, match="There is nothing to undo"):
        await story.tell("undo")
    assert store.entries.load(story.chain[-1].id) == before
    await story.tell("compress", "undo")
    with pytest.raises(BadInput, match="There is nothing to undo"):
        await story.tell("undo")


async def test_a_fork_does_not_reach_behind_its_beginning(store: Store, root: Path) -> None:
    story = await Story(store, root, IN_PLACE).tell(*FIRST, "compress")
    forked = Story(store, root, IN_PLACE)
    forked.id = fork(store, store.conversations.get(story.id)).id
    with pytest.raises(BadInput, match="There is nothing to undo"):
        await forked.tell("undo")
    await story.tell("undo")


async def test_a_running_turn_is_not_disturbed(store: Store, root: Path) -> None:
    story = await Story(store, root, IN_PLACE).tell(*FIRST, "compress")
    watching = story.runtime.watch(story.id)
    told = asyncio.Event()
    story.model._script = lambda prompt: [told, "late"]
    await story.runtime.send(story.id, UserInput("slow"))
    with pytest.raises(BadInput, match=BUSY):
        await story.runtime.undo(story.id)
    told.set()
    while not hasattr(event := await watching.next(), "reason") or event.reason != "completed":
        pass
    await story.tell("undo")


async def test_the_move_of_the_head_is_an_event(store: Store, root: Path) -> None:
    story = await Story(store, root, IN_PLACE).tell(*FIRST, "fresh")
    old = story.chain[-1].id
    watching = story.runtime.watch(story.id)
    await story.tell("undo")
    assert await watching.next() == HeadAdvanced(story.chain[-1].id, old, "undo", "handoff")


async def test_input_that_waits_is_not_lost(store: Store, root: Path) -> None:
    story = await Story(store, root, IN_PLACE).tell(*FIRST, "fresh")
    proof = store.conversations.claim(story.id, "other", 60)
    from baton.core.log.payloads import QueuedInput, new_entry

    store.entries.append(proof, story.chain[-1].id, [new_entry(QueuedInput(UserInput("later"), "u_q"))])
    store.conversations.release(proof)
    await story.tell("undo")
    entries = store.entries.load(story.chain[-1].id)
    assert [each.text for each in waiting_input(entries)] == ["later"]


async def test_an_export_with_an_undo_is_imported_whole(store: Store, root: Path) -> None:
    from baton.engine.archive import export_lines, import_lines
    from baton.testing.memory import MemoryData, MemoryStore

    story = await Story(store, root, SPLIT).tell(*FIRST, "compress", "undo", "say ok", "fresh", "undo", "say ok")
    lines = list(export_lines(store, [story.id]))
    elsewhere = MemoryStore(None, MemoryData())
    import_lines(elsewhere, [line.encode() for line in lines], "test")
    assert list(export_lines(elsewhere, [story.id])) == lines


@pytest.mark.parametrize("forked", [False, True])
async def test_the_next_packet_knows_all_sessions(store: Store, root: Path, forked: bool) -> None:
    """Also that of a fork: the packet it finds at its own beginning is a copy, and work was done since."""
    story = await Story(store, root, IN_PLACE).tell(*FIRST, "fresh", "say Never use tabs.", "undo", "say Look at c.")
    if forked:
        await story.tell("fresh", "say Always sign commits.")
        story.id = fork(store, store.conversations.get(story.id)).id
    head = store.conversations.get(story.id).head_id
    past = history(store, head)
    said = [entry.data["text"] for entry in past.entries if entry.kind == "user"]
    assert said == (["Always sign commits."] if forked else ["Never use tabs.", "Look at c."])
    known = past.packet.markdown if past.packet else ""
    assert "Never touch the migrations." in known
    assert not forked or "Never use tabs." in known
    whole = store.entries.load(head)
    assert history(store, head, whole) == history(store, head, whole[1:]) == past
