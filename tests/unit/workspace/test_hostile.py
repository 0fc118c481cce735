"""A repository that names programs wherever git would run one: none of them is."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.handoff.checkpoint import FILTERED
from baton.core.handoff.workspace import Remote
from tests.support import repos
from tests.support.repos import HOOKS, Repo
from tests.unit.workspace.conftest import SESSION

Open = Callable[[Path], DirectoryWorkspace]

PROGRAMS = (
    *("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.alternateRefsCommand"),
    *("core.gitProxy", "filter.evil.clean", "filter.evil.smudge", "filter.a=b.process", "filter.a=b.clean"),
    *(
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "merge.evil.driver",
        "gpg.program",
        "gpg.ssh.program",
    ),
    *(
        "credential.helper",
        "remote.origin.uploadpack",
        "sequence.editor",
        "interactive.diffFilter",
        "trailer.x.command",
    ),
)
SWITCHES = {
    "filter.evil.required": "true",
    "filter.a=b.required": "true",
    "log.showSignature": "true",
    "commit.gpgSign": "true",
    "core.logAllRefUpdates": "always",
    "status.submoduleSummary": "true",
    "diff.submodule": "log",
    "submodule.recurse": "true",
    "core.safecrlf": "true",
    "core.autocrlf": "input",
    "status.showUntrackedFiles": "no",
    "status.relativePaths": "true",
    "diff.ignoreSubmodules": "all",
    "core.quotePath": "true",
    "remote.origin.url": "ssh://someone:secret@example.invalid/x",
    "remote.origin.promisor": "true",
}


def arm(repo: Repo, evil: Path) -> None:
    hooks = evil.parent / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in HOOKS:
        if not (hooks / name).exists():
            (hooks / name).symlink_to(evil)
    for name in PROGRAMS:
        repo.git("config", name, str(evil))
    for name, held in SWITCHES.items():
        repo.git("config", name, held)
    repo.git("config", "core.hooksPath", str(hooks))
    info = Path(repo.git("rev-parse", "--absolute-git-dir")) / "info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text("*.txt filter=evil diff=evil merge=evil\n*.dat filter=a=b\n")


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{tmp_path / 'ran'}'\n")
    program.chmod(0o755)
    return program


def test_a_hostile_repository_runs_nothing(tmp_path: Path, evil: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a.txt": "1\n", "b.dat": "1\n", "c": "1\n", "gone": "1\n", ".gitattributes": "*.md filter=evil\n"})
    workspace = open_(repo.root)
    repo.write(c="2\n")
    first = workspace.checkpoint("before", SESSION)
    assert first is not None
    arm(repo, evil)
    ran = tmp_path / "ran"
    subprocess.run(["git", "status"], cwd=repo.root, capture_output=True, check=False)
    assert ran.exists(), "the trap works"
    ran.unlink()

    repo.write(**{"a.txt": "2\n", "b.dat": "2\n", "c": "3\n", "x.md": "2\n", "new.txt": "n\n", "n.dat": "n\n"})
    (repo.root / "gone").unlink()
    os.utime(repo.root / ".gitattributes", (1, 1))
    packet = workspace.snapshot()
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    repo.write(c="4\n")
    workspace.show(kept.name)
    workspace.between(kept.base, kept.sha)
    restored = workspace.restore(kept.name)
    workspace.restore(first.name)

    assert not ran.exists(), ran.read_text()
    assert not (repo.root / ".git" / "logs" / "refs" / "baton").exists()
    assert packet.facts.is_git
    assert {each.path for each in packet.marks} >= {"a.txt", "b.dat", "c", "x.md", "new.txt", "gone"}
    assert packet.facts.remotes == (Remote("origin", "ssh://example.invalid/x"),)
    filtered = ("a.txt", "b.dat", "n.dat", "new.txt", "x.md")
    assert [(each.path, each.reason) for each in kept.left_out] == [(path, FILTERED) for path in filtered]
    assert restored.written == ("c",)


def test_a_hostile_submodule_runs_nothing(tmp_path: Path, evil: Path, open_: Open) -> None:
    repo = repos.superproject(tmp_path / "repo")
    inner = Repo.__new__(Repo)
    inner.root, inner.ran = repo.root / "sub", repo.ran
    (inner.root / "x.txt").write_text("1\n")
    inner.git("add", "x.txt")
    arm(repo, evil)
    arm(inner, evil)
    os.utime(inner.root / "x.txt", (1, 1))
    workspace = open_(repo.root)
    assert "sub/x.txt" in workspace.snapshot().facts.unstaged
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    workspace.restore(kept.name)
    assert not (tmp_path / "ran").exists()


def test_missing_objects_are_not_fetched(tmp_path: Path, evil: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(a="1\n", b="1\n")
    workspace = open_(repo.root)
    repo.write(b="2\n")
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    blob = repo.git("rev-parse", "HEAD:a")
    (repo.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    arm(repo, evil)
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.partialClone", "origin")
    repo.git("config", "--unset", "core.fsmonitor")
    subprocess.run(["git", "cat-file", "-p", blob], cwd=repo.root, capture_output=True, check=False)
    assert (tmp_path / "ran").exists(), "the trap works"
    (tmp_path / "ran").unlink()
    repo.write(a="2\n")
    restored = workspace.restore(kept.name)
    assert [each.path for each in restored.left_out] == ["a"]
    assert (repo.root / "a").read_text() == "2\n"
    assert not (tmp_path / "ran").exists()


def test_a_repository_cannot_name_another_work_tree(tmp_path: Path, open_: Open) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "precious").write_text("x")
    repo = Repo(tmp_path / "repo")
    repo.commit(a="1\n")
    repo.git("config", "core.worktree", str(victim))
    facts = open_(repo.root).facts()
    assert not facts.is_git
    assert "another directory" in facts.problem


def test_a_bare_repository_inside_the_workspace_is_not_entered(tmp_path: Path, evil: Path, open_: Open) -> None:
    root = tmp_path / "work2"
    root.mkdir()
    subprocess.run(["git", "init", "-q", "--bare", "."], cwd=root, check=True)
    subprocess.run(["git", "config", "core.fsmonitor", str(evil)], cwd=root, check=True)
    assert not open_(root).facts().is_git
    assert not (tmp_path / "ran").exists()


def test_a_git_inside_the_repository_is_not_called(
    tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(a="1\n")
    (repo.root / "sub").mkdir()
    (repo.root / "git").write_text(f"#!/bin/sh\ntouch '{tmp_path / 'ran'}'\n")
    (repo.root / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{repo.root}:{os.environ['PATH']}")
    assert open_(repo.root / "sub").facts().untracked == ("git",)
    assert not (tmp_path / "ran").exists()


def test_started_by_a_hook_the_workspace_is_still_this_one(
    tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(a="1\n")
    other = Repo(tmp_path / "other")
    head = other.commit(b="1\n")
    for name, held in {"GIT_DIR": repo.root / ".git", "GIT_INDEX_FILE": "x", "GIT_WORK_TREE": repo.root}.items():
        monkeypatch.setenv(name, str(held))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert open_(other.root).facts().head == head
