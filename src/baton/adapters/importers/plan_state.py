"""The plan as it stands, from sources that give it whole and from sources that change it item by item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.adapters.importers import clean
from baton.core.display import one_line

_WIDTH = 300
_STATES = {"pending": "pending", "in_progress": "doing", "in-progress": "doing", "doing": "doing", "active": "doing"}
_DONE = ("completed", "done", "complete")
_GONE = ("deleted", "cancelled", "canceled")

Items = list[dict[str, str]]


class PlanState:
    def __init__(self) -> None:
        self._items: dict[str, dict[str, str]] = {}
        self._created = 0

    def whole(self, given: object) -> Items:
        """A new list instead of the old one."""
        self._items = {}
        for number, each in enumerate(clean.items(given)):
            item = clean.mapping(each)
            name = item.get("content") or item.get("step") or item.get("text") or item.get("subject")
            self._put(f"w{number}", name, item.get("status") or item.get("state"))
        return self.items()

    def create(self, given: Mapping[str, Any], task_id: str) -> Items:
        """One more item. Where the source did not say its id, the next number is taken, as the source counts."""
        self._created += 1
        self._put(task_id or str(self._created), given.get("subject") or given.get("description"), "pending")
        return self.items()

    def update(self, given: Mapping[str, Any]) -> Items:
        task_id = str(given.get("taskId") or given.get("id") or "")
        held = self._items.get(task_id, {})
        name = given.get("subject") or held.get("text")
        self._put(task_id, name, given.get("status") or held.get("state"))
        return self.items()

    def items(self) -> Items:
        return [dict(item) for item in self._items.values()]

    def _put(self, key: str, name: object, status: object) -> None:
        if status in _GONE:
            self._items.pop(key, None)
            return
        shown = one_line(clean.text(name, 4_000), _WIDTH)
        if shown:
            state = "done" if status in _DONE else _STATES.get(str(status), "pending")
            self._items[key] = {"text": shown, "state": state}
