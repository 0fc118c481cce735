from __future__ import annotations

import asyncio
import os
import re
import shlex
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from baton.adapters.files.command_environment import environment
from baton.adapters.files.programs import find_program
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.output import Logs
from baton.adapters.tools.processes.sandbox import Sandbox
from baton.adapters.tools.shell import Shell
from baton.core.errors import BadArguments, ToolError
from baton.ports.tool import EXECUTE
from tests.support.patience import PATIENCE
from tests.support.ticks import Ticks
from tests.unit.tools.kit import intended, silent, used

pytestmark = pytest.mark.anyio
ASK = """
import socket
try:
    socket.socket(socket.AF_UNIX).connect({path!r})
    print("heard")
except OSError as error:
    print(type(error).__name__)
"""


@pytest.fixture(params=["bare", "caged"])
def shell(request: pytest.FixtureRequest, workspace: Workspace, logs: Logs) -> Shell:
    sandbox = Sandbox(workspace, wanted=request.param == "caged", hidden=[os.environ["BATON_HOME"]])
    if request.param == "caged" and not sandbox.works():
        pytest.skip(sandbox.why_not)
    return Shell(workspace, logs, 2_000, sandbox, keep_env=["KEPT_TOKEN"])


async def test_output_and_errors_come_in_order_with_the_exit_code(shell: Shell) -> None:
    outcome = await used(shell, command="echo one; echo two >&2; printf '\\033[31mthree\\033[0m'; exit 3")
    assert outcome.text.startswith("one\ntwo\nthree\n[exit 3")
    assert not outcome.ok
    details = dict(outcome.details)
    assert 0 <= details.pop("seconds") < 30
    details.pop("sandbox")
    assert details == {
        "exit": 3,
        "command": "echo one; echo two >&2; printf '\\033[31mthree\\033[0m'; exit 3",
        "log": None,
        "timed_out": False,
    }


async def test_it_runs_in_the_workspace_with_nothing_to_read(shell: Shell, root: Path) -> None:
    assert (await used(shell, command="pwd; cat; touch made")).text.startswith(f"{root}\n[exit 0")
    assert (root / "made").exists()


async def test_a_signal_is_told_as_shells_do(shell: Shell) -> None:
    assert (await used(shell, command="kill -9 $$")).details["exit"] == 137


async def test_secrets_stay_out_of_the_environment(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "GITHUB_TOKEN", "KEPT_TOKEN", "MY_SECRET_THING", "BATON_DATABASE_URL", "PLAIN"):
        monkeypatch.setenv(name, f"value-of-{name}")
    text = (await used(shell, command="env | grep -aE 'KEY|TOKEN|SECRET|BATON|PLAIN'")).text
    assert [name for name in ("PLAIN", "KEPT_TOKEN") if f"value-of-{name}" not in text] == []
    assert "API_KEY" not in text
    assert "value-of-MY_SECRET" not in text
    assert "GITHUB_TOKEN" not in text
    assert "BATON_DATABASE_URL" not in text


def test_what_makes_bash_run_something_first_is_dropped() -> None:
    assert "BASH_ENV" not in environment({"BASH_ENV": "/tmp/x", "GIT_DIR": "/x"})


async def test_output_comes_while_it_runs(shell: Shell) -> None:
    pieces: list[tuple[float, float, str]] = []
    async with Ticks() as ticks:
        await shell.run(
            {"command": "echo early; sleep 1; echo late"},
            lambda text: pieces.append((time.monotonic(), ticks.seconds, text)),
        )
    (early, waited, first), (late, _, second) = pieces
    assert (first, second) == ("early\n", "late\n")
    assert late - early > 0.5
    assert waited < 1


async def test_a_time_out_ends_it(shell: Shell) -> None:
    begun = time.monotonic()
    async with Ticks() as ticks:
        outcome = await used(shell, command="echo begun; sleep 60", timeout=1)
    assert ticks.seconds < 3
    assert time.monotonic() - begun < 50
    assert re.match(r"begun\n\[timed out after \d+ s, ended", outcome.text), "it says how long it really took"
    assert outcome.details["timed_out"]
    assert not outcome.ok


async def test_a_child_in_the_background_holds_nothing_up(shell: Shell) -> None:
    begun = time.monotonic()
    async with Ticks() as ticks:
        outcome = await used(shell, command="sleep 60 & echo done")
    assert ticks.seconds < 3
    assert time.monotonic() - begun < 50
    assert outcome.text.startswith("done\n[exit 0")


async def test_a_cancel_is_answered_within_a_second(shell: Shell) -> None:
    started = asyncio.Event()
    task = asyncio.create_task(shell.run({"command": "echo go; sleep 60"}, lambda _: started.set()))
    await asyncio.wait_for(started.wait(), PATIENCE)
    begun = time.monotonic()
    async with Ticks() as ticks:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert ticks.seconds < 1
    assert time.monotonic() - begun < 50


async def test_long_output_goes_to_a_log(shell: Shell, root: Path) -> None:
    outcome = await used(shell, command="seq 1 5000")
    log = outcome.details["log"]
    assert (root / log).read_text() == "".join(f"{number}\n" for number in range(1, 5001))
    assert log in outcome.text
    assert len(outcome.text) < 2_300


@pytest.mark.parametrize("command", ["", "   ", "a\0b", "\ud800", 5, None])
async def test_what_is_no_command_is_refused(shell: Shell, command: object) -> None:
    with pytest.raises(BadArguments):
        await intended(shell, command=command)


