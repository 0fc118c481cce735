"""Events as JSON lines, for scripts: one object each, with its `type`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast, get_args

from baton.core.agent.event import Event
from baton.core.value import Frozen, asdict

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAMES: dict[type[Event], str] = {kind: _HUMP.sub("_", kind.__name__).lower() for kind in get_args(Event)}
EVENTS: Mapping[str, type[Event]] = {name: kind for kind, name in _NAMES.items()}
"""Every event by its name in JSON."""


def event_line(event: Event) -> str:
    """`{"type": "text_added", "text": "…"}`"""
    return json.dumps({"type": event_name(event), **_plain(asdict(event))}, ensure_ascii=False)


def event_name(event: Event) -> str:
    """`text_added`"""
    return _NAMES[type(event)]


def _plain(data: Any) -> Any:
    if isinstance(data, Frozen):
        return _plain(asdict(data))
    if isinstance(data, Mapping):
        return {str(key): _plain(each) for key, each in cast("Mapping[object, object]", data).items()}
    if isinstance(data, list | tuple):
        return [_plain(each) for each in cast("list[object]", data)]
    return data
