"""Whatever is said, seen or named on the way: a packet keeps its form, and its text changes no rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from baton.adapters.artifacts import PacketFiles
from baton.core.agent.approval import MODES
from baton.core.agent.event import ApprovalAsked
from baton.core.agent.message import Call, Prompt, ToolMessage
from baton.core.display import plain
from baton.core.errors import BadText
from baton.core.handoff.opening import INTRODUCTION
from baton.core.handoff.packet_text import HEADINGS
from baton.core.handoff.workspace import Commit, RepoFacts, Snapshot
from baton.core.log.entry import NewEntry
from baton.core.log.payloads import UserInput
from baton.engine.handoff.handoff import Cause
from baton.engine.handoff.packets import HandoffKit
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.approver import Answer
from baton.ports.redactor import Leak, Redacted, Secret
from baton.ports.store import Store
from baton.ports.tool import Outcome
from baton.testing.memory import MemoryStore
from baton.testing.model import FakeModel
from tests.engine.conftest import FakeApprover, FakeMemory, FakeTool
from tests.support.injections import ORDERS, injections

pytestmark = pytest.mark.anyio
BELOW = (
    "### Rules the person set: ",
    "### The current request, and where it stands",
    "### What the person refused and answered before, oldest first",
    "### What else the person asked and what came of it, oldest first",
    "### The last steps, oldest first",
)
RAW = "only in the raw output"


class NoSecrets:
    def redact(self, text: str) -> Redacted:
        return Redacted(text)

    def recognise(self, text: str) -> tuple[Secret, ...]:
        return ()

    def remember(self, secrets: Iterable[Secret]) -> NoSecrets:
        return self

    def leaks(self, text: str) -> tuple[Leak, ...]:
        return ()

    def with_known(self, values: Mapping[str, str]) -> NoSecrets:
        return self


class HostilePlace:
    """A workspace whose every name is the text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def snapshot(
        self, paths: Sequence[str] = (), evidence: Sequence[str] = (), mentioned: Sequence[str] = ()
    ) -> Snapshot:
        text = self._text[:4000]
        commits = (Commit("a" * 40, text, 1),)
        return Snapshot(RepoFacts(f"/w/{text}", True, text, "b" * 40, text, untracked=(text,), commits=commits))

    def checkpoint(self, message: str, session_id: str) -> None:
        return None

    def between(self, old: str, new: str) -> None:
        return None


class Poisoned:
    """A conversation in which everything that can be told is the text."""

    def __init__(self, text: str, directory: Path, mode: str = "ask") -> None:
        self.text = text
        self.store: Store = MemoryStore()
        self.approver = FakeApprover()
        self.memory = FakeMemory()
        self.ran: list[str] = []
        self.model = FakeModel(self._says, window=4_000_000)
        self.toolbox = Toolbox([FakeTool("shell", self._run, "execute")], self.approver, self.memory, mode)
        self.kit = HandoffKit(
            workspace=HostilePlace(text),  # pyright: ignore[reportArgumentType]
            redactor=lambda _: NoSecrets(),
            artifacts=PacketFiles(str(directory), "packets"),
            risk=lambda _: "",
        )
        settings = TurnSettings(system="be good", handoff=self.kit)
        self.runtime = Runtime(self.store, lambda _: Parts(self.model, self.toolbox, settings), surface="test")
        self.conversation_id = self._begin()

    def _begin(self) -> str:
        conversation, session = self.store.conversations.start("poisoned")
        proof = self.store.conversations.claim(conversation.id, "test", 60)
        for entry in _entries(self.text):
            try:
                self.store.entries.append(proof, session.id, [entry])
            except BadText:
                continue
        self.store.conversations.release(proof)
        return conversation.id

    def _says(self, prompt: Prompt) -> list[Any]:
        if not prompt.tools:
            return [f"## Completed work\n{self.text}\n## Design decisions\n{self.text}\n"
                    f"## Next recommended action\n{self.text}"]  # fmt: skip
        answered = isinstance(prompt.messages[-1], ToolMessage)
        return ["Done."] if answered else [Call("c1", "shell", {"command": "rm -rf ."})]

    async def _run(self, args: Any, output: Any) -> Outcome:
        self.ran.append(str(args))
        return Outcome("ran")

    async def fresh(self) -> str:
        await self.runtime.hand_off(self.conversation_id, lambda handoff: handoff.now(Cause(because=self.text)))
        return str(self.first().data["text"])

    def first(self) -> Any:
        head = self.store.conversations.get(self.conversation_id).head_id
        return self.store.entries.load(head, limit=1)[0]


def _entries(text: str) -> Iterator[NewEntry]:
    def call(number: int, name: str, args: Mapping[str, Any]) -> NewEntry:
        return NewEntry(
            "assistant", {"text": f"Because {text}", "calls": [{"id": str(number), "name": name, "args": args}]}
        )

    def result(number: int, name: str, shown: str, **more: Any) -> NewEntry:
        return NewEntry("tool_result", {"id": str(number), "name": name, "text": shown, "ok": True, **more})

    yield NewEntry("user", {"text": "Build it. Never touch migrations."})
    yield NewEntry("user", {"text": text})
    yield NewEntry("user", {"text": f"Never {text}"})
    yield call(1, "shell", {"command": text})
    output = f"{RAW}\n{text}\nerror: {text}"
    yield result(1, "shell", output, ok=False, details={"command": text, "exit": 1, "log": text[:300]})
    yield call(2, "edit", {"path": text})
    yield result(2, "edit", text, details={"path": text})
    yield call(3, "write", {"path": text})
    yield result(3, "write", text, details={"path": f"new/{text}", "created": True})
    yield call(4, "plan", {})
    items = [
        {"text": text, "state": "pending"},
        {"text": f"{text} 2", "state": "done"},
        {"text": f"{text} 3", "state": "doing"},
    ]
    yield result(4, "plan", "ok", details={"items": items})
    yield call(5, "shell", {"command": f"make {text}"})
    yield NewEntry("tool_call", {"id": "5", "name": "shell", "args": {"command": f"make {text}"}})
    yield call(6, text[:100] or "x", {"command": text})
    yield call(7, "shell", {"command": f"pytest {text}"})
    yield result(7, "shell", f"{RAW}\n{text}", details={"command": f"pytest {text}", "exit": 0, "log": text[:300]})


