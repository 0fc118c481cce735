"""Who decides whether a tool may act: a table from mode and effect to an answer.

| effect  | ask   | accept_edits | unattended | read_only |
|---------|-------|--------------|------------|-----------|
| read    | allow | allow        | allow      | allow     |
| plan    | allow | allow        | allow      | allow     |
| edit    | ask   | allow        | allow      | deny      |
| execute | ask   | ask          | allow      | deny      |
| fetch   | ask   | ask          | allow      | ask       |

What reaches outside the workspace is asked for wherever the table does not deny it: so reading a file outside is asked
for in every mode, read_only included, and read_only denies every change and command, outside as inside.

What cannot be taken back is asked for too, in every mode and even if it is remembered, in a session that continued from
a packet and in which nobody has spoken yet (`risk`).

An answer is for one call. One that you asked to remember is bound to the exact tool and arguments, to where the
call leads (files it would change, what it reaches outside) and to what carries it out (an MCP server, a sandbox): when
any of these differs it is asked for again. In read_only nothing is remembered.

"Always commands that begin so" is remembered by those words and the runner. It allows nothing that reaches outside or
cannot be taken back. A command that only reads has the effect read; which one that is, the tool says.

A call that has failed the same way again and again is asked about in every mode, whatever is allowed (`stuck`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from baton.core.display import one_line
from baton.core.value import value

ASK = "ask"
ACCEPT_EDITS = "accept_edits"
UNATTENDED = "unattended"
READ_ONLY = "read_only"
MODES = (ASK, ACCEPT_EDITS, UNATTENDED, READ_ONLY)

UNASKED = "the work went on in a fresh session without you, and this may not be undone: {risk}"

WANTS = "it wants to"
"""How a reason begins that says no more than the call itself."""
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


@value
class Doubt:
    """Why a call is asked about whatever was allowed before: `risk` is what cannot be taken back about it, if that
    counts now; `stuck` says how often it has failed the same way.
    """

    risk: str = ""
    stuck: str = ""

    @property
    def reason(self) -> str:
        return UNASKED.format(risk=self.risk) if self.risk else self.stuck


NO_DOUBT = Doubt()


def verdict(
    mode: str,
    effect: str,
    outside: Collection[str],
    prints: Collection[str],
    remembered: Collection[str],
    doubt: Doubt = NO_DOUBT,
) -> Verdict:
    """What holds for a call. `prints` are its fingerprint and, if they count for it, those of what it begins with."""
    answer = _TABLE[effect][MODES.index(mode)]
    if answer == DENY:
        return Verdict(DENY, "the session is read-only")
    if doubt.reason:
        return Verdict(ASK, doubt.reason)
    if mode != READ_ONLY and not {*prints}.isdisjoint(remembered):
        return Verdict(ALLOW)
    if outside:
        return Verdict(ASK, f"it reaches outside the workspace: {_list_places(outside)}")
    return Verdict(answer, f"{WANTS} {_VERBS[effect]}" if answer == ASK else "")


def _list_places(outside: Collection[str]) -> str:
    """The first few on one line, and how many more there are."""
    shown = [one_line(place, 200) for place in sorted(outside)[:3]]
    more = len(outside) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more else ''}"


_VERBS = {
    "edit": "change files",
    "execute": "run a command",
    "fetch": "reach the network",
    "read": "read",
    "plan": "plan",
}


def print_beginning(tool: str, begins: Sequence[str], runner: str) -> str:
    """For every command that begins with these words; never the same as that of a call."""
    return fingerprint(f"{tool} begins", {"words": list(begins)}, (), runner)


def fingerprint(tool: str, args: Mapping[str, Any], reach: Collection[str] = (), runner: str = "") -> str:
    """The same for equal arguments only, whatever their order, that lead to the same places by the same runner."""
    import hashlib
    import json

    bound = [tool, dict(args), sorted(reach), runner]
    canonical = json.dumps(bound, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
