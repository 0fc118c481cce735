"""How large the context is, read off the entries: one figure for every surface, before and after a restart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from baton.core.agent.tokens import Gauge
from baton.core.log import entry as kinds
from baton.core.log.context import project
from baton.core.log.entry import Entry
from baton.core.log.payloads import AssistantStep, Compression, PacketOpening, payload


def count_tokens(entries: Sequence[Entry]) -> int:
    """Tokens in the context of a session, as `measure` says."""
    return measure(entries, *find_sizes(entries), lambda: project(entries).tokens)


def measure(entries: Sequence[Entry], gauge: Gauge, beside: int, projected: Callable[[], int]) -> int:
    """What the provider counted with the last answer, and an estimate of what has come since. After a compression or a
    handoff, or where nobody counts, an estimate of all, corrected by what was counted before, with what is sent
    `beside` the entries. `projected` are the tokens of the entries that are in the context.
    """
    since = 0
    for entry in reversed(entries):
        if entry.kind in (kinds.COMPRESSION, kinds.PACKET) or entry.copied:
            break
        step = payload(entry) if entry.kind == kinds.ASSISTANT else None
        if isinstance(step, AssistantStep) and step.usage and step.usage.input:
            return step.usage.input + step.usage.output + gauge.tokens(since)
        since += entry.tokens
    return gauge.tokens(projected() + beside)


def find_sizes(entries: Sequence[Entry]) -> tuple[Gauge, int]:
    """The gauge as it was learnt from the last answer whose provider counted, and how much was sent beside the entries,
    by our estimate, when that was last noted.
    """
    gauge, beside = None, 0
    for held in _backwards(entries):
        gauge = gauge or _read_gauge(held)
        beside = beside or held.beside
        if gauge and beside:
            break
    return gauge or Gauge(), beside


def _read_gauge(held: AssistantStep | Compression | PacketOpening) -> Gauge | None:
    if isinstance(held, AssistantStep) and held.usage and held.usage.input and held.sent:
        return Gauge(held.usage.input, held.sent)
    return Gauge(held.counted, held.sent) if isinstance(held, Compression) and held.counted and held.sent else None


def _backwards(entries: Sequence[Entry]) -> Iterator[AssistantStep | Compression | PacketOpening]:
    for entry in reversed(entries):
        if entry.kind in (kinds.COMPRESSION, kinds.PACKET) or _may_count(entry):
            held = payload(entry)
            if isinstance(held, AssistantStep | Compression | PacketOpening):
                yield held


def _may_count(entry: Entry) -> bool:
    """Whether it may be an answer that holds a count: told without reading it."""
    return entry.kind == kinds.ASSISTANT and ('"usage"' in entry.body or '"beside"' in entry.body)
