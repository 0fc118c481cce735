"""The page of licences: `python -m supply.licences > docs/reference/licences.md`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping

from supply.licence_names import GOES_UNCHANGED, READ_BY_HAND
from supply.lock import RUNTIME, Pin, read_lock
from supply.snapshot import Snapshot, load

RESTING_YEARS = 3
KEPT: Mapping[str, str] = {
    "mdurl": "parses addresses for markdown-it-py, by the same authors; small, pure Python, finished rather than left",
    "unpaddedbase64": "two functions of the Matrix project that matrix-nio needs; small, pure Python",
}
"""Packages without a release for years that are kept, and why."""

_PAGE = """\
<!--
Made from requirements-all.lock and supply/snapshot.json. Do not edit. To make it again:
python -m supply.licences > docs/reference/licences.md
-->

# Licences of what Baton installs

Baton is under the MIT licence and copies nothing of these packages: they are installed beside it, as they are, from
`requirements-all.lock`. All of them may be used by a program under the MIT licence. Those of {weak}
bind changes to the package itself, which Baton does not make. `docs/sbom.cdx.json` has the same list for programs
(CycloneDX 1.6), with hashes and who needs whom.

{counts}

| package | version | licence | needed by |
|---|---|---|---|
{rows}

## Read in the package itself

The fields of these packages do not say their licence, or not exactly.

{by_hand}

## Without a release for {years} years

{resting}

Every package has wheels: nothing is built when Baton is installed.
See [decision 035](../decisions/035-nothing-is-built-at-install.md).
"""


def render_licences(pins: tuple[Pin, ...], snapshot: Snapshot) -> str:
    """Raises `Outdated` where the snapshot does not know a locked version."""
    found = {pin.name: snapshot.of(pin).licence for pin in pins}
    weak = sorted(name for name, licence in found.items() if licence in GOES_UNCHANGED)
    counts = ", ".join(
        f"{count} × {licence}" for licence, count in sorted(Counter(found.values()).items(), key=_by_use)
    )
    by_hand = [
        f"- {name}: {READ_BY_HAND[name][0]}, because {READ_BY_HAND[name][1]}" for name in found if name in READ_BY_HAND
    ]
    resting = [
        f"- {name}, last released {snapshot.packages[name].newest}: {KEPT[name]}" for name in KEPT if name in found
    ]
    return _PAGE.format(
        weak=", ".join(weak),
        counts=counts,
        rows="\n".join(f"| {pin.name} | {pin.version} | {found[pin.name]} | {_users(pin)} |" for pin in pins),
        by_hand="\n".join(by_hand),
        years=RESTING_YEARS,
        resting="\n".join(resting),
    )


def find_resting(pins: tuple[Pin, ...], snapshot: Snapshot) -> set[str]:
    """Packages without a release for years on the day of the snapshot."""
    year, rest = snapshot.taken[:4], snapshot.taken[4:]
    before = f"{int(year) - RESTING_YEARS}{rest}"
    return {pin.name for pin in pins if snapshot.of(pin).newest < before}


def _by_use(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]


def _users(pin: Pin) -> str:
    return ", ".join("Baton" if user == "baton-agent" else user for user in pin.needed_by)


def main() -> int:
    sys.stdout.write(render_licences(read_lock(RUNTIME), load()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
