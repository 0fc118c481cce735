"""The facts of a repository, read in a handful of git calls."""

from __future__ import annotations

import os
from collections.abc import Iterator

from baton.adapters.workspace import marks
from baton.adapters.workspace.filters import LARGE_FILES, filtered, is_what_the_pointer_says
from baton.adapters.workspace.git import GitFailed
from baton.adapters.workspace.remotes import without_credentials
from baton.adapters.workspace.repository import Repository, repository
from baton.adapters.workspace.status import Changed, Status, status
from baton.core.display import one_line
from baton.core.handoff.workspace import Commit, Remote, RepoFacts
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


@value
class Reading:
    """The facts, and without their limits: changed and untracked files, and submodules with changes inside."""

    facts: RepoFacts
    changed: tuple[str, ...]
    untracked: tuple[str, ...]
    submodules: tuple[str, ...]


def read(found: Repository) -> Reading:
    """Raises `GitFailed`."""
    said = _settled(found, status(found.git))
    inside = list(_inside(found, _DEPTH))
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
    )
    changed = tuple(sorted(each.path for each in said.changed))
    return Reading(facts, changed, tuple(untracked), tuple(sorted({module for module, _ in inside})))


def _operation(directory: str) -> str:
    return next((name for file, name in _OPERATIONS if os.path.lexists(os.path.join(directory, file))), "")


def _commits(found: Repository) -> tuple[Commit, ...]:
    asked = ("rev-list", f"--max-count={COMMITS}", "--encoding=UTF-8", "--format=%H %ct %s", "HEAD", "--")
    lines = found.git.run(*asked).decode(errors="replace").split("\n")
    told = [line.split(" ", 2) for line in lines if line and not line.startswith("commit ")]
    return tuple(Commit(sha, one_line(subject, _SUBJECT), int(at)) for sha, at, subject in told)


def _settled(found: Repository, said: Status) -> Status:
    """Without files of git-lfs that only look changed because the filter, which would know, was not run."""
    asked = [each for each in said.changed if each.unstaged and not each.is_submodule][:_POINTERS]
    through = filtered(found.git, found.settings.filters, (each.path for each in asked))
    same = {each for each in asked if through.get(each.path) == LARGE_FILES and _is_unchanged(found, each)}
    changed = tuple(replace(each, unstaged=each.unstaged and each not in same) for each in said.changed)
    return replace(said, changed=tuple(each for each in changed if each.staged or each.unstaged or each.conflicted))


def _is_unchanged(found: Repository, changed: Changed) -> bool:
    pointer = found.git.attempt("cat-file", "blob", changed.blob)
    try:
        content = marks.held(found.top, changed.path, marks.FILE_CAP).data
    except OSError:
        return False
    return pointer.exit == 0 and content is not None and is_what_the_pointer_says(pointer.out, content)


def _inside(found: Repository, depth: int) -> Iterator[tuple[str, str]]:
    """Files changed inside submodules, each with its submodule. git itself would run what the submodule configures."""
    for path in _submodules(found) if depth else ():
        try:
            inner = repository(os.path.join(found.top, path))
            if inner is None or inner.top != os.path.join(found.top, path):
                continue
            said = status(inner.git)
            below = [deeper for _, deeper in _inside(inner, depth - 1)]
        except GitFailed:
            continue
        for name in {*(each.path for each in said.changed), *said.untracked, *below}:
            yield path, f"{path}/{name}"


def _submodules(found: Repository) -> list[str]:
    """Those that are checked out. Without `.gitmodules` there are none that git would speak of."""
    if not os.path.lexists(os.path.join(found.top, ".gitmodules")):
        return []
    staged = found.git.run("ls-files", "--stage", "-z").split(b"\0")
    paths = (os.fsdecode(line.partition(b"\t")[2]) for line in staged if line.startswith(b"160000 "))
    return [path for path in paths if os.path.lexists(os.path.join(found.top, path, ".git"))][:SUBMODULES]
