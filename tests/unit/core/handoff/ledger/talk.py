"""A conversation to take facts from, in few words."""

from __future__ import annotations

from typing import Any

from baton.core.log.entry import Entry, encode_body, entry


class Talk:
    """Entries of one session, added by saying and doing."""

    def __init__(self, session_id: str = "20260527_123456_abcdef") -> None:
        self.session_id = session_id
        self.entries: list[Entry] = []

    def add(self, kind: str, **data: Any) -> Talk:
        seq = len(self.entries) + 1
        self.entries.append(entry(self.session_id, seq, kind, seq, 0, encode_body(data)))
        return self

    def say(self, text: str, **more: Any) -> Talk:
        return self.add("user", text=text, **more)

    def call(
        self, name: str, args: dict[str, Any], text: str = "", *, ok: bool = True, said: str = "", **details: Any
    ) -> Talk:
        call_id = f"c{len(self.entries)}"
        self.add("assistant", text=said, calls=[{"id": call_id, "name": name, "args": args}])
        self.add("tool_call", id=call_id, name=name, args=args, title=name)
        return self.add("tool_result", id=call_id, name=name, text=text, ok=ok, details=details)

    def run(self, command: str, exit_: int = 0, text: str = "", log: str = "") -> Talk:
        details = {"exit": exit_, "command": command, "log": log}
        return self.call("shell", {"command": command}, text, ok=exit_ == 0, **details)

    def write(self, path: str, *, created: bool = False, said: str = "") -> Talk:
        return self.call("write", {"path": path}, path=path, created=created, said=said)

    def plan(self, **items: str) -> Talk:
        rows = [{"text": text.replace("_", " "), "state": state} for text, state in items.items()]
        return self.call("plan", {"items": rows}, items=rows)
