"""What `baton doctor` says of the agent: its model, the sandbox, MCP servers; trouble with the line that helps."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from baton.surfaces.cli import disk
from tests.surface.cli.conftest import Cli

PROJECT = Path(__file__).parents[3]


def findings(cli: Cli, *arguments: str) -> dict[str, Any]:
    result = cli("doctor", "--quick", "--json", *arguments)
    return {each["subject"]: each for each in result.json["findings"]}


def configure(home: Path, text: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.yaml").write_text(text)


def test_without_a_key_the_embedded_model_is_named_with_its_state_and_what_is_stronger(cli: Cli) -> None:
    found = findings(cli)
    assert found["model"]["text"].endswith("which runs inside Baton: no provider's key is set")
    assert "ANTHROPIC_API_KEY" in found["model"]["todo"]
    assert "is not here; 1.1 GB will be downloaded when it is first needed" in found["embedded model"]["text"]
    assert found["embedded model"]["todo"] == "baton model pull"


def test_a_key_and_a_setting_say_why_a_model_is_used(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret-value")
    assert findings(cli)["model"]["text"].endswith("(ANTHROPIC_API_KEY is set)")
    configure(home, "model: anthropic:some-model\n")
    text = findings(cli)["model"]["text"]
    assert text == f"anthropic:some-model (set by user {home / 'config.yaml'}:1)"
    assert "secret-value" not in str(findings(cli))


@pytest.mark.parametrize(
    ("model", "todo"), [("openai:x", "export OPENAI_API_KEY=…"), ("nobody:x", "`baton models` lists what can be used")]
)
def test_a_model_that_cannot_be_used_is_an_error_with_the_line_that_helps(cli: Cli, model: str, todo: str) -> None:
    result = cli("doctor", "--quick", "--set", f"model={model}")
    assert result.code == 1
    assert f"{model} (set by flag) cannot be used." in result.out
    assert todo in result.out


def test_where_there_is_no_sandbox_the_line_that_fixes_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(cli, "--set", "tools.sandbox=off")["sandbox"]["todo"] == "set tools.sandbox to auto"
    monkeypatch.setenv("PATH", "/nowhere")
    found = findings(cli)
    assert (found["sandbox"]["level"], "apt install bubblewrap" in found["sandbox"]["todo"]) == ("warning", True)
    assert (found["search"]["level"], found["search"]["todo"]) == ("ok", "")
    assert findings(cli, "--set", "tools.sandbox=required")["sandbox"]["level"] == "error"


def test_a_sandbox_that_does_not_work_says_why(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "bin" / "bwrap"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho 'no permissions to create a new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}:{os.environ['PATH']}")
    found = findings(cli)["sandbox"]
    assert "no permissions to create a new namespace" in found["text"]
    assert "user namespaces" in found["todo"]


def test_mcp_servers_are_asked(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baton.wiring.checkup.SERVER_SECONDS", 60.0)
    configure(
        home,
        f"""\
tools:
  mcp_servers:
    shop: {{command: {sys.executable}, args: [-m, tests.support.mcp_server], cwd: {PROJECT}}}
    gone: {{command: /no/such/program}}
    off: {{command: x, enabled: false}}
""",
    )
    found = findings(cli)
    assert found["mcp shop"] == {"level": "ok", "subject": "mcp shop", "text": "answers, with 2 tools", "todo": ""}
    assert found["mcp gone"]["level"] == "warning"
    assert "No such file or directory" in found["mcp gone"]["text"]
    assert found["mcp gone"]["todo"] == "mend tools.mcp_servers.gone, or set its enabled to false"
    assert found["mcp off"]["text"] == "not enabled"


def test_with_warnings_the_last_line_counts_them_and_does_not_say_that_all_is_well(cli: Cli) -> None:
    result = cli("doctor", "--quick", "--set", "tools.sandbox=off", "--set", "gateway.telegram.token=12345:abc")
    warnings = sum(line.startswith("!") for line in result.out.splitlines())
    assert (result.code, warnings >= 2, "All is well" in result.out) == (0, True, False)
    assert result.out.endswith(f"It works, with {warnings} warnings above.\n")


@pytest.mark.parametrize(
    ("free", "level", "text"),
    [
        (10**12, "ok", "1000.0 GB free"),
        (10**8, "warning", "nearly full"),
        (10**6, "error", "full: 1.0 MB free"),
    ],
)
def test_a_disk_that_runs_full_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, level: str, text: str
) -> None:
    counted = SimpleNamespace(f_bavail=free, f_frsize=1, f_files=9, f_favail=9)
    monkeypatch.setattr(disk.os, "statvfs", lambda _: counted)
    (found,) = disk.check_disk(str(tmp_path / "not" / "yet"))
    assert (found.level, text in found.text) == (level, True)


def test_a_disk_where_nothing_can_be_written_is_told_whatever_it_says_is_free() -> None:
    (found,) = disk.check_disk("/proc")
    assert (found.level, "cannot be written" in found.text, bool(found.todo)) == ("error", True, True)


def test_a_full_disk_is_no_disk_that_is_well(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_try_writing", lambda _: OSError(errno.ENOSPC, "No space left on device"))
    result = cli("doctor", "--quick")
    assert (result.code, "All is well" in result.out) == (1, False)
    assert "✗ disk            full: nothing can be written" in result.out
