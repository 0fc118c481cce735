"""Lets the model look at the past of its own conversation: what left its context is still in the record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check, refuse
from baton.core.display import one_line, spell_out
from baton.core.errors import BadInput, ToolError
from baton.core.log.recall import TOOL
from baton.engine.aio import finish_in_thread
from baton.engine.past import Past, Recalled
from baton.ports.tool import READ, Intent, Outcome, Output

_QUERY = 300
_POINTER = 20
_AROUND = 5


class Recall:
    """`limit_chars` bounds what the model gets."""

    spec = specs.spec(
        TOOL,
        "Look up what was said and done earlier in this conversation, in all its sessions, also what is no longer in "
        "your context. Give words to search for, or a pointer such as g4#23 to read that entry.",
        query=specs.text("Words that were used then.", least=1, most=_QUERY),
        at=specs.text("A pointer: g4#23, or #23 in this session.", least=1, most=_POINTER),
        around=specs.whole("With a pointer: how many entries before and after it.", 0, _AROUND, 2),
    )

    def __init__(self, past: Past, limit_chars: int) -> None:
        self._past = past
        self._limit = limit_chars

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = self._check(args)
        wanted = checked.get("at") or f"“{checked['query']}”"
        return Intent(f"Recall {one_line(spell_out(wanted), 100)}", READ)

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        del output
        checked = self._check(args)
        found = await finish_in_thread(lambda: self._look(checked))
        return Outcome(found.text, details={"entries": list(found.pointers)})

    def _look(self, checked: Mapping[str, Any]) -> Recalled:
        try:
            if "at" in checked:
                return self._past.read(checked["at"], checked["around"], self._limit)
            return self._past.find(checked["query"], self._limit)
        except BadInput as error:
            raise ToolError(tool=TOOL, reason=error.parts()[0].rstrip(".")) from None

    def _check(self, args: Mapping[str, Any]) -> dict[str, Any]:
        checked = check(self.spec, args)
        if ("query" in checked) == ("at" in checked):
            raise refuse(self.spec, "it needs either a query or a pointer")
        return checked
