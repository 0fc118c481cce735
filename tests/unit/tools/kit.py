"""Small helpers for the tests of tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.ports.tool import Intent, Outcome, Tool


def silent(_: str) -> None:
    pass


async def used(tool: Tool, **args: Any) -> Outcome:
    """Intent and run, as the toolbox does for a call that is allowed."""
    await tool.intent(args)
    return await tool.run(args, silent)


async def intended(tool: Tool, **args: Any) -> Intent:
    return await tool.intent(args)


def arguments(**args: Any) -> Mapping[str, Any]:
    return args
