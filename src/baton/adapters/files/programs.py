"""Programs that Baton runs: where they are, and how git is kept from running what a repository names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

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


def find_program(name: str, workspace: Workspace) -> str | None:
    """The program's path. One inside the workspace is ignored: a repository does not choose what Baton runs."""
    for directory in filter(os.path.isabs, os.get_exec_path()):
        found = shutil.which(name, path=directory)
        if found and not workspace.target(os.path.realpath(found)).inside:
            return found
    return None