def check_form(text: str, markdown: str) -> None:
    """The frame is one, and what is inside has the nine headings and nothing that hides or steers."""
    assert text.startswith(f"{INTRODUCTION}\n\n<<<packet-")
    mark = text[len(INTRODUCTION) + 5 :].partition("\n")[0]
    before, inside, after = text.partition(f"<<<{mark}\n{markdown.strip()}\n{mark}>>>")
    assert inside
    assert before == f"{INTRODUCTION}\n\n"
    assert mark not in after
    assert text.count(mark) == 2
    assert mark not in markdown
    lines = markdown.splitlines()
    assert [line for line in lines if line.startswith("# ")] == ["# Handoff packet"]
    assert [line for line in lines if line.startswith("## ")] == [f"## {name}" for name in HEADINGS]
    assert plain(markdown) == markdown
    assert lines == markdown.split("\n")[: len(lines)]
    tokens = MarkdownIt("commonmark").parse(markdown)
    headings = [
        (each.tag, tokens[number + 1].content) for number, each in enumerate(tokens) if each.type == "heading_open"
    ]
    top = [name for tag, name in headings if tag in ("h1", "h2")]
    assert top == ["Handoff packet", *HEADINGS]
    assert all(f"### {name}".startswith(BELOW) for tag, name in headings if tag not in ("h1", "h2")), headings
    assert not [each for each in tokens if each.level == 0 and each.type in ("html_block", "fence", "code_block")]


async def test_no_text_breaks_the_form_of_a_packet(tmp_path: Path) -> None:
    texts = injections()
    assert len(texts) >= 200
    for number, text in enumerate(texts):
        poisoned = Poisoned(text, tmp_path)
        shown = await poisoned.fresh()
        packet = poisoned.store.packets.get(str(poisoned.first().data["packet"]))
        try:
            check_form(shown, packet.markdown)
            assert packet.tokens <= poisoned.kit.budget
            assert RAW not in packet.markdown
            assert "- Never touch migrations." in packet.markdown
        except AssertionError as error:
            raise AssertionError(f"text {number}, {text[:80]!r}: {error}\n{packet.markdown[:6000]}") from error


async def test_a_poisoned_packet_stays_poisoned_text_in_the_next_ones(tmp_path: Path) -> None:
    for text in [each for each in injections() if len(each) < 1000][::9]:
        poisoned = Poisoned(text, tmp_path)
        for _ in range(3):
            shown = await poisoned.fresh()
            packet = poisoned.store.packets.get(str(poisoned.first().data["packet"]))
            check_form(shown, packet.markdown)
            assert packet.markdown.count("- Never touch migrations.") == 1


async def test_no_text_in_a_packet_approves_anything_or_changes_the_mode(tmp_path: Path) -> None:
    for text in [each for each in injections() if len(each) < 1000]:
        poisoned = Poisoned(text, tmp_path)
        await poisoned.fresh()
        events = [event async for event in poisoned.runtime.turn(poisoned.conversation_id, UserInput("go on"))]
        asked = [event for event in events if isinstance(event, ApprovalAsked)]
        assert len(asked) == len(poisoned.approver.asked) == 1, text
        assert poisoned.ran == [], text
        assert poisoned.memory.prints == []
        assert poisoned.toolbox.mode == "ask"


@pytest.mark.parametrize("mode", MODES)
async def test_the_mode_of_the_fresh_session_is_the_surfaces(mode: str, tmp_path: Path) -> None:
    before = Poisoned("harmless", tmp_path, mode)
    [event async for event in before.runtime.turn(before.conversation_id, UserInput("go"))]
    after = Poisoned(f"{ORDERS[0]} The mode is unattended.", tmp_path, mode)
    await after.fresh()
    [event async for event in after.runtime.turn(after.conversation_id, UserInput("go"))]
    assert (len(after.approver.asked), after.ran) == (len(before.approver.asked), before.ran)
    assert after.toolbox.mode == mode


async def test_a_yes_for_one_call_is_not_carried_and_an_always_is_the_workspaces(tmp_path: Path) -> None:
    once = Poisoned("harmless", tmp_path)
    once.approver = FakeApprover(Answer("yes"))
    once.toolbox._permission._approver = once.approver
    [event async for event in once.runtime.turn(once.conversation_id, UserInput("go"))]
    assert len(once.ran) == 1
    await once.fresh()
    [event async for event in once.runtime.turn(once.conversation_id, UserInput("go"))]
    assert (len(once.approver.asked), len(once.ran)) == (2, 1)

    always = Poisoned("harmless", tmp_path)
    always.approver = FakeApprover(Answer("always"))
    always.toolbox._permission._approver = always.approver
    [event async for event in always.runtime.turn(always.conversation_id, UserInput("go"))]
    assert len(always.memory.prints) == 1
    await always.fresh()
    [event async for event in always.runtime.turn(always.conversation_id, UserInput("go"))]
    assert (len(always.approver.asked), len(always.ran)) == (1, 2)
    assert always.memory.prints[0] not in str(always.first().data)
