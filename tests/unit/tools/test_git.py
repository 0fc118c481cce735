from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.git import branch, files


def git(root: Path, *arguments: str) -> None:
    named = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *named, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(root: Path) -> Path:
    git(root, "init")
    (root / "a.txt").write_text("one\n")
    (root / ".gitignore").write_text("ignored\n")
    git(root, "add", ".")
    git(root, "commit", "-m", "first")
    return root


def test_the_branch_with_its_count_of_changed_files(repository: Path) -> None:
    workspace = Workspace(repository)
    assert branch(workspace) == "main"
    (repository / "a.txt").write_text("two\n")
    assert branch(workspace) == "main (1 file changed)"
    (repository / "b.txt").write_text("new\n")
    assert branch(workspace) == "main (2 files changed)"


def test_files_that_a_person_would_name(repository: Path) -> None:
    (repository / "ignored").write_text("")
    (repository / "ünï code\n.txt").write_text("")
    assert sorted(files(Workspace(repository))) == [".gitignore", "a.txt", "ünï code\n.txt"]


def test_outside_a_repository_there_is_no_branch_and_files_are_walked(root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "a.txt").write_text("")
    (root / "empty").mkdir()
    assert (branch(Workspace(root)), files(Workspace(root))) == ("", ["sub/a.txt"])


HOSTILE = {
    "core.fsmonitor": "{evil}",
    "core.hooksPath": "{hooks}",
    "filter.evil.clean": "{evil}",
    "filter.evil.smudge": "{evil}",
    "filter.evil.required": "true",
    "filter.a=b c.process": "{evil}",
    "diff.external": "{evil}",
    "core.pager": "{evil}",
    "core.sshCommand": "{evil}",
}


def test_a_repository_runs_nothing(repository: Path, tmp_path: Path) -> None:
    ran, evil, hooks = tmp_path / "ran", tmp_path / "evil", tmp_path / "hooks"
    evil.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    evil.chmod(0o755)
    hooks.mkdir()
    (hooks / "post-index-change").symlink_to(evil)
    for name, text in HOSTILE.items():
        git(repository, "config", name, text.format(evil=evil, hooks=hooks))
    info = repository / ".git" / "info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text("a.txt filter=evil\nb.txt filter=a=b\n")
    (repository / "a.txt").write_text("two\n")
    os.utime(repository / "a.txt", (1, 1))
    subprocess.run(["git", "status"], cwd=repository, check=False, capture_output=True)
    assert ran.exists(), "the trap itself works"
    ran.unlink()
    os.utime(repository / "a.txt", (2, 2))
    assert branch(Workspace(repository)) == "main (1 file changed)"
    assert set(files(Workspace(repository))) == {".gitignore", "a.txt"}
    assert not ran.exists()


def test_a_git_inside_the_workspace_is_not_called(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "git").write_text("#!/bin/sh\ntouch ran\n")
    (repository / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{repository}:{os.environ['PATH']}")
    assert branch(Workspace(repository)).startswith("main")
    assert not (repository / "ran").exists()
