"""Holds a tool to its intent: what was shown to whoever decides is what the run touches, or nothing is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from baton.adapters.files.workspace import Target, Workspace, outside_paths
from baton.core.agent.approval import fingerprint
from baton.core.errors import ToolError

T = TypeVar("T")
_KEPT = 64


class Intended(Generic[T]):
    """What intents found out, by exact arguments. Taking it removes it: one intent is good for one run."""

    def __init__(self) -> None:
        self._held: dict[str, T] = {}

    def put(self, args: Mapping[str, Any], found: T) -> None:
        self._held[fingerprint("", args)] = found
        while len(self._held) > _KEPT:
            del self._held[next(iter(self._held))]

    def take(self, args: Mapping[str, Any]) -> T | None:
        return self._held.pop(fingerprint("", args), None)


def require_intended(tool: str, target: Target, intended: Target | None, *, writes: bool) -> Target:
    """`target`, unless it is not what the intent named, or leaves the workspace without having been named at all."""
    if intended is not None and intended != target:
        reason = f"{intended.shown} leads to {target.shown} now, which was not what was decided on; nothing was touched"
        raise ToolError(tool=tool, reason=reason)
    if intended is None and outside_paths(target, writes=writes):
        raise ToolError(tool=tool, reason=f"{target.shown} is outside the workspace, and nobody was asked")
    return target


class IntendedPath:
    """The one path argument of a tool that reads: located for the intent, and again for the run."""

    def __init__(self, workspace: Workspace, tool: str) -> None:
        self._workspace = workspace
        self._tool = tool
        self._intended = Intended[Target]()

    def intend(self, args: Mapping[str, Any], path: str) -> Target:
        target = self._workspace.locate(self._tool, path)
        self._intended.put(args, target)
        return target

    def take(self, args: Mapping[str, Any], path: str) -> Target:
        target = self._workspace.locate(self._tool, path)
        return require_intended(self._tool, target, self._intended.take(args), writes=False)
