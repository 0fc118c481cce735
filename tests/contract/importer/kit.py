"""For each importer a small good file, and where in it a user's words stand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.continuity.corpus.claude import claude_lines
from bench.continuity.corpus.export import baton_lines
from bench.continuity.corpus.fixture import fixture

WORDS = "Please add the words to the file."


def claude_code(path: Path) -> Path:
    return _lines(path, claude_lines(fixture(), 1))


def baton(path: Path) -> Path:
    return _lines(path, baton_lines(fixture(), 1))


def codex(path: Path) -> Path:
    def record(kind: str, **payload: Any) -> str:
        return json.dumps({"timestamp": "2026-11-02T10:00:00Z", "type": kind, "payload": payload})

    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": WORDS}]}
    call = {"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"ls"}', "call_id": "c1"}
    back = {"type": "function_call_output", "call_id": "c1", "output": "Exit code: 1"}
    lines = [
        record("session_meta", id="t-1", cwd="/w"),
        *(record("response_item", **each) for each in (said, call, back)),
    ]
    return _lines(path, iter(lines))


def opencode(path: Path) -> Path:
    part = {
        "type": "tool",
        "tool": "bash",
        "callID": "c1",
        "state": {"status": "completed", "input": {"command": "ls"}},
    }
    messages = [("user", {"type": "text", "text": WORDS}), ("assistant", part)]
    held = [{"info": {"role": role}, "parts": [part]} for role, part in messages]
    target = path.with_suffix(".json")
    target.write_text(json.dumps({"info": {"id": "s"}, "messages": held}))
    return target


def _lines(path: Path, lines: Any) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


GOOD: dict[str, Callable[[Path], Path]] = {
    "claude-code": claude_code,
    "baton": baton,
    "codex": codex,
    "opencode": opencode,
}
"""A format without a line here fails the suite."""
