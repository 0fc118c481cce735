"""How long checkpoints are kept: which ones of a conversation may be removed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, cast

from baton.core.handoff.checkpoint import Checkpoint
from baton.core.handoff.packet import Packet
from baton.core.value import value

DAY = 86_400


@value
class Retention:
    """A conversation's newest `keep` checkpoints stay, for so many `days`; 0 sets no limit."""

    keep: int = 50
    days: int = 90


def find_outdated(
    checkpoints: Iterable[Checkpoint], retention: Retention, needed: Collection[str], now: float
) -> list[Checkpoint]:
    """Those of one conversation that may be removed, newest first: too many or too old.

    Never the newest, nor one whose name or hash is `needed`, nor one that is younger than a day or of the future.
    Taking two conversations for one can only make the answer longer.
    """
    ordered = sorted(checkpoints, key=lambda each: each.age_order, reverse=True)
    return [
        each
        for position, each in enumerate(ordered)
        if position > 0
        and _exceeds(retention, position, now - each.at)
        and now - each.at >= DAY
        and not {each.name, each.sha} & {*needed}
    ]


def _exceeds(retention: Retention, position: int, age: float) -> bool:
    many = retention.keep > 0 and position >= retention.keep
    return many or (retention.days > 0 and age > retention.days * DAY)


def pointed_to(packet: Packet) -> set[str]:
    """The name and the hash of the checkpoint that a packet names; empty if it names none."""
    import json

    try:
        told: object = json.loads(packet.ledger)
    except (ValueError, RecursionError):
        return set()
    kept = cast("dict[str, Any]", told).get("checkpoint") if isinstance(told, dict) else None
    held = cast("dict[str, Any]", kept) if isinstance(kept, dict) else {}
    return {found for name in ("name", "sha") if isinstance(found := held.get(name), str) and found}
