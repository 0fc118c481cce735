"""The configurations of `docs/howto/editors.md`, each taken apart as its editor does it: what it starts, and how."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.real_user.acp import elisp, kit
from tests.real_user.acp.bed import HERE
from tests.support.obtain import ENVIRON

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "editors.md"
BLOCK = re.compile(r"^## (?P<heading>[^\n]+)\n|```(?P<language>\w+)\n(?P<code>.*?)```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Launch:
    """What an editor starts."""

    command: str
    args: list[str]
    env: Mapping[str, str] = field(default_factory=dict)


class Wrong(Exception):
    """A configuration that its editor would not take."""


def blocks() -> list[tuple[str, str]]:
    """The heading and the code of every configuration, in the page's order."""
    found: list[tuple[str, str]] = []
    heading = ""
    for match in BLOCK.finditer(PAGE.read_text()):
        heading = match["heading"] or heading
        if match["language"] in ("json", "lua", "elisp"):
            found.append((heading, match["code"]))
    return found


def _only(table: Any, allowed: str, needed: str = "") -> dict[str, Any]:
    if not isinstance(table, dict) or not set(needed.split()) <= set(table) <= set(allowed.split()):
        raise Wrong(f"{table}: allowed are {allowed}, needed is {needed}")
    return table


def _entry(servers: Any, allowed: str, needed: str) -> Launch:
    if not isinstance(servers, dict) or len(servers) != 1:
        raise Wrong(f"not one agent: {servers}")
    entry = _only(next(iter(servers.values())), allowed, needed)
    return Launch(entry["command"], entry.get("args", []), entry.get("env", {}))


def zed(code: str) -> Launch:
    servers = _only(json.loads(code), "agent_servers")["agent_servers"]
    launch = _entry(servers, "type command args env default_mode default_model", "type command")
    if next(iter(servers.values()))["type"] != "custom":
        raise Wrong("an agent that the registry does not have is custom")
    return launch


def jetbrains(code: str) -> Launch:
    servers = _only(json.loads(code), "agent_servers default_mcp_settings", "agent_servers")["agent_servers"]
    return _entry(servers, "command args env use_idea_mcp use_custom_mcp", "command")


def vscode(code: str) -> Launch:
    return _entry(_only(json.loads(code), "acp.agents")["acp.agents"], "command args env", "command")


def _lua(module: str, code: str) -> Any:
    command = [kit.python(), str(HERE / "drivers" / "lua.py"), module]
    done = subprocess.run(command, input=code, env=ENVIRON, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Wrong(done.stderr.strip().rpartition("\n")[2])
    return json.loads(done.stdout)


def codecompanion(code: str) -> Launch:
    given = _only(_lua("codecompanion", code), "adapters interactions", "adapters interactions")
    [(name, adapter)] = given["adapters"]["acp"].items()
    if given["interactions"]["chat"]["adapter"] != name:
        raise Wrong(f"the chat uses {given['interactions']}, not {name}")
    needed = "name formatted_name type roles commands defaults parameters handlers"
    _only(adapter, f"{needed} opts env", needed)
    _only(adapter["handlers"], "setup auth form_messages on_exit output_response", "setup form_messages on_exit")
    _only(adapter["roles"], "llm user", "llm user")
    if (adapter["type"], adapter["parameters"]["protocolVersion"]) != ("acp", 1):
        raise Wrong(f"no adapter for ACP 1: {adapter}")
    command, *args = adapter["commands"]["default"]
    _only(adapter["parameters"], "protocolVersion clientCapabilities clientInfo", "clientCapabilities clientInfo")
    return Launch(command, args, adapter.get("env", {}))


def avante(code: str) -> Launch:
    given = _only(_lua("avante", code), "provider acp_providers", "provider acp_providers")
    if list(given["acp_providers"]) != [given["provider"]]:
        raise Wrong(f"{given['provider']} is no provider of {given['acp_providers']}")
    return _entry(given["acp_providers"], "command args env auth_method timeout", "command")


AGENT_SHELL = (
    "identifier mode-line-name welcome-function buffer-name shell-prompt shell-prompt-regexp client-maker "
    "needs-authentication authenticate-request-maker default-model-id default-session-mode-id icon-name "
    "install-instructions"
)
CLIENT = "command command-params environment-variables context-buffer"


def agent_shell(code: str) -> Launch:
    try:
        [form] = elisp.read(code)
        [config] = (elisp.keywords(each) for each in elisp.calls(form, "agent-shell-make-agent-config"))
        [client] = (elisp.keywords(each) for each in elisp.calls(config["client-maker"], "acp-make-client"))
    except (KeyError, ValueError) as error:
        raise Wrong(str(error)) from None
    _only(config, AGENT_SHELL, "identifier client-maker shell-prompt shell-prompt-regexp")
    _only(client, CLIENT, "command context-buffer")
    return Launch(client["command"], client["command-params"][1])


EDITORS: dict[str, tuple[str, Callable[[str], Launch]]] = {
    "zed": ("Zed", zed),
    "jetbrains": ("JetBrains", jetbrains),
    "codecompanion": ("Neovim", codecompanion),
    "avante": ("Neovim", avante),
    "agent-shell": ("Emacs", agent_shell),
    "vscode": ("VS Code", vscode),
}
"""In the order of the page."""
