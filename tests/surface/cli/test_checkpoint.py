from __future__ import annotations

from pathlib import Path

import pytest

from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.handoff.checkpoint import Checkpoint
from tests.support import repos
from tests.support.repos import Repo
from tests.surface.cli.conftest import Cli

SESSION = "20260527_123456_abcdef"


@pytest.fixture
def repo(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = repos.dirty(isolated / "repo")
    repo.write(**{".env": "TOKEN=x", "new\nline": "x"})
    monkeypatch.chdir(repo.root)
    return repo


@pytest.fixture
def kept(repo: Repo, home: Path) -> Checkpoint:
    kept = DirectoryWorkspace(str(repo.root), str(home)).checkpoint("before the handoff", SESSION)
    assert kept is not None
    return kept


def test_list(cli: Cli, kept: Checkpoint) -> None:
    result = cli("checkpoint", "list")
    assert (result.code, result.err) == (0, "")
    (line,) = result.out.splitlines()
    assert line.startswith(f"{SESSION}/1")
    assert "before the handoff  (1 left out)" in line
    assert kept.sha[:10] in line
    (row,) = cli("checkpoint", "list", "--json").json
    assert row == kept.as_dict()


def test_list_without_any(cli: Cli) -> None:
    result = cli("checkpoint", "list")
    assert (result.code, result.out) == (0, "")
    assert "no checkpoints here" in result.err
    assert cli("checkpoint", "list", "--json").json == []
    assert cli("checkpoint", "list", "-n", "0").code == 1


def test_show(cli: Cli, kept: Checkpoint) -> None:
    out = cli("checkpoint", "show", kept.sha[:8]).out
    assert "  M a\n  M b\n  M c\n  D d\n" in out
    assert '  A "new\\nline"\n' in out
    assert "Left out:\n  .env (looks like a secret and is not tracked)\n" in out
    assert f"git diff {kept.base[:10]} {kept.sha[:10]}" in out
    shown = cli("checkpoint", "show", SESSION, "--json").json
    assert {"what": "added", "path": '"new\\nline"'} in shown["changes"]
    assert shown["left_out"] == [{"path": ".env", "reason": "looks like a secret and is not tracked"}]


def test_restore_and_back_again(cli: Cli, kept: Checkpoint, repo: Repo) -> None:
    repo.write(a="later\n", later="x\n")
    out = cli("checkpoint", "restore", kept.name).out
    assert "  M a\n" in out
    assert f"{kept.name} restored: 1 file written, 0 removed." in out
    assert "does not know them:\n  later\n" in out
    assert (repo.root / "a").read_text() == "staged\n"
    back = out.splitlines()[-1].rpartition(" ")[2]
    assert back == f"{SESSION}/2"
    done = cli("checkpoint", "restore", back, "--json").json
    assert (done["written"], (repo.root / "a").read_text()) == (["a"], "later\n")
    assert "Nothing to do" in cli("checkpoint", "restore", back).out


def test_errors_say_what_is_allowed(
    cli: Cli, kept: Checkpoint, isolated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = cli("checkpoint", "restore", "nothing")
    assert missing.code == 1
    assert "There is no checkpoint 'nothing'" in missing.err
    assert "baton checkpoint list" in missing.err
    merging = repos.merging(isolated / "merging")
    monkeypatch.chdir(merging.root)
    DirectoryWorkspace(str(merging.root), "unused").checkpoint("m", SESSION)
    refused = cli("checkpoint", "restore", SESSION)
    assert refused.code == 1
    assert "in the middle of a merge" in refused.err
    assert "--force" in refused.err
    assert cli("checkpoint", "restore", SESSION, "--force").code == 0


def test_help_has_examples(cli: Cli) -> None:
    assert "baton checkpoint restore 20260527_123456_abcdef/1" in cli("checkpoint", "restore", "--help").out
    assert {"list", "show", "restore"} <= set(cli("checkpoint").out.split())
