"""What checkpoints are made of and where they are kept: a repository's work tree, or a directory outside any.

A directory's checkpoints are in a bare repository below Baton's home, where the workspace cannot tamper with it.
"""

from __future__ import annotations

import os
import threading
from hashlib import sha256

from baton.adapters.files.tree import walk
from baton.adapters.workspace.facts import RepositoryState, read_repository
from baton.adapters.workspace.git import Git, GitFailed
from baton.adapters.workspace.repository import Repository, find_filters, find_repository, git_program
from baton.core.handoff.workspace import RepoFacts
from baton.core.paths import is_batons
from baton.core.value import value

MOST = 5_000


@value
class CheckpointSource:
    """`changed` and `untracked` are the files that a checkpoint is about; `filter_of` names the filters of some."""

    git: Git
    facts: RepoFacts
    changed: tuple[str, ...]
    untracked: frozenset[str]
    submodules: tuple[str, ...]
    filter_of: dict[str, str]
    filters: frozenset[str]

    def tracked(self) -> list[str] | None:
        """Every file that git knows, unless there are too many to look at each; none outside of a repository. Raises
        `GitFailed`.
        """
        said = self.git.run("ls-files", "-z") if self.facts.is_git else b""
        return None if said.count(b"\0") > MOST else [os.fsdecode(path) for path in said.split(b"\0") if path]


def repository_source(found: Repository) -> CheckpointSource:
    """Raises `GitFailed`."""
    said: RepositoryState = read_repository(found)
    every = (*said.changed, *said.untracked)
    filter_of = find_filters(found.git, found.settings.filters, every)
    return CheckpointSource(
        found.git, said.facts, every, frozenset(said.untracked), said.submodules, filter_of, found.settings.filters
    )


def directory_source(root: str, home: str, facts: RepoFacts, names: tuple[str, ...]) -> CheckpointSource:
    """Raises `GitFailed`."""
    return CheckpointSource(own_repository(root, home), facts, names, frozenset(names), (), {}, frozenset())


def plain_facts(root: str, problem: str = "") -> tuple[RepoFacts, tuple[str, ...]]:
    """A directory without git, and its first files, sorted."""
    found = walk(root, threading.Event())
    names = sorted(name for name in found.names if not name.endswith("/") and not is_batons(name))
    truncated = not found.complete or len(names) > MOST
    return RepoFacts(root=root, is_git=False, truncated=truncated, problem=problem), tuple(names[:MOST])


def own_repository(root: str, home: str) -> Git:
    """Baton's own repository for this directory; made when first needed, readable only by the user."""
    above = os.path.join(home, "checkpoints")
    place = os.path.join(above, f"{sha256(os.fsencode(root)).hexdigest()[:32]}.git")
    for each in (home, above):
        os.makedirs(each, mode=0o700, exist_ok=True)
    git = Git(git_program(root), above, {"GIT_DIR": place})
    if not os.path.isdir(place):
        os.mkdir(place, 0o700)
    if not os.path.exists(os.path.join(place, "HEAD")):
        git.run("init", "--quiet", "--bare", "--template=")
    return git


def commit_of(top: str, path: str) -> str:
    """The commit that a repository inside a work tree is at; an empty string if that is unknown."""
    place = os.path.join(top, path)
    try:
        found = find_repository(place)
        if found is None or found.top != place:
            return ""
        said = found.git.attempt("rev-parse", "--verify", "--quiet", "HEAD")
    except GitFailed:
        return ""
    return said.out.decode().strip() if said.exit == 0 else ""
