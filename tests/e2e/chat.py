"""The chat as a person runs it: `baton` itself on a pseudo-terminal, against a scripted server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.model_servers import ModelServer, Reply, Request, Use, say
from tests.support.screen import Screen
from tests.support.warm import warm

MODELS = {"OPENAI_API_KEY": "openai-chat:gpt-4o-mini", "ANTHROPIC_API_KEY": "anthropic:claude-sonnet-5-5"}


def chat(server: ModelServer, work: Path, *arguments: str, **environ: str) -> Screen:
    """`baton ARGUMENTS`, with its home beside the workspace and leases that end soon."""
    home = warm(work.parent / "home")
    known = {**server.environ, "BATON_MODEL": MODELS[server.variables[0]], "BATON_STORE__LEASE": "1"}
    return Screen(["-m", "baton", *arguments], {**known, "HOME": str(home), "BATON_HOME": str(home), **environ}, work)


def said_last(request: Request) -> str:
    """The last words of the person, or an empty string if a tool's result came last."""
    content: Any = request.body["messages"][-1]
    if content["role"] != "user":
        return ""
    parts = content["content"]
    if isinstance(parts, str):
        return parts
    return "" if any(part["type"] == "tool_result" for part in parts) else str(parts[-1].get("text", ""))


def shell(command: str) -> Reply:
    return say("I will run it.", Use("call_1", "shell", {"command": command}))
