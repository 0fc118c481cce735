"""What OpenAI's model families take, as its documentation says and its API answers."""

from __future__ import annotations

from baton.core.value import value

LEVELS = ("low", "medium", "high")


@value
class Family:
    """`efforts` are the levels it takes; a family without any does not reason. `remembers` the reasoning of all turns
    if asked to, `caches` says that it takes options for the cache.
    """

    prefix: str
    efforts: tuple[str, ...] = LEVELS
    remembers: bool = False
    caches: bool = False


_FAMILIES = (
    Family("gpt-6", remembers=True, caches=True),
    Family("gpt-5.6", remembers=True, caches=True),
    Family("gpt-5.5-pro", LEVELS[1:], remembers=True),
    Family("gpt-5.5", remembers=True),
    Family("gpt-5.4-pro", LEVELS[1:], remembers=True),
    Family("gpt-5.4", remembers=True),
    Family("gpt-5.3-chat", ("medium",)),
    Family("gpt-5.2-pro", LEVELS[1:]),
    Family("gpt-5.2-chat", ("medium",)),
    Family("gpt-5.1-chat", ("medium",)),
    Family("gpt-5-chat", ()),
    Family("gpt-5-pro", ("high",)),
    Family("gpt-5"),
    Family("o1"),
    Family("o3"),
    Family("o4"),
)
"""The first prefix that fits counts. What fits none is taken for a model that does not reason."""


def family_of(model: str) -> Family:
    return next((family for family in _FAMILIES if model.startswith(family.prefix)), Family("", ()))


def nearest(level: str, taken: tuple[str, ...]) -> str:
    """The level that is taken in place of the one asked for: of two that are as near, the higher."""
    asked = LEVELS.index(level)
    return min(taken, key=lambda each: (abs(LEVELS.index(each) - asked), -LEVELS.index(each)))
