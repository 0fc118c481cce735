"""Small conversations whose facts can be counted by hand."""

from __future__ import annotations

from typing import Any

from baton.core.log.entry import NewEntry
from baton.ports.importer import Imported


class Talk:
    def __init__(self) -> None:
        self.entries: list[NewEntry] = []
        self._calls = 0

    def user(self, text: str) -> Talk:
        self.entries.append(NewEntry("user", {"text": text}))
        return self

    def says(self, text: str) -> Talk:
        self.entries.append(NewEntry("assistant", {"text": text, "calls": []}))
        return self

    def tool(self, name: str, ok: bool = True, text: str = "", **details: Any) -> Talk:
        self._calls += 1
        id_ = f"c{self._calls}"
        args = {key: details[key] for key in ("command", "path", "items") if key in details}
        self.entries.append(NewEntry("assistant", {"text": "", "calls": [{"id": id_, "name": name, "args": args}]}))
        self.entries.append(NewEntry("tool_call", {"id": id_, "name": name, "args": args, "title": name}))
        data = {"id": id_, "name": name, "text": text, "ok": ok, "details": details}
        self.entries.append(NewEntry("tool_result", data))
        return self

    def run(self, command: str, exit_: int = 0, text: str = "") -> Talk:
        return self.tool("shell", exit_ == 0, text, command=command, exit=exit_)

    def edit(self, path: str, ok: bool = True, **details: Any) -> Talk:
        return self.tool("edit", ok, path=path, **details)

    def plan(self, **items: str) -> Talk:
        return self.tool(
            "plan", items=[{"text": text.replace("_", " "), "state": state} for text, state in items.items()]
        )

    def imported(self, cuts: tuple[int, ...] = ()) -> Imported:
        return Imported("id", "title", "/w", tuple(self.entries), cuts)
