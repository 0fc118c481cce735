"""After a handoff a call that cannot be taken back waits for a person, however harmless the packet's sentence was."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.approval import MODES, READ_ONLY
from baton.core.agent.event import ApprovalAsked, HandoffOffered, TurnEnded
from baton.core.agent.message import Call, Prompt
from baton.core.handoff.policy import FRESH_PROCESS, FRESH_SESSION, PROMPT_USER, Policy
from baton.core.log.payloads import UserInput
from baton.core.log.session import COMPRESSION
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.engine.turns.parts import Parts
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.approver import Answer
from baton.ports.store import Store
from baton.ports.tool import Outcome, Output
from baton.surfaces.shared.approvals import NoApprover
from baton.surfaces.shared.handoffs import RESUME
from baton.testing.model import FakeModel
from baton.wiring.handoffs import describe_call_risk
from tests.engine.conftest import QUICK, FakeApprover, FakeMemory, FakeTool
from tests.engine.test_handoff import TALE, compressed
from tests.support.handoffs import kit, repository

pytestmark = pytest.mark.anyio
PUSH = "git push --force origin main"


class Desk:
    """A conversation whose model calls tools, and what became of the calls."""

    def __init__(self, store: Store, tmp_path: Path) -> None:
        self.store = store
        self.ran: list[str] = []
        self.approver: Any = FakeApprover()
        self.memory = FakeMemory()
        self.calls: list[Call] = []
        self.policy = Policy(enabled=True, require_clean_checkpoint=False)
        self._root, self._home = repository(tmp_path / "repo"), tmp_path / "home"
        self.conversation_id = store.conversations.start("test")[0].id

    async def _run(self, args: Mapping[str, Any], _: Output) -> Outcome:
        self.ran.append(str(args.get("command", args)))
        return Outcome("done")

    def _script(self, prompt: Prompt) -> list[Any]:
        if prompt.system.startswith("You are closing"):
            return [TALE]
        calls, self.calls = self.calls, []
        return ["Working.", *calls] if calls else ["Noted."]

    def runtime(self, mode: str = "unattended") -> Runtime:
        """As another process would make it."""
        names = ("shell", "forge__merge_request", "forge__list_requests")
        tools = [FakeTool(name, self._run, "execute") for name in names]
        toolbox = Toolbox(tools, self.approver, self.memory, mode, describe_call_risk)
        settings = replace(QUICK, handoff=kit(self._root, self._home, self.policy, risk=lambda _: ""))
        return Runtime(self.store, lambda _: Parts(FakeModel(self._script), toolbox, settings), surface="test")

    async def turn(self, given: UserInput, runtime: Runtime | None = None) -> list[Any]:
        made = runtime or self.runtime()
        return [event async for event in made.turn(self.conversation_id, given)]

    async def continue_by(self, mode: str, runtime: Runtime | None = None) -> None:
        """The work comes into a fresh session in this mode, and its next turn is the model's."""
        self.policy = replace(self.policy, mode=mode)
        await self.turn(UserInput("Tidy up the tests."))
        compressed(self, 2)  # type: ignore[arg-type]
        events = await self.turn(UserInput("Go on with the tests."), runtime)
        drafts = [event.draft_id for event in events if isinstance(event, HandoffOffered)]
        if drafts:
            await self.runtime().hand_off(self.conversation_id, lambda handoff: handoff.confirm(drafts[0]))
        assert self.head.edge == "handoff"

    @property
    def head(self) -> Any:
        return self.store.sessions.get(self.store.conversations.get(self.conversation_id).head_id)

    def wants(self, *commands: str) -> None:
        self.calls = [Call(f"c{n}", "shell", {"command": each}) for n, each in enumerate(commands)]


@pytest.fixture
def desk(store: Store, tmp_path: Path) -> Desk:
    return Desk(store, tmp_path)


def asked(events: list[Any]) -> list[str]:
    return [event.args.get("command", event.tool) for event in events if isinstance(event, ApprovalAsked)]


HANDOFF_MODES = [FRESH_SESSION, FRESH_PROCESS, PROMPT_USER]


@pytest.mark.parametrize("how", HANDOFF_MODES)
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != READ_ONLY])
async def test_a_call_that_destroys_is_asked_about_after_every_kind_of_handoff(desk: Desk, how: str, mode: str) -> None:
    await desk.continue_by(how)
    desk.wants(PUSH)
    events = await desk.turn(RESUME, desk.runtime(mode))
    assert (asked(events), desk.ran) == ([PUSH], [])
    reason = next(event.reason for event in events if isinstance(event, ApprovalAsked))
    assert "without you" in reason
    assert "forced push" in reason


async def test_in_the_turn_that_was_handed_off_it_is_asked_about_too(desk: Desk) -> None:
    await desk.turn(UserInput("Tidy up the tests."))
    compressed(desk, 2)  # type: ignore[arg-type]
    desk.wants(PUSH)
    events = await desk.turn(UserInput("Go on with the tests."))
    assert (asked(events), desk.ran, desk.head.edge) == ([PUSH], [], "handoff")


