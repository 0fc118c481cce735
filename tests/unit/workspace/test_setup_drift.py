"""What git is told outside of commits and files: every change of it is drift, and nothing else is."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.handoff import drift
from baton.core.handoff.workspace import Snapshot
from tests.support.repos import NASTY, Repo
from tests.unit.workspace.conftest import SESSION
from tests.unit.workspace.test_live_drift import MUTATIONS, same_size, since

Open = Callable[[Path], DirectoryWorkspace]
Change = Callable[[Repo], object]


def begin(root: Path) -> Repo:
    """With a remote, a hook, aliases, files git does not look at, a submodule, a stash, a link, another work tree."""
    library = Repo(root.parent / f"{root.name}-library")
    library.commit(lib="1\n")
    repo = Repo(root)
    (root / "link").symlink_to("a")
    repo.commit(**{each: f"{each}\n" for each in "abcdefgh"}, **{".gitignore": "*.local\n"})
    repo.git("submodule", "--quiet", "add", str(library.root), "sub")
    repo.commit(a="a2\n")
    repo.git("remote", "add", "origin", "https://example.org/x.git")
    repo.git("remote", "set-url", "--add", "origin", "https://example.org/mirror.git")
    repo.git("config", "alias.st", "status")
    (root.parent / f"{root.name}-included").write_text("[alias]\n\tone = log\n")
    repo.git("config", "include.path", str(root.parent / f"{root.name}-included"))
    hook(repo, "pre-push", "exit 0")
    repo.write(d="stashed\n")
    repo.git("stash", "push", "--quiet")
    repo.git("worktree", "add", "--quiet", "-b", "beside", str(root.parent / f"{root.name}-beside"))
    repo.git("update-index", "--assume-unchanged", "e")
    repo.git("update-index", "--skip-worktree", "f")
    repo.write(c="edited\n", **{"x.local": "1\n", "new": "new\n"})
    (root / "c").chmod(0o644)
    return repo


def hook(repo: Repo, name: str, body: str, mode: int = 0o755) -> None:
    file = repo.root / ".git" / "hooks" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(mode)


def config(*words: str) -> Change:
    return lambda repo: repo.git("config", *words)


def inner(*words: str) -> Change:
    return lambda repo: repo.git(*words, cwd=repo.root / "sub")


def own(path: str, text: str) -> Change:
    """A file of git's own directory."""

    def write(repo: Repo) -> None:
        file = repo.root / ".git" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    return write


def include_otherwise(repo: Repo) -> None:
    (repo.root.parent / f"{repo.root.name}-included").write_text("[core]\n\tfsmonitor = evil\n")


def set_url(repo: Repo) -> None:
    repo.git("remote", "set-url", "origin", "https://evil.example/x", "x.git")


def hooks_elsewhere(repo: Repo) -> None:
    (repo.root / "hooks.local").mkdir()
    (repo.root / "hooks.local" / "pre-commit").write_text("evil")
    repo.git("config", "core.hooksPath", "hooks.local")


def inner_hook(repo: Repo) -> None:
    hooks = repo.root / ".git" / "modules" / "sub" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "post-checkout").write_text("evil")


def relocate(repo: Repo) -> None:
    shutil.move(repo.root / ".git", repo.root.parent / "moved-git")
    (repo.root / ".git").write_text(f"gitdir: {repo.root.parent / 'moved-git'}\n")


def chmod(path: str, mode: int) -> Change:
    return lambda repo: (repo.root / path).chmod(mode)


def unlink_hook(repo: Repo) -> None:
    (repo.root / ".git" / "hooks" / "pre-push").unlink()


def relink(path: str, target: str) -> Change:
    return lambda repo: ((repo.root / path).unlink(), (repo.root / path).symlink_to(target))


def config_worktree(repo: Repo) -> None:
    repo.git("config", "extensions.worktreeConfig", "true")
    repo.git("config", "--worktree", "core.fsmonitor", "evil")


