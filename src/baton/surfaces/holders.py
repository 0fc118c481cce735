"""Who is at work on a conversation, in words."""

from __future__ import annotations

GATEWAY = "gateway"
TERMINAL = "terminal"
_SURFACES = {GATEWAY: "A gateway", TERMINAL: "A terminal", "editor": "An editor", "run": "A script"}
_OTHERS = {GATEWAY: "Another gateway", TERMINAL: "Another terminal"}


def surface(owner: str) -> str:
    return owner.partition(":")[0]


def holder(owner: str, here: str = "") -> str:
    """As seen from a surface: a gateway that waits for a gateway waits for another one."""
    found = surface(owner)
    return _OTHERS[found] if found == here and found in _OTHERS else _SURFACES.get(found, "Somebody else")
