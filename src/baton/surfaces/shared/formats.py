"""Times, counts, sizes and paths as people read them, and times as programs do."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from baton.core.transfer.place import TERMINAL, platform_name
from baton.surfaces.words import work as words

if TYPE_CHECKING:
    from baton.core.log.conversation import Row

_STEPS = ((60, "s"), (60, "min"), (24, "h"), (7, "d"), (52, "w"))


def iso_time(at: int | None) -> str | None:
    """A stored time for machines."""
    if at is None:
        return None
    seconds, rest = divmod(at, 1_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 1000:03d}Z"


def local_time(at: int) -> str:
    """A stored time for people, in their zone."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at // 1_000_000))


def ago(at: int, now: int) -> str:
    """How long before now, roughly; after some weeks the date itself."""
    amount = max(0, now - at) // 1_000_000
    for size, unit in _STEPS:
        if amount < size:
            return words.JUST_NOW if unit == "s" else words.AGO[unit].format(amount=amount)
        amount //= size
    return local_time(at)[:10]


def count(number: int, nouns: tuple[str, str]) -> str:
    """`1 session`, `3 sessions`: the texts for one of them, and for any other number."""
    return nouns[0 if number == 1 else 1].format(count=number)


def short_count(number: int) -> str:
    """41,200 as 41k."""
    for size, unit in ((1_000_000, "M"), (10_000, "k")):
        if number >= size:
            return f"{number // (1_000 if unit == 'k' else size)}{unit}"
    return f"{number:,}"


def size(number: int) -> str:
    amount = float(number)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return ""


def shorten_home(path: str) -> str:
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path == home or path.startswith(home + os.sep) else path


def describe_place(row: Row) -> str:
    """Where it lives, if that is not the terminal."""
    return words.IN_PLACE.format(place=platform_name(row.moved_to)) if row.moved_to not in ("", TERMINAL) else ""