C, H, G, W = drift.CONFIG_CHANGED, drift.HOOK_CHANGED, drift.GIT_FILE_CHANGED, drift.WATCH_CHANGED
R, S, T = drift.REMOTE_CHANGED, drift.SUBMODULE_CHANGED, drift.WORK_TREE_CHANGED
CHANGES: dict[str, tuple[str, str, Change]] = {
    "remote url": (R, "origin", set_url),
    "remote url by config": (R, "origin", config("--replace-all", "remote.origin.url", "ext::sh -c evil")),
    "remote added": (R, "evil", lambda repo: repo.git("remote", "add", "evil", "https://evil.example")),
    "remote removed": (R, "origin", lambda repo: repo.git("remote", "remove", "origin")),
    "remote renamed": (R, "upstream", lambda repo: repo.git("remote", "rename", "origin", "upstream")),
    "second url": (C, "remote.origin.url", lambda repo: repo.git("remote", "set-url", "origin", "evil", "mirror")),
    "push url": (C, "remote.origin.pushurl", config("remote.origin.pushurl", "https://evil.example")),
    "instead of": (C, "url.https://evil.example.insteadof", config("url.https://evil.example.insteadOf", "https://e")),
    "fetch refspec": (C, "remote.origin.fetch", config("--add", "remote.origin.fetch", "+refs/*:refs/*")),
    "fsmonitor": (C, "core.fsmonitor", config("core.fsmonitor", "evil")),
    "hooks path": (C, "core.hookspath", config("core.hooksPath", "/tmp/evil")),
    "ssh command": (C, "core.sshcommand", config("core.sshCommand", "evil")),
    "pager": (C, "core.pager", config("core.pager", "evil")),
    "editor": (C, "core.editor", config("core.editor", "evil")),
    "alias added": (C, "alias.co", config("alias.co", "!evil")),
    "alias changed": (C, "alias.st", config("alias.st", "!evil")),
    "alias removed": (C, "alias.st", config("--unset", "alias.st")),
    "include added": (C, "include.path", config("--add", "include.path", "/tmp/evil")),
    "conditional include": (C, "includeif.gitdir:~/.path", config("includeIf.gitdir:~/.path", "/tmp/evil")),
    "included file changed": (C, "core.fsmonitor", include_otherwise),
    "work tree's own config": (C, "core.fsmonitor", config_worktree),
    "filter": (C, "filter.x.clean", config("filter.x.clean", "evil")),
    "text conversion": (C, "diff.x.textconv", config("diff.x.textconv", "evil")),
    "merge driver": (C, "merge.x.driver", config("merge.x.driver", "evil")),
    "credential helper": (C, "credential.helper", config("credential.helper", "!evil")),
    "signing program": (C, "gpg.program", config("gpg.program", "evil")),
    "user": (C, "user.email", config("user.email", "evil@example.org")),
    "proxy": (C, "http.proxy", config("http.proxy", "http://evil.example")),
    "file modes ignored": (C, "core.filemode", config("core.fileMode", "false")),
    "protocol allowed": (C, "protocol.ext.allow", config("protocol.ext.allow", "always")),
    "upload pack": (C, "remote.origin.uploadpack", config("remote.origin.uploadpack", "evil")),
    "upstream of a branch": (C, "branch.main.merge", config("branch.main.merge", "refs/heads/evil")),
    "hook added": (H, "pre-commit", lambda repo: hook(repo, "pre-commit", "evil")),
    "hook changed": (H, "pre-push", lambda repo: hook(repo, "pre-push", "evil")),
    "hook removed": (H, "pre-push", unlink_hook),
    "hook switched off": (H, "pre-push", chmod(".git/hooks/pre-push", 0o644)),
    "hook linked": (H, "pre-push", relink(".git/hooks/pre-push", "/bin/true")),
    "hook changed alike": (H, "pre-push", lambda repo: same_size(repo.root / ".git" / "hooks" / "pre-push")),
    "hooks elsewhere": (H, "hooks.local/pre-commit", hooks_elsewhere),
    "attributes": (G, "info/attributes", own("info/attributes", "* filter=x\n")),
    "exclude": (G, "info/exclude", own("info/exclude", "*\n")),
    "grafts": (G, "info/grafts", own("info/grafts", "")),
    "alternates": (G, "objects/info/alternates", own("objects/info/alternates", "/tmp/evil\n")),
    "sparse checkout": (G, "info/sparse-checkout", own("info/sparse-checkout", "/a\n")),
    "stash added": (G, "logs/refs/stash", lambda repo: (repo.write(h="x\n"), repo.git("stash", "-q"))),
    "stash dropped": (G, "logs/refs/stash", lambda repo: repo.git("stash", "drop", "-q")),
    "merge head": (G, "MERGE_HEAD", own("MERGE_HEAD", f"{'1' * 40}\n")),
    "bisect": (G, "BISECT_LOG", lambda repo: repo.git("bisect", "start")),
    "assume unchanged": (W, "g", lambda repo: repo.git("update-index", "--assume-unchanged", "g")),
    "assume unchanged and edit": (
        W, "g", lambda repo: (repo.git("update-index", "--assume-unchanged", "g"), repo.write(g="evil\n"))
    ),
    "skip": (W, "g", lambda repo: repo.git("update-index", "--skip-worktree", "g")),
    "no longer assumed": (W, "e", lambda repo: repo.git("update-index", "--no-assume-unchanged", "e")),
    "no longer skipped": (W, "f", lambda repo: repo.git("update-index", "--no-skip-worktree", "f")),
    "edit assumed": (drift.EDITED, "e", lambda repo: repo.write(e="evil\n")),
    "edit assumed alike": (drift.EDITED, "e", lambda repo: same_size(repo.root / "e")),
    "edit skipped": (drift.EDITED, "f", lambda repo: repo.write(f="evil\n")),
    "delete assumed": (drift.DELETED, "e", lambda repo: (repo.root / "e").unlink()),
    "delete skipped": (drift.DELETED, "f", lambda repo: (repo.root / "f").unlink()),
    "mode of skipped": (drift.MODE_CHANGED, "f", chmod("f", 0o755)),
    "submodule gone": (S, "sub", lambda repo: repo.git("submodule", "deinit", "-f", "sub")),
    "submodule moved": (drift.EDITED, "sub", inner("commit", "-q", "--allow-empty", "-m", "x")),
    "submodule edited": (drift.EDITED, "sub/lib", lambda repo: (repo.root / "sub" / "lib").write_text("2\n")),
    "submodule config": (C, "sub: core.fsmonitor", inner("config", "core.fsmonitor", "evil")),
    "submodule hook": (H, "sub: post-checkout", inner_hook),
    "submodule url": (drift.EDITED, ".gitmodules", lambda repo: repo.write(**{".gitmodules": "[submodule]\n"})),
    "work tree added": (T, "more", lambda repo: repo.git("worktree", "add", "-q", str(repo.root.parent / "more"))),
    "work tree removed": (
        T, "repo-beside", lambda repo: repo.git("worktree", "remove", str(repo.root.parent / "repo-beside"))
    ),
    "repository elsewhere": (drift.REPOSITORY_MOVED, ".git", relocate),
    "readable to all": (drift.MODE_CHANGED, "c", chmod("c", 0o666)),
    "readable to nobody else": (drift.MODE_CHANGED, "c", chmod("c", 0o600)),
    "set user id": (drift.MODE_CHANGED, "c", chmod("c", 0o4644)),
    "link elsewhere": (drift.EDITED, "link", relink("link", "/etc/passwd")),
    "new link elsewhere": (drift.EDITED, "new", relink("new", "a")),
    "a pipe in the place of a file": (
        drift.EDITED, "c", lambda repo: ((repo.root / "c").unlink(), os.mkfifo(repo.root / "c"))
    ),
    "ignored file edited": (drift.EVIDENCE_ALTERED, "x.local", lambda repo: repo.write(**{"x.local": "evil\n"})),
    "ignored file gone": (drift.EVIDENCE_MISSING, "x.local", lambda repo: (repo.root / "x.local").unlink()),
    "attributes of the project": (drift.APPEARED, ".gitattributes", lambda repo: repo.write(**{".gitattributes": "x"})),
    "ignore rules of the project": (drift.EDITED, ".gitignore", lambda repo: repo.write(**{".gitignore": "*\n"})),
}  # fmt: skip


