"""The other projects: their newest wheels, downloaded and unpacked as data, never installed and never imported."""

from __future__ import annotations

import re
import shutil
import sys
import zipfile
from pathlib import Path

from bench.house.tree import Tree, read_tree
from bench.peers.environment import PEERS, Log, PeerUnavailable, clean_environment, stream

PROJECTS = {
    "procrastinate": "procrastinate",
    "starlette": "starlette",
    "httpx": "httpx",
    "agent-client-protocol": "acp",
    "mistral-vibe": "vibe",
}
"""Each project's name and that of the package its wheel holds."""

SHELF = PEERS / "wheels"
DOWNLOAD_SECONDS = 300


def peers(log: Log) -> list[Tree]:
    """A tree for each project, of the version that is newest now; without a network, of the one downloaded last.

    Raises `PeerUnavailable` if there is neither.
    """
    try:
        _renew(SHELF, log)
    except PeerUnavailable as reason:
        if not SHELF.is_dir():
            raise
        log(f"with the wheels of an earlier run: {reason}")
    return [unpack(_wheel(SHELF, name), package) for name, package in PROJECTS.items()]


def unpack(wheel: Path, package: str) -> Tree:
    """The package in a wheel, unpacked beside it; its title is the project's name and version."""
    name, version = wheel.name.split("-")[:2]
    folder = wheel.parent / f"{name}-{version}"
    if not folder.is_dir():
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    if not (folder / package).is_dir():
        raise PeerUnavailable(f"{wheel.name} holds no {package}")
    return read_tree(f"{_plain(name)} {version}", folder / package)


def _renew(shelf: Path, log: Log) -> None:
    """Replaces the shelf by one with the newest wheels, or leaves it as it is and raises `PeerUnavailable`."""
    fresh = shelf.with_name(f"{shelf.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    log(f"downloading the wheels of {', '.join(PROJECTS)}")
    options = ["--no-deps", "--only-binary", ":all:", "--ignore-requires-python", "--no-input"]
    command = [sys.executable, "-m", "pip", "download", "--quiet", *options, "--dest", str(fresh), *PROJECTS]
    code, lines = stream(command, _silent, seconds=DOWNLOAD_SECONDS, env=clean_environment({}))
    if code:
        shutil.rmtree(fresh)
        said = [line for line in lines if line.startswith("ERROR")]
        raise PeerUnavailable(" ".join(said[-1:]) or f"pip ended with code {code}")
    shutil.rmtree(shelf, ignore_errors=True)
    fresh.rename(shelf)


def _wheel(shelf: Path, name: str) -> Path:
    found = [wheel for wheel in shelf.glob("*.whl") if _plain(wheel.name.split("-")[0]) == _plain(name)]
    if not found:
        raise PeerUnavailable(f"there is no wheel of {name}")
    return found[0]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _silent(line: str) -> None:
    """What pip says matters only if it fails."""
