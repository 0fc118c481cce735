"""Which commands go to a terminal that an editor lends: those that have no sandbox, and no others."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.output import Logs
from baton.adapters.tools.processes.sandbox import Sandbox
from baton.adapters.tools.shell import Shell
from baton.core.value import value
from baton.ports.terminal import Exit, Printed
from tests.unit.tools.kit import intended, used

pytestmark = pytest.mark.anyio
OPEN_CAGE = '#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done; shift; echo caged; exec "$@"\n'


@value
class Ran:
    code: int | None
    said: str

    async def wait(self) -> Exit:
        return Exit(self.code)

    async def read(self) -> Printed:
        return Printed(self.said, cut=True)

    async def kill(self) -> None: ...

    async def release(self) -> None: ...


class Lender:
    """Runs what it is given at once. `code` is what it says of the end; `mode` what the file's mode was."""

    def __init__(self, code: int | None = 0) -> None:
        self._code = code
        self.commands: list[str] = []
        self.modes: list[int] = []

    def is_offered(self) -> bool:
        return True

    async def open(self, command: str, args: Sequence[str], *, cwd: str, env: Mapping[str, str], keep: int) -> Ran:
        self.modes.append(stat.S_IMODE(os.stat(args[-1]).st_mode))
        self.commands.append(Path(args[-1]).read_text().splitlines()[-1])
        done = subprocess.run([command, *args], cwd=cwd, env={**os.environ, **env}, capture_output=True, check=False)
        return Ran(self._code, done.stdout.decode())


@pytest.fixture
def cage(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """A sandbox as far as anybody can tell."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bwrap").write_text(OPEN_CAGE)
    os.chmod(tmp_path / "bin" / "bwrap", 0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin", prepend=":")
    return Sandbox(workspace)


async def test_what_has_a_sandbox_stays_in_it(workspace: Workspace, logs: Logs, cage: Sandbox) -> None:
    lender = Lender()
    shell = Shell(workspace, logs, 2_000, cage, terminals=lender)
    assert (await intended(shell, command="echo x")).runner == "bubblewrap"
    assert (await used(shell, command="echo x")).text == "caged\nx\n[exit 0]"
    assert lender.commands == []


async def test_what_a_person_let_out_of_it_runs_in_the_terminal(
    workspace: Workspace, logs: Logs, cage: Sandbox
) -> None:
    lender = Lender()
    shell = Shell(workspace, logs, 2_000, cage, terminals=lender)
    intent = await intended(shell, command="echo x", outside=True)
    assert (intent.outside, intent.runner) == (("the whole machine, without the sandbox",), "editor terminal")
    outcome = await used(shell, command="echo x", outside=True)
    assert outcome.text.endswith("x\n[exit 0, in the editor's terminal, not sandboxed]")
    assert outcome.text.startswith("[the editor kept only the last 4,194,304 bytes")
    assert (lender.commands, lender.modes) == (["echo x"], [0o600])


async def test_an_end_without_a_code_is_no_success(workspace: Workspace, logs: Logs) -> None:
    shell = Shell(workspace, logs, 2_000, Sandbox(workspace, wanted=False), terminals=Lender(code=None))
    outcome = await used(shell, command="echo x")
    assert (outcome.ok, outcome.details["exit"]) == (False, None)
    assert "did not say with which exit code" in outcome.text


async def test_secrets_of_the_editor_are_withheld_but_for_those_a_person_named(
    workspace: Workspace, logs: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SHOP_TOKEN", "my_secret_thing", "KEPT_TOKEN", "HARMLESS"):
        monkeypatch.setenv(name, name.lower())
    none = Sandbox(workspace, wanted=False)
    shell = Shell(workspace, logs, 2_000, none, keep_env=["KEPT_TOKEN"], terminals=Lender())
    outcome = await used(shell, command='echo "[$SHOP_TOKEN,$my_secret_thing,$KEPT_TOKEN,$HARMLESS]"')
    assert "[,,kept_token,harmless]" in outcome.text


async def test_a_file_whose_name_a_shell_would_take_apart_is_not_handed_over(
    workspace: Workspace, logs: Logs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / "a b;c"
    odd.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(odd))
    lender = Lender()
    shell = Shell(workspace, logs, 2_000, Sandbox(workspace, wanted=False), terminals=lender)
    assert (await used(shell, command="echo x")).text == "x\n[exit 0, not sandboxed]"
    assert (lender.commands, list(odd.iterdir())) == ([], [])
