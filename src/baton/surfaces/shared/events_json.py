"""Events as JSON lines, for scripts: one object each, with its `type`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from baton.core.value import Frozen, asdict

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def event_line(event: object) -> str:
    """`{"type": "text_added", "text": "…"}`"""
    return json.dumps({"type": event_name(event), **_plain(asdict(event))}, ensure_ascii=False)


def event_name(event: object) -> str:
    """`text_added`"""
    return _HUMP.sub("_", event.__class__.__name__).lower()


def _plain(data: Any) -> Any:
    if isinstance(data, Frozen):
        return _plain(asdict(data))
    if isinstance(data, Mapping):
        return {str(key): _plain(each) for key, each in cast("Mapping[object, object]", data).items()}
    if isinstance(data, list | tuple):
        return [_plain(each) for each in cast("list[object]", data)]
    return data
