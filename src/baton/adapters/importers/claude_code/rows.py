"""Records of a Claude Code file, reduced to what matters as soon as they are read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from baton.adapters.importers import clean
from baton.adapters.importers.lines import Record, records
from baton.core.value import field, value

USER = "user"
ASSISTANT = "assistant"
BOUNDARY = "boundary"
SUMMARY = "summary"
OTHER = "other"
LINK = "link"
"""Only a link between others: progress, attachments without text, system records."""
IMAGE = "[image]"

_IGNORED = frozenset((
    "progress", "file-history-snapshot", "queue-operation", "pr-link", "last-prompt", "mode", "permission-mode",
    "agent-name", "agent-color", "agent-setting", "tag", "cost-state", "worktree-state", "attribution-snapshot",
    "content-replacement", "marble-origami-commit", "marble-origami-snapshot", "task-summary",
))  # fmt: skip
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
_KEPT = ("interrupted", "backgroundTaskId", "type", "task", "taskId", "returnCodeInterpretation", "timedOut", "answers")


@value
class Tool:
    id: str
    name: str
    input: Mapping[str, Any]


@value
class Returned:
    """The result of a tool; `facts` is the little of `toolUseResult` that is used."""

    id: str
    text: str
    error: bool
    facts: Mapping[str, Any]


@value
class Row:
    """One record. `parent` is what it follows; `boundary` rows follow across the gap by their logical parent."""

    line: int
    kind: str
    uuid: str = ""
    parent: str | None = None
    at: int | None = None
    cwd: str = ""
    branch: str = ""
    message_id: str = ""
    texts: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    results: tuple[Returned, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


class File:
    """What one file says: its rows, and about itself."""

    def __init__(self, path: Path, skipped: Counter[str], *, follow: bool = True) -> None:
        self.titles: dict[str, str] = {}
        self.session = ""
        self.fork: dict[str, Any] = {}
        self._skipped = skipped
        self.rows = [row for line, record in records(path, skipped, follow=follow) for row in self._row(line, record)]

    def title(self) -> str:
        return next((self.titles[kind] for kind in _TITLES if self.titles.get(kind)), "")

    def _row(self, line: int, record: Record) -> Iterator[Row]:
        kind = clean.word(record.get("type"))
        self.session = self.session or clean.word(record.get("sessionId"))
        self.fork = self.fork or clean.mapping(record.get("forkedFrom") or record.get("forkSource"))
        if kind in _TITLES:
            self.titles[kind] = clean.word(record.get(_TITLES[kind]))
        elif record.get("isSidechain"):
            self._skipped["sidechain"] += 1
        elif kind in (USER, ASSISTANT) and _is_said_by(kind, record):
            yield self._message(line, kind, record)
        elif kind == "system":
            yield _system(line, record)
        elif kind == "attachment":
            yield _attachment(line, record)
        elif kind in _IGNORED:
            self._skipped[kind] += 1
            if record.get("uuid"):
                yield Row(line, LINK, *_place(record))
        else:
            self._skipped[f"unknown: {kind or 'no type'}"] += 1
            raw = clean.text(json.dumps(clean.bound(record, 2_000), ensure_ascii=False), 4_000)
            yield Row(line, OTHER, *_place(record), facts={"foreign": kind or "no type", "raw": raw})

    def _message(self, line: int, kind: str, record: Record) -> Row:
        message = clean.mapping(record.get("message"))
        content = message.get("content")
        texts, tools, results = _blocks([content] if isinstance(content, str) else clean.items(content), record)
        place = (*_place(record), clean.word(message.get("id")))
        if record.get("isCompactSummary"):
            return Row(line, SUMMARY, *place, texts=texts)
        if record.get("isMeta"):
            self._skipped["meta"] += 1
            return Row(line, LINK, *place)
        facts = _said_by(message, record) if kind == ASSISTANT else {}
        return Row(line, kind, *place, texts=texts, tools=tools, results=results, facts=facts)


def _is_said_by(kind: str, record: Record) -> bool:
    """Whether the message within agrees; one that names another role is nobody's words."""
    return clean.word(clean.mapping(record.get("message")).get("role")) in ("", kind)


