"""A remembered yes is good for the very same call: no change of arguments, place, runner or spelling widens it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.approvals import ApprovalMemory
from baton.adapters.tools.registry import tools
from baton.core.agent.approval import ALLOW, fingerprint, verdict
from baton.core.errors import BatonError
from baton.ports.tool import Intent, Tool

pytestmark = pytest.mark.anyio
KEPT = "make test"


def print_of(tool: str, args: dict[str, Any], intent: Intent) -> str:
    """As the toolbox takes it."""
    return fingerprint(tool, args, (*intent.outside, *intent.paths), intent.runner)


async def is_allowed(every: dict[str, Tool], memory: ApprovalMemory, name: str, args: dict[str, Any]) -> bool:
    try:
        intent = await every[name].intent(args)
    except BatonError:
        return False
    found = verdict("ask", intent.effect, intent.outside, (print_of(name, args, intent),), memory.list_allowed())
    return found.answer == ALLOW


@pytest.fixture
def every(root: Path) -> dict[str, Tool]:
    return {tool.spec.name: tool for tool in tools(Workspace(root), sandbox=False)}


@pytest.fixture
def memory(tmp_path: Path, root: Path) -> ApprovalMemory:
    return ApprovalMemory(tmp_path / "home" / "baton", str(root))


async def remember(every: dict[str, Tool], memory: ApprovalMemory, name: str, args: dict[str, Any]) -> None:
    intent = await every[name].intent(args)
    memory.remember(print_of(name, args, intent), intent.title)
    assert await is_allowed(every, memory, name, args)


COMMANDS = [
    f"{KEPT} ",
    f" {KEPT}",
    f"{KEPT}\n",
    f"{KEPT};id",
    f"{KEPT} && id",
    f"{KEPT} | id",
    f"{KEPT} #",
    f"{KEPT}\t",
    f"{KEPT}\nid",
    f"{KEPT}\r",
    "make  test",
    "make\ttest",
    "Make test",
    "make test2",
    "make -f x test",
    "m\u0430ke test",
    "make\u00a0test",
    "make\u200b test",
    "\ufeffmake test",
    "ｍake test",
    "make te\u0301st",
    "'make' test",
    "\\make test",
    f"env {KEPT}",
    f"cd /tmp; {KEPT}",
    f"PATH=. {KEPT}",
    f"({KEPT})",
    "make\\\n test",
    f"{KEPT} $(id)",
    f"{KEPT} {KEPT}",
]


@pytest.mark.parametrize("command", COMMANDS, ids=ascii)
async def test_another_command_is_asked_for(command: str, every: dict[str, Tool], memory: ApprovalMemory) -> None:
    await remember(every, memory, "shell", {"command": KEPT})
    assert not await is_allowed(every, memory, "shell", {"command": command})


@pytest.mark.parametrize(
    "more", [{"timeout": 5}, {"outside": True}, {"outside": False}, {"timeout": 120.0}, {"cwd": "/"}]
)
async def test_another_argument_is_asked_for(
    more: dict[str, Any], every: dict[str, Tool], memory: ApprovalMemory
) -> None:
    await remember(every, memory, "shell", {"command": KEPT})
    assert not await is_allowed(every, memory, "shell", {"command": KEPT, **more})


async def test_a_file_that_became_a_link_is_asked_for(
    every: dict[str, Tool], memory: ApprovalMemory, root: Path, tmp_path: Path
) -> None:
    args = {"path": "notes.txt", "content": "x"}
    await remember(every, memory, "write", args)
    for target in ("other.txt", str(tmp_path / "outside.txt"), ".git/hooks/pre-commit", ".envrc"):
        os.symlink(target, root / "notes.txt")
        assert not await is_allowed(every, memory, "write", args)
        (root / "notes.txt").unlink()
    assert await is_allowed(every, memory, "write", args)


async def test_a_directory_that_became_a_link_is_asked_for(
    every: dict[str, Tool], memory: ApprovalMemory, root: Path, tmp_path: Path
) -> None:
    (root / "d").mkdir()
    args = {"path": "d/notes.txt", "content": "x"}
    await remember(every, memory, "write", args)
    os.rename(root / "d", root / "e")
    for target in (root / "e", tmp_path):
        os.symlink(target, root / "d")
        assert not await is_allowed(every, memory, "write", args)
        (root / "d").unlink()


@pytest.mark.parametrize(
    "path", ["./notes.txt", "a/../notes.txt", "NOTES.txt", "notes.txt.", "notes.txt/", "~/notes.txt"]
)
async def test_another_spelling_of_a_path_is_asked_for(
    path: str, every: dict[str, Tool], memory: ApprovalMemory
) -> None:
    await remember(every, memory, "write", {"path": "notes.txt", "content": "x"})
    assert not await is_allowed(every, memory, "write", {"path": path, "content": "x"})


async def test_a_sandbox_that_went_away_or_an_editor_s_terminal_is_another_runner() -> None:
    args = {"command": KEPT}
    prints = {fingerprint("shell", args, (), runner) for runner in ("bubblewrap", "no sandbox", "editor", "")}
    assert len(prints) == 4


async def test_it_holds_in_this_workspace_only(
    every: dict[str, Tool], memory: ApprovalMemory, tmp_path: Path, root: Path
) -> None:
    await remember(every, memory, "shell", {"command": KEPT})
    other = tmp_path / "other"
    other.mkdir()
    elsewhere = ApprovalMemory(tmp_path / "home" / "baton", str(other))
    assert not await is_allowed(every, elsewhere, "shell", {"command": KEPT})
    os.symlink(root, tmp_path / "same")
    through = ApprovalMemory(tmp_path / "home" / "baton", str(tmp_path / "same"))
    assert await is_allowed(every, through, "shell", {"command": KEPT})
