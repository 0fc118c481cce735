"""Calls that fail the same way again and again within a turn: the model is told first, then a person is asked."""

from __future__ import annotations

import re

from baton.core.agent.approval import fingerprint
from baton.core.agent.message import Call
from baton.ports.tool import Outcome

TOLD, ASKED = 2, 3
"""After so many equal failures the model is told, and a person is asked before the next try."""
NOTE = (
    "[this exact call has now failed the same way {count} times. Do not repeat it unchanged: change what makes it "
    "fail, try another way, or tell the user what is in the way]"
)
STUCK = "it has failed the same way {count} times"
_PASSING = re.compile(
    r"\d+(?:[.,]\d+)?\s?(?:ms|s|sec|secs|seconds|minutes)\b|\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?|0x[0-9a-fA-F]+"
    r"|\d{4}-\d\d-\d\d\S*|/tmp/\S+|\.baton/logs/\S+|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b"
)
"""What differs from run to run although nothing is different: times, addresses, temporary names."""


class Failures:
    """Of one turn. A call that succeeds is forgotten; when something was changed, so is everything: it may help now."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, int]] = {}

    def count(self, call: Call) -> int:
        return self._seen.get(_key(call), ("", 0))[1]

    def describe_stuck(self, call: Call) -> str:
        """Why a person has to decide about the next try; empty if it may simply be made."""
        count = self.count(call)
        return STUCK.format(count=count) if count >= ASKED else ""

    def note(self, call: Call, outcome: Outcome, *, changes: bool) -> str:
        """Takes down how a call ended; returns what the model is to be told about it. What nobody ran is no failure."""
        if outcome.details.get("refused") or outcome.details.get("cancelled"):
            return ""
        if outcome.ok:
            self._seen.pop(_key(call), None)
            if changes:
                self._seen.clear()
            return ""
        way = _PASSING.sub("…", outcome.text)
        before, count = self._seen.get(_key(call), ("", 0))
        count = count + 1 if way == before else 1
        self._seen[_key(call)] = way, count
        return NOTE.format(count=count) if count >= TOLD else ""


def _key(call: Call) -> str:
    return fingerprint(call.name, call.args)
