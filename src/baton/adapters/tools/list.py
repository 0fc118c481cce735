"""Lists files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from baton.adapters.files import opening
from baton.adapters.files.workspace import Workspace, outside_paths
from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check
from baton.adapters.tools.git import tree
from baton.adapters.tools.intents import IntendedPath
from baton.core.display import one_line, spell_name
from baton.core.errors import ToolError
from baton.engine.aio import finish_in_thread
from baton.ports.tool import READ, Intent, Outcome, Output

_DEPTH = 12


class List:
    """Files and directories, sorted; a directory that is not expanded shows how many files are below it."""

    spec = specs.spec(
        "list",
        "List the files below a directory. Files that git ignores are left out.",
        path=specs.path("The directory, relative to the workspace.", "."),
        depth=specs.whole("How many levels to open up.", 1, _DEPTH, 2),
    )

    def __init__(self, workspace: Workspace, limit_chars: int) -> None:
        self._workspace = workspace
        self._path = IntendedPath(workspace, self.spec.name)
        self._limit = limit_chars

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = check(self.spec, args)
        target = await finish_in_thread(lambda: self._path.intend(args, checked["path"]))
        return Intent(f"List {one_line(target.shown, 200)}", READ, outside=outside_paths(target, writes=False))

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        del output
        checked = check(self.spec, args)
        target = self._path.take(args, checked["path"])
        if not os.path.isdir(target.real):
            raise ToolError(tool=self.spec.name, reason=f"{target.shown} is not a directory")
        with opening.as_tool_errors(self.spec.name, target.shown):
            found = await tree(self._workspace, target)
        rows = levels(found.names, int(checked["depth"]))
        details = {"path": target.shown, "files": len(found.names), "complete": found.complete}
        return Outcome(_fit_rows(rows, self._limit, complete=found.complete), details=details)


def levels(names: Sequence[str], depth: int) -> list[str]:
    """One row for each file and directory down to `depth`."""
    rows: dict[str, int] = {}
    for name in names:
        parts = name.rstrip("/").split("/")
        for level in range(1, min(len(parts), depth + 1)):
            above = "/".join(parts[:level]) + "/"
            rows[above] = rows.get(above, 0) + (not name.endswith("/"))
        if len(parts) <= depth:
            rows.setdefault(name, 0)
    return [_row(name, rows[name], depth) for name in sorted(rows)]


def _row(name: str, files: int, depth: int) -> str:
    closed = name.endswith("/") and name.count("/") == depth
    return spell_name(name) + (f" ({files} files)" if closed and files else "")


def _fit_rows(rows: Sequence[str], limit: int, *, complete: bool) -> str:
    taken: list[str] = []
    room = limit
    for row in rows:
        room -= len(row) + 1
        if room < 0:
            break
        taken.append(row)
    end: list[str] = []
    if len(taken) < len(rows):
        end.append(f"[{len(rows) - len(taken):,} more; list a directory below, or a smaller depth]")
    if not complete:
        end.append("[there are more files than can be listed]")
    return "\n".join([*taken, *end]) or "[empty]"
