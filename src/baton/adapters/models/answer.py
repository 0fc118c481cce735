"""What every adapter makes of an answer alike, whoever reads it off the wire."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from baton.core.agent.message import Call
from baton.core.value import value
from baton.ports.model import Reasoning, Text

RAW = "_raw"
_BEAT = 5.0


@value
class WrittenCall:
    """A tool call as the model wrote it; the id may be empty, the arguments may be anything."""

    id: str
    name: str
    args: str | Mapping[str, Any] | None


class Beats:
    """While a call is being written there is nothing to show; an empty `Reasoning` every few seconds shows that the
    model is still there.
    """

    def __init__(self) -> None:
        self._last = time.monotonic()

    def let_pass(self, piece: Text | Reasoning) -> bool:
        """Whether to pass it on: all that says something, and of the rest one in a while."""
        now = time.monotonic()
        if not piece.text and now - self._last <= _BEAT:
            return False
        self._last = now
        return True


def calls_of(written: Iterable[WrittenCall]) -> tuple[Call, ...]:
    """Each with an id of its own, whatever the model wrote."""
    calls: dict[str, Call] = {}
    for each in written:
        id_ = each.id
        while not id_ or id_ in calls:
            id_ = f"{id_ or 'call'}-{len(calls) + 1}"
        calls[id_] = Call(id_, each.name, arguments(each.args))
    return tuple(calls.values())


def can_be_repeated(written: Sequence[WrittenCall], calls: Sequence[Call]) -> bool:
    """Whether the answer can be sent back as it came: nothing in its calls had to be repaired."""
    return [each.id for each in written] == [call.id for call in calls] and not any(RAW in call.args for call in calls)


def arguments(given: str | Mapping[str, Any] | None) -> Mapping[str, Any]:
    """What the model wrote as arguments. What is not a JSON object becomes `{"_raw": …}`, for the tool to complain."""
    if not isinstance(given, str):
        return dict(given or {})
    if not given.strip():
        return {}
    try:
        found = json.loads(given)
    except ValueError:
        return {RAW: given}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {RAW: given}
