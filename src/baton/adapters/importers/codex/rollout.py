"""The records of a Codex thread, whatever files they are in, and what must be known before they are converted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from baton.adapters.importers import clean
from baton.adapters.importers.lines import Record, read_beginning, read_json, records
from baton.adapters.importers.paths import Folder

_ZSTANDARD = b"\x28\xb5\x2f\xfd"
_BASES = 8
_OLD = re.compile(rb'\s*\{\s*"(?:session|items)"\s*:')


def is_compressed(path: Path) -> bool:
    return read_beginning(path, 4) == _ZSTANDARD


def is_legacy(path: Path) -> bool:
    return _OLD.match(read_beginning(path)) is not None


def read_legacy(path: Path) -> Iterator[tuple[int, Record]]:
    """The records of the first versions' format, one object with all items, in today's form."""
    held = clean.mapping(read_json(path))
    yield 1, {"type": "session_meta", "payload": clean.mapping(held.get("session"))}
    for number, item in enumerate(clean.items(held.get("items")), 1):
        yield number, {"type": "response_item", "payload": clean.mapping(item)}


def records_with_base(path: Path, skipped: Counter[str], depth: int = 0) -> Iterator[tuple[int, Record]]:
    """The records, preceded by those of the file that holds their beginning."""
    first = True
    for number, record in records(path, skipped, follow=depth == 0):
        if first and record.get("type") == "session_meta":
            first = False
            yield number, record
            yield from _base(path, clean.mapping(record.get("payload")).get("history_base"), skipped, depth)
            continue
        yield number, record


def _base(path: Path, base: object, skipped: Counter[str], depth: int) -> Iterator[tuple[int, Record]]:
    held = clean.mapping(base)
    name = clean.word(base) or clean.word(held.get("rollout_id")) or clean.word(held.get("thread_id"))
    if not name:
        return
    safe = name.replace("-", "").isalnum()
    found = sorted(each for each in path.parent.glob(f"rollout-*{name}.jsonl") if each != path) if safe else []
    if not found or depth >= _BASES:
        skipped["history base missing"] += 1
        return
    for number, record in records_with_base(found[0], skipped, depth + 1):
        if record.get("type") != "session_meta":
            yield number, record


class About:
    """What must be known before the first record is taken: two passes, so that nothing is held in memory."""

    def __init__(self, lines: Iterator[tuple[int, Record]]) -> None:
        self.id = self.parent = self.branch = self.head = ""
        self.events: dict[str, dict[str, Any]] = {}
        self.speaks_in_events = self.answers_in_items = False
        folders: list[str] = []
        for _, record in lines:
            payload = clean.mapping(record.get("payload"))
            kind = record.get("type")
            if kind == "session_meta" and not self.id:
                self._meta(payload)
            if kind in ("session_meta", "turn_context"):
                folders.append(clean.word(payload.get("cwd"), 4096))
            elif kind == "event_msg":
                self._event(payload)
            elif kind == "response_item" and payload.get("role") == "assistant":
                self.answers_in_items = True
        self.folder = Folder(folders)

    def _meta(self, payload: Record) -> None:
        git = clean.mapping(payload.get("git"))
        self.id = clean.word(payload.get("id") or payload.get("session_id"))
        self.parent = clean.word(payload.get("forked_from_id") or payload.get("parent_thread_id"))
        self.branch, self.head = clean.word(git.get("branch")), clean.word(git.get("commit_hash"))

    def _event(self, payload: Record) -> None:
        kind = payload.get("type")
        if kind == "user_message":
            self.speaks_in_events = True
        elif kind in ("patch_apply_end", "exec_command_end"):
            kept = {name: payload[name] for name in ("success", "exit_code") if name in payload}
            changes = clean.mapping(payload.get("changes"))
            kept["changes"] = {path: {"type": _change(held)} for path, held in list(changes.items())[:500]}
            self.events[clean.word(payload.get("call_id"))] = kept


def _change(held: object) -> str:
    change = clean.mapping(held)
    return clean.word(change.get("type")) or next(iter(change), "update")
