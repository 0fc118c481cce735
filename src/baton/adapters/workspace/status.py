"""What `git status` says, taken apart."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256

from baton.adapters.workspace.git import Git
from baton.core.paths import is_batons
from baton.core.value import value

COMMAND = (
    *("status", "--porcelain=v2", "-z", "--branch", "--ahead-behind", "--untracked-files=all"),
    *("--ignore-submodules=dirty", "--no-renames"),
)
_SUBMODULE = "160000"


@value
class Changed:
    """A tracked file: what of it is staged and unstaged, its mode in the work tree and its blob in the index."""

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
    changed: tuple[Changed, ...]
    untracked: tuple[str, ...]


def status(git: Git) -> Status:
    """Raises `GitFailed`. Files that Baton keeps are not mentioned unless they are tracked."""
    items = iter(os.fsdecode(item) for item in git.run(*COMMAND).split(b"\0") if item)
    header: dict[str, str] = {}
    changed: list[Changed] = []
    untracked: list[str] = []
    stage = sha256()
    for item in items:
        if item.startswith("# "):
            name, _, held = item[2:].partition(" ")
            header[name] = held
        elif item.startswith("? "):
            untracked.append(item[2:].rstrip("/"))
        elif found := _changed(item, items):
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


def _changed(item: str, following: Iterator[str]) -> tuple[Changed, str] | None:
    """One line, and what of it tells the content of the index."""
    if item[:2] == "1 ":
        _, state, _, _, mode, worktree, _, blob, path = item.split(" ", 8)
        index = f"{mode} {blob} {path}"
    elif item[:2] == "2 ":
        _, state, _, _, mode, worktree, _, blob, _, path = item.split(" ", 9)
        index = f"{mode} {blob} {path} {next(following)}"
    elif item[:2] == "u ":
        _, state, _, *stages, path = item.split(" ", 10)
        worktree, blob, index = stages[3], "", f"{' '.join(stages[:3] + stages[4:])} {path}"
        return Changed(path, False, False, True, worktree, blob), f"{state} {index}"
    else:
        return None
    return Changed(path, state[0] != ".", state[1] != ".", False, worktree, blob), index


def _distance(text: str) -> tuple[int | None, int | None]:
    ahead, _, behind = text.partition(" ")
    return (int(ahead), -int(behind)) if ahead and behind else (None, None)
