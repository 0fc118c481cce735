"""Values from outside, made storable: whole characters, bounded sizes, known types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from math import isfinite
from typing import Any, cast

from baton.core.handoff.compression import clip
from baton.core.text import MOST

OUTPUT = 8_000
"""Characters of a tool's output that are kept, as of Baton's own tools."""
ARGUMENT = 20_000
SAID = 4_000_000
"""Characters of a message: an entry could not hold much more."""
_DEPTH = 12
_EXIT_LIMIT = 1 << 32
_ITEMS = 2_000


def text(value: object, limit: int = OUTPUT) -> str:
    """A string without halves of characters, clipped in its middle; anything else is empty."""
    return clip(mend(value), limit) if isinstance(value, str) else ""


def mend(value: str) -> str:
    """Joins surrogates that form a character; lone ones become the replacement character."""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def word(value: object, limit: int = 200) -> str:
    """A short string: an id, a name, a path."""
    return mend(value)[:limit] if isinstance(value, str) else ""


def number(value: object) -> int:
    """A count; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST else 0


def exit_code(value: object) -> int | None:
    """A command's exit code; None if it is not known."""
    return value if type(value) is int and abs(value) < _EXIT_LIMIT else None


def mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def bound(value: object, limit: int = ARGUMENT, depth: int = _DEPTH) -> Any:
    """A JSON value with long strings clipped, and nothing so deep or wide that it could not be stored."""
    if isinstance(value, str):
        return text(value, limit)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, int):
        return value if -MOST < value < MOST else str(value)[:40]
    if depth == 0:
        return "[…]"
    if isinstance(value, Mapping):
        pairs = list(cast("Mapping[object, object]", value).items())[:_ITEMS]
        return {word(str(key)): bound(held, limit, depth - 1) for key, held in pairs}
    if isinstance(value, Iterable):
        return [bound(held, limit, depth - 1) for held in list(cast("Iterable[object]", value))[:_ITEMS]]
    return str(value)[:200]


def moment(value: object) -> int | None:
    """Microseconds since the epoch, from ISO 8601 or from milliseconds."""
    if isinstance(value, str):
        try:
            seconds = datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
        except (ValueError, OverflowError):
            return None
        return _if_possible(seconds * 1_000_000)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _if_possible(value * 1_000)
    return None


def _if_possible(microseconds: float) -> int | None:
    return int(microseconds) if 0 <= microseconds < MOST else None
