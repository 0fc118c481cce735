"""Each way in which a repository can name a program for git to run: none runs while Baton looks, keeps and restores.

Every trap is sprung first by a plain git command, where there is one for it: a trap that cannot spring shows nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools import git as tools_git
from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.handoff.drift import compare
from tests.support.repos import HOOKS, Repo
from tests.unit.workspace.conftest import SESSION

Open = Callable[[Path], DirectoryWorkspace]
Arm = Callable[[Repo, str], object]
ENVIRON = {"GIT_TERMINAL_PROMPT": "0", "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.org"}
ENVIRON |= {"GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.org"}


def config(**held: str) -> Arm:
    """Keys with `__` for dots; `EVIL` is the program."""

    def arm(repo: Repo, evil: str) -> None:
        for name, text in held.items():
            repo.git("config", name.replace("__", "."), text.replace("EVIL", evil))

    return arm


def attributes(text: str, **held: str) -> Arm:
    def arm(repo: Repo, evil: str) -> None:
        (repo.root / ".gitattributes").write_text(text)
        config(**held)(repo, evil)

    return arm


def attributes_in(place: str, **held: str) -> Arm:
    def arm(repo: Repo, evil: str) -> None:
        (repo.root / place).parent.mkdir(parents=True, exist_ok=True)
        (repo.root / place).write_text("* filter=x\n")
        config(**held)(repo, evil)

    return arm


def hooks(repo: Repo, evil: str, place: str = ".git/hooks") -> None:
    (repo.root / place).mkdir(parents=True, exist_ok=True)
    for name in HOOKS:
        (repo.root / place / name).unlink(missing_ok=True)
        (repo.root / place / name).symlink_to(evil)


def hooks_elsewhere(repo: Repo, evil: str) -> None:
    hooks(repo, evil, ".husky")
    repo.git("config", "core.hooksPath", ".husky")


def include(key: str) -> Arm:
    def arm(repo: Repo, evil: str) -> None:
        (repo.root / "evil.config").write_text(f"[core]\n\tfsmonitor = {evil}\n")
        repo.git("config", key, "../evil.config")

    return arm


def own_work_tree(repo: Repo, evil: str) -> None:
    repo.git("config", "extensions.worktreeConfig", "true")
    repo.git("config", "--worktree", "core.fsmonitor", evil)


def elsewhere(repo: Repo, evil: str) -> None:
    """`.git` is a file that leads to a directory of the workspace."""
    shutil.move(repo.root / ".git", repo.root / "vendor")
    (repo.root / ".git").write_text("gitdir: vendor\n")
    repo.git("config", "core.fsmonitor", evil)


def common(repo: Repo, evil: str) -> None:
    """`.git/commondir` leads to a configuration of somebody else's."""
    shutil.copytree(repo.root / ".git", repo.root / "vendor")
    (repo.root / ".git" / "commondir").write_text("../vendor\n")
    subprocess.run(["git", "config", "-f", repo.root / "vendor" / "config", "core.fsmonitor", evil], check=True)


def submodule(repo: Repo, evil: str) -> None:
    inner = Repo(repo.root / "sub")
    inner.commit(x="1\n")
    repo.git("config", "-f", ".gitmodules", "submodule.sub.path", "sub")
    repo.git("config", "-f", ".gitmodules", "submodule.sub.url", "./sub")
    repo.git("add", "sub", ".gitmodules")
    inner.git("config", "core.fsmonitor", evil)
    (inner.root / "x").write_text("2\n")


def submodule_update(repo: Repo, evil: str) -> None:
    submodule(repo, "false")
    repo.git("config", "submodule.sub.url", str(repo.root / "sub"))
    repo.git("config", "submodule.sub.update", f"!{evil}")


def gone_object(**held: str) -> Arm:
    """An object is missing, and has to be fetched in a way that the repository names."""

    def arm(repo: Repo, evil: str) -> None:
        blob = repo.git("rev-parse", "HEAD:gone")
        (repo.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
        repo.git("config", "core.repositoryFormatVersion", "1")
        repo.git("config", "extensions.partialClone", "origin")
        repo.git("config", "remote.origin.promisor", "true")
        config(**held)(repo, evil)

    return arm


def signed(repo: Repo, evil: str) -> None:
    """HEAD bears a signature, and whoever lists commits is to see it checked."""
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    told = repo.git("cat-file", "commit", "HEAD").split("\n\n", 1)
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        input=f"{told[0]}\n{signature}\n\n{told[1]}\n".encode(), cwd=repo.root, capture_output=True, check=True,
    )  # fmt: skip
    repo.git("update-ref", "refs/heads/main", made.stdout.decode().strip())
    config(gpg__program="EVIL", log__showSignature="true")(repo, evil)


