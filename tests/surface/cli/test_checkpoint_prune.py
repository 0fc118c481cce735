from __future__ import annotations

import time
from pathlib import Path

import pytest

from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.handoff.retention import DAY
from baton.ports.store import Store
from tests.support import repos
from tests.support.repos import Repo
from tests.surface.cli.conftest import Cli

STRANGER = "20200101_000000_abcdef"


@pytest.fixture
def repo(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = repos.dirty(isolated / "repo")
    monkeypatch.chdir(repo.root)
    return repo


def keep(root: Path, home: Path, session: str, *days: float) -> None:
    for each in days:
        (root / "new").write_text(f"{session} {each}\n")
        at = time.time() - each * DAY
        DirectoryWorkspace(str(root), str(home), lambda at=at: at).checkpoint(f"{each} days old", session)


@pytest.fixture
def session(repo: Repo, home: Path, store: Store) -> str:
    """Of a conversation with five checkpoints, the two oldest too old and the newest of today."""
    session = store.conversations.start("the work")[1].id
    keep(repo.root, home, session, 200, 100, 20, 10, 0)
    return session


def names(cli: Cli) -> list[str]:
    return [row["name"] for row in cli("checkpoint", "list", "--json").json]


def test_a_dry_run_shows_what_would_go_and_changes_nothing(cli: Cli, session: str) -> None:
    result = cli("checkpoint", "prune", "--dry-run")
    assert (result.code, result.err) == (0, "")
    first, second, last = result.out.splitlines()
    assert first.startswith(f"{session}/2")
    assert "100 days old" in first
    assert second.startswith(f"{session}/1")
    assert last == "2 checkpoints would be removed. Nothing was changed."
    assert len(names(cli)) == 5


def test_prune_keeps_by_the_configuration_or_by_keep(cli: Cli, session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("checkpoint", "prune").out.endswith(
        "2 checkpoints removed. Git can still read them by their hash until it cleans up.\n"
    )
    assert names(cli) == [f"{session}/{number}" for number in (5, 4, 3)]
    assert cli("checkpoint", "prune").out == "Nothing to prune.\n"
    assert cli("checkpoint", "prune", "--keep", "2").out.splitlines()[-1].startswith("1 checkpoint removed.")
    assert names(cli) == [f"{session}/{number}" for number in (5, 4)]
    monkeypatch.setenv("BATON_CHECKPOINT__KEEP", "1")
    assert cli("checkpoint", "prune", "--keep", "0").out == "Nothing to prune.\n"
    assert cli("checkpoint", "prune").out.splitlines()[-1].startswith("1 checkpoint removed.")
    assert names(cli) == [f"{session}/5"]


def test_json_says_what_went_and_what_was_left_alone(cli: Cli, session: str, repo: Repo, home: Path) -> None:
    linked = repo.root.parent / "linked"
    repo.git("worktree", "add", "--quiet", str(linked))
    keep(linked, home, session, 300)
    keep(repo.root, home, STRANGER, 400, 300)
    dry = cli("checkpoint", "prune", "--json", "--dry-run").json
    done = cli("checkpoint", "prune", "--json").json
    assert [row["name"] for row in done["outdated"]] == [f"{session}/2", f"{session}/1"]
    assert dry == {**done, "dry_run": True, "removed": []}
    assert {name: done[name] for name in done if name != "outdated"} == {
        "dry_run": False,
        "keep": 50,
        "keep_days": 90,
        "removed": [f"{session}/2", f"{session}/1"],
        "elsewhere": 1,
        "unknown": 2,
    }
    told = cli("checkpoint", "prune")
    assert told.out == "Nothing to prune.\n"
    assert told.err.splitlines() == [
        "1 checkpoint of other work trees left alone; run this there.",
        "2 checkpoints of conversations that this store does not know left alone.",
    ]


def test_errors_say_what_is_allowed(cli: Cli, session: str) -> None:
    refused = cli("checkpoint", "prune", "--keep", "-1")
    assert refused.code == 1
    assert "--keep -1 is not allowed. Allowed: a whole number from 0 (no limit) to 100000." in refused.err
    assert cli("checkpoint", "prune", "--keep", "x").code == 2
    bad = cli("checkpoint", "prune", "--set", "checkpoint.keep=-5")
    assert bad.code != 0
    assert "allowed: a whole number from 0 to 100000" in bad.err
    assert len(names(cli)) == 5


def test_a_failure_is_told(cli: Cli, session: str, repo: Repo) -> None:
    (repo.root / ".git" / "packed-refs.lock").write_bytes(b"")
    failed = cli("checkpoint", "prune")
    assert failed.code == 1
    assert "The checkpoint could not be removed" in failed.err
    (repo.root / ".git" / "packed-refs.lock").unlink()
    assert len(names(cli)) == 5


def test_help_and_completion(cli: Cli) -> None:
    assert "baton checkpoint prune --keep 10" in cli("checkpoint", "prune", "--help").out
    offered = [line.split("\t")[0] for line in cli("__complete", "checkpoint", "prune", "--").out.splitlines()]
    assert {"--keep", "--dry-run", "--json"} <= set(offered)
    assert cli("__complete", "checkpoint", "p").out.startswith("prune\t")
