"""What git knows of a workspace: asked in a way that lets the repository run nothing.

A repository's own configuration names programs: hooks, monitors, filters, remote helpers. Reading its state needs none
of them, so each is switched off for the one command that is run here.
"""

from __future__ import annotations

import os
import subprocess
import threading

from baton.adapters.tools.files.tree import LISTING, walk
from baton.adapters.tools.running.programs import GIT_INERT, environment, find, without_filters
from baton.adapters.tools.workspace import Workspace

MOST = 20_000
_SECONDS = 5.0
_FILTERS = ("config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$")
_STATUS = ("status", "--porcelain=v2", "--branch", "--ignore-submodules=all", "-z")
_CHANGED = ("1 ", "2 ", "u ", "? ")


def branch(workspace: Workspace) -> str:
    """`main (2 files changed)`, or an empty string outside a repository. Blocks for a moment."""
    said = _git(workspace, _STATUS, _without_filters(workspace))
    parts = os.fsdecode(said or b"").split("\0")
    name = next((part.removeprefix("# branch.head ") for part in parts if part.startswith("# branch.head ")), "")
    changed = sum(part.startswith(_CHANGED) for part in parts)
    return f"{name} ({changed} file{'s' if changed != 1 else ''} changed)" if changed else name


def files(workspace: Workspace) -> list[str]:
    """Files a person would name, relative to the workspace: those git knows or would add, else a bounded walk."""
    said = _git(workspace, LISTING, {})
    if said is None:
        names = walk(workspace.root, threading.Event()).names
    else:
        names = [os.fsdecode(name) for name in said.split(b"\0") if name]
    return [name for name in names if not name.endswith("/")][:MOST]


def _without_filters(workspace: Workspace) -> dict[str, str]:
    """The environment that switches off every filter the configuration names: comparing files would run them."""
    named = os.fsdecode(_git(workspace, _FILTERS, {}) or b"").split("\0")
    return without_filters([name for name in dict.fromkeys(named) if name])


def _git(workspace: Workspace, arguments: tuple[str, ...], given: dict[str, str]) -> bytes | None:
    """What git said, or None where it is missing, refuses or takes too long."""
    program = find("git", workspace)
    if program is None:
        return None
    environ = environment(os.environ) | {"LC_ALL": "C.UTF-8", "GIT_NO_LAZY_FETCH": "1"} | given
    command = [program, *GIT_INERT, *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=workspace.root,
            env=environ,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
