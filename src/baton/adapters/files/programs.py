"""Programs that Baton runs: where they are, and how git is kept from running what a repository names."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence

from baton.adapters.files.workspace import Workspace

GIT_INERT = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false"),
    *("-c", "safe.bareRepository=explicit"),
)
"""Options for git: a repository's own configuration names programs that git would run, and none of them is."""


def without_filters(keys: Sequence[str]) -> dict[str, str]:
    """Variables that switch off the filters that these keys of git's configuration name, whatever characters a name
    has.
    """
    given = {"GIT_CONFIG_COUNT": str(len(keys))}
    for number, key in enumerate(keys):
        given[f"GIT_CONFIG_KEY_{number}"] = key
        given[f"GIT_CONFIG_VALUE_{number}"] = "false" if key.endswith(".required") else ""
    return given


PAUSE = 0.2
"""How often a program is looked at."""
_OPENING_A_PIPE = "wait_for_partner"


def waits_for_pipe(pid: int) -> bool:
    """Whether a program opens a named pipe that nobody writes to: somebody put one in the place of a file, and it would
    wait for ever. Only Linux tells.
    """
    try:
        with open(f"/proc/{pid}/wchan", encoding="ascii") as file:
            return file.read() == _OPENING_A_PIPE
    except (OSError, ValueError):
        return False


def run_briefly(argv: Sequence[str], *, cwd: str, env: Mapping[str, str], seconds: float) -> bytes | None:
    """What a program wrote; None if it cannot be started, refuses, takes too long or waits for a pipe."""
    try:
        process = subprocess.Popen(
            argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None
    until = time.monotonic() + seconds
    while True:
        try:
            said, _ = process.communicate(timeout=PAUSE)
        except subprocess.TimeoutExpired:
            if time.monotonic() > until or waits_for_pipe(process.pid):
                process.kill()
                process.communicate()
                return None
        else:
            return said if process.returncode == 0 else None


def find_program(name: str, workspace: Workspace) -> str | None:
    """The program's path. One inside the workspace is ignored: a repository does not choose what Baton runs."""
    for directory in filter(os.path.isabs, os.get_exec_path()):
        found = shutil.which(name, path=directory)
        if found and not workspace.target(os.path.realpath(found)).inside:
            return found
    return None