def _place(record: Record) -> tuple[str, str | None, int | None, str, str]:
    parent = record.get("parentUuid")
    uuid, cwd, branch = (clean.word(record.get(key), 4096) for key in ("uuid", "cwd", "gitBranch"))
    return uuid, clean.word(parent) if parent else None, clean.moment(record.get("timestamp")), cwd, branch


def _blocks(content: list[Any], record: Record) -> tuple[tuple[str, ...], tuple[Tool, ...], tuple[Returned, ...]]:
    texts: list[str] = []
    tools: list[Tool] = []
    results: list[Returned] = []
    for each in content:
        if isinstance(each, str):
            texts.append(clean.text(each, clean.SAID))
            continue
        block = clean.mapping(each)
        kind = block.get("type")
        if kind == "text":
            texts.append(clean.text(block.get("text"), clean.SAID))
        elif kind == "image":
            texts.append(IMAGE)
        elif kind in ("tool_use", "server_tool_use"):
            name, given = clean.word(block.get("name")), clean.bound(clean.mapping(block.get("input")))
            tools.append(Tool(clean.word(block.get("id")), name, given))
        elif kind == "tool_result":
            results.append(_read_result(block, record))
    if any(text.strip() for text in texts if text != IMAGE):
        texts = [text for text in texts if text != IMAGE]
    return tuple(texts), tuple(tools), tuple(results)


def _read_result(block: Mapping[str, Any], record: Record) -> Returned:
    facts = clean.mapping(record.get("toolUseResult"))
    kept = {name: clean.bound(facts[name], 4000 if name == "answers" else 400) for name in _KEPT if facts.get(name)}
    return Returned(
        clean.word(block.get("tool_use_id")), _flat(block.get("content")), bool(block.get("is_error")), kept
    )


def _flat(content: object) -> str:
    if isinstance(content, str):
        return clean.text(content)
    parts = [clean.mapping(each) for each in clean.items(content)]
    return clean.text("\n".join(part["text"] for part in parts if isinstance(part.get("text"), str)))


def _said_by(message: Mapping[str, Any], record: Record) -> dict[str, Any]:
    given = clean.mapping(message.get("usage"))
    cached = clean.number(given.get("cache_read_input_tokens"))
    read = clean.number(given.get("input_tokens")) + clean.number(given.get("cache_creation_input_tokens")) + cached
    usage = {"input": read, "output": clean.number(given.get("output_tokens")), "cached": cached, "cost": None}
    facts: dict[str, Any] = {"model": clean.word(message.get("model")), "stop": clean.word(message.get("stop_reason"))}
    if read or usage["output"]:
        facts["usage"] = usage
    if record.get("isApiErrorMessage"):
        facts["error"] = True
    return facts


def _system(line: int, record: Record) -> Row:
    uuid, parent, at, cwd, branch = _place(record)
    if record.get("subtype") not in ("compact_boundary", "microcompact_boundary"):
        return Row(line, LINK, uuid, parent, at, cwd, branch)
    across = parent or clean.word(record.get("logicalParentUuid")) or "unknown"
    if record.get("subtype") == "microcompact_boundary":
        return Row(line, LINK, uuid, across, at, cwd, branch)
    data = clean.mapping(record.get("compactMetadata"))
    facts = {"trigger": clean.word(data.get("trigger")), "before": clean.number(data.get("preTokens"))}
    return Row(line, BOUNDARY, uuid, across, at, cwd, branch, facts=facts)


def _attachment(line: int, record: Record) -> Row:
    """A message that waited while the agent worked is one the user said; other attachments are not."""
    held = clean.mapping(record.get("attachment"))
    prompt = held.get("prompt")
    if held.get("type") == "queued_command" and held.get("commandMode") in (None, "prompt"):
        blocks = [prompt] if isinstance(prompt, str) else clean.items(prompt)
        texts, _, _ = _blocks(blocks, record)
        return Row(line, USER, *_place(record), texts=texts, facts={"meanwhile": True})
    return Row(line, LINK, *_place(record))
