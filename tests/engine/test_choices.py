"""How far each answer reaches: once, exactly this, commands that begin so, edits from now on, no with words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.bash_syntax import BashSyntax
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.approvals import ApprovalMemory
from baton.adapters.tools.registry import tools
from baton.core.agent.choice import ALWAYS, BEGINS, EDITS, NO, YES
from baton.core.agent.event import ApprovalAsked, ModeChanged
from baton.engine.turns.toolbox import Toolbox
from baton.ports.approver import Answer
from baton.ports.tool import Intent, Outcome, Output
from baton.wiring.handoffs import describe_call_risk
from tests.engine.conftest import FakeApprover, FakeMemory, FakeTool
from tests.engine.test_toolbox import Desk, desk

pytestmark = pytest.mark.anyio
PARSE = BashSyntax().parse


async def done(_: Mapping[str, Any], __: Output) -> Outcome:
    return Outcome("done")


def asked(made: Desk) -> list[ApprovalAsked]:
    return [event for event in made.events if isinstance(event, ApprovalAsked)]


class Pretending(FakeTool):
    """The real shell's intents; nothing is run."""

    def __init__(self, root: Path, *, sandbox: bool = False) -> None:
        super().__init__("shell", done, "execute")
        found = tools(Workspace(root), sandbox=sandbox, parse=PARSE)
        self._shell = next(each for each in found if each.spec.name == "shell")

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return await self._shell.intent(args)


def risky(made: Desk, answers: tuple[Answer, ...], memory: Any, root: Path) -> None:
    made.toolbox = Toolbox([Pretending(root)], FakeApprover(*answers), memory, "ask", describe_call_risk)


async def test_a_command_is_asked_about_in_words_and_with_what_it_begins(isolated: Path) -> None:
    made = desk(Pretending(isolated), answers=())
    await made.call("shell", command="pytest -q")
    (question,) = asked(made)
    assert (question.asks, question.begins) == ("Run `pytest -q`?", "pytest")
    assert question.offers == (YES, ALWAYS, BEGINS, NO)
    await made.call("shell", command="pytest -q | tail")
    assert asked(made)[-1].offers == (YES, ALWAYS, NO)
    await made.call("shell", command="pytest -q", outside=True)
    assert asked(made)[-1].asks == "Run `pytest -q` without the sandbox?"
    assert asked(made)[-1].offers == (YES, ALWAYS, NO)


async def test_commands_that_begin_so_are_not_asked_for_again_and_others_are(isolated: Path, tmp_path: Path) -> None:
    memory = ApprovalMemory(tmp_path / "baton", str(isolated))
    made = desk(Pretending(isolated), answers=(Answer(BEGINS),), memory=memory)
    assert (await made.call("shell", command="pytest -q")).ok
    assert (await made.call("shell", command="pytest tests -x")).ok
    assert len(asked(made)) == 1
    for command in ("pytest; rm -rf .", "pytest | sh", "pytest > .git/config", "pytest $(id)", "FOO=1 pytest", "mypy"):
        assert not (await made.call("shell", command=command)).ok
    assert not (await made.call("shell", command="pytest", outside=True)).ok
    assert len(asked(made)) == 8
    later = desk(Pretending(isolated), memory=ApprovalMemory(tmp_path / "baton", str(isolated)))
    assert (await later.call("shell", command="pytest -k x")).ok


async def test_what_cannot_be_taken_back_is_asked_for_although_its_beginning_is_allowed(isolated: Path) -> None:
    memory, made = FakeMemory(), desk()
    risky(made, (Answer(BEGINS),), memory, isolated)
    assert (await made.call("shell", command="git push origin topic --dry-run")).ok
    assert len(memory.prints) == 1
    assert (await made.call("shell", command="git push --dry-run")).ok
    assert not (await made.call("shell", command="git push --force")).ok
    assert [question.args["command"] for question in asked(made)][1:] == ["git push --force"]
    assert asked(made)[-1].offers == (YES, ALWAYS, NO)


async def test_a_beginning_is_good_for_its_runner_only(isolated: Path) -> None:
    tool = Pretending(isolated)
    made = desk(tool, answers=(Answer(BEGINS),))
    await made.call("shell", command="pytest")

    class Elsewhere(Pretending):
        async def intent(self, args: Mapping[str, Any]) -> Intent:
            from baton.core.value import replace

            return replace(await super().intent(args), runner="another")

    made.toolbox._tools["shell"] = Elsewhere(isolated)
    assert not (await made.call("shell", command="pytest")).ok


async def test_accepting_edits_changes_the_mode_and_spares_no_protected_file(isolated: Path) -> None:
    made = desk(*tools(Workspace(isolated), sandbox=False), answers=(Answer(EDITS),))
    told: list[str] = []
    made.toolbox.on_mode(told.append)
    assert (await made.call("write", path="a.py", content="a = 1\n")).ok
    (question,) = asked(made)
    assert (question.asks, question.offers) == ("Create a.py?", (YES, ALWAYS, EDITS, NO))
    assert [event.mode for event in made.events if isinstance(event, ModeChanged)] == told == ["accept_edits"]
    assert (await made.call("edit", path="a.py", old="1", new="2")).ok
    assert len(asked(made)) == 1
    for path in (".git/hooks/pre-commit", ".vscode/tasks.json", "CLAUDE.md", "../outside.py"):
        assert not (await made.call("write", path=path, content="x")).ok
        assert EDITS not in asked(made)[-1].offers
    assert len(asked(made)) == 5


async def test_an_edit_is_asked_about_by_its_file(isolated: Path) -> None:
    (isolated / "cart.py").write_text("a = 1\n")
    made = desk(*tools(Workspace(isolated), sandbox=False))
    await made.call("edit", path="cart.py", old="1", new="2")
    assert asked(made)[0].asks == "Allow this edit to cart.py?"


async def test_a_no_with_words_reaches_the_model_and_the_record(isolated: Path) -> None:
    made = desk(Pretending(isolated), answers=(Answer(NO, "not before the changelog is written"),))
    ended = await made.call("shell", command="npm publish")
    assert ended.text == "[refused: the user said no: not before the changelog is written]"
    assert ended.details == {"refused": True, "words": "not before the changelog is written", "by": "user"}


async def test_reading_is_not_asked_for_in_any_mode(isolated: Path) -> None:
    for mode in ("ask", "accept_edits", "unattended", "read_only"):
        made = desk(Pretending(isolated), mode=mode)
        assert (await made.call("shell", command="ls -la")).ok
        assert asked(made) == []
    made = desk(Pretending(isolated), mode="read_only")
    assert not (await made.call("shell", command="ls > x")).ok
