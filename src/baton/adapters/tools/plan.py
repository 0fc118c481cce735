"""Keeps the plan of the work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check
from baton.core.display import one_line
from baton.ports.tool import PLAN, Intent, Outcome, Output

MOST = 50
_WIDTH = 300
STATES = ("pending", "doing", "done")
_MARKS = {"pending": "[ ]", "doing": "[>]", "done": "[x]"}


class Plan:
    """The items replace the earlier ones; they are few and short, so that a plan never fills the context."""

    spec = specs.spec(
        "plan",
        "Write down the steps of a task and tick them off. Give the whole list each time.",
        ["items"],
        items={
            "type": "array",
            "maxItems": MOST,
            "items": {
                "type": "object",
                "properties": {
                    "text": specs.text("One step.", least=1, most=_WIDTH),
                    "state": {"type": "string", "enum": list(STATES)},
                },
                "required": ["text", "state"],
                "additionalProperties": False,
            },
        },
    )

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent(f"Plan {len(self._items(args))} items", PLAN)

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        del output
        items = self._items(args)
        done = sum(item["state"] == "done" for item in items)
        rows = [f"{_MARKS[item['state']]} {item['text']}" for item in items]
        return Outcome("\n".join([f"Plan: {done} of {len(items)} done.", *rows]), details={"items": items})

    def _items(self, args: Mapping[str, Any]) -> list[dict[str, str]]:
        given = check(self.spec, args)["items"]
        return [{"text": one_line(item["text"], _WIDTH), "state": item["state"]} for item in given]
