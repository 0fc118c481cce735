"""Letting checkpoints go: their refs, all or none, and nothing of the user's."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from baton.adapters.workspace import git as git_module
from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.errors import CheckpointFailed
from baton.core.handoff.checkpoint import PREFIX, Checkpoint
from baton.core.value import replace
from tests.support import repos
from tests.support.patience import PATIENCE
from tests.support.repos import Repo
from tests.unit.workspace.conftest import SESSION

Open = Callable[[Path], DirectoryWorkspace]
MANY = 1_500


def two(repo: Repo, workspace: DirectoryWorkspace) -> tuple[Checkpoint, Checkpoint]:
    first = workspace.checkpoint("one", SESSION)
    repo.write(another="x\n")
    second = workspace.checkpoint("two", SESSION)
    assert first is not None
    assert second is not None
    return first, second


def refs(repo: Repo) -> dict[str, str]:
    """Every ref with its commit."""
    said = repo.git("for-each-ref", "--format=%(refname) %(objectname)")
    return dict(line.split(" ") for line in said.splitlines())


@pytest.mark.parametrize("name", repos.NASTY)
def test_nothing_of_the_users_is_touched(name: str, tmp_path: Path, open_: Open) -> None:
    situation = repos.NASTY[name](tmp_path / "repo")
    workspace = open_(situation.root)
    first, second = two(situation, workspace)
    situation.trap()
    before = situation.fingerprint()
    objects = situation.git("count-objects", "-v")
    assert first.root == workspace.top()
    workspace.forget([first])
    assert situation.fingerprint() == before
    assert workspace.checkpoints() == [second]
    assert situation.git("count-objects", "-v") == objects, "refs only"
    assert not list(Path(situation.git("rev-parse", "--absolute-git-dir")).rglob("*.lock")) or name == "locked_index"


def test_packed_refs_go_too_and_the_users_stay_in_them(tmp_path: Path, open_: Open) -> None:
    repo = repos.packed(tmp_path / "repo")
    workspace = open_(repo.root)
    first, second = two(repo, workspace)
    repo.git("pack-refs", "--all")
    before = repo.fingerprint()
    workspace.forget([first, second])
    assert repo.fingerprint() == before
    assert workspace.checkpoints() == []
    assert repo.git("for-each-ref", "refs/baton") == ""


def test_a_ref_that_leads_to_a_branch_does_not_take_it_along(tmp_path: Path, open_: Open) -> None:
    repo = repos.dirty(tmp_path / "repo")
    repo.git("branch", "precious")
    repo.git("symbolic-ref", f"{PREFIX}{SESSION}/1", "refs/heads/precious")
    workspace = open_(repo.root)
    (found,) = workspace.checkpoints()
    workspace.forget([found])
    assert workspace.checkpoints() == []
    assert set(refs(repo)) == {"refs/heads/main", "refs/heads/precious"}


def test_one_that_changed_meanwhile_keeps_all(tmp_path: Path, open_: Open) -> None:
    repo = repos.dirty(tmp_path / "repo")
    workspace = open_(repo.root)
    first, second = two(repo, workspace)
    with pytest.raises(CheckpointFailed, match="could not be removed"):
        workspace.forget([first, replace(second, sha=first.sha)])
    assert workspace.checkpoints() == [second, first]


@pytest.mark.parametrize("name", ["../../heads/main", f"{SESSION}/1\0delete refs/heads/main", "x", ""])
def test_only_names_of_checkpoints_are_taken(name: str, tmp_path: Path, open_: Open) -> None:
    repo = repos.dirty(tmp_path / "repo")
    workspace = open_(repo.root)
    first, _ = two(repo, workspace)
    before = refs(repo)
    with pytest.raises(CheckpointFailed, match="is not the name of a checkpoint"):
        workspace.forget([first, replace(first, name=name, sha=before["refs/heads/main"])])
    assert refs(repo) == before


def test_outside_of_git(tmp_path: Path, open_: Open) -> None:
    (tmp_path / "plain").mkdir()
    workspace = open_(tmp_path / "plain")
    for number in (1, 2):
        (tmp_path / "plain" / "a").write_text(f"{number}\n")
        kept = workspace.checkpoint("m", SESSION)
        assert kept is not None
        assert kept.root == workspace.top()
    newest, oldest = workspace.checkpoints()
    workspace.forget([oldest])
    assert workspace.checkpoints() == [newest]
    assert workspace.restore(newest.name).written == ()


def crowded(repo: Repo, workspace: DirectoryWorkspace) -> dict[str, str]:
    """Very many checkpoints, half of them packed; all refs with their commits."""
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    for numbers in (range(2, MANY // 2), range(MANY // 2, MANY + 1)):
        orders = "".join(f"create {PREFIX}{SESSION}/{number} {kept.sha}\n" for number in numbers)
        subprocess.run(["git", "update-ref", "--stdin"], cwd=repo.root, input=orders.encode(), check=True)
        if numbers.start == 2:
            repo.git("pack-refs", "--all")
    return refs(repo)


@pytest.mark.parametrize(("heeds", "ended"), [("exit 7", 7), ("", -signal.SIGKILL)])
def test_a_git_that_takes_too_long_may_put_its_locks_away(
    heeds: str, ended: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_module, "_GRACE", 60.0 if heeds else 0.01)
    script = f"trap '{heeds}' TERM; echo ready; while :; do sleep 0.01; done"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        git_module._end(process)
    assert process.returncode == ended


FORGETTER = """
import sys
from baton.adapters.workspace.directory import DirectoryWorkspace
workspace = DirectoryWorkspace(sys.argv[1], sys.argv[2])
workspace.forget(workspace.checkpoints()[1:])
"""


def telling(folder: Path) -> Path:
    """A `git` before the real one, which says its process id first; where it says so."""
    folder.mkdir()
    said = folder / "pid"
    (folder / "git").write_text(f"#!/bin/sh\necho $$ > '{said}'\nexec '{shutil.which('git')}' \"$@\"\n")
    (folder / "git").chmod(0o755)
    return said


@pytest.mark.parametrize("victim", ["baton", "git"])
def test_killed_in_the_middle_each_ref_is_as_it_was_or_gone(victim: str, tmp_path: Path, open_: Open) -> None:
    repo = repos.stashed(tmp_path / "repo")
    workspace = open_(repo.root)
    before, users = crowded(repo, workspace), repo.fingerprint()
    killed_in_the_middle(victim, repo, tmp_path)
    for lock in (repo.root / ".git").rglob("*.lock"):
        lock.unlink()
    left = refs(repo)
    assert left.items() <= before.items()
    assert victim == "git" or len(workspace.checkpoints()) == 1
    assert {name for name in before if not name.startswith(PREFIX)} <= set(left)
    assert f"{PREFIX}{SESSION}/{MANY}" in left, "the newest was not asked to go"
    assert repo.fingerprint() == users
    repo.git("fsck", "--connectivity-only")
    workspace.forget(workspace.checkpoints()[1:])
    assert [each.number for each in workspace.checkpoints()] == [MANY]


def killed_in_the_middle(victim: str, repo: Repo, folder: Path) -> None:
    """Kills Baton, or the git it has started, once that holds the first refs. After Baton's end git still finishes."""
    loose = repo.root / ".git" / "refs" / "baton" / "checkpoints" / SESSION
    full = len(os.listdir(loose))
    pid = telling(folder / "bin")
    environ = {**os.environ, "PATH": f"{pid.parent}:{os.environ['PATH']}"}
    arguments = [sys.executable, "-c", FORGETTER, str(repo.root), str(folder / "home")]
    process = subprocess.Popen(arguments, env=environ, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(os.listdir(loose)) == full:
        pass
    with suppress(ProcessLookupError):
        os.kill(int(pid.read_text()) if victim == "git" else process.pid, signal.SIGKILL)
    process.wait()
    until = time.monotonic() + PATIENCE
    while victim == "baton" and [*(repo.root / ".git").rglob("*.lock")]:
        assert time.monotonic() < until, "git did not finish"
