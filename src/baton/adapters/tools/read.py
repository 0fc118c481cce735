"""Reads a file."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from baton.adapters.files import opening
from baton.adapters.files.workspace import Workspace, outside_paths
from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check
from baton.adapters.tools.file_text import Buffers, KnownFiles, Lines, describe_non_text, read_lines
from baton.adapters.tools.intents import IntendedPath
from baton.core.display import one_line, plain
from baton.engine.aio import finish_in_thread
from baton.ports.editor import Editor
from baton.ports.tool import READ, Intent, Outcome, Output

_WIDTH = 2_000
_LINES = 2_000


class Read:
    """Numbered lines of a text file, as many as fit; anything that is not text is named, not shown."""

    spec = specs.spec(
        "read",
        "Read a text file of the workspace. Lines come with their numbers. Give offset and limit for a part.",
        ["path"],
        path=specs.path("The file, relative to the workspace."),
        offset=specs.whole("The first line.", 1, 1_000_000_000, 1),
        limit=specs.whole("How many lines at most.", 1, _LINES, _LINES),
    )

    def __init__(self, workspace: Workspace, known: KnownFiles, limit_chars: int, editor: Editor | None = None) -> None:
        self._path = IntendedPath(workspace, self.spec.name)
        self._buffers = Buffers(editor)
        self._known = known
        self._limit = limit_chars

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = check(self.spec, args)
        target = await finish_in_thread(lambda: self._path.intend(args, checked["path"]))
        return Intent(f"Read {one_line(target.shown, 200)}", READ, outside=outside_paths(target, writes=False))

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        del output
        checked = check(self.spec, args)
        stop = threading.Event()
        return await finish_in_thread(lambda: self._read(args, checked, stop), stop)

    def _read(self, args: Mapping[str, Any], checked: Mapping[str, Any], stop: threading.Event) -> Outcome:
        target = self._path.take(args, checked["path"])
        shown = target.shown
        with opening.as_tool_errors(self.spec.name, shown):
            first, count = int(checked["offset"]), int(checked["limit"])
            found = read_lines(self.spec.name, target.real, first, count, stop, self._buffers.of(target))
        details = {"path": shown, "size": found.size, "lines": found.total}
        if what := describe_non_text(found.start):
            return Outcome(f"{shown} is {what} of {found.size:,} bytes; it is not shown.", details=details)
        if found.digest:
            self._known.note(target.real, found.digest)
        return Outcome(_number_lines(found, self._limit, shown), details=details)


def _number_lines(found: Lines, limit: int, shown: str) -> str:
    rows: list[str] = []
    room = limit
    for number, line in enumerate(found.texts, found.first):
        row = f"{number:>6}\t{plain(_cut(line))}\n"
        if len(row) > room and rows:
            break
        rows.append(row if len(row) <= limit else f"{row[:limit]}…\n")
        room -= len(row)
    last = found.first + len(rows) - 1
    of = f" of {found.total:,}" if found.total is not None else f" of a file of {found.size:,} bytes"
    if not rows:
        return f"[{shown} is empty]" if found.total == 0 else f"[{shown} has no line {found.first:,}{of}]"
    if last == found.total:
        return "".join(rows)
    return "".join(rows) + f"[lines {found.first:,} to {last:,}{of}; continue with offset {last + 1}]"


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[:_WIDTH]}[… {len(line) - _WIDTH:,} more characters]"
