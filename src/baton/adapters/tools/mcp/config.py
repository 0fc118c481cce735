"""MCP servers as the user's own configuration names them. A project's file never does: they are programs to run."""

from __future__ import annotations

import re
from collections.abc import Mapping

from baton.core.value import field, value

SECONDS = 120.0
VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""What the environment fills in."""


@value
class Server:
    """Either `command` is started and used over its pipes, or `url` is used over HTTP.

    `env` and `headers` may hold `${NAME}`, filled from the environment when the server is first used. A server is never
    started inside the workspace, where a repository could plant what it loads; `cwd` names another directory. With
    `trusted_read` its tools that declare themselves read-only are believed. With `literal` nothing is filled in.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout: float = SECONDS
    trusted_read: bool = False
    literal: bool = False


def fill_variables(texts: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """`texts` with each `${NAME}` replaced. Raises `ValueError` naming one that is not set."""

    def value_of(match: re.Match[str]) -> str:
        if match[1] not in environ:
            raise ValueError(f"{match[1]} is not set")
        return environ[match[1]]

    return {name: VARIABLE.sub(value_of, text) for name, text in texts.items()}
