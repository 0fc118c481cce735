"""What one session's entries show, before it is merged with what earlier ones did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from baton.core.handoff.ledger import commands
from baton.core.log.entry import Entry
from baton.core.log.payloads import AssistantStep, ToolCall, ToolResult, UserInput, payload

_DECIDING = re.compile(r"\b(?:decided|instead of|rather than|because|chose|going with|opted)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_DECISION_LIMIT = 240
_SAID = 4000
_CHANGING = ("edit", "write")


class Run:
    """The last run of a command: how it ended and what it said."""

    __slots__ = ("at", "command", "exit", "line", "log", "ok", "runs", "tests")

    def __init__(self, command: str) -> None:
        self.command = command
        self.ok = True
        self.exit: int | None = None
        self.line = self.log = self.at = ""
        self.runs = 0
        self.tests: list[str] = []


class Observed:
    """Everything by its raw normal form; secrets are still in it."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []
        self.files: dict[str, tuple[str, str]] = {}
        self.runs: dict[str, Run] = {}
        self.plan: dict[str, tuple[str, str]] | None = None
        self.finished: dict[str, str] = {}
        self.decisions: dict[str, str] = {}
        self.pending: dict[str, tuple[str, str, str]] = {}


def observe(entries: Iterable[Entry]) -> Observed:
    """One pass over the entries; linear in their size."""
    seen = Observed()
    said = ""
    for entry in entries:
        held, at = payload(entry), f"{entry.session_id}/{entry.seq}"
        if isinstance(held, UserInput):
            if held.text.strip() and not held.synthetic:
                seen.requests.append((held.text, at))
        elif isinstance(held, AssistantStep):
            said = held.text or said
            for call in held.calls:
                seen.pending[call.id] = (call.name, _purpose(call.name, call.args), at)
        elif isinstance(held, ToolCall):
            seen.pending[held.id] = (f"started:{held.name}", _purpose(held.name, held.args), at)
        elif isinstance(held, ToolResult):
            said = _add_result(seen, held, at, said)
    return seen


def _purpose(name: str, args: Mapping[str, Any]) -> str:
    told = args.get("command") or args.get("path") or args.get("url") or ""
    return f"{name} {commands.fold_spaces(str(told)[:20_000])}".strip()


def _add_result(seen: Observed, result: ToolResult, at: str, said: str) -> str:
    call = seen.pending.pop(result.id, None)
    if result.name == "shell":
        _add_run(seen, result, at, call[1].removeprefix("shell ") if call else "")
    elif result.name == "plan" and result.ok and "items" in result.details:
        _take_plan(seen, result.details["items"], at)
    elif result.name in _CHANGING and result.ok:
        _add_change(seen, result.details, at)
        if said:
            _add_decisions(seen, said, at)
            return ""
    return said


def _add_change(seen: Observed, details: Mapping[str, Any], at: str) -> None:
    for path in details.get("paths") or [details.get("path")]:
        if path:
            before = seen.files.get(path, ("", ""))[0]
            created = details.get("created") or before == "created"
            state = "deleted" if details.get("deleted") else "created" if created else "edited"
            seen.files[path] = (state, at)


def _add_run(seen: Observed, result: ToolResult, at: str, told: str) -> None:
    details = result.details
    command = str(details.get("command") or told)
    if not command or details.get("refused") or details.get("cancelled"):
        return
    run = seen.runs.setdefault(commands.normalize(command), Run(command))
    run.command, run.at, run.ok = command, at, result.ok
    run.exit, run.log, run.runs = details.get("exit"), str(details.get("log") or ""), run.runs + 1
    output = "" if run.ok else result.text
    run.line, run.tests = commands.telling_line(output), commands.failed_tests(output)
    for path in commands.removed_paths(command) if run.ok else ():
        if path in seen.files:
            seen.files[path] = ("deleted", at)


def _take_plan(seen: Observed, items: Iterable[Mapping[str, Any]], at: str) -> None:
    """The newest plan counts. What it calls done, and what was done before it was left out, is finished."""
    seen.plan = {}
    for item in items:
        text, state = commands.fold_spaces(str(item.get("text", ""))), str(item.get("state", "pending"))
        if not text:
            continue
        seen.plan[text] = (state, at)
        if state == "done":
            seen.finished[text] = at
        else:
            seen.finished.pop(text, None)


def _add_decisions(seen: Observed, said: str, at: str) -> None:
    end = said if len(said) <= _SAID else said[-_SAID:].partition("\n")[2]
    for match in _SENTENCE.finditer(end) if _DECIDING.search(end) else ():
        sentence = commands.fold_spaces(match[0]).strip(" -*#>") if _DECIDING.search(match[0]) else ""
        if 20 <= len(sentence) <= _DECISION_LIMIT:
            seen.decisions[sentence] = at
