"""Reads a Claude Code session: the live branch, across its compactions, without what the user never said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from baton.adapters.importers import clean
from baton.adapters.importers.claude_code import rows as kinds
from baton.adapters.importers.claude_code import tools
from baton.adapters.importers.claude_code.chain import main_line
from baton.adapters.importers.claude_code.rows import File, Row
from baton.adapters.importers.lines import Record, peek
from baton.adapters.importers.noise import INTERRUPTED, read_command, strip_noise
from baton.adapters.importers.paths import Folder
from baton.adapters.importers.transcript import Origin, PlanState, Transcript
from baton.core.errors import BadInput
from baton.core.ids import quote
from baton.core.value import replace
from baton.ports.importer import Imported

AGENT = "Claude Code"
MISSING_FORK = "fork target missing"
_FORKS = 8
_TYPES = frozenset((
    "user", "assistant", "system", "summary", "progress", "file-history-snapshot", "queue-operation", "attachment",
    "custom-title", "ai-title", "mode", "permission-mode", "last-prompt", "pr-link",
))  # fmt: skip
_MARKS = ("uuid", "sessionId", "leafUuid", "messageId")
_FILE_NAME = re.compile(r"[\w-]{1,128}")


class ClaudeCode:
    name = "claude-code"

    def recognises(self, path: Path) -> bool:
        return any(map(_is_typical, peek(path)))

    def read(self, path: Path) -> Imported:
        skipped: Counter[str] = Counter()
        file = File(path, skipped)
        rows, parent = self._with_origin(path, file, skipped)
        live, dead = main_line(rows, skipped)
        if not any(row.kind in (kinds.USER, kinds.ASSISTANT) for row in live):
            raise BadInput(reason=f"{quote(str(path), 200)} holds no conversation of {AGENT}.")
        folder = Folder(row.cwd for row in live)
        line = _Converter(path.name, folder, skipped)
        for row in live:
            line.take(row)
        return Imported(
            id=file.session or path.stem,
            title=file.title() or line.transcript.title(),
            workspace=folder.workspace,
            entries=line.transcript.finish(),
            cuts=tuple(line.transcript.cuts),
            skipped=dict(skipped),
            dead=dead,
            source=str(path),
            format=self.name,
            parent=parent,
            branch=next((row.branch for row in reversed(live) if row.branch), ""),
        )

    def _with_origin(self, path: Path, file: File, skipped: Counter[str]) -> tuple[list[Row], str]:
        """The rows, preceded by those of the session this one was forked from if the file only points to it."""
        rows, parent, seen = file.rows, clean.word(file.fork.get("sessionId")), {path.stem}
        while file.fork and len(seen) <= _FORKS:
            origin = clean.word(file.fork.get("sessionId"))
            anchor = clean.word(file.fork.get("messageUuid"))
            if any(row.uuid == anchor for row in rows) or origin in seen:
                break
            target = _beside(path, origin)
            if target is None:
                skipped[MISSING_FORK] += 1
                break
            seen.add(origin)
            file = File(target, skipped, follow=False)
            rows = [*_until(file.rows, anchor), *_join_fork(rows, anchor)]
        return rows, parent


def _is_typical(record: Record) -> bool:
    if record.get("type") in (kinds.USER, kinds.ASSISTANT):
        return "content" in clean.mapping(record.get("message"))
    return record.get("type") in _TYPES and any(isinstance(record.get(mark), str) for mark in _MARKS)


def _beside(path: Path, session: str) -> Path | None:
    """The file of another session in the same directory, if there is one; a link is none."""
    if _FILE_NAME.fullmatch(session) is None:
        return None
    target = path.with_name(f"{session}.jsonl")
    return target if target.is_file() and not target.is_symlink() else None


def _until(rows: list[Row], anchor: str) -> list[Row]:
    """The rows up to the one where the fork began; all of them if it is not there."""
    end = next((index for index, row in enumerate(rows) if row.uuid == anchor), len(rows) - 1)
    return rows[: end + 1]


def _join_fork(rows: list[Row], anchor: str) -> list[Row]:
    """The rows of a fork, the first of which now follows the anchor."""
    first = next((index for index, row in enumerate(rows) if row.uuid and row.parent is None), None)
    return [replace(row, parent=anchor or "unknown") if index == first else row for index, row in enumerate(rows)]


class _Converter:
    """The main line as it becomes a transcript."""

    def __init__(self, file: str, folder: Folder, skipped: Counter[str]) -> None:
        self.transcript = Transcript(file, AGENT)
        self._folder = folder
        self._skipped = skipped
        self._plan = PlanState()
        self._boundary: Row | None = None

    def take(self, row: Row) -> None:
        origin = Origin(row.line, row.at)
        if row.kind == kinds.ASSISTANT:
            self._take_assistant(row, origin)
        elif row.kind == kinds.USER:
            self._take_results(row, origin)
            self._take_user(row, origin)
        elif row.kind == kinds.BOUNDARY:
            self.transcript.cut()
            self._boundary = row
        elif row.kind == kinds.SUMMARY:
            self._take_summary(row, origin)
        elif row.kind == kinds.OTHER:
            self.transcript.note(row.facts, origin)

    def _take_assistant(self, row: Row, origin: Origin) -> None:
        uses = [tools.call(tool, self._folder, row.cwd) for tool in row.tools]
        text = "\n".join(text for text in row.texts if text)
        if row.facts.get("error") and not uses:
            self._skipped["error of the provider"] += 1
            note = {"foreign": "error", "error": clean.text(text, 2_000), "interrupted": True}
            self.transcript.note(note, origin)
        elif uses or text.strip():
            self.transcript.assistant(row.message_id, text, uses, row.facts, origin)

    def _take_results(self, row: Row, origin: Origin) -> None:
        for returned in row.results:
            use = self.transcript.waiting_call(returned.id)
            if use is None:
                self._skipped["result without its call"] += 1
                continue
            self.transcript.result(returned.id, tools.result(use, returned, self._plan), origin)

    def _take_user(self, row: Row, origin: Origin) -> None:
        own = [strip_noise(text) or read_command(text) for text in row.texts]
        for text, kept in zip(row.texts, own, strict=True):
            if not kept.strip() and text.strip():
                self._skipped["noise"] += 1
                note = {"foreign": "noise", "text": clean.text(text, 2_000)}
                interrupted = {"interrupted": True} if text.startswith(INTERRUPTED) else {}
                self.transcript.note({**note, **interrupted}, origin)
        text = "\n".join(kept for kept in own if kept.strip())
        if text:
            self.transcript.user(text, origin, meanwhile=bool(row.facts.get("meanwhile")))

    def _take_summary(self, row: Row, origin: Origin) -> None:
        facts: Mapping[str, Any] = self._boundary.facts if self._boundary else {}
        if self._boundary is None:
            self.transcript.cut()
        self._boundary = None
        self.transcript.summary("\n".join(row.texts), facts, origin)
