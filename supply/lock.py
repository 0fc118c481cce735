"""The locks, read: which packages they pin, for which machines, and who needs them."""

from __future__ import annotations

import re
from pathlib import Path

from baton.core.value import value

ROOT = Path(__file__).parents[1]
FIRST = ROOT / "requirements.lock"
"""What the first minute needs: Baton and its local model."""
RUNTIME = ROOT / "requirements-all.lock"
"""Baton with all its parts."""
DEVELOPMENT = ROOT / "requirements-dev.lock"
BUILD = ROOT / "requirements-build.lock"
_PIN = re.compile(r"([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?==([\w.+!]+)\s*(?:;\s*(.*?))?\s*\\?$")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@value
class Pin:
    """One package of a lock. `marker` says on which machines it is installed, empty for all of them."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    needed_by: tuple[str, ...]

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"


def read_lock(path: Path) -> tuple[Pin, ...]:
    """Its pins in the lock's order. Raises `ValueError` for a line that is none."""
    pins: list[Pin] = []
    for block in re.split(r"\n(?=[^\s#])", path.read_text(encoding="utf-8").strip()):
        first, *rest = block.split("\n")
        found = _PIN.fullmatch(first)
        if found is None:
            raise ValueError(f"{path.name}: {first[:80]!r} pins nothing")
        comments = [line.strip().removeprefix("#").strip() for line in rest if line.lstrip().startswith("#")]
        users = (word.removeprefix("via").strip().partition(" ")[0] for word in comments)
        pins.append(
            Pin(found[1].lower(), found[2], found[3] or "", tuple(_HASH.findall(block)), tuple(filter(None, users)))
        )
    return tuple(pins)


def read_all() -> tuple[Pin, ...]:
    """The pins of all locks, each package once, by name. Raises `ValueError` where two locks disagree."""
    found: dict[str, Pin] = {}
    for pin in (pin for lock in (BUILD, DEVELOPMENT, RUNTIME, FIRST) for pin in read_lock(lock)):
        if found.setdefault(pin.name, pin).version != pin.version:
            raise ValueError(f"the locks disagree about {pin.name}: {pin.version} and {found[pin.name].version}")
    return tuple(found[name] for name in sorted(found))
