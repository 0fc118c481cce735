"""Reads a Codex rollout. Its compactions are opaque, so what stands before them is what is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from baton.adapters.importers import clean
from baton.adapters.importers.codex import tools
from baton.adapters.importers.codex.rollout import About, is_compressed, is_legacy, read_legacy, records_with_base
from baton.adapters.importers.lines import Record, peek
from baton.adapters.importers.noise import strip_noise
from baton.adapters.importers.transcript import Origin, PlanState, Result, ToolUse, Transcript
from baton.core.errors import BadInput
from baton.core.ids import quote
from baton.ports.importer import Imported

AGENT = "Codex"
_EDITOR = "# Context from my IDE setup"
_REQUEST = "## My request for Codex:"
_TYPES = frozenset(("session_meta", "response_item", "event_msg", "turn_context", "compacted"))
_QUIET = frozenset((
    "turn_context", "world_state", "security_risk_score", "inter_agent_communication", "token_usage_record",
))  # fmt: skip


class Codex:
    name = "codex"

    def recognises(self, path: Path) -> bool:
        if is_compressed(path):
            return ".jsonl" in path.name
        return any(record.get("type") in _TYPES and "payload" in record for record in peek(path)) or is_legacy(path)

    def read(self, path: Path) -> Imported:
        if is_compressed(path):
            reason = f"{quote(str(path), 200)} is compressed. Unpack it first: zstd -d {quote(path.name)}."
            raise BadInput(reason=reason)
        skipped: Counter[str] = Counter()
        lines = list(read_legacy(path)) if is_legacy(path) else None
        source = (lambda: iter(lines)) if lines is not None else (lambda: records_with_base(path, skipped))
        about = About(source())
        skipped.clear()
        line = _Converter(path.name, about, skipped)
        for number, record in source():
            line.take(number, record)
        entries = line.transcript.finish()
        if not entries:
            raise BadInput(reason=f"{quote(str(path), 200)} holds no conversation of {AGENT}.")
        return Imported(
            id=about.id or path.stem,
            title=line.transcript.title(),
            workspace=about.folder.workspace,
            entries=entries,
            cuts=tuple(line.transcript.cuts),
            skipped=dict(skipped),
            source=str(path),
            format=self.name,
            parent=about.parent,
            branch=about.branch,
            head=about.head,
        )


class _Converter:
    """The records as they become a transcript."""

    def __init__(self, file: str, about: About, skipped: Counter[str]) -> None:
        self.transcript = Transcript(file, AGENT)
        self._about = about
        self._skipped = skipped
        self._plan = PlanState()
        self._cwd = ""
        self._model = ""
        self._message = 0
        self._in_turn = self._asked = False
        self._uses: dict[str, list[ToolUse]] = {}
        self._items: dict[str, Callable[[Record, Origin], None]] = {
            "message": self._take_message,
            "reasoning": self._skip_reasoning,
            "function_call": self._take_call,
            "custom_tool_call": self._take_call,
            "local_shell_call": self._take_call,
            "function_call_output": self._take_result,
            "custom_tool_call_output": self._take_result,
            "web_search_call": self._take_search,
        }

    def take(self, number: int, record: Record) -> None:
        kind, payload = record.get("type"), clean.mapping(record.get("payload"))
        origin = Origin(number, clean.moment(record.get("timestamp")))
        if kind == "response_item":
            self._take_item(payload, origin)
        elif kind == "event_msg":
            self._take_event(payload, origin)
        elif kind == "compacted":
            self._take_compaction(payload, origin)
        elif kind in ("session_meta", "turn_context"):
            self._cwd = clean.word(payload.get("cwd"), 4096) or self._cwd
            self._model = clean.word(payload.get("model")) or self._model
        elif kind in _QUIET:
            self._skipped[str(kind)] += 1
        else:
            self._skipped[f"unknown: {clean.word(kind) or 'no type'}"] += 1
            self.transcript.note({"foreign": clean.word(kind), "raw": clean.bound(record, 400)}, origin)

    def _take_item(self, payload: Record, origin: Origin) -> None:
        kind = clean.word(payload.get("type")) or ("message" if "role" in payload else "")
        taker = self._items.get(kind)
        if taker is None:
            self._skipped[f"unknown: {kind or 'item'}"] += 1
            self.transcript.note({"foreign": kind, "raw": clean.bound(payload, 400)}, origin)
            return
        taker(payload, origin)

    def _take_message(self, payload: Record, origin: Origin) -> None:
        text = _flat(payload.get("content"))
        role = payload.get("role")
        if role == "assistant":
            self.transcript.assistant(self._id(), text, [], {"model": self._model}, origin)
        elif role != "user":
            self._skipped[f"{clean.word(role) or 'no'} message"] += 1
        elif not self._about.speaks_in_events:
            self._take_user(text, origin)

    def _take_user(self, text: str, origin: Origin) -> None:
        own = strip_noise(_without_context(text))
        if own.strip():
            self._message += 1
            self.transcript.user(own, origin, meanwhile=self._asked)
            self._asked = self._in_turn
        else:
            self._skipped["noise"] += 1

    def _skip_reasoning(self, payload: Record, origin: Origin) -> None:
        del payload, origin
        self._skipped["reasoning, encrypted"] += 1

    def _take_call(self, payload: Record, origin: Origin) -> None:
        action = clean.mapping(payload.get("action"))
        given = payload.get("arguments") or payload.get("input") or action
        name = clean.word(payload.get("name")) or "local_shell"
        call_id = clean.word(payload.get("call_id") or payload.get("id"))
        workdir = clean.word(action.get("working_directory"), 4096)
        uses = tools.calls(name, call_id, given, self._about.folder, workdir or self._cwd)
        self._uses[call_id] = uses
        self.transcript.assistant(self._id(), "", uses, {"model": self._model}, origin)

    def _take_result(self, payload: Record, origin: Origin) -> None:
        call_id = clean.word(payload.get("call_id"))
        self._message += 1
        uses = self._uses.pop(call_id, None)
        if uses is None:
            waiting = self.transcript.waiting_call(call_id)
            uses = [waiting] if waiting else []
        if not uses:
            self._skipped["result without its call"] += 1
        for use in uses:
            facts = self._about.events.get(call_id, {})
            self.transcript.result(use.id, tools.result(use, payload.get("output"), facts, self._plan), origin)

    def _take_search(self, payload: Record, origin: Origin) -> None:
        call_id = clean.word(payload.get("id")) or f"search-{origin.line}"
        args = {"query": clean.text(clean.mapping(payload.get("action")).get("query") or payload.get("query"), 400)}
        self.transcript.assistant(self._id(), "", [ToolUse(call_id, "web_search", args, "web_search")], {}, origin)
        self.transcript.result(call_id, Result("[the result is not in the transcript]"), origin)

    def _take_event(self, payload: Record, origin: Origin) -> None:
        kind = payload.get("type")
        if kind == "user_message":
            self._take_user(clean.text(payload.get("message"), clean.SAID), origin)
        elif kind == "agent_message" and not self._about.answers_in_items:
            text = clean.text(payload.get("message"), clean.SAID)
            self.transcript.assistant(self._id(), text, [], {"model": self._model}, origin)
        elif kind in ("task_started", "turn_started", "task_complete", "turn_complete"):
            self._in_turn, self._asked = str(kind).endswith("started"), False
        elif kind == "turn_aborted":
            self._in_turn = self._asked = False
            self.transcript.note({"foreign": "turn_aborted", "interrupted": True}, origin)

    def _take_compaction(self, payload: Record, origin: Origin) -> None:
        """The window id is a number or a name; the text is mostly empty, and then there is nothing to keep."""
        self.transcript.cut()
        text = clean.text(payload.get("message"), clean.SAID)
        window = payload.get("window_id")
        if text.strip():
            self.transcript.summary(text, {"window": clean.bound(window, 100)}, origin)
        else:
            self._skipped["opaque compaction"] += 1
            self.transcript.note({"foreign": "compacted", "window": clean.bound(window, 100)}, origin)

    def _id(self) -> str:
        """Items of one answer belong together until something comes back."""
        return f"m{self._message}"


def _without_context(text: str) -> str:
    """What the user asked, without the list of open files that an editor puts before it."""
    own = text.partition(_REQUEST)[2] if text.lstrip().startswith(_EDITOR) else ""
    return own.strip() or text


def _flat(content: object) -> str:
    if isinstance(content, str):
        return clean.text(content, clean.SAID)
    parts = [clean.mapping(each).get("text") for each in clean.items(content)]
    return clean.text("\n".join(part for part in parts if isinstance(part, str)), clean.SAID)
