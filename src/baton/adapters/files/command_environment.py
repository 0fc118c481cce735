"""The environment that commands get: what looks like a secret is withheld, what asks questions is quiet.

The rule stands here twice, beside itself: as Python, for commands that Baton starts, and as bash, for those that an
editor's terminal starts with the editor's own environment.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase

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

DROPPED = (
    "BASH_ENV",
    "ENV",
    "PROMPT_COMMAND",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "RIPGREP_CONFIG_PATH",
    "CDPATH",
)
QUIET = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WITHHOLD = (
    "shopt -s nocasematch; for _n in $(compgen -e); do case $_n in {kept}{secret}) unset $_n;; esac; done 2>/dev/null; "
    "unset _n; shopt -u nocasematch"
)


def environment(given: Mapping[str, str], keep: Collection[str] = ()) -> dict[str, str]:
    """`given` without secrets, except those named in `keep`, and without what makes programs ask questions or page.

    This keeps secrets out of logs and of what commands pass on. It is no boundary by itself: without a sandbox a
    command can read what the user can read.
    """
    passed = {name: value for name, value in given.items() if name in keep or not _is_withheld(name)}
    return {**passed, **QUIET}


def _is_withheld(name: str) -> bool:
    return name in DROPPED or any(fnmatchcase(name.upper(), pattern) for pattern in SECRET)


def withhold_script(keep: Collection[str]) -> str:
    """The same rule as a line of bash that unsets what is withheld."""
    kept = "|".join(name for name in keep if _NAME.fullmatch(name))
    return _WITHHOLD.format(kept=f"{kept}) ;; " if kept else "", secret="|".join((*SECRET, *DROPPED)))
