"""Reads what `opencode export` writes: one JSON object, messages with their parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from baton.adapters.importers import clean, dialogue
from baton.adapters.importers.lines import read_beginning, read_json
from baton.adapters.importers.noise import strip_noise
from baton.adapters.importers.paths import CREATED, DELETED, Folder, touched_files
from baton.adapters.importers.transcript import Origin, PlanState, Result, ToolUse, Transcript
from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.ids import quote
from baton.ports.importer import Imported

AGENT = "OpenCode"
CLEARED = "[the source cleared this output]"
_START = re.compile(rb'\s*\{\s*"(?:info|messages)"\s*:')
_NAMES = {
    "bash": "shell", "edit": "edit", "multiedit": "edit", "write": "write", "patch": "edit", "apply_patch": "edit",
    "read": "read", "grep": "search", "glob": "list", "list": "list", "webfetch": "fetch", "todowrite": "plan",
}  # fmt: skip
_QUIET = frozenset(("step-start", "step-finish", "reasoning", "snapshot", "agent", "retry", "file", "subtask"))


class OpenCode:
    name = "opencode"

    def recognises(self, path: Path) -> bool:
        return _START.match(read_beginning(path)) is not None

    def read(self, path: Path) -> Imported:
        held = clean.mapping(read_json(path))
        about, messages = clean.mapping(held.get("info")), clean.items(held.get("messages"))
        skipped: Counter[str] = Counter()
        line = _Converter(path.name, Folder([clean.word(about.get("directory"), 4096), *_folders(messages)]), skipped)
        for number, message in enumerate(messages, 1):
            line.take(number, clean.mapping(message))
        entries = line.transcript.finish()
        if not entries:
            raise BadInput(reason=f"{quote(str(path), 200)} holds no conversation of {AGENT}.")
        return Imported(
            id=clean.word(about.get("id")) or path.stem,
            title=clean.word(about.get("title")) or line.transcript.title(),
            workspace=line.folder.workspace,
            entries=entries,
            cuts=tuple(line.transcript.cuts),
            skipped=dict(skipped),
            source=str(path),
            format=self.name,
            parent=clean.word(about.get("parentID")),
        )


def _folders(messages: list[Any]) -> list[str]:
    paths = (clean.mapping(clean.mapping(clean.mapping(each).get("info")).get("path")) for each in messages)
    return [clean.word(path.get("cwd"), 4096) for path in paths]


class _Converter:
    def __init__(self, file: str, folder: Folder, skipped: Counter[str]) -> None:
        self.transcript = Transcript(file, AGENT)
        self.folder = folder
        self._skipped = skipped
        self._plan = PlanState()
        self._changed: set[str] = set()

    def take(self, number: int, message: Mapping[str, Any]) -> None:
        """`number` counts messages: the file has no lines to point at."""
        about = clean.mapping(message.get("info"))
        parts = [clean.mapping(part) for part in clean.items(message.get("parts"))]
        origin = Origin(number, clean.moment(clean.mapping(about.get("time")).get("created")))
        if about.get("role") == "user":
            self._take_user(parts, origin)
        elif about.get("role") == "assistant":
            self._take_assistant(about, parts, origin)
        else:
            self._skipped[f"unknown: {clean.word(about.get('role')) or 'no role'}"] += 1

    def _take_user(self, parts: list[dict[str, Any]], origin: Origin) -> None:
        if any(part.get("type") == "compaction" for part in parts):
            self.transcript.cut()
            return
        texts = [strip_noise(clean.text(part.get("text"), clean.SAID)) for part in parts if _is_spoken(part)]
        text = "\n".join(each for each in texts if each.strip())
        if text:
            self.transcript.user(text, origin)
        else:
            self._skipped["noise"] += 1

    def _take_assistant(self, about: Mapping[str, Any], parts: list[dict[str, Any]], origin: Origin) -> None:
        text = "\n".join(clean.text(part.get("text"), clean.SAID) for part in parts if _is_spoken(part))
        if about.get("summary") is True:
            self.transcript.summary(text, {}, origin)
            return
        message_id = clean.word(about.get("id")) or f"m{origin.line}"
        calls = [part for part in parts if part.get("type") == "tool"]
        if text.strip() or calls:
            self.transcript.assistant(message_id, text, [], _facts(about), origin)
        self._changed = set()
        for part in parts:
            self._take_part(message_id, part, origin)

    def _take_part(self, message_id: str, part: Mapping[str, Any], origin: Origin) -> None:
        kind = part.get("type")
        if kind == "tool":
            self._take_tool(message_id, part, origin)
        elif kind == "patch":
            self._take_patch(message_id, part, origin)
        elif kind not in ("text", "compaction", *_QUIET):
            self._skipped[f"unknown: {clean.word(kind) or 'part'}"] += 1

    def _take_tool(self, message_id: str, part: Mapping[str, Any], origin: Origin) -> None:
        state = clean.mapping(part.get("state"))
        given = clean.mapping(state.get("input"))
        uses = self._uses(clean.word(part.get("tool")), clean.word(part.get("callID")), given)
        self.transcript.assistant(message_id, "", uses, {}, origin)
        if state.get("status") not in ("completed", "error"):
            return
        for use in uses:
            self.transcript.result(use.id, self._result(use, state), origin)

    def _uses(self, tool: str, call_id: str, given: Mapping[str, Any]) -> list[ToolUse]:
        name = _NAMES.get(tool, tool or "unknown")
        if name == "shell":
            command = clean.text(given.get("command"), clean.ARGUMENT)
            return [ToolUse(call_id, name, {"command": command}, tool, f"Run {one_line(command, 200)}")]
        if tool in ("patch", "apply_patch"):
            files = touched_files(clean.text(given.get("patchText"), 200_000))
            ids = [call_id, *(f"{call_id}/{number}" for number in range(2, len(files) + 1))]
            return [self._change(id_, name, tool, each.path, each.state) for id_, each in zip(ids, files, strict=False)]
        path = clean.word(given.get("filePath"), 4096)
        if name in ("edit", "write"):
            return [self._change(call_id, name, tool, path, "")]
        args = clean.bound({**given, "path": self.folder.relative(path)} if path else given)
        return [ToolUse(call_id, name, args, tool, tool, given)]

    def _change(self, call_id: str, name: str, tool: str, path: str, state: str) -> ToolUse:
        args = {"path": self.folder.relative(path)}
        return ToolUse(call_id, name, args, tool, f"Change {one_line(args['path'], 200)}", {"state": state})

    def _result(self, use: ToolUse, state: Mapping[str, Any]) -> Result:
        facts = clean.mapping(state.get("metadata"))
        ok = state.get("status") == "completed"
        text = clean.text(state.get("output") if ok else state.get("error"))
        cleared: dict[str, Any] = dialogue.refusal(text, failed=not ok)
        cleared |= dialogue.agreements(use.foreign, use.given, text, facts, ok=ok)
        if clean.mapping(state.get("time")).get("compacted"):
            text, cleared = CLEARED, {**cleared, "missing": True}
        if use.name == "shell":
            code = clean.exit_code(facts.get("exit"))
            exit_ = 0 if code is None and ok else code
            return Result(
                text, ok and exit_ == 0, {"exit": exit_, "command": use.args["command"], "log": None, **cleared}
            )
        if use.name in ("edit", "write"):
            if ok:
                self._changed.add(use.args["path"])
            created = use.given.get("state") == CREATED or (use.name == "write" and facts.get("exists") is False)
            details: dict[str, Any] = {"path": use.args["path"], "created": ok and created, **cleared}
            return Result(text, ok, {**details, "deleted": True} if use.given.get("state") == DELETED else details)
        if use.name == "plan" and ok:
            return Result(text, ok, {"items": self._plan.replace(use.given.get("todos"))})
        return Result(text, ok, cleared)

    def _take_patch(self, message_id: str, part: Mapping[str, Any], origin: Origin) -> None:
        """Files that a step changed by other means than an edit: its snapshot knows them."""
        every = [self.folder.relative(clean.word(path, 4096)) for path in clean.items(part.get("files"))]
        paths = [path for path in every if path not in self._changed][:500]
        if paths:
            call_id = f"patch-{clean.word(part.get('hash')) or origin.line}"
            use = ToolUse(call_id, "edit", {"path": paths[0]}, "patch", f"Change {one_line(paths[0], 200)}")
            self.transcript.assistant(message_id, "", [use], {}, origin)
            self.transcript.result(call_id, Result(f"{len(paths)} files changed.", details={"paths": paths}), origin)


def _is_spoken(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")


def _facts(about: Mapping[str, Any]) -> dict[str, Any]:
    tokens = clean.mapping(about.get("tokens"))
    used, said_ = clean.number(tokens.get("input")), clean.number(tokens.get("output"))
    cached = clean.number(clean.mapping(tokens.get("cache")).get("read"))
    usage = {"input": used + cached, "output": said_, "cached": cached, "cost": None}
    model = f"{clean.word(about.get('providerID'))}:{clean.word(about.get('modelID'))}".strip(":")
    return {"model": model, "stop": clean.word(about.get("finish")), "usage": usage if used or said_ else None}
