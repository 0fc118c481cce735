"""Figures in the text format of Prometheus."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from baton.core.transfer.mail import INBOX, OUTBOX
from baton.core.transfer.transfer import ACTIVE
from baton.engine.transfer.targets import CONNECTED
from baton.surfaces.words import api as words

if TYPE_CHECKING:
    from baton.ports.store import Store
    from baton.surfaces.api.context import GatewayState

_STARTED = time.time()
_FIGURES = {
    "heard": ("baton_messages_heard_total", words.METRIC_HEARD),
    "dropped": ("baton_messages_dropped_total", words.METRIC_DROPPED),
    "handled": ("baton_messages_handled_total", words.METRIC_HANDLED),
    "sent": ("baton_messages_sent_total", words.METRIC_SENT),
    "refused": ("baton_messages_refused_total", words.METRIC_REFUSED),
    "transfers_completed": ("baton_transfers_completed_total", words.METRIC_TRANSFERS_COMPLETED),
    "transfers_failed": ("baton_transfers_failed_total", words.METRIC_TRANSFERS_FAILED),
}

Samples = Mapping[str, float]
"""Values by their labels; an empty string for none."""


def counts(store: Store) -> dict[str, Samples]:
    """What only the store knows. Blocks for a moment."""
    states = Counter(transfer.state for transfer in store.transfers.active())
    waiting = {INBOX: len(store.inbox.list_waiting()), OUTBOX: len(store.outbox.list_waiting())}
    return {
        "mail": {f'box="{box}"': count for box, count in waiting.items()},
        "transfers": {f'state="{state}"': states[state] for state in ACTIVE},
    }


def metrics_text(gateway: GatewayState, turns: int, readers: int, found: Mapping[str, Samples] | None) -> str:
    return "".join(f"{line}\n" for line in _lines(gateway, turns, readers, found))


def _lines(gateway: GatewayState, turns: int, readers: int, found: Mapping[str, Samples] | None) -> Iterator[str]:
    for name, value in gateway.figures().items():
        known, doc = _FIGURES.get(name, (f"baton_{name}_total", name.replace("_", " ").capitalize() + "."))
        yield from _metric(known, "counter", doc, {"": value})
    states = {f'platform="{name}"': float(state == CONNECTED) for name, state in gateway.states.items()}
    yield from _metric("baton_platform_connected", "gauge", words.METRIC_CONNECTED, states)
    yield from _metric("baton_turns_running", "gauge", words.METRIC_TURNS, {"": turns})
    yield from _metric("baton_event_streams", "gauge", words.METRIC_STREAMS, {"": readers})
    yield from _metric("baton_store_up", "gauge", words.METRIC_STORE, {"": float(found is not None)})
    if found is not None:
        yield from _metric("baton_mail_waiting", "gauge", words.METRIC_MAIL, found["mail"])
        yield from _metric("baton_transfers", "gauge", words.METRIC_TRANSFERS, found["transfers"])
    yield from _metric("baton_uptime_seconds", "gauge", words.METRIC_UPTIME, {"": time.time() - _STARTED})
    yield from _metric("process_resident_memory_bytes", "gauge", words.METRIC_MEMORY, {"": _memory()})


def _metric(name: str, kind: str, doc: str, samples: Samples) -> Iterator[str]:
    yield f"# HELP {name} {doc}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples.items():
        shown = f"{value:.3f}".rstrip("0").rstrip(".")
        yield f"{name}{{{labels}}} {shown}" if labels else f"{name} {shown}"


def _memory() -> int:
    """Resident memory now; the peak, if the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
