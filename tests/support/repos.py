"""Real git repositories in every state that a person leaves one in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

HOOKS = (
    *("reference-transaction", "post-index-change", "pre-commit", "commit-msg", "post-commit", "post-checkout"),
    *("pre-auto-gc", "post-merge", "post-rewrite", "fsmonitor-watchman", "update", "post-update", "pre-push"),
)


class Repo:
    """A repository with a user who has a name, and hooks that would leave a trace in `ran`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ran = root.parent / f"{root.name}-ran"
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet")

    def git(self, *arguments: str, cwd: Path | None = None, check: bool = True) -> str:
        named = ("user.name=t", "user.email=t@example.org", "init.defaultBranch=main", "protocol.file.allow=always")
        options = [part for each in named for part in ("-c", each)]
        done = subprocess.run(
            ["git", *options, *arguments],
            cwd=cwd or self.root,
            check=check,
            capture_output=True,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_EDITOR": "true", "GIT_SEQUENCE_EDITOR": "true"},
        )
        return os.fsdecode(done.stdout).strip()

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.root / name).write_text(text)

    def commit(self, message: str = "work", **files: str) -> str:
        self.write(**files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def trap(self) -> None:
        """From here on any hook that runs leaves a trace."""
        hooks = Path(self.git("rev-parse", "--path-format=absolute", "--git-common-dir")) / "hooks"
        hooks.mkdir(exist_ok=True)
        for name in HOOKS:
            (hooks / name).write_text(f"#!/bin/sh\ntouch '{self.ran}'\n")
            (hooks / name).chmod(0o755)

    def fingerprint(self) -> dict[str, object]:
        """Everything of the user's: index, HEAD, refs, reflogs, stash, configuration, files with their times."""
        own = Path(self.git("rev-parse", "--absolute-git-dir"))
        common = Path(self.git("rev-parse", "--path-format=absolute", "--git-common-dir"))
        index = own / "index"
        refs = [line for line in self.git("for-each-ref").splitlines() if "refs/baton/" not in line]
        return {
            "index": (index.read_bytes(), index.stat().st_mtime_ns) if index.exists() else None,
            "head": (own / "HEAD").read_bytes(),
            "refs": refs,
            "reflogs": _contents(common / "logs") | _contents(own / "logs"),
            "stash": self.git("stash", "list"),
            "config": (common / "config").read_bytes(),
            "state": sorted(path.name for path in own.iterdir() if path.name not in ("objects", "refs", "baton")),
            "files": _files(self.root),
            "status": self.git("status", "--porcelain=v2", "--branch"),
            "hooks": self.ran.exists(),
        }


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _files(root: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for folder, folders, names in os.walk(os.fsencode(root)):
        folders[:] = [name for name in folders if name != b".git"]
        for name in names:
            path = os.path.join(folder, name)
            stat = os.lstat(path)
            content = os.readlink(path) if os.path.islink(path) else Path(os.fsdecode(path)).read_bytes()
            found[os.fsdecode(path)] = (stat.st_mode, stat.st_mtime_ns, content)
    return found


def dirty(root: Path) -> Repo:
    """One file staged, one staged and edited again, one edited, one deleted, one new."""
    repo = Repo(root)
    repo.commit(a="1\n", b="2\n", c="3\n", d="4\n")
    repo.write(a="staged\n", b="staged\n")
    repo.git("add", "a", "b")
    repo.write(b="again\n", c="edited\n", new="new\n")
    (root / "d").unlink()
    return repo


def stashed(root: Path) -> Repo:
    repo = Repo(root)
    repo.commit(a="1\n")
    repo.write(a="stashed\n")
    repo.git("stash", "push", "--quiet")
    repo.write(a="edited\n", new="new\n")
    return repo


def unborn(root: Path) -> Repo:
    repo = Repo(root)
    repo.write(a="1\n", b="2\n")
    repo.git("add", "a")
    return repo


def detached(root: Path) -> Repo:
    repo = Repo(root)
    first = repo.commit(a="1\n")
    repo.commit(a="2\n")
    repo.git("checkout", "--quiet", first)
    repo.write(a="edited\n")
    return repo


def _diverged(root: Path) -> Repo:
    repo = Repo(root)
    repo.commit(a="base\n", other="o\n")
    repo.git("checkout", "--quiet", "-b", "topic")
    repo.commit(a="topic\n")
    repo.git("checkout", "--quiet", "main")
    repo.commit(a="main\n")
    return repo


def merging(root: Path) -> Repo:
    repo = _diverged(root)
    repo.git("merge", "topic", check=False)
    repo.write(other="edited\n", new="new\n")
    return repo


def rebasing(root: Path) -> Repo:
    repo = _diverged(root)
    repo.git("rebase", "topic", check=False)
    repo.write(new="new\n")
    return repo


def picking(root: Path) -> Repo:
    repo = _diverged(root)
    repo.git("cherry-pick", "topic", check=False)
    return repo


def bisecting(root: Path) -> Repo:
    repo = Repo(root)
    first = repo.commit(a="1\n")
    repo.commit(a="2\n")
    repo.commit(a="3\n")
    repo.git("bisect", "start", "HEAD", first)
    repo.write(new="new\n")
    return repo


def worktree(root: Path) -> Repo:
    """A linked work tree, its main one beside it."""
    main = Repo(root.parent / f"{root.name}-main")
    main.commit(a="1\n")
    main.git("worktree", "add", "--quiet", "-b", "linked", str(root))
    repo = Repo.__new__(Repo)
    repo.root, repo.ran = root, main.ran
    repo.write(a="edited\n", new="new\n")
    return repo


def superproject(root: Path) -> Repo:
    """With a submodule that has a new commit, and changes of its own on top."""
    library = Repo(root.parent / f"{root.name}-library")
    library.commit(lib="1\n")
    repo = Repo(root)
    repo.commit(a="1\n")
    repo.git("submodule", "--quiet", "add", str(library.root), "sub")
    repo.git("commit", "--quiet", "--message", "sub")
    (root / "sub" / "lib").write_text("2\n")
    repo.git("commit", "--quiet", "--all", "--message", "moved", cwd=root / "sub")
    (root / "sub" / "lib").write_text("3\n")
    (root / "sub" / "new").write_text("new\n")
    repo.write(a="edited\n")
    return repo


def submodule(root: Path) -> Repo:
    """The inside of one."""
    outer = superproject(root.parent / f"{root.name}-outer")
    repo = Repo.__new__(Repo)
    repo.root, repo.ran = outer.root / "sub", outer.ran
    return repo


def odd_names(root: Path) -> Repo:
    repo = Repo(root)
    names = (
        b"new\nline",
        b'qu"ote',
        b"back\\slash",
        b" lead",
        b"trail ",
        b"caf\xc3\xa9",
        b"\xff\xfe",
        b"-f",
        b":!x",
        b"*",
        b"\x1b[31m",
    )
    for name in names:
        Path(os.fsdecode(os.path.join(os.fsencode(root), name))).write_text("1\n")
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--message", "odd")
    for name in names:
        Path(os.fsdecode(os.path.join(os.fsencode(root), name))).write_text("2\n")
        Path(os.fsdecode(os.path.join(os.fsencode(root), b"u" + name))).write_text("untracked\n")
    return repo


def links(root: Path) -> Repo:
    """Links tracked and new, a directory that became a link, an executable, and a repository inside."""
    repo = Repo(root)
    (root / "folder").mkdir()
    (root / "folder" / "f").write_text("1\n")
    (root / "link").symlink_to("a")
    repo.commit(a="1\n", tool="#!/bin/sh\n")
    (root / "link").unlink()
    (root / "link").symlink_to("/etc/passwd")
    (root / "folder" / "f").unlink()
    (root / "folder").rmdir()
    (root / "folder").symlink_to("/etc")
    (root / "dangling").symlink_to("nowhere")
    (root / "tool").chmod(0o755)
    inner = Repo(root / "inner")
    inner.commit(x="1\n")
    return repo


def reverting(root: Path) -> Repo:
    repo = _diverged(root)
    repo.commit(a="again\n")
    repo.git("revert", "HEAD~1", check=False)
    repo.write(new="new\n")
    return repo


def applying(root: Path) -> Repo:
    """In the middle of `git am`."""
    repo = _diverged(root)
    patch = repo.git("format-patch", "--stdout", "-1", "topic")
    (root.parent / f"{root.name}.patch").write_text(f"{patch}\n")
    repo.git("am", "--quiet", "--3way", str(root.parent / f"{root.name}.patch"), check=False)
    repo.write(new="new\n")
    return repo


def intended(root: Path) -> Repo:
    """A file that git was told of and nothing more."""
    repo = dirty(root)
    repo.write(later="later\n")
    repo.git("add", "--intent-to-add", "later")
    return repo


def assumed(root: Path) -> Repo:
    """Files that git was told not to look at."""
    repo = Repo(root)
    repo.commit(a="1\n", b="2\n", c="3\n")
    repo.git("update-index", "--assume-unchanged", "a")
    repo.git("update-index", "--skip-worktree", "b")
    repo.write(c="edited\n", new="new\n")
    return repo


def split_index(root: Path) -> Repo:
    repo = dirty(root)
    repo.git("update-index", "--split-index")
    repo.write(c="more\n")
    return repo


def index_version_4(root: Path) -> Repo:
    repo = dirty(root)
    repo.git("update-index", "--index-version", "4")
    return repo


def untracked_cache(root: Path) -> Repo:
    repo = dirty(root)
    repo.git("update-index", "--untracked-cache")
    return repo


def shallow(root: Path) -> Repo:
    origin = Repo(root.parent / f"{root.name}-origin")
    origin.commit(a="1\n")
    origin.commit(a="2\n")
    origin.git("clone", "--quiet", "--depth", "1", f"file://{origin.root}", str(root))
    repo = Repo.__new__(Repo)
    repo.root, repo.ran = root, origin.ran
    repo.write(a="edited\n", new="new\n")
    return repo


def packed(root: Path) -> Repo:
    repo = dirty(root)
    repo.git("tag", "one")
    repo.git("gc", "--quiet")
    repo.git("pack-refs", "--all")
    repo.write(c="more\n")
    return repo


def line_ends(root: Path) -> Repo:
    repo = Repo(root)
    repo.git("config", "core.autocrlf", "true")
    repo.commit(a="1\r\n2\r\n", **{".gitattributes": "*.txt text eol=crlf\n"})
    repo.write(a="1\r\n3\n", **{"b.txt": "x\r\ny\n"})
    return repo


def swapped(root: Path) -> Repo:
    """A file that became a directory, and the reverse."""
    repo = Repo(root)
    (root / "folder").mkdir()
    (root / "folder" / "f").write_text("1\n")
    repo.commit(a="1\n")
    (root / "a").unlink()
    (root / "a").mkdir()
    (root / "a" / "inside").write_text("2\n")
    (root / "folder" / "f").unlink()
    (root / "folder").rmdir()
    repo.write(folder="3\n")
    return repo


def renamed(root: Path) -> Repo:
    repo = Repo(root)
    repo.commit(a="1\n" * 20, b="2\n" * 20)
    repo.git("mv", "a", "A2")
    repo.git("mv", "b", "B")
    repo.write(B="2\n" * 19)
    return repo


def emptied(root: Path) -> Repo:
    """Everything staged for deletion, and empty folders."""
    repo = Repo(root)
    repo.commit(a="1\n", b="2\n")
    repo.git("rm", "--quiet", "--cached", "-r", ".")
    (root / "empty" / "deeper").mkdir(parents=True)
    return repo


def orphaned(root: Path) -> Repo:
    repo = Repo(root)
    repo.commit(a="1\n")
    repo.git("checkout", "--quiet", "--orphan", "fresh")
    repo.write(a="2\n", new="new\n")
    return repo


def locked_index(root: Path) -> Repo:
    """Another git died and left its lock."""
    repo = dirty(root)
    (root / ".git" / "index.lock").write_bytes(b"")
    return repo


def apart(root: Path) -> Repo:
    """The repository lies elsewhere; `.git` is a file."""
    repo = Repo.__new__(Repo)
    repo.root, repo.ran = root, root.parent / f"{root.name}-ran"
    root.mkdir(parents=True)
    repo.git("init", "--quiet", "--separate-git-dir", str(root.parent / f"{root.name}-git"))
    repo.commit(a="1\n")
    repo.write(a="edited\n", new="new\n")
    return repo


def modes_ignored(root: Path) -> Repo:
    repo = Repo(root)
    repo.commit(a="1\n", tool="#!/bin/sh\n")
    repo.git("config", "core.fileMode", "false")
    repo.write(a="edited\n")
    return repo


def deep(root: Path) -> Repo:
    repo = Repo(root)
    repo.commit(a="1\n")
    below = root.joinpath(*(f"level{number}" for number in range(60)))
    below.mkdir(parents=True)
    (below / "leaf").write_text("leaf\n")
    for number in range(300):
        (root / f"file{number}").write_text(f"{number}\n")
    return repo


SITUATIONS = {
    each.__name__: each
    for each in (
        *(dirty, stashed, unborn, detached, merging, rebasing, picking, bisecting, worktree, superproject, submodule),
        *(odd_names, links),
    )
}
OPERATIONS = {"merging": "merge", "rebasing": "rebase", "picking": "cherry-pick", "bisecting": "bisect"}
NASTY = SITUATIONS | {
    each.__name__: each
    for each in (
        *(reverting, applying, intended, assumed, split_index, index_version_4, untracked_cache, shallow, packed),
        *(line_ends, swapped, renamed, emptied, orphaned, locked_index, apart, modes_ignored, deep),
    )
}
"""Every state a checkpoint has to cope with."""
