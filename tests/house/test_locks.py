"""Every lock is whole: on Linux, macOS and Windows it names all that is needed, with hashes and without a registry.

A lock made from a registry that lacks packages of other systems installs only where a cache makes up for them.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.real_user.acp import kit
from tests.support import obtain
from tests.support.platforms.matrix import synapse
from tests.support.platforms.signal import daemon

ROOT = Path(__file__).parents[2]
KEPT = [ROOT / "bench", ROOT / "docs", ROOT / "tests"]
NPM = sorted(path for folder in KEPT for path in folder.rglob("package-lock.json"))
PIP = sorted([*ROOT.glob("*.lock"), *(path for folder in KEPT for path in folder.rglob("requirements*.lock"))])
HOST = re.compile(r"://|--(?:extra-)?index-url|--find-links")

Packages = dict[str, dict[str, Any]]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


# npm


def place_of(packages: Packages, user: str, name: str) -> str | None:
    """Where Node finds `name` for the package at `user`: beside it, or beside one that holds it."""
    folder = PurePosixPath(user)
    for above in (folder, *folder.parents):
        if above.name != "node_modules":
            place = str(above / "node_modules" / name).removeprefix("./")
            if place in packages:
                return place
    return None


def needs(package: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Name and wanted version of everything that a package needs on any system."""
    free = {name for name, meta in package.get("peerDependenciesMeta", {}).items() if meta.get("optional")}
    for kind in ("dependencies", "optionalDependencies", "peerDependencies"):
        for name, wanted in package.get(kind, {}).items():
            if kind != "peerDependencies" or name not in free:
                yield name, wanted


def npm_flaws(packages: Packages) -> Iterator[str]:
    for user, package in packages.items():
        if user and not (package.get("integrity", "").startswith("sha512-") or package.get("inBundle")):
            yield f"{user} has no hash"
        if "resolved" in package:
            yield f"{user} names a registry"
        for name, wanted in needs(package):
            place = place_of(packages, user, name)
            if place is None:
                yield f"{user or 'the project'} needs {name}, which is missing"
            elif re.fullmatch(r"\d+\.\d+\.\d+[\w.+-]*", wanted) and packages[place]["version"] != wanted:
                yield f"{user or 'the project'} needs {name} {wanted}, and {packages[place]['version']} is locked"


@pytest.mark.parametrize("lock", NPM, ids=named)
def test_an_npm_lock_is_whole_for_every_system(lock: Path) -> None:
    held, project = json.loads(lock.read_text()), json.loads(lock.with_name("package.json").read_text())
    for kind in ("dependencies", "optionalDependencies"):
        assert held["packages"][""].get(kind) == project.get(kind)
    assert list(npm_flaws(held["packages"])) == []


HASHED = {"version": "1.0.0", "integrity": "sha512-x"}


@pytest.mark.parametrize(
    ("packages", "flaw"),
    [
        (
            {"": {}, "node_modules/a": {**HASHED, "optionalDependencies": {"a-darwin-arm64": "1.0.0"}}},
            "node_modules/a needs a-darwin-arm64, which is missing",
        ),
        (
            {"": {"dependencies": {"b": "^1.0.0"}}, "node_modules/a/node_modules/b": HASHED},
            "the project needs b, which is missing",
        ),
        (
            {"": {"dependencies": {"a": "1.0.1"}}, "node_modules/a": HASHED},
            "the project needs a 1.0.1, and 1.0.0 is locked",
        ),
        ({"": {}, "node_modules/a": {"version": "1.0.0"}}, "node_modules/a has no hash"),
        ({"": {}, "node_modules/a": {**HASHED, "resolved": "x"}}, "node_modules/a names a registry"),
    ],
)
def test_a_flaw_of_an_npm_lock_is_found(packages: Packages, flaw: str) -> None:
    assert list(npm_flaws(packages)) == [flaw]


def test_node_looks_beside_a_package_and_beside_those_that_hold_it() -> None:
    packages: Packages = {
        "node_modules/a": {**HASHED, "dependencies": {"@s/b": "1.0.0", "c": "1.0.0"}},
        "node_modules/a/node_modules/@s/b": {**HASHED, "dependencies": {"c": "1.0.0"}},
        "node_modules/c": {**HASHED, "peerDependencies": {"d": "1"}, "peerDependenciesMeta": {"d": {"optional": True}}},
    }
    assert list(npm_flaws(packages)) == []


# pip

_SYSTEMS = [
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "x86_64"},
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "aarch64"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix", "platform_machine": "arm64"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
]
_PYTHONS = [{"python_version": f"3.{minor}", "python_full_version": f"3.{minor}.1"} for minor in (11, 12, 13)]
MACHINES = [{**default_environment(), **system, **python} for system, python in product(_SYSTEMS, _PYTHONS)]

Find = Callable[[str], metadata.Distribution]


