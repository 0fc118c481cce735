"""Codex's tools in Baton's words."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from baton.adapters.importers import clean, dialogue, paths
from baton.adapters.importers.paths import CREATED, DELETED, Folder
from baton.adapters.importers.transcript import PlanState, Result, ToolUse
from baton.core.display import one_line

_EXIT = re.compile(r"(?:Process exited with code|Exit code:?|exit code:?) *(-?\d{1,9})\b")
_SHELLS = ("bash", "sh", "zsh")
_RUNS = ("shell", "shell_command", "exec_command", "local_shell", "container.exec", "unified_exec", "exec")
_JS_COMMAND = re.compile(r"""exec_command\(\s*\{\s*"?cmd"?\s*:\s*("(?:[^"\\]|\\.)*")""")


def calls(name: str, call_id: str, given: object, folder: Folder, cwd: str) -> list[ToolUse]:
    """A call as Baton would have made it: one for each file of a patch, else one."""
    args = _arguments(given)
    text = clean.text(given if isinstance(given, str) else "", 200_000)
    patch = _patch(name, args, text)
    if patch:
        return [_edit(each, call_id, number, name, folder, cwd) for number, each in enumerate(patch)]
    if name in _RUNS and (command := _command(args, text)):
        return [ToolUse(call_id, "shell", {"command": command}, name, f"Run {one_line(command, 200)}")]
    if name == "update_plan":
        items = PlanState().replace(args.get("plan"))
        return [ToolUse(call_id, "plan", {"items": items}, name, "Plan", {"plan": args.get("plan")})]
    if not args and text:
        args = {"input": clean.text(text, clean.ARGUMENT)}
    return [ToolUse(call_id, name or "unknown", clean.bound(args), name, name)]


def result(use: ToolUse, output: object, facts: Mapping[str, Any], plan: PlanState) -> Result:
    """`facts` is what the event stream said of the call, which is better than its text."""
    text, code = _output(output)
    code = code if "exit_code" not in facts else clean.exit_code(facts["exit_code"])
    ok = code in (0, None) and facts.get("success") is not False
    refused = dialogue.refusal(text, failed=not ok or code is None)
    if use.name == "shell":
        details = {"exit": code, "command": use.args["command"], "log": None, **refused}
        return Result(text, ok and not refused, details)
    if use.name == "edit":
        failed = (
            not ok or bool(refused) or (code is None and not facts and "Success" not in text and "rror" in text[:400])
        )
        state = _state(use, facts)
        details = {"path": use.args["path"], "created": state == CREATED and not failed, **refused}
        return Result(text, not failed, {**details, "deleted": True} if state == DELETED else details)
    if use.name == "plan":
        return Result(text, ok, {"items": plan.replace(use.given.get("plan"))})
    agreed = dialogue.agreements(use.foreign, use.args, text, {**_arguments(text), **facts}, ok=ok)
    return Result(text, ok and not refused, {**agreed, **refused})


def _arguments(given: object) -> dict[str, Any]:
    if isinstance(given, str):
        try:
            return clean.mapping(json.loads(given))
        except (ValueError, RecursionError):
            return {}
    return clean.mapping(given)


def _patch(name: str, args: Mapping[str, Any], text: str) -> list[paths.TouchedFile]:
    """The files of a patch, even if it was passed to a shell."""
    if name not in ("apply_patch", *_RUNS):
        return []
    given = args.get("input") or args.get("patch") or _command(args, text) or text
    whole = given if isinstance(given, str) else ""
    return paths.touched_files(whole) if paths.is_patch(whole) else []


def _edit(each: paths.TouchedFile, call_id: str, number: int, name: str, folder: Folder, cwd: str) -> ToolUse:
    path = folder.relative(each.path, cwd)
    id_ = call_id if number == 0 else f"{call_id}/{number + 1}"
    return ToolUse(id_, "edit", {"path": path}, name, f"Change {one_line(path, 200)}", {"state": each.state})


def _command(args: Mapping[str, Any], text: str) -> str:
    given = args.get("cmd") or args.get("command")
    if isinstance(given, str):
        return clean.text(given, clean.ARGUMENT)
    words = [word for word in clean.items(given) if isinstance(word, str)]
    if words:
        return clean.text(_join_command(words), clean.ARGUMENT)
    found = _JS_COMMAND.search(text[: clean.ARGUMENT])
    return clean.text(_arguments(f'{{"cmd":{found[1]}}}').get("cmd"), clean.ARGUMENT) if found else ""


def _join_command(words: Sequence[str]) -> str:
    """`bash -lc X` is X; other lists are quoted for a shell."""
    if len(words) == 3 and words[0].rsplit("/", 1)[-1] in _SHELLS and words[1].startswith("-"):
        return words[2]
    return words[1] if len(words) == 2 and words[0] == "apply_patch" else shlex.join(words)


def _output(output: object) -> tuple[str, int | None]:
    """The text of a result, and the exit code in it: beside it, or in one of the two sentences Codex writes."""
    held = _arguments(output)
    code = clean.exit_code(clean.mapping(held.get("metadata")).get("exit_code"))
    if held.get("success") is False:
        code = code or 1
    inner = held.get("output") or held.get("content") or "" if {"output", "content"} & held.keys() else output
    text = clean.text(inner) or clean.text("\n".join(_texts(inner)))
    if code is None and (found := _EXIT.search(text[:600])):
        code = int(found[1])
    return text, code


def _texts(blocks: object) -> list[str]:
    parts = [clean.mapping(each).get("text") for each in clean.items(blocks)]
    return [part for part in parts if isinstance(part, str)]


def _state(use: ToolUse, facts: Mapping[str, Any]) -> str:
    """What happened to a file: as the event says, if there is one."""
    for path, change in clean.mapping(facts.get("changes")).items():
        if str(path).endswith(str(use.args["path"])):
            kinds = {str(clean.mapping(change).get("type", "")), *clean.mapping(change)}
            return CREATED if "add" in kinds else DELETED if "delete" in kinds else str(use.given["state"])
    return str(use.given["state"])
