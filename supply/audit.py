"""The audit of all that the locks name, offline: `python -m supply.audit`. The gate runs it (`tests/house`).

Fails for a known vulnerability that is not accepted here, for a locked version that the snapshot does not know, and for
an acceptance that nothing needs any more.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from datetime import date

from supply.lock import Pin, read_all
from supply.snapshot import RENEW, Outdated, Snapshot, load

OLD_DAYS = 60
"""After so many days the report asks for a renewal. It does not fail then: yesterday the same commit was fine."""

ACCEPTED: Mapping[str, str] = {}
"""Advisories that do not concern Baton, by id or alias, each with the reason."""


def find_problems(pins: Iterable[Pin], snapshot: Snapshot, accepted: Mapping[str, str] = ACCEPTED) -> list[str]:
    """A sentence for each problem."""
    problems: list[str] = []
    used: set[str] = set()
    for pin in pins:
        try:
            advisories = snapshot.of(pin).advisories or ()
        except Outdated as error:
            problems.append(str(error))
            continue
        for one in advisories:
            if excused := accepted.keys() & {one.id, *one.aliases}:
                used |= excused
                continue
            fixed = f"fixed in {', '.join(one.fixed_in)}" if one.fixed_in else "not fixed in any version"
            problems.append(f"{pin.name} {pin.version} has {one.id} ({one.summary or 'no summary'}), {fixed}")
    problems += [f"{each} is accepted, and nothing has it any more" for each in accepted.keys() - used]
    return problems


def find_unaudited(pins: Iterable[Pin], snapshot: Snapshot) -> list[str]:
    """Packages about which the index did not say anything."""
    found = (snapshot.packages.get(pin.name) for pin in pins)
    return [f"{each.name} {each.version}" for each in found if each is not None and each.advisories is None]


def main() -> int:
    pins, snapshot = read_all(), load()
    problems, silent = find_problems(pins, snapshot), find_unaudited(pins, snapshot)
    age = (date.today() - date.fromisoformat(snapshot.taken)).days
    say = sys.stdout.write
    say(f"{len(pins) - len(silent)} of {len(pins)} locked packages audited with the advisories of {snapshot.taken}.\n")
    if silent:
        say(f"Not audited, because the index did not say anything about this version: {', '.join(silent)}.\n")
    if age > OLD_DAYS:
        say(f"That was {age} days ago. Renew it with: {RENEW}\n")
    say("".join(f"✗ {each}\n" for each in problems) or "No known vulnerability.\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
