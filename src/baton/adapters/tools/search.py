"""Searches files."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from baton.adapters.files.programs import find_program
from baton.adapters.files.workspace import Target, Workspace, outside_paths
from baton.adapters.tools import scan, specs
from baton.adapters.tools.arguments import check, refuse
from baton.adapters.tools.git import tree
from baton.adapters.tools.intents import IntendedPath
from baton.adapters.tools.output import Logs, clip_output
from baton.adapters.tools.processes.process import Collected, collect
from baton.core.display import one_line, spell_out
from baton.core.errors import ToolError
from baton.engine.aio import finish_in_thread
from baton.ports.tool import READ, Intent, Outcome, Output

_SECONDS = 20.0
_BYTES = 1_000_000
_PATTERN = 1_000
_MOST = 1_000


class Search:
    """Lines that match a regular expression, by path. ripgrep searches if it is installed, otherwise a slower program
    of ours; either is ended if it takes too long or writes too much.
    """

    spec = specs.spec(
        "search",
        "Search the files of the workspace for a regular expression. Answers with path, line number and line.",
        ["pattern"],
        pattern=specs.text("The regular expression.", least=1, most=_PATTERN),
        path=specs.path("The directory or file to search in.", "."),
        glob=specs.text("Only files whose name fits, such as *.py or src/**/*.ts.", most=_PATTERN),
        literal=specs.flag("Take the pattern as plain text."),
        ignore_case=specs.flag("Upper and lower case are the same."),
        limit=specs.whole("How many lines at most.", 1, _MOST, 100),
    )

    def __init__(self, workspace: Workspace, logs: Logs, limit_chars: int) -> None:
        self._workspace = workspace
        self._logs = logs
        self._path = IntendedPath(workspace, self.spec.name)
        self._limit = limit_chars

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = self._check(args)
        target = await finish_in_thread(lambda: self._path.intend(args, checked["path"]))
        title = f"Search {one_line(target.shown, 100)} for {one_line(spell_out(checked['pattern']), 100)}"
        return Intent(title, READ, outside=outside_paths(target, writes=False))

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        del output
        checked = self._check(args)
        target = self._path.take(args, checked["path"])
        if not os.path.exists(target.real):
            raise ToolError(tool=self.spec.name, reason=f"{target.shown}: there is no such file")
        if not os.path.isfile(target.real) and not os.path.isdir(target.real):
            raise ToolError(tool=self.spec.name, reason=f"{target.shown}: it is not a regular file")
        rg = find_program("rg", self._workspace)
        try:
            said = await (self._with_rg(rg, checked, target) if rg else self._with_scan(checked, target))
        except OSError as error:
            raise ToolError(tool=self.spec.name, reason=f"it could not be started: {error}") from None
        return await finish_in_thread(lambda: self._outcome(said, checked, target))

    def _check(self, args: Mapping[str, Any]) -> dict[str, Any]:
        checked = {"glob": "", **check(self.spec, args)}
        for name in ("pattern", "glob"):
            if "\0" in checked[name] or "\n" in checked[name] or not _encodable(checked[name]):
                raise refuse(self.spec, f"{name} holds a line feed, a NUL character or a lone surrogate")
        return checked

    async def _with_rg(self, rg: str, checked: Mapping[str, Any], target: Target) -> Collected:
        directory, name = _place(target)
        argv = [rg, "--no-config", "--no-messages", "--color=never", "--no-heading", "--line-number", "--null"]
        argv += ["--with-filename", "--max-columns=500", "--max-columns-preview", "--max-filesize=20M", "--sort=path"]
        argv += ["--hidden", "--glob=!.git", f"--max-count={int(checked['limit']) + 1}"]
        argv += [f"--glob={checked['glob']}"] if checked["glob"] else []
        argv += ["--no-ignore"] if ".baton" in target.real.split("/") else []
        argv += ["--fixed-strings"] if checked["literal"] else []
        argv += ["--ignore-case"] if checked["ignore_case"] else []
        argv += ["-e", checked["pattern"], "--", name]
        return await collect(argv, cwd=directory, seconds=_SECONDS, cap=_BYTES, errors=True, may_wait=False)

    async def _with_scan(self, checked: Mapping[str, Any], target: Target) -> Collected:
        directory, name = _place(target)
        names = [name] if name != "." else sorted((await tree(self._workspace, target)).names)
        asked = {key: checked[key] for key in ("pattern", "glob", "literal", "ignore_case")}
        argv = [sys.executable, "-I", "-S", scan.__file__, json.dumps(asked)]
        with tempfile.TemporaryFile() as listing:
            listing.write(b"\0".join(map(os.fsencode, names)))
            listing.seek(0)
            return await collect(argv, cwd=directory, seconds=_SECONDS, cap=_BYTES, stdin=listing.fileno(), errors=True)

    def _outcome(self, said: Collected, checked: Mapping[str, Any], target: Target) -> Outcome:
        rows = _rows(said.data, _place(target)[0], self._workspace)
        if said.exit == 2 and not rows:
            raise refuse(self.spec, one_line(said.data.decode(errors="replace"), 300))
        kept = rows[: int(checked["limit"])]
        more = said.cut or len(rows) > len(kept)
        end = "[there may be more; narrow the pattern, the path or the glob]\n" if more else ""
        head = f"{len(kept)} lines in {len({name for name, _ in kept})} files.\n" if kept else "Nothing found.\n"
        text, log = clip_output(self._logs, self.spec.name, self._limit, head + "".join(row for _, row in kept) + end)
        return Outcome(text, details={"matches": len(kept), "complete": not more, "log": log})


def _place(target: Target) -> tuple[str, str]:
    """The directory to start in, and what to search there."""
    return (target.real, ".") if os.path.isdir(target.real) else os.path.split(target.real)


def _rows(data: bytes, directory: str, workspace: Workspace) -> Sequence[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for line in data.split(b"\n"):
        name, separator, rest = line.partition(b"\0")
        if separator:
            real = os.path.normpath(os.path.join(directory, os.fsdecode(name)))
            shown = workspace.target(real).shown
            rows.append((shown, f"{shown}:{rest.decode(errors='replace').rstrip(chr(13))}\n"))
    return rows


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
