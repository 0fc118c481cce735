"""What the package index said about every locked package on one day: kept in `snapshot.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from baton.core.value import value
from supply.lock import Pin

FILE = Path(__file__).with_name("snapshot.json")
RENEW = "python -m supply.renew"


class Outdated(Exception):
    """The locks name what the snapshot does not."""


@value
class Advisory:
    """A known vulnerability of exactly the locked version. `fixed_in` are versions without it."""

    id: str
    aliases: tuple[str, ...]
    summary: str
    fixed_in: tuple[str, ...]


@value
class Package:
    """`licence` is an SPDX expression. `newest` is the date of the package's last release of any version. `wheel` says
    whether the locked version can be installed without building it. `advisories` is None where the index did not say.
    """

    name: str
    version: str
    licence: str
    newest: str
    wheel: bool
    advisories: tuple[Advisory, ...] | None


@value
class Snapshot:
    taken: str
    packages: Mapping[str, Package]

    def of(self, pin: Pin) -> Package:
        """Raises `Outdated` if the snapshot knows another version or none."""
        found = self.packages.get(pin.name)
        if found is None or found.version != pin.version:
            raise Outdated(f"{pin.name} {pin.version} is locked, and the snapshot does not know it: {RENEW}")
        return found


def load(path: Path = FILE) -> Snapshot:
    body = json.loads(path.read_text(encoding="utf-8"))
    return Snapshot(body["taken"], {name: _package(name, each) for name, each in body["packages"].items()})


def dump(taken: str, packages: Iterable[Package]) -> str:
    """The file's text: the same for the same facts."""
    body = {"taken": taken, "packages": {each.name: _as_json(each) for each in packages}}
    return json.dumps(body, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _package(name: str, each: Mapping[str, Any]) -> Package:
    told = each["advisories"]
    advisories = None if told is None else tuple(_advisory(one) for one in told)
    return Package(name, each["version"], each["licence"], each["newest"], each["wheel"], advisories)


def _advisory(one: Mapping[str, Any]) -> Advisory:
    return Advisory(one["id"], tuple(one["aliases"]), one["summary"], tuple(one["fixed_in"]))


def _as_json(package: Package) -> dict[str, Any]:
    advisories = None
    if package.advisories is not None:
        advisories = [
            {"id": one.id, "aliases": [*one.aliases], "summary": one.summary, "fixed_in": [*one.fixed_in]}
            for one in package.advisories
        ]
    return {
        "version": package.version,
        "licence": package.licence,
        "newest": package.newest,
        "wheel": package.wheel,
        "advisories": advisories,
    }
