"""What git knows of a workspace, asked so that the repository can run nothing.

A repository's own configuration names programs: hooks, monitors, filters, remote helpers. Reading its state needs none
of them, so each is switched off for every command that is run here.
"""

from __future__ import annotations

import os
import threading

from baton.adapters.files.command_environment import environment
from baton.adapters.files.programs import GIT_INERT, find_program, run_briefly, without_filters
from baton.adapters.files.tree import MOST as MOST_NAMES
from baton.adapters.files.tree import Tree, repository_top, walk
from baton.adapters.files.workspace import Target, Workspace
from baton.adapters.tools.processes.process import collect
from baton.engine.aio import finish_in_thread

MOST = 20_000
_SECONDS = 5.0
_FILTERS = ("config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$")
_STATUS = ("status", "--porcelain=v2", "--branch", "--ignore-submodules=all", "-z")
_CHANGED = ("1 ", "2 ", "u ", "? ")
_LISTING = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
_LISTING_BYTES = 8 * 1024 * 1024


def branch(workspace: Workspace) -> str:
    """`main (2 files changed)`, or an empty string outside a repository. Blocks for a moment."""
    said = _git(workspace, _STATUS, _without_filters(workspace))
    parts = os.fsdecode(said or b"").split("\0")
    name = next((part.removeprefix("# branch.head ") for part in parts if part.startswith("# branch.head ")), "")
    changed = sum(part.startswith(_CHANGED) for part in parts)
    return f"{name} ({changed} file{'s' if changed != 1 else ''} changed)" if changed else name


def files(workspace: Workspace) -> list[str]:
    """Files a person would name, relative to the workspace: those git knows or would add, else a bounded walk."""
    said = _git(workspace, _LISTING, {})
    if said is None:
        names = walk(workspace.root, threading.Event()).names
    else:
        names = [os.fsdecode(name) for name in said.split(b"\0") if name]
    return [name for name in names if not name.endswith("/")][:MOST]


async def tree(workspace: Workspace, directory: Target) -> Tree:
    """What is below a directory. Inside a repository its ignore rules hold, unless all of the directory is ignored. No
    link is followed.

    Raises `OSError`.
    """
    known = await _known_tree(workspace, directory.real)
    if known and known.names:
        return known
    stop = threading.Event()
    return await finish_in_thread(lambda: walk(directory.real, stop), stop)


async def _known_tree(workspace: Workspace, real: str) -> Tree | None:
    program = find_program("git", workspace)
    if program is None or repository_top(real) is None:
        return None
    argv = [program, *GIT_INERT, *_LISTING]
    said = await collect(argv, cwd=real, seconds=_SECONDS, cap=_LISTING_BYTES, may_wait=False)
    if said.exit != 0 and not said.cut:
        return None
    names = [os.fsdecode(name) for name in said.data.split(b"\0")[: MOST_NAMES + 1] if name]
    kept = [name for name in names[:MOST_NAMES] if not name.startswith(("../", "/"))]
    return Tree(kept, not said.cut and len(names) <= MOST_NAMES)


def _without_filters(workspace: Workspace) -> dict[str, str]:
    """The environment that switches off every filter the configuration names: comparing files would run them."""
    named = os.fsdecode(_git(workspace, _FILTERS, {}) or b"").split("\0")
    return without_filters([name for name in dict.fromkeys(named) if name])


def _git(workspace: Workspace, arguments: tuple[str, ...], given: dict[str, str]) -> bytes | None:
    """What git said, or None if it is missing, refuses or takes too long."""
    program = find_program("git", workspace)
    if program is None:
        return None
    environ = environment(os.environ) | {"LC_ALL": "C.UTF-8", "GIT_NO_LAZY_FETCH": "1"} | given
    return run_briefly([program, *GIT_INERT, *arguments], cwd=workspace.root, env=environ, seconds=_SECONDS)