STATUS = ("status",)
X = "* filter=x\n"
HOSTILE: dict[str, tuple[Arm, tuple[str, ...] | None]] = {
    "file monitor": (config(core__fsmonitor="EVIL"), STATUS),
    "file monitor, version 2": (config(core__fsmonitor="EVIL", core__fsmonitorHookVersion="2"), STATUS),
    "file monitor of git itself": (config(core__fsmonitor="true"), None),
    "hooks": (hooks, ("commit", "--allow-empty", "-m", "x")),
    "hooks on refs": (hooks, ("update-ref", "refs/heads/x", "HEAD")),
    "hooks elsewhere": (hooks_elsewhere, ("commit", "--allow-empty", "-m", "x")),
    "ssh": (config(core__sshCommand="EVIL", remote__origin__url="ssh://example.invalid/x"), ("fetch",)),
    "ssh variant": (config(core__sshCommand="EVIL", ssh__variant="simple", remote__origin__url="a@b:c"), ("fetch",)),
    "proxy program": (config(core__gitProxy="EVIL", remote__origin__url="git://example.invalid/x"), ("fetch",)),
    "pager": (config(core__pager="EVIL", pager__status="EVIL", pager__log="EVIL"), None),
    "editor": (config(core__editor="EVIL"), ("commit", "--amend")),
    "sequence editor": (config(sequence__editor="EVIL"), ("rebase", "--autostash", "-i", "--root")),
    "ask for passwords": (config(core__askPass="EVIL"), None),
    "clean": (attributes(X, filter__x__clean="EVIL"), ("add", "--renormalize", ".")),
    "smudge": (attributes(X, filter__x__smudge="EVIL"), ("checkout", "HEAD", "--", "a")),
    "process": (attributes(X, filter__x__process="EVIL"), ("add", "--renormalize", ".")),
    "required": (
        attributes(X, filter__x__clean="EVIL", filter__x__smudge="EVIL", filter__x__required="true"),
        ("add", "--renormalize", "."),
    ),
    "odd name of a filter": (
        lambda repo, evil: (
            attributes("* filter=a=b.c\n")(repo, evil),
            repo.git("config", "filter.a=b.c.clean", evil),
            repo.git("config", "filter.a=b.c.required", "true"),
        ),
        ("add", "--renormalize", "."),
    ),
    "attributes in git's directory": (attributes_in(".git/info/attributes", filter__x__clean="EVIL"), ("add", ".")),
    "attributes elsewhere": (
        attributes_in("evil.attributes", filter__x__clean="EVIL", core__attributesFile="evil.attributes"),
        ("add", "."),
    ),
    "attributes in a folder": (
        lambda repo, evil: (
            attributes_in("deep/.gitattributes", filter__x__clean="EVIL")(repo, evil),
            (repo.root / "deep" / "f").write_text("1"),
        ),
        ("add", "."),
    ),
    "external diff": (config(diff__external="EVIL"), ("diff",)),
    "diff driver": (attributes("* diff=x\n", diff__x__command="EVIL"), ("diff",)),
    "text conversion": (attributes("* diff=x\n", diff__x__textconv="EVIL"), ("diff",)),
    "cached text conversion": (
        attributes("* diff=x\n", diff__x__textconv="EVIL", diff__x__cachetextconv="true"),
        ("diff",),
    ),
    "merge driver": (attributes("* merge=x\n", merge__x__driver="EVIL"), ("merge", "--no-edit", "topic")),
    "alias": (config(alias__evil="!EVIL", alias__status="!EVIL", alias__config="!EVIL"), ("evil",)),
    "include": (include("include.path"), STATUS),
    "conditional include": (include("includeIf.gitdir:/.path"), STATUS),
    "include by branch": (include("includeIf.onbranch:main.path"), STATUS),
    "work tree's own configuration": (own_work_tree, STATUS),
    "credential helper": (config(credential__helper="!EVIL"), ("credential", "fill")),
    "signing": (config(commit__gpgSign="true", gpg__program="EVIL"), ("commit", "--allow-empty", "-m", "x")),
    "signing with ssh": (
        config(commit__gpgSign="true", gpg__format="ssh", gpg__ssh__program="EVIL", user__signingKey="/dev/null"),
        ("commit", "--allow-empty", "-m", "x"),
    ),
    "checking signatures": (signed, ("log",)),
    "trailer": (config(trailer__x__command="EVIL", trailer__x__key="X"), ("interpret-trailers", "--trailer", "x=1")),
    "archiver": (config(tar__x__command="EVIL"), ("archive", "--format=x", "HEAD")),
    "upload pack": (
        gone_object(remote__origin__url=".", remote__origin__uploadpack="EVIL"), ("cat-file", "-p", "HEAD:gone")
    ),
    "ext url": (
        gone_object(remote__origin__url="ext::EVIL", protocol__ext__allow="always"), ("cat-file", "-p", "HEAD:gone")
    ),
    "ext url, rewritten": (
        gone_object(
            remote__origin__url="https://example.invalid/", url__ext__insteadOf="x", protocol__allow="always",
            core__sshCommand="EVIL",
        ),
        None,
    ),
    "missing object over ssh": (
        gone_object(remote__origin__url="ssh://example.invalid/x", core__sshCommand="EVIL"),
        ("cat-file", "-p", "HEAD:gone"),
    ),
    "alternate refs": (config(core__alternateRefsCommand="EVIL", core__alternateRefsPrefixes="x"), None),
    "submodule": (submodule, STATUS),
    "submodule's update": (submodule_update, ("submodule", "update", "--force")),
    "submodule summary": (
        lambda repo, evil: (submodule(repo, evil), config(status__submoduleSummary="true")(repo, evil)),
        STATUS,
    ),
    "repository elsewhere": (elsewhere, STATUS),
    "common directory": (common, STATUS),
    "housekeeping": (
        lambda repo, evil: (hooks(repo, evil), config(gc__auto="1", maintenance__auto="true")(repo, evil)),
        ("commit", "--allow-empty", "-m", "x"),
    ),
    "interactive": (config(interactive__diffFilter="EVIL"), None),
    "browsers and tools": (
        config(web__browser="EVIL", difftool__x__cmd="EVIL", diff__tool="x", mergetool__x__cmd="EVIL"),
        ("difftool", "-y", "--tool=x"),
    ),
}  # fmt: skip


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit(a="1\n", b="2\n", gone="3\n")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit(a="topic\n")
    repo.git("checkout", "-q", "main")
    repo.commit(a="main\n")
    repo.write(b="edited\n", new="new\n")
    return repo