def pins(lock: Path) -> Iterator[tuple[Requirement, list[str]]]:
    """Each pin, and its hashes."""
    for line in lock.read_text().replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            pin, *hashes = line.split("--hash=")
            yield Requirement(pin.strip()), [each.strip() for each in hashes]


def wanted_by(pin: Requirement, extras: Iterable[str], machine: dict[str, str], find: Find) -> Iterator[Requirement]:
    """What a locked package needs on a machine; nothing where it is not installed here, so that nobody knows."""
    try:
        needed = [Requirement(each) for each in find(pin.name).requires or ()]
    except metadata.PackageNotFoundError:
        return
    for each in needed:
        if each.marker is None or any(each.marker.evaluate({**machine, "extra": extra}) for extra in ("", *extras)):
            yield each


def pip_flaws(locked: list[Requirement], roots: list[Requirement], find: Find) -> set[str]:
    """What some machine needs and the lock does not give it."""
    flaws: set[str] = set()
    for machine in MACHINES:
        held = {canonicalize_name(pin.name): pin for pin in locked if not pin.marker or pin.marker.evaluate(machine)}
        extras: dict[str, set[str]] = {name: set() for name in held}
        open_ = [each for each in roots if not each.marker or each.marker.evaluate(machine)]
        open_ += [need for pin in held.values() for need in wanted_by(pin, (), machine, find)]
        while open_:
            need = open_.pop()
            name = canonicalize_name(need.name)
            if name not in held:
                where = f"{machine['sys_platform']} {machine['platform_machine']}, Python {machine['python_version']}"
                flaws.add(f"{name} is missing for {where}")
            elif new := need.extras - extras[name]:
                extras[name] |= new
                open_ += wanted_by(held[name], extras[name], machine, find)
                flaws |= {f"{name}[{extra}] is pinned without [{extra}]" for extra in new - held[name].extras}
    return flaws


def test_an_extra_that_is_not_pinned_is_found() -> None:
    """pip then looks for its newest version and refuses it for want of a hash: such a lock breaks by itself one day."""
    locked = [Requirement(str(pin).replace("[crypto]", "")) for pin, _ in pins(ROOT / "requirements.lock")]
    assert pip_flaws(locked, [], metadata.distribution) == {"pyjwt[crypto] is pinned without [crypto]"}


@pytest.mark.parametrize("lock", PIP, ids=named)
def test_every_pin_is_exact_and_has_hashes(lock: Path) -> None:
    found = list(pins(lock))
    assert found
    for pin, hashes in found:
        assert re.fullmatch(r"==[\w.+!]+", str(pin.specifier)), pin
        assert hashes, pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes), pin


@pytest.mark.parametrize("lock", [*NPM, *PIP], ids=named)
def test_no_lock_names_a_registry(lock: Path) -> None:
    said = [line for line in lock.read_text().splitlines() if not re.match(r'\s*(#|"url": )', line)]
    assert [line for line in said if HOST.search(line)] == []


def asked_for(project: dict[str, Any], extra: str) -> Iterator[str]:
    """What an extra brings, with those that it names."""
    for each in project["optional-dependencies"][extra]:
        wanted = Requirement(each)
        if wanted.name == project["name"]:
            for other in wanted.extras:
                yield from asked_for(project, other)
        else:
            yield each


@pytest.mark.parametrize(
    ("lock", "extra"),
    [("requirements.lock", "local"), ("requirements-all.lock", "all"), ("requirements-dev.lock", "dev")],
)
def test_the_locks_of_the_project_are_whole_for_every_system(lock: str, extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    roots = [Requirement(each) for each in (*project["dependencies"], *asked_for(project, extra))]
    locked = [pin for pin, _ in pins(ROOT / lock)]
    assert pip_flaws(locked, roots, metadata.distribution) == set()


def test_what_only_another_system_needs_is_missed() -> None:
    locked = [pin for pin, _ in pins(ROOT / "requirements-dev.lock") if pin.name != "colorama"]
    flaws = pip_flaws(locked, [], metadata.distribution)
    assert flaws == {f"colorama is missing for win32 AMD64, Python 3.{minor}" for minor in (11, 12, 13)}


@pytest.mark.parametrize(
    ("lock", "python"),
    [
        (kit.CLIENTS / "requirements.lock", kit.python),
        (synapse.LOCK, lambda: obtain.obtained(lambda: obtain.venv_install("synapse", synapse.LOCK))),
        (daemon.LOCK, lambda: obtain.obtained(lambda: obtain.venv_install("signal-java", daemon.LOCK))),
    ],
    ids=["acp", "synapse", "signal-java"],
)
def test_the_locks_of_the_tests_are_whole_for_every_system(lock: Path, python: Callable[[], str]) -> None:
    packages = [str(path) for path in Path(python()).parents[1].glob("lib/python3*/site-packages")]

    def find(name: str) -> metadata.Distribution:
        for found in metadata.distributions(name=name, path=packages):
            return found
        raise metadata.PackageNotFoundError(name)

    assert pip_flaws([pin for pin, _ in pins(lock)], [], find) == set()
