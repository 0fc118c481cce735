"""What must be known of a Codex rollout before its first record is taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from baton.adapters.importers import clean
from baton.adapters.importers.folder import Folder
from baton.adapters.importers.lines import Record


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