async def test_read_only_denies_it_unasked(desk: Desk) -> None:
    await desk.continue_by(FRESH_SESSION)
    desk.wants(PUSH)
    assert asked(await desk.turn(RESUME, desk.runtime(READ_ONLY))) == []
    assert desk.ran == []


async def test_a_yes_is_good_for_that_call_only(desk: Desk) -> None:
    await desk.continue_by(FRESH_SESSION)
    desk.approver = FakeApprover(Answer("yes"))
    desk.wants(PUSH, "rm -rf data")
    assert asked(await desk.turn(RESUME)) == [PUSH, "rm -rf data"]
    assert desk.ran == [PUSH]


async def test_a_harmless_call_is_not_asked_about(desk: Desk) -> None:
    await desk.continue_by(FRESH_SESSION)
    desk.wants("pytest -q", "git status")
    assert asked(await desk.turn(RESUME)) == []
    assert desk.ran == ["pytest -q", "git status"]


async def test_a_remembered_yes_of_an_earlier_session_is_no_yes_here(desk: Desk) -> None:
    await desk.turn(UserInput("Hello."))
    desk.approver = FakeApprover(Answer("always"))
    desk.wants(PUSH)
    await desk.turn(UserInput("Push it."), desk.runtime("ask"))
    desk.approver = FakeApprover()
    await desk.continue_by(FRESH_SESSION)
    desk.wants(PUSH)
    assert asked(await desk.turn(RESUME)) == [PUSH]
    assert desk.ran == [PUSH]


async def test_once_a_person_has_spoken_the_mode_decides_again(desk: Desk) -> None:
    await desk.continue_by(FRESH_SESSION)
    desk.wants(PUSH)
    assert asked(await desk.turn(UserInput("Now push it."))) == []
    assert desk.ran == [PUSH]


async def test_neither_a_guest_nor_baton_itself_lifts_it(desk: Desk) -> None:
    await desk.continue_by(FRESH_SESSION)
    guest = UserInput("A guest (g1) says:\n> push it", place="p", sender="g1")
    for given in (UserInput("Go on with the work.", synthetic=True), guest):
        desk.wants(PUSH)
        assert asked(await desk.turn(given)) == [PUSH]
    assert desk.ran == []


async def test_a_session_that_a_compression_split_off_is_still_guarded(desk: Desk) -> None:
    await desk.continue_by(FRESH_SESSION)
    await desk.runtime().write(
        desk.conversation_id,
        lambda writer: writer.advance(edge=COMPRESSION, end_reason=COMPRESSION, reason="compressed", entries=[]),
    )
    assert desk.head.edge == COMPRESSION
    desk.wants(PUSH)
    assert asked(await desk.turn(RESUME)) == [PUSH]


async def test_a_tool_of_another_program_has_to_say_that_it_reads(desk: Desk) -> None:
    await desk.continue_by(FRESH_SESSION)
    desk.calls = [Call("a", "forge__list_requests", {}), Call("b", "forge__merge_request", {"id": 12})]
    assert asked(await desk.turn(RESUME)) == ["forge__merge_request"]
    assert len(desk.ran) == 1


@pytest.mark.parametrize("mode", ["unattended", "ask"])
async def test_where_nobody_can_be_asked_the_turn_stops_and_nothing_runs(desk: Desk, mode: str) -> None:
    await desk.continue_by(FRESH_PROCESS)
    desk.approver = NoApprover()
    desk.wants(PUSH, "pytest -q")
    events = await desk.turn(RESUME, desk.runtime(mode))
    ended = events[-1]
    assert isinstance(ended, TurnEnded)
    assert (ended.reason, ended.error_code, desk.ran) == ("failed", "risky-step", [])
    assert "nobody can be asked here" in ended.error
    results = [entry for entry in desk.store.entries.load(desk.head.id) if entry.kind == "tool_result"]
    assert [entry.data["ok"] for entry in results] == [False, False]


async def test_a_session_that_you_asked_for_is_guarded_until_you_speak(desk: Desk) -> None:
    await desk.turn(UserInput("Tidy up the tests."))
    await desk.runtime().hand_off(desk.conversation_id, lambda handoff: handoff.now(Cause()))
    desk.wants(PUSH)
    assert asked(await desk.turn(UserInput("Go on with the work.", synthetic=True))) == [PUSH]
    desk.wants(PUSH)
    assert asked(await desk.turn(UserInput("Yes, push."))) == []


async def test_without_a_handoff_the_mode_alone_decides(desk: Desk) -> None:
    desk.wants(PUSH)
    assert asked(await desk.turn(UserInput("Push it."))) == []
    assert desk.ran == [PUSH]


async def test_a_run_hands_off_ten_times_at_most_if_every_session_is_short(desk: Desk) -> None:
    desk.policy = replace(desk.policy, max_prompt_tokens=1, max_auto_handoffs=100_000, mode=FRESH_SESSION)
    await desk.turn(UserInput("Tidy up the tests."))
    for _ in range(20):
        await desk.turn(UserInput("Go on with the work.", synthetic=True))
    assert len(desk.store.sessions.chain(desk.head.id)) - 1 == 10
