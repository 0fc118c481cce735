"""Where a workspace's repository is, found so that its configuration cannot lead elsewhere."""

from __future__ import annotations

import os

from baton.adapters.tools.running.programs import find
from baton.adapters.tools.workspace import Workspace
from baton.adapters.workspace.filters import Settings, settings
from baton.adapters.workspace.git import Git, GitFailed
from baton.core.value import value

MISSING = "git is not installed"
ELSEWHERE = "the repository names another directory as its work tree"


@value
class Repository:
    """`top` is the real path of the work tree's top, `directory` git's own for it. `git` runs there without filters."""

    top: str
    directory: str
    git: Git
    settings: Settings


def beginning(path: str) -> str | None:
    """The nearest directory above, or `path` itself, that has a `.git`."""
    while not os.path.lexists(os.path.join(path, ".git")):
        above = os.path.dirname(path)
        if above == path:
            return None
        path = above
    return path


def repository(root: str) -> Repository | None:
    """The repository that the directory `root` is in, if any. `GitFailed` when there is one that cannot be used."""
    top = beginning(root)
    if top is None:
        return None
    git = Git(program(top), top)
    said = os.fsdecode(git.run("rev-parse", "--show-toplevel", "--absolute-git-dir")).removesuffix("\n")
    if not said.startswith(f"{top}\n"):
        raise GitFailed(ELSEWHERE)
    found = settings(git)
    return Repository(top, said.removeprefix(f"{top}\n"), found.without_filters(git), found)


def program(root: str) -> str:
    """git's path. Raises `GitFailed` where there is none outside of the workspace."""
    found = find("git", Workspace(root))
    if found is None:
        raise GitFailed(MISSING)
    return found
