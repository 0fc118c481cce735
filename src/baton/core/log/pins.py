"""Rules that a person pinned: what is in force, how the model reads it, and what a new session carries along.

A pin is an entry. Whatever takes entries out of the context, a compression or a handoff, appends copies of the pins in
force that it would leave behind, so that the live entries of a session hold all of them. They are sent with the system
prompt of every request, never summarised and never cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.log.payloads import RuleDropped, RulePinned, payload

PIN_KINDS = (kinds.RULE_PINNED, kinds.RULE_DROPPED)
HEADING = (
    "Rules that the user pinned. They hold for the whole conversation, whatever else was summarised or handed off, "
    "until the user drops them:"
)


def find_pins(entries: Iterable[Entry]) -> list[RulePinned]:
    """The pins in force, by number. One that was copied counts once."""
    return sorted((pin for pin, _ in _in_force(entries).values()), key=lambda pin: pin.number)


def find_dropped(entries: Iterable[Entry]) -> set[str]:
    """The ids of rules that were dropped in these entries, pinned or not."""
    held = (payload(entry) for entry in entries if entry.kind == kinds.RULE_DROPPED)
    return {each.rule for each in held if isinstance(each, RuleDropped)}


def left_behind_pins(entries: Sequence[Entry], keep_from: int) -> list[Entry]:
    """The entries of pins in force that are all before the tail."""
    return [entry for _, entry in _in_force(entries).values() if entry.seq < keep_from]


def _in_force(entries: Iterable[Entry]) -> dict[str, tuple[RulePinned, Entry]]:
    """By id, each with the last entry that holds it."""
    found: dict[str, tuple[RulePinned, Entry]] = {}
    for entry in entries:
        held = payload(entry) if entry.kind in PIN_KINDS else None
        if isinstance(held, RulePinned):
            found[held.id] = held, entry
        elif isinstance(held, RuleDropped):
            found.pop(held.rule, None)
    return found


def pins_text(pins: Sequence[RulePinned]) -> str:
    """What the model reads, after a blank line; empty without pins."""
    rows = (f"{pin.number}. {pin.text.replace(chr(10), chr(10) + '   ')}" for pin in pins)
    return "\n".join(["\n\n" + HEADING, *rows]) if pins else ""
