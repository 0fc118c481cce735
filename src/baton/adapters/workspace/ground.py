"""What checkpoints are made of and kept in: a repository's work tree, or a directory outside of any.

A directory's checkpoints are in a bare repository below Baton's home, where the workspace cannot prepare it.
"""

from __future__ import annotations

import os
import threading
from hashlib import sha256

from baton.adapters.tools.files.tree import walk
from baton.adapters.workspace.filters import filtered
from baton.adapters.workspace.git import Git, GitFailed
from baton.adapters.workspace.reading import Reading, read
from baton.adapters.workspace.repository import Repository, program, repository
from baton.core.handoff.workspace import RepoFacts
from baton.core.paths import is_batons
from baton.core.value import value

MOST = 5_000


@value
class Ground:
    """`changed` and `untracked` are the files that a checkpoint is about; `through` names filters of some of them."""

    git: Git
    facts: RepoFacts
    changed: tuple[str, ...]
    untracked: frozenset[str]
    submodules: tuple[str, ...]
    through: dict[str, str]
    filters: frozenset[str]


def of_repository(found: Repository) -> Ground:
    """Raises `GitFailed`."""
    said: Reading = read(found)
    every = (*said.changed, *said.untracked)
    through = filtered(found.git, found.settings.filters, every)
    return Ground(
        found.git, said.facts, every, frozenset(said.untracked), said.submodules, through, found.settings.filters
    )


def of_directory(root: str, home: str, facts: RepoFacts, names: tuple[str, ...]) -> Ground:
    """Raises `GitFailed`."""
    return Ground(own(root, home), facts, names, frozenset(names), (), {}, frozenset())


def plain_facts(root: str, problem: str = "") -> tuple[RepoFacts, tuple[str, ...]]:
    """A directory without git, and its files as far as they are looked at; sorted."""
    found = walk(root, threading.Event())
    names = sorted(name for name in found.names if not name.endswith("/") and not is_batons(name))
    truncated = not found.complete or len(names) > MOST
    return RepoFacts(root=root, is_git=False, truncated=truncated, problem=problem), tuple(names[:MOST])


def own(root: str, home: str) -> Git:
    """The repository of Baton's own for this directory; made when it is first needed, readable for the user alone."""
    above = os.path.join(home, "checkpoints")
    place = os.path.join(above, f"{sha256(os.fsencode(root)).hexdigest()[:32]}.git")
    for each in (home, above):
        os.makedirs(each, mode=0o700, exist_ok=True)
    git = Git(program(root), above, {"GIT_DIR": place})
    if not os.path.isdir(place):
        os.mkdir(place, 0o700)
    if not os.path.exists(os.path.join(place, "HEAD")):
        git.run("init", "--quiet", "--bare", "--template=")
    return git


def commit_of(top: str, path: str) -> str:
    """What a repository inside a work tree is at; an empty string if that cannot be said."""
    place = os.path.join(top, path)
    try:
        found = repository(place)
        if found is None or found.top != place:
            return ""
        said = found.git.attempt("rev-parse", "--verify", "--quiet", "HEAD")
    except GitFailed:
        return ""
    return said.out.decode().strip() if said.exit == 0 else ""