async def test_the_preview_is_the_whole_command_spelled_out(shell: Shell) -> None:
    intent = await intended(shell, command="echo a\x1b[8m; rm x\n# more")
    assert intent.effect == EXECUTE
    assert intent.preview.startswith("echo a\\x1b[8m; rm x\n# more")


async def test_without_a_sandbox_everybody_is_told(workspace: Workspace, logs: Logs) -> None:
    shell = Shell(workspace, logs, 2_000, Sandbox(workspace, wanted=False))
    assert "not sandboxed" in (await intended(shell, command="true")).preview
    assert "not sandboxed" in (await used(shell, command="true")).text
    assert shell.note() == "without a sandbox: it is switched off in the configuration"
    assert (await intended(shell, command="true", outside=True)).outside == ("the whole machine, without the sandbox",)


class TestCaged:
    @pytest.fixture
    def caged(self, workspace: Workspace, logs: Logs) -> Shell:
        os.makedirs(os.environ["BATON_HOME"])
        Path(os.environ["BATON_HOME"], "keys").write_text("secret")
        sandbox = Sandbox(workspace, hidden=[os.environ["BATON_HOME"]])
        if not sandbox.works():
            pytest.skip(sandbox.why_not)
        return Shell(workspace, logs, 2_000, sandbox)

    async def test_only_the_workspace_and_its_own_tmp_can_be_written(self, caged: Shell, tmp_path: Path) -> None:
        outcome = await used(caged, command=f"touch {tmp_path}/out; touch ~/out; touch /tmp/own in .baton/c")
        assert "Read-only file system" in outcome.text
        assert "outside=true" in outcome.text
        assert outcome.details["sandbox"] == "bubblewrap"
        assert not (tmp_path / "out").exists()
        assert not os.path.exists("/tmp/own")
        assert (await used(caged, command="ls /tmp/own in")).text == "/tmp/own\nin\n[exit 0]"

    async def test_hooks_and_configuration_of_git_can_only_be_read(self, caged: Shell, root: Path) -> None:
        (root / ".git").mkdir()
        (root / ".git" / "config").write_text("[core]\n")
        outcome = await used(
            caged, command="cd .git; echo x > hooks/pre-commit; echo x > config; echo x > index; cd ..; mv .git g"
        )
        assert outcome.text.count("Read-only file system") == 2
        assert "Device or resource busy" in outcome.text
        assert (root / ".git/index").exists()

    async def test_baton_home_and_other_processes_are_out_of_sight(self, caged: Shell) -> None:
        assert "keys" not in (await used(caged, command='ls -A "$BATON_HOME"')).text
        assert f"\n{os.getpid()}\n" not in (await used(caged, command="ls /proc")).text

    async def test_those_who_would_act_outside_cannot_be_asked(
        self, caged: Shell, servants: list[str], workspace: Workspace, logs: Logs
    ) -> None:
        ask = "; ".join(f"python3 -c {shlex.quote(ASK.format(path=path))}" for path in servants)
        assert (await used(caged, command=ask)).text == "OSError\nOSError\n[exit 0]"
        asked_for = Shell(workspace, logs, 2_000, Sandbox(workspace, sockets=True))
        assert (await used(asked_for, command=ask)).text == "heard\nheard\n[exit 0]"

    async def test_sockets_that_are_pipes_still_work(self, caged: Shell) -> None:
        pairs = "import asyncio, socket; a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))"
        assert (await used(caged, command=f'python3 -c "{pairs}"')).text == "b'x'\n[exit 0]"
        listen = "import socket; socket.socket(socket.AF_UNIX).bind('s')"
        assert "tools.sockets" in (await used(caged, command=f'python3 -c "{listen}"')).text

    @pytest.fixture
    def servants(self) -> Iterator[list[str]]:
        """Two programs that listen, one in a directory of its own, where the cage's private /tmp does not hide them."""
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, ExitStack() as stack:
            os.mkdir(os.path.join(folder, "bus"))
            paths = [os.path.join(folder, name) for name in ("bus/socket", "docker.sock")]
            for path in paths:
                listening = stack.enter_context(socket.socket(socket.AF_UNIX))
                listening.bind(path)
                listening.listen()
            yield paths

    async def test_leaving_the_sandbox_is_asked_for(self, caged: Shell, tmp_path: Path) -> None:
        args = {"command": f"touch {tmp_path}/out", "outside": True}
        assert (await caged.intent(args)).outside == ("the whole machine, without the sandbox",)
        await caged.run(args, silent)
        assert (tmp_path / "out").exists()


def test_a_sandbox_that_does_not_work_says_why(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bwrap").write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    os.chmod(tmp_path / "bin" / "bwrap", 0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin", prepend=":")
    sandbox = Sandbox(workspace)
    assert not sandbox.works()
    assert sandbox.why_not == "bubblewrap does not work here: No permissions to create new namespace"


def test_a_program_inside_the_workspace_is_not_called(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "git").write_text("#!/bin/sh\n")
    os.chmod(root / "git", 0o755)
    monkeypatch.setenv("PATH", str(root))
    assert find_program("git", workspace) is None


async def test_a_required_sandbox_is_never_done_without(workspace: Workspace, logs: Logs, root: Path) -> None:
    none = Sandbox(workspace, wanted=False, required=True)
    shell = Shell(workspace, logs, 1_000, none)
    for act in (shell.intent, lambda args: shell.run(args, silent)):
        with pytest.raises(ToolError, match=r"tools\.sandbox is required"):
            await act({"command": "touch ran"})
    caged = Shell(workspace, logs, 1_000, Sandbox(workspace, required=True))
    with pytest.raises(ToolError, match=r"tools\.sandbox is required"):
        await caged.intent({"command": "touch ran", "outside": True})
    assert not (root / "ran").exists()
