"""OpenAI's SDK without its walk through every message. Imports the library: only `loading` imports this.

Before a request the SDK looks at each field of each message and tool for one to rename or to encode. Its chat and its
responses know neither, and what it is given here is plain data; yet the walk is most of the work of a request, and it
grows with the conversation.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, cast

from openai import NotGiven, Omit

_MODULES = ("openai.resources.chat.completions.completions", "openai.resources.responses.responses")
_WALK = "async_maybe_transform"


def make_lean() -> None:
    """For this process. An SDK that is built otherwise stays as it is."""
    for name in _MODULES:
        module = importlib.import_module(name)
        if hasattr(module, _WALK):
            setattr(module, _WALK, _as_given)


async def _as_given(data: object, _: object) -> object:
    """All that was given, without what was left out."""
    if not isinstance(data, Mapping):
        return data
    known = cast("Mapping[str, Any]", data)
    return {name: each for name, each in known.items() if not isinstance(each, Omit | NotGiven)}
