"""Programs that Baton runs, and the environment they get."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase

from baton.adapters.files.workspace import Workspace

SECRET = (
    "*_API_KEY",
    "API_KEY",
    "*_TOKEN",
    "TOKEN",
    "*SECRET*",
    "*PASSWORD*",
    "*_CREDENTIALS",
    "BATON_DATABASE_URL",
)
"""Variables that no command is given unless the user names them."""

GIT_INERT = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false"),
    *("-c", "safe.bareRepository=explicit"),
)
"""Options for git: a repository's own configuration names programs that git would run, and none of them is."""


DROPPED = ("BASH_ENV", "ENV", "PROMPT_COMMAND", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "RIPGREP_CONFIG_PATH")
QUIET = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


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


def environment(given: Mapping[str, str], keep: Collection[str] = ()) -> dict[str, str]:
    """`given` without secrets, except those named in `keep`, and without what makes programs ask questions or page.

    This keeps secrets out of logs and of what commands pass on. It is no boundary by itself: without a sandbox a
    command can read what the user can read.
    """
    passed = {name: value for name, value in given.items() if name in keep or not _withheld(name)}
    return {**passed, **QUIET}


def _withheld(name: str) -> bool:
    return name in DROPPED or any(fnmatchcase(name.upper(), pattern) for pattern in SECRET)
