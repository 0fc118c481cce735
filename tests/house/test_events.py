"""Every surface handles each event of the stream, or names it as one it ignores."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from types import ModuleType
from typing import Any, get_args

import pytest

from baton.core.agent.event import Event

CONSUMERS = (
    "baton.surfaces.acp.event_view:EventView",
    "baton.surfaces.cli.run",
    "baton.surfaces.gateway.correspondence:TurnLetters",
    "baton.surfaces.tui.event_view:EventView",
)
"""Each a class with its dispatch table `HANDLERS`, or a module that matches on events (`case events.TextAdded()`), and
with `IGNORED`. What prints every event as JSON takes their names from the union itself.
"""
ALL = {each.__name__ for each in get_args(Event)}


def load(name: str) -> Any:
    module, _, attribute = name.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def handled_events(consumer: Any) -> set[str]:
    """By name: the keys of the dispatch table, or the classes of the module's patterns."""
    if not isinstance(consumer, ModuleType):
        return {each.__name__ for each in consumer.HANDLERS}
    patterns = (
        node.cls for node in ast.walk(ast.parse(inspect.getsource(consumer))) if isinstance(node, ast.MatchClass)
    )
    return {ast.unparse(each).rpartition(".")[2] for each in patterns} & ALL


@pytest.mark.parametrize("name", CONSUMERS)
def test_a_surface_handles_each_event_or_names_it_as_ignored(name: str) -> None:
    consumer = load(name)
    handled, ignored = handled_events(consumer), {each.__name__ for each in consumer.IGNORED}
    assert handled & ignored == set()
    assert handled | ignored == ALL
