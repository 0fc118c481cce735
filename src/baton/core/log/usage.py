"""What providers counted, read off the entries: the same figure in every process, before and after a restart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from baton.core.agent.tokens import Gauge
from baton.core.log import entry as kinds
from baton.core.log.context import project
from baton.core.log.entry import Entry
from baton.core.log.payloads import AssistantStep, payload


def find_gauge(entries: Sequence[Entry]) -> Gauge:
    """As it was learnt from the last answer whose provider counted."""
    for step in _steps_backwards(entries):
        if step.usage and step.usage.input and step.sent:
            return Gauge(step.usage.input, step.sent)
    return Gauge()


def count_tokens(entries: Sequence[Entry]) -> int:
    """Tokens in the context of a session: what was counted with its last answer. After a compression, or where nobody
    counts, an estimate, corrected by what was counted before.
    """
    return reported_tokens(entries) or find_gauge(entries).tokens(project(entries).tokens)


def reported_tokens(entries: Sequence[Entry]) -> int:
    """What the last answer and its request took, as the provider counted; 0 if the context is another one since."""
    for entry in reversed(entries):
        if entry.kind == kinds.COMPRESSION:
            return 0
        step = payload(entry) if entry.kind == kinds.ASSISTANT else None
        if isinstance(step, AssistantStep) and step.usage and step.usage.input:
            return 0 if entry.copied else step.usage.input + step.usage.output
    return 0


def _steps_backwards(entries: Sequence[Entry]) -> Iterator[AssistantStep]:
    for entry in reversed(entries):
        if entry.kind == kinds.ASSISTANT and isinstance(held := payload(entry), AssistantStep):
            yield held
