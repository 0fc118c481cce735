"""Renews `snapshot.json` from the package index: `python -m supply.renew`. The only part that needs a network.

The index's JSON page of a version says which advisories hold for it (the database of the Python Packaging Authority and
GitHub's). Where there is no such page, the page of the package serves if the locked version is its newest.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.error import HTTPError

from baton.adapters.models.local.download import Meter, Web, retry
from baton.adapters.models.local.package_index import PUBLIC_INDEX, pip_config
from supply.licence_names import spdx
from supply.lock import Pin, read_all
from supply.snapshot import FILE, Advisory, Package, dump

_SECONDS = 60.0
_AT_ONCE = 6


def main() -> int:
    config = pip_config()
    index = (config.indexes or (PUBLIC_INDEX,))[0].rstrip("/").removesuffix("/simple")
    web = Web(proxy=config.proxy, certificates=config.certificates)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = list(pool.map(lambda pin: describe(pin, _page(web, index, pin)), read_all()))
    FILE.write_text(dump(time.strftime("%Y-%m-%d", time.gmtime()), found), encoding="utf-8")
    silent = [each.name for each in found if each.advisories is None]
    sys.stdout.write(f"{len(found)} packages, {sum(len(each.advisories or ()) for each in found)} advisories.\n")
    if silent:
        sys.stdout.write(f"The index did not say which advisories hold for: {', '.join(silent)}\n")
    return 0


def describe(pin: Pin, page: Mapping[str, Any]) -> Package:
    """A locked package by its page on the index. Raises `ValueError` for a page without this version."""
    info = page["info"]
    exact = info["version"] == pin.version
    files = page["urls"] if exact else (page.get("releases") or {}).get(pin.version)
    if not files:
        raise ValueError(f"the index has no files of {pin.name} {pin.version}")
    every = [one for release in (page.get("releases") or {}).values() for one in release] or files
    newest = max(str(one["upload_time"])[:10] for one in [*every, *files])
    wheel = any(one["packagetype"] == "bdist_wheel" for one in files)
    advisories = tuple(_advisories(page["vulnerabilities"])) if exact else None
    return Package(pin.name, pin.version, spdx(pin.name, info), newest, wheel, advisories)


def _page(web: Web, index: str, pin: Pin) -> Mapping[str, Any]:
    """The page of the package, with the advisories of the locked version where the index has them by version."""
    page = _read(web, f"{index}/pypi/{pin.name}/json")
    if page["info"]["version"] == pin.version:
        return page
    try:
        return {**page, **_read(web, f"{index}/pypi/{pin.name}/{pin.version}/json")}
    except HTTPError as error:
        if error.code != 404:
            raise
        return page


def _read(web: Web, url: str) -> dict[str, Any]:
    def attempt() -> dict[str, Any]:
        with web.open(url, timeout=_SECONDS) as answer:
            return json.load(answer)

    return retry(Meter(), attempt)


def _advisories(told: list[dict[str, Any]]) -> list[Advisory]:
    """Those that hold; the same one under another name is told once."""
    found: dict[str, Advisory] = {}
    for one in told:
        names = {one["id"], *one.get("aliases", ())}
        if not one.get("withdrawn") and not any(names & {each.id, *each.aliases} for each in found.values()):
            summary = " ".join(str(one.get("summary") or one.get("details") or "").split())[:200]
            found[one["id"]] = Advisory(one["id"], tuple(sorted(names - {one["id"]})), summary, tuple(one["fixed_in"]))
    return list(found.values())


if __name__ == "__main__":
    sys.exit(main())
