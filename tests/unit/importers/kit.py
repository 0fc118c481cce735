"""Transcripts made by hand, a record at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from baton.core.log import entry as kinds
from baton.core.log.entry import Entry, NewEntry, encode_body, entry
from baton.ports.importer import Imported

CWD = "/home/dev/shop"


def dumped(records: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(record, ensure_ascii=True).encode() + b"\n" for record in records)


class Claude:
    """A Claude Code file: each record follows the one before, unless told otherwise."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.last: str | None = None
        self._count = 0

    def record(self, kind: str, **fields: Any) -> str:
        self._count += 1
        uuid = f"u{self._count}"
        place = {"type": kind, "uuid": uuid, "parentUuid": self.last, "sessionId": "s-1", "cwd": CWD}
        stamp = f"2026-11-02T10:{self._count // 60:02d}:{self._count % 60:02d}.000Z"
        self.records.append({**place, "isSidechain": False, "gitBranch": "main", "timestamp": stamp, **fields})
        self.last = uuid
        return uuid

    def user(self, content: Any, **fields: Any) -> str:
        return self.record("user", message={"role": "user", "content": content}, **fields)

    def assistant(self, *blocks: dict[str, Any], id: str = "", **fields: Any) -> str:  # noqa: A002
        message = {"id": id or f"msg_{self._count}", "role": "assistant", "model": "claude-opus-5", "content": blocks}
        usage = {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 7}
        return self.record("assistant", message={**message, "usage": usage}, **fields)

    def tool(self, name: str, given: dict[str, Any], text: Any = "ok", *, error: bool = False, **fields: Any) -> None:
        id_ = f"toolu_{self._count}"
        self.assistant(call(id_, name, given))
        self.result(id_, text, error=error, **fields)

    def result(self, id_: str, text: Any = "ok", *, error: bool = False, **fields: Any) -> str:
        block = {"type": "tool_result", "tool_use_id": id_, "content": text}
        return self.user([{**block, "is_error": True} if error else block], **fields)

    def write(self, directory: Path, name: str = "s-1") -> Path:
        path = directory / f"{name}.jsonl"
        path.write_bytes(dumped(self.records))
        return path


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def call(id_: str, name: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": name, "input": given}


def users(imported: Imported) -> list[str]:
    return [each.data["text"] for each in imported.entries if each.kind == kinds.USER]


def of(imported: Imported, kind: str) -> list[NewEntry]:
    return [each for each in imported.entries if each.kind == kind]


def results(imported: Imported, name: str | None = None) -> list[dict[str, Any]]:
    held = [dict(each.data) for each in imported.entries if each.kind == kinds.TOOL_RESULT]
    return [each for each in held if name in (None, each["name"])]


def stored(imported: Imported) -> list[Entry]:
    """The entries as a session would hold them."""
    return [
        entry("20260101_000000_000000", seq, each.kind, each.at or 0, each.tokens, encode_body(dict(each.data)))
        for seq, each in enumerate(imported.entries, 1)
    ]
