"""A transfer in words, the same in the terminal, the chat and an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.platforms import platform_name
from baton.core.transfer import CANCELLED_ERROR

if TYPE_CHECKING:
    from baton.core.transfer import Transfer

PATIENCE = 60.0
"""Seconds after which somebody who waits is told that it is slow."""

FAILED = "The transfer failed: {error}. The conversation is where it was, whole."
CANCELLED = "The transfer was cancelled. The conversation is where it was, whole."
_STEPS = {
    "requested": "asking the gateway",
    "claimed": "the gateway has it",
    "opened": "thread opened",
    "bound": "waiting for its first words there",
    "greeted": "greeting delivered",
}
_NO_THREAD = "channel found"


def step(transfer: Transfer) -> str:
    """How far it is. Where a platform has no threads, none was opened."""
    if transfer.step == "opened" and str(transfer.notes.get("opened", {}).get("place", "")).count(":") < 2:
        return _NO_THREAD
    return _STEPS[transfer.step]


def place(transfer: Transfer) -> str:
    return platform_name(transfer.platform)


def failed(transfer: Transfer) -> str:
    return CANCELLED if transfer.error == CANCELLED_ERROR else FAILED.format(error=transfer.error.rstrip("."))
