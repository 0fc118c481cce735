"""Sentences that surfaces share: who is at work on a conversation, how a transfer goes, what turned in a transcript,
what a pull would fetch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.display import one_line
from baton.core.log.payloads import PacketOpening, payload
from baton.core.transfer.place import platform_name
from baton.core.transfer.transfer import CANCELLED_ERROR
from baton.surfaces.shared.formats import shorten_home
from baton.surfaces.shared.formats import size as format_size
from baton.surfaces.shared.story import describe_compression
from baton.surfaces.words import work as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baton.core.agent.event import CompressionEnded
    from baton.core.agent.message import Usage
    from baton.core.log.entry import Entry
    from baton.core.transfer.transfer import Transfer
    from baton.ports.model import Pull

GATEWAY = "gateway"
TERMINAL = "terminal"


def surface(owner: str) -> str:
    return owner.partition(":")[0]


def holder(owner: str, here: str = "") -> str:
    """As seen from the surface `here`: a gateway that waits for a gateway waits for another one."""
    found = surface(owner)
    others = words.OTHERS if found == here else {}
    return others.get(found) or words.SURFACES.get(found, words.SOMEBODY)


PATIENCE = 60.0
"""Seconds after which somebody who waits is told that it is slow."""


def describe_step(transfer: Transfer) -> str:
    """How far it is. Where a platform has no threads, none was opened."""
    if transfer.step == "opened" and str(transfer.notes.get("opened", {}).get("place", "")).count(":") < 2:
        return words.NO_THREAD
    return words.STEPS[transfer.step]


def platform_of(transfer: Transfer) -> str:
    return platform_name(transfer.platform)


def describe_failure(transfer: Transfer) -> str:
    return (
        words.TRANSFER_CANCELLED
        if transfer.error == CANCELLED_ERROR
        else words.TRANSFER_FAILED.format(error=transfer.error.rstrip("."))
    )


def describe_cost(usage: Usage | None) -> str:
    """`12,000 tokens in (8,000 cached), 600 out, $0.0120`; empty if nobody counted."""
    if usage is None or not (usage.input or usage.output):
        return ""
    counted = (words.COST_CACHED if usage.cached else words.COST).format(
        input=usage.input, cached=usage.cached, output=usage.output
    )
    return counted if usage.cost is None else words.PRICED.format(tokens=counted, price=usage.cost)


def describe_compression_end(event: CompressionEnded) -> str:
    """How a compression that ran just now ended, and what its summary cost."""
    alone, because = words.COMPRESSIONS.get(event.outcome, words.COMPRESSIONS["failed"])
    told = (because if event.error else alone).format(
        before=event.before, after=event.after, error=event.error.rstrip(".")
    )
    cost = describe_cost(event.usage)
    return f"{told} {words.SUMMARY_COST.format(cost=cost)}" if cost else told


def describe_context(before: int, after: int) -> str:
    return words.CONTEXT.format(before=before, after=after)


def describe_kept(kept: Sequence[str]) -> str:
    return words.KEPT.format(kept="; ".join(kept)) if kept else words.KEPT_LAST


_WIDTH = 200


def describe_turning_point(entry: Entry) -> str:
    """Empty for an entry that is none. A handoff stored without its reason is told without it."""
    held = payload(entry)
    if isinstance(held, PacketOpening):
        because, path = one_line(held.because, _WIDTH), one_line(held.path, _WIDTH)
        text = words.HANDED_OFF if because else words.HANDED_OFF_UNEXPLAINED
        return text.format(because=because, path=path or words.PATH_UNKNOWN)
    what = describe_compression(entry)
    return words.TURNED.format(what=what) if what else ""


def describe_pull_plan(plan: Pull) -> str:
    """Size and source of a model, told before its first byte."""
    source, *others = plan.sources
    size, kept = format_size(plan.bytes - plan.kept), format_size(plan.kept)
    told = (words.PULL_KEPT if plan.kept else words.PULL).format(title=plan.title, size=size, source=source, kept=kept)
    instead = [words.PULL_ELSE.format(source=each) for each in others]
    directory, digest = shorten_home(plan.directory), plan.sha256[:16]
    rest = words.PULL_TO.format(directory=directory, sha256=digest, licence=plan.licence)
    return " ".join([told, *instead, rest])
