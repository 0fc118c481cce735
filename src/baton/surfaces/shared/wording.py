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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baton.core.agent.message import Usage
    from baton.core.log.entry import Entry
    from baton.core.transfer.transfer import Transfer
    from baton.ports.model import Pull

GATEWAY = "gateway"
TERMINAL = "terminal"
_SURFACES = {GATEWAY: "A gateway", TERMINAL: "A terminal", "editor": "An editor", "run": "A script"}
_OTHERS = {GATEWAY: "Another gateway", TERMINAL: "Another terminal"}


def surface(owner: str) -> str:
    return owner.partition(":")[0]


def holder(owner: str, here: str = "") -> str:
    """As seen from the surface `here`: a gateway that waits for a gateway waits for another one."""
    found = surface(owner)
    return _OTHERS[found] if found == here and found in _OTHERS else _SURFACES.get(found, "Somebody else")


PATIENCE = 60.0
"""Seconds after which somebody who waits is told that it is slow."""

FAILED = "The transfer failed: {error}. The conversation is where it was; nothing was lost."
CANCELLED = "The transfer was cancelled. The conversation is where it was; nothing was lost."
_STEPS = {
    "requested": "asking the gateway",
    "claimed": "the gateway has it",
    "opened": "thread opened",
    "bound": "waiting for its first words there",
    "greeted": "greeting delivered",
}
_NO_THREAD = "channel found"


def describe_step(transfer: Transfer) -> str:
    """How far it is. Where a platform has no threads, none was opened."""
    if transfer.step == "opened" and str(transfer.notes.get("opened", {}).get("place", "")).count(":") < 2:
        return _NO_THREAD
    return _STEPS[transfer.step]


def platform_of(transfer: Transfer) -> str:
    return platform_name(transfer.platform)


def describe_failure(transfer: Transfer) -> str:
    return CANCELLED if transfer.error == CANCELLED_ERROR else FAILED.format(error=transfer.error.rstrip("."))


COST = "{input:,} tokens in, {output:,} out"
COST_CACHED = "{input:,} tokens in ({cached:,} cached), {output:,} out"
PRICED = "{tokens}, ${price:.4f}"


def describe_cost(usage: Usage | None) -> str:
    """`12,000 tokens in (8,000 cached), 600 out, $0.0120`; empty if nobody counted."""
    if usage is None or not (usage.input or usage.output):
        return ""
    counted = (COST_CACHED if usage.cached else COST).format(
        input=usage.input, cached=usage.cached, output=usage.output
    )
    return counted if usage.cost is None else PRICED.format(tokens=counted, price=usage.cost)


def cost_clause(usage: Usage | None, what: str) -> str:
    """The same as the end of a sentence that is not in the catalogue yet: `; the summary cost …`."""
    cost = describe_cost(usage)
    return f"; {what} cost {cost}" if cost else ""


CONTEXT = "Context: {before:,} → {after:,} tokens."


def describe_context(before: int, after: int) -> str:
    return CONTEXT.format(before=before, after=after)


def describe_kept(kept: Sequence[str]) -> str:
    return f"Kept verbatim: {'; '.join(kept)}" if kept else "Kept verbatim: the last exchanges"


HANDED_OFF = "◆ {because}. Continues in a fresh session. Packet: {path}"
UNEXPLAINED = "Handed off"
TURNED = "◆ {what}"
_WIDTH = 200


def describe_turning_point(entry: Entry) -> str:
    """Empty for an entry that is none. A handoff stored without its reason is told without it."""
    held = payload(entry)
    if isinstance(held, PacketOpening):
        because, path = one_line(held.because, _WIDTH), one_line(held.path, _WIDTH)
        return HANDED_OFF.format(because=because or UNEXPLAINED, path=path or "kept in the store")
    what = describe_compression(entry)
    return TURNED.format(what=what) if what else ""


PULL = (
    "{title} is not on this machine yet. {size} would be fetched{kept}, from {sources}. It goes to {directory}. "
    "Whatever the source, the file must have the sha256 {sha256}…, which Baton knows, or it is removed. "
    "Licence: {licence}."
)
PULL_KEPT = " ({size} more are here from before)"


def describe_pull_plan(plan: Pull) -> str:
    """Size and source of a model, told before its first byte."""
    size, kept = format_size(plan.bytes - plan.kept), PULL_KEPT.format(size=format_size(plan.kept)) if plan.kept else ""
    return PULL.format(
        title=plan.title,
        size=size,
        kept=kept,
        sources="; if that fails, from ".join(plan.sources),
        directory=shorten_home(plan.directory),
        sha256=plan.sha256[:16],
        licence=plan.licence,
    )
