"""Whether a command only reads, here: its words say so, and so does what its words lead to in this workspace."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress

from baton.adapters.files.command_environment import environment
from baton.adapters.files.powerful import is_within
from baton.adapters.files.programs import GIT_INERT, find_program
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.guard.repository import runs_nothing_when_read
from baton.core.errors import ToolError
from baton.core.risk.reading import Reading, find_reading
from baton.core.shell import Parse

_SECONDS = 1.0
_GITLINK = b"160000 "
_LOOSE = ("/tmp", "/var/tmp")  # noqa: S108, what lies there is nobody's program


def only_reads(command: str, parse: Parse, workspace: Workspace) -> bool:
    """Whether nobody has to be asked: it reads, inside the workspace, with programs that the workspace does not bring,
    and git would run nothing.
    """
    found = find_reading(command, parse)
    if found is None or not _is_inside(found, workspace):
        return False
    if not all(_is_systems_own(name, workspace) for name in found.programs):
        return False
    return not found.uses_git or _is_calm_repository(workspace)


def _is_inside(found: Reading, workspace: Workspace) -> bool:
    try:
        directory = workspace.locate("shell", found.directory)
        targets = [workspace.locate("shell", os.path.join(directory.real, path)) for path in found.paths]
    except ToolError:
        return False
    return directory.inside and all(target.inside for target in targets)


def _is_systems_own(name: str, workspace: Workspace) -> bool:
    """Whether the first program of this name that the shell would find is none of the workspace's."""
    for directory in os.get_exec_path():
        if not os.path.isabs(directory):
            return False
        if found := shutil.which(name, path=directory):
            real = os.path.realpath(found)
            places = (found, real, os.path.realpath(directory))
            return not any(is_within(each, place) for each in places for place in (workspace.root, *_LOOSE))
    return False


def _is_calm_repository(workspace: Workspace) -> bool:
    """Whether git, asked to read here, runs nothing that a repository names: there is one, directly in the workspace,
    whose configuration is harmless, and no other inside it that git would look into.
    """
    git, directory = find_program("git", workspace), os.path.join(workspace.root, ".git")
    if git is None or os.path.islink(directory) or not os.path.isdir(directory):
        return False
    return runs_nothing_when_read(git, directory) and not _has_others_inside(git, workspace.root)


def _has_others_inside(git: str, root: str) -> bool:
    env = environment(os.environ) | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [git, *GIT_INERT, "ls-files", "--stage"], cwd=root, env=env, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=_SECONDS, check=False,
        )  # fmt: skip
        return done.returncode != 0 or done.stdout.startswith(_GITLINK) or b"\n" + _GITLINK in done.stdout
    return True
