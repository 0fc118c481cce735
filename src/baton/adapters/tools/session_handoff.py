"""Lets the model ask for a fresh session. It changes nothing: the policy and the user decide what follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check
from baton.core.display import one_line
from baton.ports.tool import PLAN, Intent, Outcome, Output

REQUESTED = "session-handoff-requested"
_WIDTH = 300


class SessionHandoff:
    spec = specs.spec(
        "session_handoff",
        "Ask to continue this work in a fresh session, when the context has become long or confused. "
        "Nothing happens until the user or the policy agrees.",
        ["reason"],
        reason=specs.text("Why now, in one sentence.", least=1, most=_WIDTH),
    )

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent(f"Ask for a fresh session: {self._reason(args)}", PLAN)

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        del output
        return Outcome(REQUESTED, details={"reason": self._reason(args)})

    def _reason(self, args: Mapping[str, Any]) -> str:
        return one_line(check(self.spec, args)["reason"], _WIDTH)
