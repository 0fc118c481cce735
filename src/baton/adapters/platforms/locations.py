"""A place on the map in words: what somebody sends by pressing a button, the agent reads as text."""

from __future__ import annotations

from baton.core.display import one_line

_WIDTH = 120


def describe_location(latitude: object, longitude: object, *names: str) -> str:
    """`[location 52.52000, 13.40500: Name, Address]`; empty if these are no coordinates."""
    north, east = _degrees(latitude, 90), _degrees(longitude, 180)
    if north is None or east is None:
        return ""
    named = ", ".join(each for name in names if (each := one_line(name, _WIDTH)))
    return f"[location {north:.5f}, {east:.5f}{f': {named}' if named else ''}]"


def _degrees(given: object, most: int) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        found = float(given)
    except ValueError:
        return None
    return found if abs(found) <= most else None
