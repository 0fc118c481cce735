"""The settings of the tools. A project file may set none of them: they decide what runs, and what it may touch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from baton.config.keys import key, lazy_key
from baton.config.kinds import Choice, Flag, ListOf, MapOf, Seconds, TableOf, Text, Whole
from baton.core.value import value

Sandboxing = Literal["auto", "required", "off"]
Sockets = Literal["off", "all"]
Lending = Literal["auto", "off"]

_LINE = r"[^\x00-\x1f\x7f]*"
_VARIABLE = Text(r"[A-Za-z_][A-Za-z0-9_]*", "names of variables", longest=200)
_HEADER = Text(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", "a header's name", longest=200)
_VALUE = Text(_LINE, "one line of text", longest=10_000)
_PROGRAM = Text(
    r"/[^\x00-\x1f\x7f]+|[^\x00-\x1f\x7f/\s][^\x00-\x1f\x7f/]*",
    "the name of a program, or its absolute path",
    longest=1_000,
)
_ARGUMENT = Text(r"[^\x00]*", "text", longest=10_000)
_DIRECTORY = Text(r"/[^\x00-\x1f\x7f]*", "an absolute path", longest=1_000)
_ADDRESS = Text(r"https?://[^\s\x00-\x1f\x7f]+", "an http or https address", longest=2_000)
_SERVER = Text(r"(?!.*__)[a-z][a-z0-9_-]{0,30}", "up to 31 lower-case letters, digits, - and single _", longest=31)


@value
class McpServerSettings:
    """One MCP server: either `command` is started and spoken to over its pipes, or `url` is spoken to over HTTP."""

    command: str = key("", _PROGRAM, doc="The program to start.")
    args: tuple[str, ...] = key((), ListOf(_ARGUMENT, "texts", most=200), doc="The arguments of the program.")
    env: Mapping[str, str] = lazy_key(
        dict[str, str],
        MapOf(_VARIABLE, _VALUE, "names of variables with a line of text each", most=100),
        doc="Variables for the program, beside a few harmless ones; `${NAME}` is filled from Baton's own.",
        secret=True,
    )
    cwd: str = key("", _DIRECTORY, doc="The directory to start it in; your home directory if not given.")
    url: str = key("", _ADDRESS, doc="The address of a server that speaks streamable HTTP.", secret=True)
    headers: Mapping[str, str] = lazy_key(
        dict[str, str],
        MapOf(_HEADER, _VALUE, "names of headers with a line of text each", most=100),
        doc="Headers for every request; `${NAME}` is filled from Baton's environment.",
        secret=True,
    )
    timeout: float = key(120.0, Seconds(1, 3_600), doc="How long one call may take.")
    trusted_read: bool = key(False, Flag(), doc="Whether tools that call themselves read-only are taken at their word.")
    enabled: bool = key(True, Flag(), doc="Whether it is used.")


@value
class ToolsSettings:
    """What the agent's tools may use."""

    sandbox: Sandboxing = key(
        "auto",
        Choice("auto", "required", "off"),
        doc="How commands run. `auto` uses bubblewrap where it works and says where not, `required` runs no command "
        "without it, `off` never uses it.",
    )
    sockets: Sockets = key(
        "off",
        Choice("off", "all"),
        doc="Which sockets of this machine a command in the sandbox can use. `off`: it can ask no program that "
        "listens here, such as Docker or an ssh-agent, and start none that listens; the Internet stays reachable. "
        "`all`: every one. What Docker is asked to do happens outside the sandbox.",
    )
    client_terminals: Lending = key(
        "auto",
        Choice("auto", "off"),
        doc="Whether an editor's own terminals are used. `auto` runs a command there, where you see it, if the editor "
        "offers terminals and the command runs without the sandbox anyway; `off` never does.",
    )
    keep_env: tuple[str, ...] = key(
        (),
        ListOf(_VARIABLE, "names of variables", most=200),
        doc="Environment variables that commands get although they look like secrets.",
    )
    output_chars: int | None = key(
        None,
        Whole(500, 200_000),
        doc="How many characters of a tool's output the model gets; the whole is kept in a log. Null suits the model.",
    )
    mcp_servers: Mapping[str, McpServerSettings] = lazy_key(
        dict[str, McpServerSettings],
        TableOf(_SERVER, McpServerSettings, one_of=("command", "url"), most=50),
        doc="MCP servers whose tools the agent may use, by name.",
    )