def taken(workspace: DirectoryWorkspace) -> Snapshot:
    """As a packet keeps it: through JSON, with what the work named."""
    seen = workspace.snapshot(mentioned=["x.local", "a", "c", "new", "../out", "nothing", ":!x", "*", "-f"])
    return Snapshot.from_dict(json.loads(json.dumps(seen.as_dict())))


def found_after(repo: Repo, change: Change, open_: Open) -> list[tuple[str, str]]:
    workspace = open_(repo.root)
    packet = taken(workspace)
    change(repo)
    return [(each.kind, each.path) for each in since(workspace, packet).differences]


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("grown") / "repo").root.parent


@pytest.fixture
def repo(grown: Path, tmp_path: Path) -> Repo:
    """A copy, with every path in it put right."""
    place = tmp_path / "grown"
    shutil.copytree(grown, place, symlinks=True)
    for file in [*place.rglob("config"), *place.rglob("gitdir"), *place.glob("*/.git")]:
        if file.is_file():
            file.write_text(file.read_text().replace(str(grown), str(place)))
    copy = Repo.__new__(Repo)
    copy.root, copy.ran = place / "repo", place / "ran"
    return copy


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_is_named(name: str, repo: Repo, open_: Open) -> None:
    kind, path, change = CHANGES[name]
    assert (kind, path) in found_after(repo, change, open_)


def test_there_are_enough_kinds() -> None:
    assert len(CHANGES) + len(MUTATIONS) >= 100


