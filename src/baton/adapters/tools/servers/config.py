"""MCP servers as the user's own configuration names them. A project's file never does: they are programs to run."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlsplit

from baton.core.value import field, value

SECONDS = 120.0
_NAME = re.compile(r"(?!.*__)[a-z][a-z0-9_-]{0,30}")
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_KEYS = ("command", "args", "env", "cwd", "url", "headers", "timeout", "trusted_read")


@value
class Server:
    """Either `command` is started and spoken to over its pipes, or `url` is spoken to over HTTP.

    `env` and `headers` may hold `${NAME}`, filled from the environment when the server is first used. A server is
    never started inside the workspace, where a repository could plant what it loads; `cwd` names another directory.
    With `trusted_read` its tools that call themselves read-only are taken at their word.
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


def servers(given: Mapping[str, Any]) -> tuple[dict[str, Server], list[str]]:
    """The servers that are well defined, and a sentence for each that is not."""
    found: dict[str, Server] = {}
    problems: list[str] = []
    for name, definition in given.items():
        try:
            found[name] = _server(name, definition)
        except ValueError as error:
            problems.append(f"tools.mcp_servers.{name}: {error}")
    return found, problems


def filled(texts: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """`texts` with each `${NAME}` replaced. Raises `ValueError` naming one that is not set."""

    def value_of(match: re.Match[str]) -> str:
        if match[1] not in environ:
            raise ValueError(f"{match[1]} is not set")
        return environ[match[1]]

    return {name: _VARIABLE.sub(value_of, text) for name, text in texts.items()}


def _server(name: str, given: object) -> Server:
    if not _NAME.fullmatch(name):
        raise ValueError("a name has up to 31 lower-case letters, digits, - and single _")
    if not isinstance(given, Mapping):
        raise ValueError(f"it must have {' or '.join(('command', 'url'))}")
    keys = cast("Mapping[str, Any]", given)
    for key in keys:
        if key not in _KEYS:
            raise ValueError(f"there is no key {key}; allowed are {', '.join(_KEYS)}")
    if ("command" in keys) == ("url" in keys):
        raise ValueError("it must have command or url, and not both")
    return Server(
        name,
        command=_command(keys),
        args=_texts(keys),
        env=_table(keys, "env"),
        cwd=_directory(keys),
        url=_url(keys),
        headers=_table(keys, "headers"),
        timeout=_seconds(keys),
        trusted_read=_flag(keys),
    )


def _command(keys: Mapping[str, Any]) -> str:
    command = keys.get("command", "")
    if not isinstance(command, str) or "\0" in command or (os.sep in command and not os.path.isabs(command)):
        raise ValueError("command must be the name of a program or an absolute path")
    return command


def _texts(keys: Mapping[str, Any]) -> tuple[str, ...]:
    given = keys.get("args", ())
    if not isinstance(given, list | tuple) or not all(isinstance(each, str) for each in cast("list[Any]", given)):
        raise ValueError("args must be a list of texts")
    return tuple(cast("list[str]", given))


def _table(keys: Mapping[str, Any], key: str) -> dict[str, str]:
    given = keys.get(key, {})
    if not isinstance(given, Mapping):
        raise ValueError(f"{key} must be names with texts")
    table = cast("Mapping[Any, Any]", given)
    if not all(isinstance(name, str) and isinstance(text, str) for name, text in table.items()):
        raise ValueError(f"{key} must be names with texts")
    return dict(cast("Mapping[str, str]", table))


def _directory(keys: Mapping[str, Any]) -> str:
    given = keys.get("cwd", "")
    if not isinstance(given, str) or (given and not os.path.isabs(given)):
        raise ValueError("cwd must be an absolute path")
    return given


def _url(keys: Mapping[str, Any]) -> str:
    given = keys.get("url", "")
    if not isinstance(given, str) or (given and urlsplit(given).scheme not in ("http", "https")):
        raise ValueError("url must be an http or https address")
    return given


def _seconds(keys: Mapping[str, Any]) -> float:
    given = keys.get("timeout", SECONDS)
    if isinstance(given, bool) or not isinstance(given, int | float) or not 1 <= given <= 3600:
        raise ValueError("timeout must be a number of seconds from 1 to 3600")
    return float(given)


def _flag(keys: Mapping[str, Any]) -> bool:
    given = keys.get("trusted_read", False)
    if not isinstance(given, bool):
        raise ValueError("trusted_read must be true or false")
    return given
