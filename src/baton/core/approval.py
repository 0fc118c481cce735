"""Who decides whether a tool may act: a table from mode and effect to an answer.

| effect  | ask   | accept_edits | unattended | read_only |
|---------|-------|--------------|------------|-----------|
| read    | allow | allow        | allow      | allow     |
| plan    | allow | allow        | allow      | allow     |
| edit    | ask   | allow        | allow      | deny      |
| execute | ask   | ask          | allow      | deny      |
| fetch   | ask   | ask          | allow      | ask       |

Whatever reaches outside the workspace is asked for in every mode but read_only, which denies it unless it only reads.
An answer is bound to the exact tool and arguments; a remembered one allows nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from baton.core.value import value

ASK = "ask"
ACCEPT_EDITS = "accept_edits"
UNATTENDED = "unattended"
READ_ONLY = "read_only"
MODES = (ASK, ACCEPT_EDITS, UNATTENDED, READ_ONLY)

ALLOW = "allow"
DENY = "deny"

_TABLE = {
    "read": (ALLOW, ALLOW, ALLOW, ALLOW),
    "plan": (ALLOW, ALLOW, ALLOW, ALLOW),
    "edit": (ASK, ALLOW, ALLOW, DENY),
    "execute": (ASK, ASK, ALLOW, DENY),
    "fetch": (ASK, ASK, ALLOW, ASK),
}


@value
class Verdict:
    """`answer` is allow, ask or deny; `reason` says why it is not simply allowed."""

    answer: str
    reason: str = ""


def verdict(mode: str, effect: str, outside: Collection[str], print_: str, remembered: Collection[str]) -> Verdict:
    """What holds for a call with this fingerprint."""
    if print_ in remembered and mode != READ_ONLY:
        return Verdict(ALLOW)
    answer = _TABLE[effect][MODES.index(mode)]
    if outside and not (mode == READ_ONLY and effect != "read"):
        return Verdict(ASK, f"it reaches outside the workspace: {', '.join(sorted(outside)[:3])}")
    if answer == DENY:
        return Verdict(DENY, "the session is read-only")
    return Verdict(answer, f"it wants to {_VERBS[effect]}" if answer == ASK else "")


_VERBS = {
    "edit": "change files",
    "execute": "run a command",
    "fetch": "reach the network",
    "read": "read",
    "plan": "plan",
}


def fingerprint(tool: str, args: Mapping[str, Any]) -> str:
    """The same for equal arguments only, whatever their order."""
    import hashlib
    import json

    canonical = json.dumps([tool, dict(args)], sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
