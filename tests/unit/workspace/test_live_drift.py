"""Seeded changes are all reported, and nothing else ever is."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.handoff import drift
from baton.core.handoff.drift import Drift, compare
from baton.core.handoff.workspace import Snapshot
from tests.support.repos import SITUATIONS, Repo
from tests.unit.workspace.conftest import SESSION

Open = Callable[[Path], DirectoryWorkspace]
EVIDENCE = (".baton/logs/run.log", "report.txt")


def begin(root: Path) -> Repo:
    """Two branches, staged, edited, deleted and new files, and evidence."""
    repo = Repo(root)
    repo.commit(**{each: f"{each}\n" for each in "abcdefgh"}, **{".gitignore": "report.txt\n"})
    repo.git("branch", "other")
    repo.commit(a="a2\n")
    repo.git("branch", "same")
    repo.write(b="staged\n")
    repo.git("add", "b")
    repo.write(c="edited\n", new="new\n")
    (root / "d").unlink()
    (root / ".baton" / "logs").mkdir(parents=True)
    for path in EVIDENCE:
        (root / path).write_text("41 passed\n")
    return repo


def taken(workspace: DirectoryWorkspace) -> Snapshot:
    """As a packet keeps it: through JSON."""
    return Snapshot.from_dict(json.loads(json.dumps(workspace.snapshot(evidence=EVIDENCE).as_dict())))


def since(workspace: DirectoryWorkspace, packet: Snapshot) -> Drift:
    live = workspace.snapshot((mark.path for mark in packet.marks), (mark.path for mark in packet.evidence))
    return compare(packet, live, workspace.between(packet.facts.head, live.facts.head))


def same_size(path: Path) -> None:
    """Another content, and the same size and time as before."""
    before = path.stat()
    path.write_bytes(bytes(byte ^ 1 for byte in path.read_bytes()))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def retype(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "inside").write_text("x")


def relink(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/passwd")


def stage_apart(repo: Repo) -> None:
    """Other content in the index, the same in the file."""
    repo.write(b="x\n")
    repo.git("add", "b")
    repo.write(b="staged\n")


MUTATIONS: dict[str, tuple[str, str, Callable[[Repo], object]]] = {
    "commit": (drift.HEAD_MOVED, "", lambda repo: repo.git("commit", "-qm", "x", "--allow-empty")),
    "amend": (drift.HEAD_MOVED, "", lambda repo: repo.git("commit", "-q", "--amend", "-m", "other")),
    "move back": (drift.HEAD_MOVED, "", lambda repo: repo.git("reset", "-q", "--soft", "HEAD~1")),
    "switch": (drift.BRANCH_SWITCHED, "", lambda repo: repo.git("symbolic-ref", "HEAD", "refs/heads/same")),
    "new branch": (drift.BRANCH_SWITCHED, "", lambda repo: repo.git("checkout", "-qb", "topic")),
    "detach": (drift.BRANCH_SWITCHED, "", lambda repo: repo.git("checkout", "-q", "--detach")),
    "edit clean": (drift.EDITED, "e", lambda repo: repo.write(e="x\n")),
    "edit clean alike": (drift.EDITED, "f", lambda repo: same_size(repo.root / "f")),
    "edit dirty": (drift.EDITED, "c", lambda repo: repo.write(c="again\n")),
    "edit dirty alike": (drift.EDITED, "c", lambda repo: same_size(repo.root / "c")),
    "edit staged": (drift.EDITED, "b", lambda repo: repo.write(b="more\n")),
    "edit new": (drift.EDITED, "new", lambda repo: repo.write(new="more\n")),
    "put back": (drift.EDITED, "c", lambda repo: repo.git("checkout", "-q", "--", "c")),
    "delete clean": (drift.DELETED, "g", lambda repo: (repo.root / "g").unlink()),
    "delete dirty": (drift.DELETED, "c", lambda repo: (repo.root / "c").unlink()),
    "delete new": (drift.DELETED, "new", lambda repo: (repo.root / "new").unlink()),
    "bring back": (drift.APPEARED, "d", lambda repo: repo.write(d="d\n")),
    "add": (drift.APPEARED, "n2", lambda repo: repo.write(n2="x\n")),
    "add oddly": (drift.APPEARED, "o\nd\udcff", lambda repo: (repo.root / "o\nd\udcff").write_text("x")),
    "stage": (drift.STAGED_CHANGED, "", lambda repo: repo.git("add", "c")),
    "unstage": (drift.STAGED_CHANGED, "", lambda repo: repo.git("reset", "-q", "--", "b")),
    "stage other content": (drift.STAGED_CHANGED, "", stage_apart),
    "stage a deletion": (drift.STAGED_CHANGED, "", lambda repo: repo.git("rm", "-q", "--cached", "d")),
    "chmod clean": (drift.EDITED, "h", lambda repo: (repo.root / "h").chmod(0o755)),
    "chmod dirty": (drift.MODE_CHANGED, "c", lambda repo: (repo.root / "c").chmod(0o755)),
    "link": (drift.EDITED, "c", lambda repo: relink(repo.root / "c")),
    "retype": (drift.EDITED, "c", lambda repo: retype(repo.root / "c")),
    "evidence gone": (drift.EVIDENCE_MISSING, EVIDENCE[0], lambda repo: (repo.root / EVIDENCE[0]).unlink()),
    "evidence altered": (drift.EVIDENCE_ALTERED, EVIDENCE[1], lambda repo: same_size(repo.root / EVIDENCE[1])),
    "evidence linked": (drift.EVIDENCE_ALTERED, EVIDENCE[1], lambda repo: relink(repo.root / EVIDENCE[1])),
    "operation": (drift.OPERATION, "", lambda repo: repo.git("bisect", "start")),
    "repository gone": (drift.REPOSITORY_GONE, "", lambda repo: shutil.rmtree(repo.root / ".git")),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_every_seeded_change_is_reported(name: str, tmp_path: Path, open_: Open) -> None:
    kind, path, mutate = MUTATIONS[name]
    repo = begin(tmp_path / "repo")
    workspace = open_(repo.root)
    packet = taken(workspace)
    mutate(repo)
    found = since(workspace, packet)
    assert (kind, path) in [(each.kind, each.path) for each in found.differences]


KINDS = ("commit", "switch", "detach", "edit clean", "edit dirty alike", "delete clean", "delete new", "add")
KINDS += ("stage", "chmod clean", "evidence gone", "evidence altered")


@pytest.mark.parametrize("seed", range(20))
def test_twelve_kinds_are_reported_in_any_repository(seed: int, tmp_path: Path, open_: Open) -> None:
    """Repositories of any size and shape, each changed in twelve ways, one at a time; unchanged, nothing is said."""
    chance = random.Random(seed)
    grown = begin(tmp_path / "grown")
    for number in range(chance.randrange(30)):
        folder = grown.root / chance.choice(["src", "docs/deep/er", "ä ö", "."])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{chance.choice(['x', 'y z', 'ü'])}{number}").write_text(chance.choice(["", "1\n", "0" * 5000]))
        if chance.random() < 0.3:
            grown.git("add", "--", *[f":(exclude){name}" for name in "abcdefgh"], ".")
    assert not since(open_(grown.root), taken(open_(grown.root)))
    for name in KINDS:
        kind, path, mutate = MUTATIONS[name]
        copy = Repo.__new__(Repo)
        copy.root, copy.ran = tmp_path / name.replace(" ", "-"), grown.ran
        shutil.copytree(grown.root, copy.root, symlinks=True)
        workspace = open_(copy.root)
        packet = taken(workspace)
        mutate(copy)
        assert (kind, path) in [(each.kind, each.path) for each in since(workspace, packet).differences], name


@pytest.mark.parametrize("seed", range(8))
def test_many_changes_at_once_are_all_reported(seed: int, tmp_path: Path, open_: Open) -> None:
    """Of those that do not touch the same file."""
    apart = (
        *("commit", "detach", "edit clean", "edit dirty alike", "delete clean", "delete new", "add", "chmod clean"),
        *("evidence gone", "evidence altered"),
    )
    repo = begin(tmp_path / "repo")
    workspace = open_(repo.root)
    packet = taken(workspace)
    chosen = random.Random(seed).sample(apart, 5)
    for name in sorted(chosen, key=lambda name: name != "commit"):
        MUTATIONS[name][2](repo)
    found = {(each.kind, each.path) for each in since(workspace, packet).differences}
    assert {MUTATIONS[name][:2] for name in chosen} <= found


def touch(repo: Repo) -> None:
    for path in repo.root.rglob("*"):
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts:
            os.utime(path, (1, 1))


def rewrite(repo: Repo) -> None:
    """The same content in a new file, as editors write it."""
    for path in repo.root.iterdir():
        if path.is_file() and not path.is_symlink() and path.name != ".git":
            mode = path.stat().st_mode
            other = path.with_name("swap")
            other.write_bytes(path.read_bytes())
            other.chmod(mode)
            other.rename(path)


def batons_own(repo: Repo) -> None:
    (repo.root / ".baton" / "handoffs").mkdir(parents=True, exist_ok=True)
    (repo.root / ".baton" / "handoffs" / "packet.md").write_text(os.urandom(8).hex())


DISTURBANCES: dict[str, Callable[[Repo], object]] = {
    "nothing": lambda repo: None,
    "touch": touch,
    "rewrite": rewrite,
    "refresh": lambda repo: repo.git("update-index", "-q", "--refresh", check=False),
    "gc": lambda repo: repo.git("gc", "-q", check=False),
    "batons own": batons_own,
}


def test_nothing_is_reported_where_nothing_changed(situation: Repo, open_: Open) -> None:
    """Thirteen situations, six disturbances after each other: 78 looks, no alarm."""
    workspace = open_(situation.root)
    packet = taken(workspace)
    for name, disturb in DISTURBANCES.items():
        disturb(situation)
        assert (name, since(workspace, packet).report()) == (name, drift.NOTHING)
        workspace.checkpoint("m", SESSION)


def test_changes_inside_a_submodule_are_reported(tmp_path: Path, open_: Open) -> None:
    repo = SITUATIONS["superproject"](tmp_path / "repo")
    workspace = open_(repo.root)
    packet = taken(workspace)
    assert {"sub", "sub/lib", "sub/new"} <= {mark.path for mark in packet.marks}
    (repo.root / "sub" / "lib").write_text("other\n")
    assert [(each.kind, each.path) for each in since(workspace, packet).differences] == [(drift.EDITED, "sub/lib")]
    repo.git("commit", "-qam", "x", cwd=repo.root / "sub")
    found = {(each.kind, each.path) for each in since(workspace, packet).differences}
    assert found == {(drift.EDITED, "sub"), (drift.EDITED, "sub/lib")}


def test_outside_of_git_every_change_is_reported(tmp_path: Path, open_: Open) -> None:
    root = tmp_path / "plain"
    (root / "sub").mkdir(parents=True)
    for name in ("a", "b", "sub/c"):
        (root / name).write_text(name)
    workspace = open_(root)
    packet = taken(workspace)
    os.utime(root / "a", (1, 1))
    (root / ".baton").mkdir()
    (root / ".baton" / "x").write_text("x")
    assert not since(workspace, packet)
    same_size(root / "a")
    (root / "b").unlink()
    (root / "sub" / "new").write_text("x")
    (root / "sub" / "c").chmod(0o755)
    assert [(each.kind, each.path) for each in since(workspace, packet).differences] == [
        *((drift.EDITED, "a"), (drift.DELETED, "b"), (drift.MODE_CHANGED, "sub/c"), (drift.APPEARED, "sub/new")),
    ]


def test_how_far_head_moved(tmp_path: Path, open_: Open) -> None:
    repo = begin(tmp_path / "repo")
    workspace = open_(repo.root)
    packet = taken(workspace)
    repo.git("reset", "-q", "--soft", "HEAD~1")
    repo.git("commit", "-qm", "another way", "--", "b")
    report = since(workspace, packet).report()
    assert "1 commits ahead of the packet's, 1 behind; files that differ: a, b" in report
    assert workspace.between(packet.facts.head, "f" * 40) is None
    assert workspace.between("--output=x", packet.facts.head) is None
