"""Who is at work on a conversation, in words."""

from __future__ import annotations

GATEWAY = "gateway"
_SURFACES = {GATEWAY: "Another gateway", "terminal": "A terminal", "editor": "An editor", "run": "A script"}


def surface(owner: str) -> str:
    return owner.partition(":")[0]


def holder(owner: str) -> str:
    return _SURFACES.get(surface(owner), "Somebody else")
