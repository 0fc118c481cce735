"""A part of a pipe that fails is seen, and the command itself notices nothing of how."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools import shell as shell_module
from baton.adapters.tools.output import Logs
from baton.adapters.tools.processes.pipe_codes import PipeCodes, read_report
from baton.adapters.tools.processes.sandbox import Sandbox
from baton.adapters.tools.shell import Shell
from baton.core.handoff.results import judge_call
from tests.unit.tools.kit import used
from tests.unit.tools.test_editor_terminal import OPEN_CAGE, Lender

pytestmark = pytest.mark.anyio
FAILING = "def test_right(): pass\ndef test_wrong(): assert False\n"
PYTEST = "python -m pytest -q -p no:cacheprovider test_it.py"


@pytest.fixture(params=["bare", "caged", "terminal"])
def shell(
    request: pytest.FixtureRequest, workspace: Workspace, logs: Logs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Shell:
    """Without a sandbox, in what passes for one, and in an editor's terminal."""
    if request.param == "caged":
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "bwrap").write_text(OPEN_CAGE.replace("echo caged; ", ""))
        os.chmod(tmp_path / "bin" / "bwrap", 0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}/bin", prepend=":")
    terminals = Lender() if request.param == "terminal" else None
    return Shell(workspace, logs, 8_000, Sandbox(workspace, wanted=request.param == "caged"), terminals=terminals)


async def test_a_failing_test_behind_tail_is_a_failure(
    shell: Shell, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "test_it.py").write_text(FAILING)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    outcome = await used(shell, command=f"{PYTEST} | tail -5")
    assert (outcome.ok, outcome.details["exit"], outcome.details["pipe"]) == (True, 0, [1, 0])
    assert "[exit 0, but pytest in the pipe ended with 1" in outcome.text
    found = judge_call(outcome.details, outcome.text, outcome.ok)[0]
    assert (found.part.key, found.verdict, found.exit) == ("pytest test_it.py", "failed", 1)
    assert "1 failed, 1 passed" in found.line
    assert found.tests == ("test_it.py::test_wrong",)


@pytest.mark.parametrize(
    ("command", "pipe"),
    [
        ("yes | head -1", [141, 0]),
        ("grep nothing /dev/null | wc -l", [1, 0]),
        ("cd . && sh -c 'exit 3' | cat", [3, 0]),
        ("true | sh -c 'exit 3' | cat; exit 0", [0, 3, 0]),
        ("for x in 1; do false | true; done", [1, 0]),
        ("false | true; true", None),
        ("true", None),
        ("trap 'true' EXIT; false | true", None),
        ("exec true", None),
    ],
)
async def test_the_codes_of_the_last_pipeline_are_recorded(shell: Shell, command: str, pipe: list[int] | None) -> None:
    assert (await used(shell, command=command)).details.get("pipe") == pipe


async def test_searching_and_cutting_are_no_failures_to_tell_of(shell: Shell) -> None:
    for command in ("yes | head -1", "grep nothing /dev/null | wc -l"):
        assert "but" not in (await used(shell, command=command)).text


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo $LINENO", "1"),
        ("set -x; true", "+ true"),
        ("echo [$BASH_ENV]", "[]"),
        ("bash -c 'echo [$BASH_ENV]'", "[]"),
        ("mkdir -p sub && cd $_ && basename $PWD", "sub"),
        ("exec 9>/dev/null; echo x >&9; echo y", "y"),
        ("(false | true); echo $?", "0"),
        ("false | true; echo ${PIPESTATUS[0]}", "1"),
    ],
)
async def test_a_command_notices_nothing(workspace: Workspace, logs: Logs, command: str, said: str) -> None:
    shell = Shell(workspace, logs, 8_000, Sandbox(workspace, wanted=False))
    assert (await used(shell, command=command)).text == f"{said}\n[exit 0, not sandboxed]"


@pytest.mark.parametrize(
    ("command", "code"), [("exit 7", 7), ("false | true; exit 4", 4), ("false", 1), ("nosuch", 127)]
)
async def test_the_exit_code_stays_what_it_is(shell: Shell, command: str, code: int) -> None:
    details = (await used(shell, command=command)).details
    assert details["exit"] in (code, 0 if "terminal" in details else code)


async def test_without_bash_nothing_is_known(workspace: Workspace, logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell_module, "find_program", lambda *_: None)
    shell = Shell(workspace, logs, 8_000, Sandbox(workspace, wanted=False))
    outcome = await used(shell, command="sh -c 'exit 3' | cat")
    assert (outcome.text, "pipe" in outcome.details) == ("[exit 0, not sandboxed]", False)


async def test_no_descriptor_is_left_behind(workspace: Workspace, logs: Logs) -> None:
    shell = Shell(workspace, logs, 8_000, Sandbox(workspace, wanted=False))
    await used(shell, command="true")
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(3):
        await used(shell, command="false | true; sleep 30 &")
    assert set(os.listdir("/proc/self/fd")) == before


def test_a_report_that_is_no_list_of_codes_is_none(tmp_path: Path) -> None:
    codes = PipeCodes()
    try:
        assert codes.read() == ()
        os.write(codes.descriptors[0], b"1 x")
        assert codes.read() == ()
        os.write(codes.descriptors[0], b"1 0")
        assert codes.read() == (1, 0)
    finally:
        codes.close()
    (tmp_path / "codes").write_text("1 " * 4000)
    assert read_report(str(tmp_path / "codes")) == ()


def test_a_pipe_or_a_link_in_place_of_the_report_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "file").write_text("1 0")
    os.symlink(tmp_path / "file", tmp_path / "link")
    assert [read_report(str(tmp_path / name)) for name in ("fifo", "link", "missing", "file")] == [(), (), (), (1, 0)]
