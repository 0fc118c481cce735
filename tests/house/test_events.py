"""Every surface handles each event of the stream, or names it as one it ignores."""

from __future__ import annotations

from importlib import import_module
from typing import Any, get_args

import pytest

from baton.core.agent.event import Event

CONSUMERS = (
    "baton.surfaces.acp.event_view:EventView",
    "baton.surfaces.gateway.correspondence:TurnLetters",
    "baton.surfaces.tui.event_view:EventView",
)
"""Each a module or `module:Class` with `IGNORED`, and with `HANDLERS` (its dispatch table, by event) or `HANDLED`."""


def load(name: str) -> Any:
    module, _, attribute = name.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


@pytest.mark.parametrize("name", CONSUMERS)
def test_a_surface_handles_each_event_or_names_it_as_ignored(name: str) -> None:
    consumer = load(name)
    handled = set(getattr(consumer, "HANDLERS", None) or consumer.HANDLED)
    ignored = set(consumer.IGNORED)
    assert handled & ignored == set()
    assert {each.__name__ for each in handled | ignored} == {each.__name__ for each in get_args(Event)}