def test_each_change_is_told_in_a_sentence(repo: Repo, open_: Open) -> None:
    workspace = open_(repo.root)
    packet = taken(workspace)
    for name in ("remote url", "fsmonitor", "hook added", "skip", "work tree added", "submodule config"):
        CHANGES[name][2](repo)
    assert since(workspace, packet).report().splitlines()[1:] == [
        "- The remote origin was at https://example.org/x.git and is at https://evil.example/x.",
        "- In git's configuration of this repository core.fsmonitor was added.",
        "- In git's configuration of this repository sub: core.fsmonitor was added.",
        "- The hook pre-commit was added.",
        "- Git no longer looks at changes of this file: g",
        "- Another work tree of this repository, more, was added.",
    ]


def test_credentials_are_neither_kept_nor_compared(repo: Repo, open_: Open) -> None:
    workspace = open_(repo.root)
    repo.git("config", "url.https://me:hunter2@example.org.insteadOf", "https://example.org")
    packet = taken(workspace)
    assert "hunter2" not in json.dumps(packet.as_dict())
    repo.git("config", "remote.origin.pushurl", "https://me:one@example.org")
    after = taken(workspace)
    repo.git("config", "remote.origin.pushurl", "https://me:other@example.org")
    assert not since(workspace, after)


@pytest.mark.parametrize("name", NASTY)
def test_nothing_is_named_where_nothing_changed(name: str, tmp_path: Path, open_: Open) -> None:
    """In every state a person leaves a repository in, after Baton's own work and git's own housekeeping."""
    repo = NASTY[name](tmp_path / "repo")
    repo.trap()
    workspace = open_(repo.root)
    packet = taken(workspace)
    assert since(workspace, packet).report() == drift.NOTHING
    workspace.checkpoint("m", SESSION)
    repo.git("status", check=False)
    repo.git("update-index", "-q", "--refresh", check=False)
    assert since(workspace, packet).report() == drift.NOTHING


def test_inside_a_bare_parent_and_outside_of_git_nothing_is_named(tmp_path: Path, open_: Open) -> None:
    bare = Repo(tmp_path / "seed")
    bare.commit(a="1\n")
    bare.git("clone", "--quiet", "--bare", str(bare.root), str(tmp_path / "bare.git"))
    bare.git("worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "tree", cwd=tmp_path / "bare.git")
    (tmp_path / "plain").mkdir()
    for place in (tmp_path / "tree", tmp_path / "plain", tmp_path / "bare.git"):
        packet = taken(open_(place))
        assert since(open_(place), packet).report() == drift.NOTHING


def test_a_packet_of_an_older_version_is_compared_as_before(repo: Repo, open_: Open) -> None:
    workspace = open_(repo.root)
    told = workspace.snapshot().as_dict()
    del told["repository"]["setup"]
    told["marks"] = [
        {name: held for name, held in mark.items() if name != "mode"}
        for mark in told["marks"]
        if mark["path"] not in ("e", "f")
    ]
    repo.git("config", "core.fsmonitor", "evil")
    assert since(workspace, Snapshot.from_dict(told)).report() == drift.NOTHING


def test_very_many_keys_and_files_stay_small_and_are_still_compared(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "repo")
    for number in range(1_500):
        (repo.root / f"f{number}").write_text("x")
    repo.commit()
    with (repo.root / ".git" / "config").open("a") as file:
        file.writelines(f'[branch "b{number}"]\n\tremote = origin\n' for number in range(500))
    repo.git("update-index", "--skip-worktree", *(f"f{number}" for number in range(1_400)))
    workspace = open_(repo.root)
    packet = workspace.snapshot()
    assert packet.facts.setup is not None
    assert len(packet.facts.setup) < 1_100
    repo.git("config", "branch.b7.remote", "evil")
    repo.git("update-index", "--no-skip-worktree", "f999")
    kinds = {each.kind for each in since(workspace, packet).differences}
    assert kinds >= {drift.CONFIG_CHANGED, drift.WATCH_CHANGED}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("place", ["info/exclude", "info/attributes", "hooks/pre-commit", "shallow", "logs/refs/stash"])
def test_a_pipe_in_gits_own_directory_hangs_nothing(tmp_path: Path, open_: Open, place: str) -> None:
    """Baton's own look at it; git itself may wait for a pipe, and then it is given up."""
    from baton.adapters.workspace import setup
    from baton.adapters.workspace.repository import find_repository

    repo = Repo(tmp_path / "repo")
    repo.commit(a="1\n")
    found = find_repository(str(repo.root))
    assert found is not None
    file = repo.root / ".git" / place
    file.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(file)
    before = time.monotonic()
    assert list(setup._hooks(found, found.directory))[:1] or list(setup._files(found.directory, [place]))
    assert time.monotonic() - before < 5
