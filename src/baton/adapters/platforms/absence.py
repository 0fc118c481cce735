"""What is said when a platform knows that nobody who is the owner could read a message there."""

from __future__ import annotations

from baton.core.errors import SendRefused

ABSENT = "you are not in that room now, and others would read it; send /sethome in one where you are"


def owner_absent(platform: str) -> SendRefused:
    return SendRefused(platform=platform, reason=ABSENT)
