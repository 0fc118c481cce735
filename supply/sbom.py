"""The bill of materials of `requirements-all.lock` as CycloneDX 1.6: `python -m supply.sbom > docs/sbom.cdx.json`.

Written by hand, because the part that is needed is this page, and the library for it brings six packages. The bytes
depend on the lock and the snapshot alone: no time, no machine, no random number.
"""

from __future__ import annotations

import json
import sys
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from baton import __version__
from supply.lock import RUNTIME, Pin, read_lock
from supply.snapshot import Snapshot, load

_OWN = "baton-agent"


def render_sbom(pins: tuple[Pin, ...], snapshot: Snapshot) -> str:
    """Raises `Outdated` where the snapshot does not know a locked version."""
    own = f"pkg:pypi/{_OWN}@{__version__}"
    body: dict[str, Any] = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": _OWN,
                "version": __version__,
                "purl": own,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": [_component(pin, snapshot) for pin in pins],
        "dependencies": _dependencies(pins, own),
    }
    body["serialNumber"] = f"urn:uuid:{uuid5(NAMESPACE_URL, json.dumps(body, sort_keys=True))}"
    return json.dumps(body, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _component(pin: Pin, snapshot: Snapshot) -> dict[str, Any]:
    """`baton:sha256` has the hash of each file that may be installed: which one it is depends on the machine."""
    properties = {"baton:sha256": " ".join(sorted(pin.hashes)), "baton:marker": pin.marker}
    licence = snapshot.of(pin).licence
    return {
        "type": "library",
        "bom-ref": pin.purl,
        "name": pin.name,
        "version": pin.version,
        "purl": pin.purl,
        "licenses": [{"expression": licence} if " " in licence else {"license": {"id": licence}}],
        "properties": [{"name": name, "value": given} for name, given in properties.items() if given],
    }


def _dependencies(pins: tuple[Pin, ...], own: str) -> list[dict[str, Any]]:
    needs: dict[str, list[str]] = {own: [], **{pin.purl: [] for pin in pins}}
    refs = {_OWN: own, **{pin.name: pin.purl for pin in pins}}
    for pin in pins:
        for user in pin.needed_by:
            needs[refs[user]].append(pin.purl)
    return [{"ref": ref, "dependsOn": sorted(found)} for ref, found in sorted(needs.items())]


def main() -> int:
    sys.stdout.write(render_sbom(read_lock(RUNTIME), load()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
