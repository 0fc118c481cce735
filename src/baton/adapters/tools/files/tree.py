"""Which files are below a directory: what git knows of, or what is there."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

from baton.adapters.tools.files import opening
from baton.adapters.tools.running.collect import collect
from baton.adapters.tools.running.programs import GIT_INERT, find
from baton.adapters.tools.settled import settled
from baton.adapters.tools.workspace import Target, Workspace
from baton.core.value import value

MOST = 50_000
_SECONDS = 5.0
_BYTES = 8 * 1024 * 1024
LISTING = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
"""How git is asked for the files below a directory."""

_SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv"})


@value
class Tree:
    """Names relative to the directory; one of an empty or a skipped directory ends with a slash."""

    names: list[str]
    complete: bool


async def tree(workspace: Workspace, directory: Target) -> Tree:
    """Inside a repository its ignore rules hold, unless all of the directory is ignored. No link is followed.

    Raises `OSError`.
    """
    known = await _from_git(workspace, directory.real)
    if known and known.names:
        return known
    stop = threading.Event()
    return await settled(lambda: walk(directory.real, stop), stop)


async def _from_git(workspace: Workspace, real: str) -> Tree | None:
    git = find("git", workspace)
    if git is None or not _in_repository(real):
        return None
    argv = [git, *GIT_INERT, *LISTING]
    said = await collect(argv, cwd=real, seconds=_SECONDS, cap=_BYTES)
    if said.exit != 0 and not said.cut:
        return None
    names = [os.fsdecode(name) for name in said.data.split(b"\0")[: MOST + 1] if name]
    kept = [name for name in names[:MOST] if not name.startswith(("../", "/"))]
    return Tree(kept, not said.cut and len(names) <= MOST)


def _in_repository(real: str) -> bool:
    while not os.path.lexists(os.path.join(real, ".git")):
        above = os.path.dirname(real)
        if above == real:
            return False
        real = above
    return True


def walk(real: str, stop: threading.Event) -> Tree:
    """What is there, within limits of number and time. No link is followed."""
    names: list[str] = []
    waiting, deadline = [""], time.monotonic() + _SECONDS
    while waiting:
        below = waiting.pop()
        before = len(names) + len(waiting)
        for name, is_directory in _entries(os.path.join(real, below)):
            path = os.path.join(below, name)
            if is_directory and name not in _SKIPPED:
                waiting.append(path)
            else:
                names.append(f"{path}/" if is_directory else path)
        if below and len(names) + len(waiting) == before:
            names.append(f"{below}/")
        if len(names) > MOST or time.monotonic() > deadline or stop.is_set():
            return Tree(names[:MOST], complete=False)
    return Tree(names, complete=True)


def _entries(real: str) -> Iterator[tuple[str, bool]]:
    try:
        with opening.directory(real) as parent:
            descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
        try:
            with os.scandir(descriptor) as found:
                entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
        finally:
            os.close(descriptor)
    except OSError:
        return
    yield from entries