def canary(tmp_path: Path) -> tuple[str, Path]:
    """A program that leaves a trace, whatever it is called with."""
    program, trace = tmp_path / "evil", tmp_path / "trace"
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{trace}'\nexit 1\n")
    program.chmod(0o755)
    return str(program), trace


def spring(repo: Repo, command: tuple[str, ...], copy: Path) -> None:
    """The plain command in a copy, so that it changes nothing here."""
    shutil.copytree(repo.root, copy, symlinks=True)
    given = b"protocol=https\nhost=example.invalid\n\n"
    environ = {**os.environ, **ENVIRON}
    subprocess.run(["git", *command], cwd=copy, env=environ, input=given, capture_output=True, timeout=60, check=False)
    shutil.rmtree(copy)


def use_everything(workspace: DirectoryWorkspace, root: Path) -> None:
    """All that Baton does with git by itself."""
    tools_git.branch(Workspace(str(root)))
    tools_git.files(Workspace(str(root)))
    packet = workspace.snapshot(mentioned=["a", "new", "x.local"])
    kept = workspace.checkpoint("m", SESSION)
    (root / "a").write_text("again\n")
    (root / "gone").unlink()
    live = workspace.snapshot([mark.path for mark in packet.marks])
    compare(packet, live, workspace.between(packet.facts.head, live.facts.head))
    if kept is not None:
        workspace.show(kept.name)
        workspace.between(kept.base, kept.sha)
        workspace.restore(kept.name)
        workspace.forget(workspace.checkpoints())


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_that_a_repository_names_is_run(name: str, repo: Repo, tmp_path: Path, open_: Open) -> None:
    arm, command = HOSTILE[name]
    evil, trace = canary(tmp_path)
    arm(repo, evil)
    if command is not None:
        trace.unlink(missing_ok=True)
        spring(repo, command, tmp_path / "copy")
        assert trace.exists(), "the trap works"
    trace.unlink(missing_ok=True)
    use_everything(open_(repo.root), repo.root)
    assert not trace.exists(), trace.read_text()
    assert not (repo.root / ".git" / "fsmonitor--daemon.ipc").exists()


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 45
    assert sum(command is not None for _, command in HOSTILE.values()) >= 40


def test_a_bare_repository_in_a_folder_is_not_entered(repo: Repo, tmp_path: Path, open_: Open) -> None:
    evil, trace = canary(tmp_path)
    inner = repo.root / "docs"
    subprocess.run(["git", "init", "-q", "--bare", inner], check=True)
    subprocess.run(["git", "config", "-f", inner / "config", "core.fsmonitor", evil], check=True)
    subprocess.run(["git", "config", "-f", inner / "config", "core.bare", "false"], check=True)
    subprocess.run(["git", "config", "-f", inner / "config", "core.worktree", "."], check=True)
    subprocess.run(["git", "status"], cwd=inner, capture_output=True, check=False)
    assert trace.exists(), "the trap works"
    trace.unlink()
    assert open_(inner).facts().root == str(repo.root)
    use_everything(open_(inner), repo.root)
    assert not trace.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_a_repository_of_somebody_else_is_left_to_them(repo: Repo, tmp_path: Path, open_: Open) -> None:
    evil, trace = canary(tmp_path)
    repo.git("config", "core.fsmonitor", evil)
    repo.git("config", "safe.directory", "*")
    for path in (repo.root, repo.root / ".git"):
        os.chown(path, 12345, 12345)
    facts = open_(repo.root).facts()
    assert (facts.is_git, "ownership" in facts.problem) == (False, True)
    assert not trace.exists()
