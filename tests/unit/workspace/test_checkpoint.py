"""Checkpoints: what they hold, what they leave alone, and the way back."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.workspace import checkpoint_blobs
from baton.adapters.workspace import git as git_module
from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.errors import BadId, CheckpointFailed, NotFound, OperationInProgress
from baton.core.handoff import checkpoint as reasons
from baton.core.handoff.checkpoint import Checkpoint
from tests.support import repos
from tests.support.repos import Repo
from tests.unit.workspace.conftest import SESSION

Open = Callable[[Path], DirectoryWorkspace]


def contents(root: Path) -> dict[str, tuple[str, bytes]]:
    """Every file outside of `.git`, by its kind and content."""
    found: dict[str, tuple[str, bytes]] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", "inner")]
        linked = [each for each in folders if os.path.islink(os.path.join(folder, each))]
        for name in [each for each in (*names, *linked) if each != ".git"]:
            path = Path(folder, name)
            link = path.is_symlink()
            kind = "link" if link else "tool" if path.stat().st_mode & stat.S_IXUSR else "file"
            found[str(path.relative_to(root))] = (kind, os.fsencode(os.readlink(path)) if link else path.read_bytes())
    return found


def test_thirty_states_are_tried() -> None:
    assert len(repos.NASTY) >= 30


@pytest.mark.parametrize("name", repos.NASTY)
def test_a_checkpoint_holds_every_file_and_touches_nothing_of_the_users(name: str, tmp_path: Path, open_: Open) -> None:
    situation = repos.NASTY[name](tmp_path / "repo")
    situation.trap()
    before = situation.fingerprint()
    kept = open_(situation.root).checkpoint("before the handoff", SESSION)
    assert kept is not None
    assert situation.fingerprint() == before
    assert kept.name == f"{SESSION}/1"
    assert situation.git("rev-parse", kept.ref) == kept.sha
    assert situation.git("for-each-ref", "refs/baton/pending") == ""
    holds_every_file_byte_by_byte(situation, kept)


def holds_every_file_byte_by_byte(situation: Repo, kept: Checkpoint) -> None:
    left_out = {each.path for each in kept.left_out}
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "-z", kept.sha], cwd=situation.root, capture_output=True, check=True
    ).stdout
    held = {os.fsdecode(line.partition(b"\t")[2]): line.split()[:3] for line in listed.split(b"\0") if line}
    there = {
        path: found
        for path, found in contents(situation.root).items()
        if path not in left_out and not path.startswith(tuple(f"{each}/" for each in left_out))
    }
    submodules = {path for path, line in held.items() if line[0] == b"160000"}
    assert set(held) - submodules == set(there)
    for path, (kind, content) in there.items():
        mode, _, blob = held[path]
        assert mode == {"file": b"100644", "tool": b"100755", "link": b"120000"}[kind]
        shown = subprocess.run(
            ["git", "cat-file", "blob", blob.decode()], cwd=situation.root, capture_output=True, check=True
        )
        assert shown.stdout == content


def test_there_and_back(situation: Repo, open_: Open) -> None:
    workspace = open_(situation.root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    before = contents(situation.root)
    for path in [path for path in before if not path.startswith(("sub/", "inner/"))]:
        (situation.root / path).unlink()
    (situation.root / "later").write_text("later\n")
    index, head = situation.fingerprint()["index"], situation.fingerprint()["head"]
    restored = workspace.restore(kept.name, force=True)
    after = contents(situation.root)
    assert after.pop("later") == ("file", b"later\n")
    left_out = {each.path for each in restored.left_out}
    assert {path: found for path, found in after.items() if path not in left_out} == {
        path: found for path, found in before.items() if path not in left_out
    }
    assert left_out <= {"sub"}
    assert restored.kept == ("later",)
    assert (situation.fingerprint()["index"], situation.fingerprint()["head"]) == (index, head)
    assert not situation.ran.exists()
    assert restored.saved is not None
    back = workspace.restore(restored.saved.name, force=True)
    assert set(back.removed) | set(back.kept) == set(restored.written)


@pytest.mark.parametrize("name", ["dirty", "unborn", "merging", "superproject"])
def test_the_same_state_twice_is_one_checkpoint(name: str, tmp_path: Path, open_: Open) -> None:
    situation = repos.SITUATIONS[name](tmp_path / "repo")
    workspace = open_(situation.root)
    first = workspace.checkpoint("one", SESSION)
    assert workspace.checkpoint("two", SESSION) == first
    situation.write(another="x\n")
    second = workspace.checkpoint("three", SESSION)
    assert second is not None
    assert [each.name for each in workspace.checkpoints()] == [f"{SESSION}/2", f"{SESSION}/1"]
    assert workspace.checkpoints() == [second, first]


def test_a_clean_tree_needs_none(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    workspace = open_(repo.root)
    assert workspace.checkpoint("m", SESSION) is None
    repo.commit(a="1\n")
    assert workspace.checkpoint("m", SESSION) is None
    (repo.root / ".baton" / "handoffs").mkdir(parents=True)
    (repo.root / ".baton" / "handoffs" / "x.md").write_text("Baton's own")
    assert workspace.checkpoint("m", SESSION) is None
    assert workspace.facts().is_clean


def test_what_a_checkpoint_says_of_itself(tmp_path: Path, open_: Open) -> None:
    repo = repos.dirty(tmp_path / "repo")
    kept = open_(repo.root).checkpoint("handoff:\n\x1b[31mtwo lines", SESSION)
    assert kept is not None
    assert kept.message == "handoff:\n\x1b[31mtwo lines"
    (found,) = open_(repo.root).checkpoints()
    assert (found.message, found.base, found.branch) == ("handoff: two lines", repo.git("rev-parse", "HEAD"), "main")
    assert (found.root, found.at, found.session_id) == (str(repo.root), kept.at, SESSION)
    assert repo.git("log", "-1", "--format=%an <%ae> %cn <%ce>", kept.sha) == " ".join(["Baton <baton@localhost>"] * 2)
    assert repo.git("rev-parse", f"{kept.sha}^") == found.base


def test_secrets_large_files_and_repositories_are_left_out_and_named(
    tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_blobs, "FILE_CAP", 1000)
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a": "1\n", "tracked.pem": "old\n", "grown": "small\n"})
    repo.write(
        **{".env": "TOKEN=x", "id_rsa": "key", "server.key": "key", ".env.example": "TOKEN=", "id_rsa.pub": "pub"}
    )
    repo.write(**{"tracked.pem": "new\n", "large": "x" * 1001, "grown": "x" * 1001, "fits": "x" * 1000})
    Repo(repo.root / "inner").commit(x="1\n")
    (repo.root / "unreadable").write_text("x")
    (repo.root / "unreadable").chmod(0)
    kept = open_(repo.root).checkpoint("m", SESSION)
    assert kept is not None
    expected = {
        **dict.fromkeys((".env", "id_rsa", "server.key"), reasons.SECRET),
        **dict.fromkeys(("large", "grown"), reasons.LARGE),
        "inner": reasons.REPOSITORY,
    }
    found = {each.path: each.reason for each in kept.left_out}
    if os.geteuid() != 0:
        expected["unreadable"] = reasons.UNREADABLE
    assert found == expected
    assert open_(repo.root).checkpoints()[0].left_out == kept.left_out
    names = repo.git("ls-tree", "-r", "--name-only", kept.sha).splitlines()
    assert not {*expected} - {"grown"} & {*names}
    assert {".env.example", "id_rsa.pub", "tracked.pem", "fits"} <= {*names}
    assert repo.git("show", f"{kept.sha}:tracked.pem") == "new"
    assert repo.git("show", f"{kept.sha}:grown") == "small"


def test_a_submodules_own_changes_are_named_not_kept(tmp_path: Path, open_: Open) -> None:
    repo = repos.superproject(tmp_path / "repo")
    kept = open_(repo.root).checkpoint("m", SESSION)
    assert kept is not None
    assert [(each.path, each.reason) for each in kept.left_out] == [("sub", reasons.SUBMODULE)]
    assert repo.git("rev-parse", f"{kept.sha}:sub") == repo.git("rev-parse", "HEAD", cwd=repo.root / "sub")


def test_ignored_files_stay_out(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{".gitignore": "ignored\n"})
    repo.write(ignored="x", new="y")
    kept = open_(repo.root).checkpoint("m", SESSION)
    assert kept is not None
    assert repo.git("ls-tree", "--name-only", kept.sha).splitlines() == [".gitignore", "new"]


def test_restore_loses_nothing_that_is_kept_nowhere(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a": "1\n", ".gitignore": "*.log\n"})
    repo.write(**{"a": "2\n", "x.key2": "1\n"})
    workspace = open_(repo.root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    repo.commit(later="committed later\n")
    repo.write(**{".env": "TOKEN=x", "x.log": "ignored", "new": "untracked", "a": "3\n"})
    (repo.root / "x.key2").unlink()
    restored = workspace.restore(kept.sha[:10])
    assert (restored.written, restored.removed, restored.kept) == (("a", "x.key2"), ("later",), ("new",))
    assert (repo.root / ".env").read_text() == "TOKEN=x"
    assert (repo.root / "x.log").read_text() == "ignored"
    assert restored.saved is not None
    assert repo.git("show", f"{restored.saved.sha}:a") == "3"
    assert repo.git("show", f"{restored.saved.sha}:new") == "untracked"


def test_restore_does_not_overwrite_what_is_ignored_now(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(a="1\n")
    repo.write(data="kept\n")
    workspace = open_(repo.root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    (repo.root / ".git" / "info").mkdir(exist_ok=True)
    (repo.root / ".git" / "info" / "exclude").write_text("data\n")
    repo.write(data="precious, and in no checkpoint\n")
    restored = workspace.restore(kept.name)
    assert [each.path for each in restored.left_out] == ["data"]
    assert (repo.root / "data").read_text() == "precious, and in no checkpoint\n"


def test_restore_does_not_overwrite_what_could_not_be_kept_first(
    tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_blobs, "FILE_CAP", 1000)
    repo = Repo(tmp_path / "repo")
    repo.commit(grown="1\n")
    repo.write(grown="2\n")
    workspace = open_(repo.root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    repo.write(grown="x" * 2000)
    restored = workspace.restore(kept.name)
    assert [(each.path, reasons.LARGE in each.reason) for each in restored.left_out] == [("grown", True)]
    assert (repo.root / "grown").read_text() == "x" * 2000


def test_a_checkpoint_holds_so_many_files(tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_blobs, "MOST", 3)
    repo = Repo(tmp_path / "repo")
    repo.write(**{each: each for each in "abcdef"})
    kept = open_(repo.root).checkpoint("m", SESSION)
    assert kept is not None
    assert [(each.path, each.reason) for each in kept.left_out] == [(each, reasons.MANY) for each in "def"]


def test_more_than_git_may_say_is_a_failure_not_a_cut(
    tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repos.dirty(tmp_path / "repo")
    monkeypatch.setattr(git_module, "CAP", 200)
    with pytest.raises(CheckpointFailed, match="said more than"):
        open_(repo.root).checkpoint("m", SESSION)


def test_restore_gives_files_the_line_ends_they_had(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    (repo.root / ".gitattributes").write_text("*.txt text eol=crlf\n")
    for name in ("clean.txt", "mixed.txt"):
        (repo.root / name).write_bytes(b"one\r\ntwo\r\n")
    repo.commit()
    (repo.root / "mixed.txt").write_bytes(b"one\r\ntwo\nthree\r\n")
    workspace = open_(repo.root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    (repo.root / "clean.txt").write_bytes(b"x\r\n")
    (repo.root / "mixed.txt").write_bytes(b"x\r\n")
    assert workspace.restore(kept.name).written == ("clean.txt", "mixed.txt")
    assert (repo.root / "clean.txt").read_bytes() == b"one\r\ntwo\r\n"
    assert (repo.root / "mixed.txt").read_bytes() == b"one\r\ntwo\nthree\r\n"


@pytest.mark.parametrize(("name", "operation"), repos.OPERATIONS.items())
def test_restore_refuses_in_the_middle_of_an_operation(name: str, operation: str, tmp_path: Path, open_: Open) -> None:
    repo = repos.SITUATIONS[name](tmp_path / "repo")
    workspace = open_(repo.root)
    assert workspace.facts().operation == operation
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    assert kept.operation == operation
    repo.write(a="other\n")
    with pytest.raises(OperationInProgress, match=operation):
        workspace.restore(kept.name)
    assert (repo.root / "a").read_text() == "other\n"
    assert len(workspace.checkpoints()) == 1
    assert "a" in workspace.restore(kept.name, force=True).written


def test_hostile_paths_in_a_checkpoint_are_not_written(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    head = repo.commit(a="1\n")
    blob = (
        subprocess.run(
            ["git", "hash-object", "-w", "--stdin"], cwd=repo.root, input=b"evil", capture_output=True, check=True
        )
        .stdout.decode()
        .strip()
    )

    def tree(name: str, mode: str, sha: str) -> str:
        entry = f"{mode} {name}".encode() + b"\0" + bytes.fromhex(sha)
        made = subprocess.run(
            ["git", "hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
            cwd=repo.root,
            input=entry,
            capture_output=True,
            check=True,
        )
        return made.stdout.decode().strip()

    inside = tree("post-checkout", "100755", blob)
    trees = [
        tree(".GIT", "40000", tree("hooks", "40000", inside)),
        tree("..", "40000", inside),
        tree("git~1", "40000", inside),
    ]
    workspace = open_(repo.root)
    for number, made in enumerate(trees, 1):
        commit = repo.git("commit-tree", made, "-p", head, "-m", "x")
        repo.git("update-ref", f"refs/baton/checkpoints/{SESSION}/{number}", commit)
        restored = workspace.restore(f"{SESSION}/{number}", force=True)
        assert restored.written == ()
        repo.git("checkout", "--", ".")
    assert not (tmp_path / "post-checkout").exists()
    assert not (repo.root / ".git" / "hooks" / "post-checkout").exists()


def test_names_that_lead_to_a_checkpoint(tmp_path: Path, open_: Open) -> None:
    repo = repos.dirty(tmp_path / "repo")
    workspace = open_(repo.root)
    first = workspace.checkpoint("m", SESSION)
    repo.write(a="other\n")
    second = workspace.checkpoint("m", SESSION)
    assert first
    assert second
    for ref in (first.name, first.ref, first.sha, first.sha[:8]):
        assert workspace.show(ref).checkpoint == first
    assert workspace.show(SESSION).checkpoint == second
    assert {(each.what, each.path) for each in workspace.show(first.name).changes} == {
        *(("modified", each) for each in "abc"),
        ("deleted", "d"),
        *((("added", "new"),) if (repo.root / "new").exists() else ()),
    }
    for ref in ("", "HEAD", "main", "nothing", "--all", "refs/heads/main", f"{SESSION}/3", "20260527", "abcdef0"):
        with pytest.raises(NotFound):
            workspace.show(ref)
    with pytest.raises(BadId):
        workspace.checkpoint("m", "../../heads/main")


def test_two_at_once_get_two_numbers(tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repos.dirty(tmp_path / "repo")
    taken = repo.git("rev-parse", "HEAD")
    original = git_module.Git.run

    def race(self: git_module.Git, *arguments: str, **feed: object) -> bytes:
        if arguments[0] == "for-each-ref":
            answer = original(self, *arguments)
            repo.git("update-ref", f"refs/baton/checkpoints/{SESSION}/1", taken)
            return answer
        return original(self, *arguments, **feed)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(git_module.Git, "run", race)
    kept = open_(repo.root).checkpoint("m", SESSION)
    assert kept is not None
    assert kept.name == f"{SESSION}/2"


def test_outside_of_git_checkpoints_are_kept_below_batons_home(tmp_path: Path, open_: Open) -> None:
    root = tmp_path / "plain"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "a").write_text("1\n")
    (root / "tool").write_text("x")
    (root / "tool").chmod(0o755)
    (root / ".env").write_text("TOKEN=x")
    workspace = open_(root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    assert [(each.path, each.reason) for each in kept.left_out] == [(".env", reasons.SECRET)]
    assert workspace.checkpoint("again", SESSION) == kept
    before = contents(root)
    (root / "sub" / "a").write_text("2\n")
    (root / "tool").unlink()
    (root / "new").write_text("new\n")
    restored = workspace.restore(kept.name)
    assert (restored.written, restored.removed, restored.kept) == (("sub/a", "tool"), (), ("new",))
    assert contents(root) == {**before, "new": ("file", b"new\n")}
    assert not (root / ".git").exists()
    home = tmp_path / "home" / "baton" / "checkpoints"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert [stat.S_IMODE(each.stat().st_mode) for each in home.iterdir()] == [0o700]
    assert open_(tmp_path / "home").checkpoints() == []


def test_without_git_there_is_no_checkpoint_but_a_reason(
    tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repos.dirty(tmp_path / "repo")
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(CheckpointFailed, match="git is not installed"):
        open_(repo.root).checkpoint("m", SESSION)
    facts = open_(repo.root).facts()
    assert (facts.is_git, facts.problem) == (False, "git is not installed")


def test_git_that_hangs_is_ended(tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repos.dirty(tmp_path / "repo")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text("#!/bin/sh\nsleep 600\n")
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr(git_module, "SECONDS", 0.2)
    with pytest.raises(CheckpointFailed, match="took longer"):
        open_(repo.root).checkpoint("m", SESSION)


def test_a_failure_leaves_nothing_behind(tmp_path: Path, open_: Open) -> None:
    repo = repos.dirty(tmp_path / "repo")
    before = repo.fingerprint()
    locked = repo.root / ".git" / "refs" / "baton"
    locked.write_text("a file where a directory should be")
    with pytest.raises(CheckpointFailed):
        open_(repo.root).checkpoint("m", SESSION)
    locked.unlink()
    assert repo.fingerprint() == before
