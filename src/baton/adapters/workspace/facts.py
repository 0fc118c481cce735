"""The facts of a repository, read in a handful of git calls."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256

from baton.adapters.workspace import marks
from baton.adapters.workspace.git import Git, GitFailed
from baton.adapters.workspace.repository import (
    LARGE_FILES,
    Repository,
    find_filters,
    find_repository,
    is_what_the_pointer_says,
    without_credentials,
)
from baton.adapters.workspace.setup import read_inner_setup, read_setup
from baton.core.display import one_line
from baton.core.handoff.workspace import Commit, Remote, RepoFacts
from baton.core.paths import is_batons
from baton.core.value import replace, value

MOST = 5_000
COMMITS = 10
SUBMODULES = 64
_POINTERS = 1_000
_DEPTH = 3
_SUBJECT = 200
_OPERATIONS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("sequencer", "cherry-pick or revert"),
    ("BISECT_LOG", "bisect"),
)
COMMAND = (
    *("status", "--porcelain=v2", "-z", "--branch", "--ahead-behind", "--untracked-files=all"),
    *("--ignore-submodules=dirty", "--no-renames"),
)
_SUBMODULE = "160000"


@value
class RepositoryState:
    """The facts, and beyond their limits: all changed and untracked files, and submodules with changes inside."""

    facts: RepoFacts
    changed: tuple[str, ...]
    untracked: tuple[str, ...]
    submodules: tuple[str, ...]


def read_repository(found: Repository) -> RepositoryState:
    """Raises `GitFailed`."""
    said = _without_unchanged_lfs(found, read_status(found.git))
    modules = list(_modules(found, _DEPTH))
    inside = list(_inside(modules))
    unstaged = sorted({each.path for each in said.changed if each.unstaged} | {path for _, path in inside})
    untracked = sorted(said.untracked)
    facts = RepoFacts(
        root=found.top,
        is_git=True,
        branch=said.branch,
        head=said.head,
        operation=_operation(found.directory),
        upstream=said.upstream,
        ahead=said.ahead,
        behind=said.behind,
        staged=tuple(sorted(each.path for each in said.changed if each.staged)[:MOST]),
        unstaged=tuple(unstaged[:MOST]),
        untracked=tuple(untracked[:MOST]),
        conflicted=tuple(sorted(each.path for each in said.changed if each.conflicted)[:MOST]),
        stage=said.stage,
        commits=_commits(found) if said.head else (),
        remotes=tuple(Remote(name, without_credentials(url)) for name, url in found.settings.remotes),
        truncated=max(len(untracked), len(unstaged), len(said.changed)) > MOST,
        setup=(*read_setup(found), *(each for path, inner in modules for each in read_inner_setup(path, inner))),
    )
    changed = tuple(sorted(each.path for each in said.changed))
    return RepositoryState(facts, changed, tuple(untracked), tuple(sorted({module for module, _ in inside})))


def _operation(directory: str) -> str:
    return next((name for file, name in _OPERATIONS if os.path.lexists(os.path.join(directory, file))), "")


def _commits(found: Repository) -> tuple[Commit, ...]:
    asked = ("rev-list", f"--max-count={COMMITS}", "--encoding=UTF-8", "--format=%H %ct %s", "HEAD", "--")
    lines = found.git.run(*asked).decode(errors="replace").split("\n")
    told = [line.split(" ", 2) for line in lines if line and not line.startswith("commit ")]
    return tuple(Commit(sha, one_line(subject, _SUBJECT), int(at)) for sha, at, subject in told)


def _without_unchanged_lfs(found: Repository, said: Status) -> Status:
    """Leaves out git-lfs files that only look changed because the filter, which would know, was not run."""
    asked = [each for each in said.changed if each.unstaged and not each.is_submodule][:_POINTERS]
    through = find_filters(found.git, found.settings.filters, (each.path for each in asked))
    same = {each for each in asked if through.get(each.path) == LARGE_FILES and _is_unchanged(found, each)}
    changed = tuple(replace(each, unstaged=each.unstaged and each not in same) for each in said.changed)
    return replace(said, changed=tuple(each for each in changed if each.staged or each.unstaged or each.conflicted))


def _is_unchanged(found: Repository, changed: ChangedFile) -> bool:
    pointer = found.git.attempt("cat-file", "blob", changed.blob)
    try:
        content = marks.read_content(found.top, changed.path, marks.FILE_CAP).data
    except OSError:
        return False
    return pointer.exit == 0 and content is not None and is_what_the_pointer_says(pointer.out, content)


def _inside(modules: Iterable[tuple[str, Repository]]) -> Iterator[tuple[str, str]]:
    """Files changed inside submodules, each with its submodule. git itself would run what the submodule configures."""
    outer: list[str] = []
    for path, inner in modules:
        outer = [each for each in outer if path.startswith(f"{each}/")][:1] or [path]
        try:
            said = read_status(inner.git)
        except GitFailed:
            continue
        for name in {*(each.path for each in said.changed), *said.untracked}:
            yield outer[0], f"{path}/{name}"


def _modules(found: Repository, depth: int, above: str = "") -> Iterator[tuple[str, Repository]]:
    """The submodules that are checked out, each before those inside it."""
    for path in _submodules(found) if depth else ():
        try:
            inner = find_repository(os.path.join(found.top, path))
            if inner is None or inner.top != os.path.join(found.top, path):
                continue
            yield f"{above}{path}", inner
            yield from _modules(inner, depth - 1, f"{above}{path}/")
        except GitFailed:
            continue


def _submodules(found: Repository) -> list[str]:
    """Those that are checked out. Without `.gitmodules` git itself would report none."""
    if not os.path.lexists(os.path.join(found.top, ".gitmodules")):
        return []
    staged = found.git.run("ls-files", "--stage", "-z").split(b"\0")
    paths = (os.fsdecode(line.partition(b"\t")[2]) for line in staged if line.startswith(b"160000 "))
    return [path for path in paths if os.path.lexists(os.path.join(found.top, path, ".git"))][:SUBMODULES]


@value
class ChangedFile:
    """A tracked file: whether it is staged or unstaged, its mode in the work tree and its blob in the index."""

    path: str
    staged: bool
    unstaged: bool
    conflicted: bool
    mode: str
    blob: str

    @property
    def is_submodule(self) -> bool:
        return self.mode == _SUBMODULE


@value
class Status:
    branch: str
    head: str
    upstream: str
    ahead: int | None
    behind: int | None
    stage: str
    changed: tuple[ChangedFile, ...]
    untracked: tuple[str, ...]


def read_status(git: Git) -> Status:
    """Raises `GitFailed`. Files that Baton keeps are not mentioned unless they are tracked."""
    items = iter(os.fsdecode(item) for item in git.run(*COMMAND).split(b"\0") if item)
    header: dict[str, str] = {}
    changed: list[ChangedFile] = []
    untracked: list[str] = []
    stage = sha256()
    for item in items:
        if item.startswith("# "):
            name, _, held = item[2:].partition(" ")
            header[name] = held
        elif item.startswith("? "):
            untracked.append(item[2:].rstrip("/"))
        elif found := _parse_change(item, items):
            changed.append(found[0])
            if found[0].staged or found[0].conflicted:
                stage.update(f"{found[1]}\0".encode("utf-8", "surrogateescape"))
    ahead, behind = _distance(header.get("branch.ab", ""))
    branch, head = header.get("branch.head", ""), header.get("branch.oid", "")
    return Status(
        branch="" if branch == "(detached)" else branch,
        head="" if head == "(initial)" else head,
        upstream=header.get("branch.upstream", ""),
        ahead=ahead,
        behind=behind,
        stage=stage.hexdigest() if any(each.staged or each.conflicted for each in changed) else "",
        changed=tuple(changed),
        untracked=tuple(path for path in untracked if not is_batons(path)),
    )


def _parse_change(item: str, following: Iterator[str]) -> tuple[ChangedFile, str] | None:
    """One line, and the part of it that identifies the content of the index."""
    if item[:2] == "1 ":
        _, state, _, _, mode, worktree, _, blob, path = item.split(" ", 8)
        index = f"{mode} {blob} {path}"
    elif item[:2] == "2 ":
        _, state, _, _, mode, worktree, _, blob, _, path = item.split(" ", 9)
        index = f"{mode} {blob} {path} {next(following)}"
    elif item[:2] == "u ":
        _, state, _, *stages, path = item.split(" ", 10)
        worktree, blob, index = stages[3], "", f"{' '.join(stages[:3] + stages[4:])} {path}"
        return ChangedFile(path, False, False, True, worktree, blob), f"{state} {index}"
    else:
        return None
    return ChangedFile(path, state[0] != ".", state[1] != ".", False, worktree, blob), index


def _distance(text: str) -> tuple[int | None, int | None]:
    ahead, _, behind = text.partition(" ")
    return (int(ahead), -int(behind)) if ahead and behind else (None, None)
