"""Claude Code's tools in Baton's words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from baton.adapters.importers import clean, dialogue
from baton.adapters.importers.claude_code.rows import Returned, Tool
from baton.adapters.importers.paths import Folder
from baton.adapters.importers.transcript import PlanState, Result, ToolUse
from baton.core.display import one_line

_EXIT = re.compile(r"\s*(?:Error: )?Exit code:? (-?\d{1,9})\b")
_TASK_ID = re.compile(r"[Tt]ask #?(\w+) created")
_PLAN = ("TodoWrite", "TaskCreate", "TaskUpdate")
_CHANGES = {"Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit", "Write": "write"}
_LOOKS = {"Read": "read", "Grep": "search", "Glob": "list", "LS": "list", "WebFetch": "fetch"}
_TITLES = {"shell": "Run", "edit": "Change", "write": "Write", "read": "Read", "search": "Search", "list": "List"}


def call(tool: Tool, folder: Folder, cwd: str) -> ToolUse:
    """A call with Baton's name and arguments, where Baton has such a tool; else as it is."""
    given = tool.input
    if tool.name == "Bash":
        return _use(tool, "shell", {"command": clean.text(given.get("command"), clean.ARGUMENT)}, "command")
    if tool.name in _CHANGES:
        path = given.get("file_path") or given.get("notebook_path") or given.get("path")
        args = {"path": folder.relative(clean.word(path, 4096), cwd), **_content(given)}
        return _use(tool, _CHANGES[tool.name], args, "path")
    if tool.name in _LOOKS:
        return _look(tool, folder, cwd)
    if tool.name in _PLAN:
        return _use(tool, "plan", {"items": PlanState().replace(given.get("todos"))} if "todos" in given else given, "")
    return _use(tool, tool.name or "unknown", given, "")


def result(use: ToolUse, returned: Returned, plan: PlanState) -> Result:
    """The result of a call; whether it failed is said by the block, not by the shape of what came with it."""
    ok = not returned.error
    if use.name == "shell":
        return _shell(use, returned, ok)
    if use.name in ("edit", "write"):
        made = returned.facts.get("type") == "create" or "File created" in returned.text
        details: dict[str, Any] = {"path": use.args["path"], "created": ok and made}
        return Result(returned.text, ok, {**details, **_refusal(returned)})
    if use.name == "plan" and ok:
        return Result(returned.text, ok, {"items": _plan_items(use, returned, plan)})
    agreed = dialogue.agreements(use.foreign, use.given, returned.text, returned.facts, ok=ok)
    return Result(returned.text, ok, {**_looked_at(use), **agreed, **_refusal(returned)})


def _use(tool: Tool, name: str, args: Mapping[str, Any], shown: str) -> ToolUse:
    title = f"{_TITLES.get(name, name)} {one_line(str(args.get(shown, '')), 200)}".strip()
    return ToolUse(tool.id, name, args, tool.name, title, tool.input)


def _content(given: Mapping[str, Any]) -> dict[str, Any]:
    names = {"content": "content", "old_string": "old", "new_string": "new", "new_source": "new", "edits": "edits"}
    return {ours: given[theirs] for theirs, ours in names.items() if theirs in given}


def _look(tool: Tool, folder: Folder, cwd: str) -> ToolUse:
    kept = {name: held for name, held in tool.input.items() if name not in ("file_path", "path")}
    path = clean.word(tool.input.get("file_path") or tool.input.get("path"), 4096)
    args = {"path": folder.relative(path, cwd), **kept} if path else kept
    return _use(tool, _LOOKS[tool.name], args, next((name for name in ("path", "pattern", "url") if name in args), ""))


def _shell(use: ToolUse, returned: Returned, ok: bool) -> Result:
    found = _EXIT.match(returned.text)
    exit_: int | None = 0 if ok else None
    if not ok and found:
        exit_ = int(found[1])
    details: dict[str, Any] = {"command": use.args["command"], "log": None}
    if returned.facts.get("interrupted"):
        ok, exit_ = False, None
        details["cancelled"] = True
    if returned.facts.get("backgroundTaskId"):
        exit_ = None
        details["background"] = True
    if "timed out after" in returned.text[:200] and not ok:
        details["timed_out"] = True
    return Result(returned.text, ok, {"exit": exit_, **details, **_refusal(returned)})


def _looked_at(use: ToolUse) -> dict[str, Any]:
    return {"path": use.args["path"]} if use.name == "read" and use.args.get("path") else {}


def _refusal(returned: Returned) -> dict[str, Any]:
    return dialogue.refusal(returned.text, failed=returned.error)


def _plan_items(use: ToolUse, returned: Returned, plan: PlanState) -> list[dict[str, str]]:
    if use.foreign == "TodoWrite":
        return plan.replace(use.given.get("todos"))
    if use.foreign == "TaskCreate":
        named = clean.word(clean.mapping(returned.facts.get("task")).get("id"))
        found = _TASK_ID.search(returned.text)
        return plan.create(use.given, named or (found[1] if found else ""))
    return plan.update(use.given)
