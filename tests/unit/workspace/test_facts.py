from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.workspace.checkpoint_blobs import looks_secret
from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.adapters.workspace.facts import without_credentials
from baton.core.handoff.workspace import EXECUTABLE, FILE, FileMark
from tests.support import repos
from tests.support.repos import Repo

Open = Callable[[Path], DirectoryWorkspace]


def test_the_facts_of_a_repository(tmp_path: Path, open_: Open) -> None:
    repo = repos.dirty(tmp_path / "repo")
    facts = open_(repo.root).facts()
    assert (facts.root, facts.is_git, facts.branch, facts.head) == (
        *(str(repo.root), True, "main", repo.git("rev-parse", "HEAD")),
    )
    assert (facts.staged, facts.unstaged, facts.untracked, facts.conflicted) == (
        ("a", "b"),
        ("b", "c", "d"),
        ("new",),
        (),
    )
    assert facts.dirty == ("a", "b", "c", "d", "new")
    assert [each.subject for each in facts.commits] == ["work"]
    assert not facts.is_clean


def test_from_a_directory_inside_paths_are_those_of_the_repository(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    (repo.root / "sub" / "deep").mkdir(parents=True)
    repo.commit(a="1\n")
    repo.write(a="2\n")
    (repo.root / "sub" / "deep" / "x").write_text("1")
    (repo.root / "sub" / "deep" / "log").write_text("1")
    found = open_(repo.root / "sub" / "deep").snapshot(
        evidence=["log", str(repo.root / "sub" / "deep" / "x"), "../../a"]
    )
    assert found.facts.root == str(repo.root)
    assert [mark.path for mark in found.marks] == ["a", "sub/deep/log", "sub/deep/x"]
    digest = hashlib.sha256(b"1").hexdigest()
    assert found.evidence == (
        FileMark("../../a", "absent"),
        FileMark("log", FILE, digest, 1, 0o644),
        FileMark("x", FILE, digest, 1, 0o644),
    )


def test_upstream_and_remotes(tmp_path: Path, open_: Open) -> None:
    origin = Repo(tmp_path / "origin")
    origin.commit(a="1\n")
    repo = Repo.__new__(Repo)
    repo.root, repo.ran = tmp_path / "clone", tmp_path / "ran"
    origin.git("clone", "--quiet", str(origin.root), str(repo.root))
    repo.commit(b="1\n")
    repo.commit(c="1\n")
    origin.commit(d="1\n")
    repo.git("fetch", "--quiet")
    repo.git("remote", "set-url", "origin", "https://user:token@example.org/x.git?key=1")
    facts = open_(repo.root).facts()
    assert (facts.upstream, facts.ahead, facts.behind) == ("origin/main", 2, 1)
    assert [(each.name, each.url) for each in facts.remotes] == [("origin", "https://example.org/x.git")]


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://u:p@example.org/x", "https://example.org/x"),
        ("https://token@example.org:8443/x#f", "https://example.org:8443/x"),
        ("https://u:p@ss@example.org/a@b", "https://example.org/a@b"),
        ("git@example.org:x/y.git", "git@example.org:x/y.git"),
        ("user:pass@example.org:x", "example.org:x"),
        ("ssh://git@example.org/x", "ssh://example.org/x"),
        ("/srv/git/x", "/srv/git/x"),
        ("../x\x1b[31m", "../x[31m"),
    ],
)
def test_remotes_are_told_without_credentials(url: str, told: str) -> None:
    assert without_credentials(url) == told


def test_states(tmp_path: Path, open_: Open) -> None:
    assert open_(repos.unborn(tmp_path / "unborn").root).facts().is_unborn
    detached = open_(repos.detached(tmp_path / "detached").root).facts()
    assert (detached.is_detached, detached.branch) == (True, "")
    merging = open_(repos.merging(tmp_path / "merging").root).facts()
    assert (merging.operation, merging.conflicted) == ("merge", ("a",))
    plain = open_(tmp_path / "work").facts()
    assert (plain.is_git, plain.problem, plain.root) == (False, "", str(tmp_path / "work"))


def test_a_damaged_repository_is_told_as_a_problem(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    (repo.root / ".git" / "HEAD").write_text("rubbish")
    facts = open_(repo.root).facts()
    assert not facts.is_git
    assert "not a git repository" in facts.problem


def test_an_unchanged_file_of_git_lfs_is_not_changed(tmp_path: Path, open_: Open) -> None:
    """The filter is configured and not run; the pointer alone tells."""
    repo = Repo(tmp_path / "repo")
    content = b"a large picture"
    digest = hashlib.sha256(content).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(content)}\n"
    repo.commit(**{"x.png": pointer})
    (repo.root / ".gitattributes").write_text("*.png filter=lfs diff=lfs merge=lfs -text\n")
    repo.git("config", "filter.lfs.clean", "false")
    repo.git("config", "filter.lfs.required", "true")
    (repo.root / "x.png").write_bytes(content)
    assert open_(repo.root).facts().unstaged == ()
    (repo.root / "x.png").write_bytes(b"a large pictura")
    assert open_(repo.root).facts().unstaged == ("x.png",)


def test_marks_follow_no_link_and_read_no_device(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(a="1\n")
    (repo.root / "link").symlink_to("/etc/passwd")
    (repo.root / "folder").symlink_to("/etc")
    os.mkfifo(repo.root / "pipe")
    (repo.root / "tool").write_text("x")
    (repo.root / "tool").chmod(0o755)
    marks = {mark.path: mark for mark in open_(repo.root).snapshot(["folder/passwd", "pipe", "../x", "nothing"]).marks}
    assert marks["link"] == FileMark("link", "link", hashlib.sha256(b"/etc/passwd").hexdigest())
    assert marks["folder/passwd"].kind == "absent"
    assert marks["pipe"].kind == "special"
    assert marks["../x"].kind == "absent"
    assert marks["nothing"].kind == "absent"
    assert marks["tool"].kind == EXECUTABLE


def test_looking_changes_nothing(situation: Repo, open_: Open) -> None:
    before = situation.fingerprint()
    open_(situation.root).snapshot(evidence=["a"])
    open_(situation.root).checkpoints()
    assert situation.fingerprint() == before


@pytest.mark.parametrize(
    "path", [".env", "a/.env.local", "x.pem", "id_rsa", "deep/secrets/x", ".aws/credentials", "a.tfstate"]
)
def test_files_that_look_secret(path: str) -> None:
    assert looks_secret(path)


@pytest.mark.parametrize(
    "path", [".env.example", "id_rsa.pub", "src/secrets.py", "tokens.md", "environment.yml", "key.txt"]
)
def test_files_that_do_not(path: str) -> None:
    assert not looks_secret(path)
