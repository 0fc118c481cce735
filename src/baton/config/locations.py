"""Where Baton keeps its files on this machine, and which configuration files hold for a directory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from baton.config.masking import excerpt
from baton.config.problems import BAD_HOME, NO_HOME, Problems
from baton.core.value import value

if TYPE_CHECKING:
    from collections.abc import Mapping


@value
class Locations:
    """`home` is BATON_HOME; `project` is the project file, if there is one. `user` need not exist."""

    home: Path
    user: Path
    project: Path | None


def locate(environ: Mapping[str, str], *, cwd: Path, home: Path, problems: Problems) -> Locations:
    """Finds BATON_HOME and the configuration files. `home` is the user's home directory."""
    baton_home = _baton_home(environ, home, problems)
    user = baton_home / "config.yaml"
    return Locations(baton_home, user, _project_file(cwd, home, user))


def data_home(environ: Mapping[str, str], home: Path, platform: str = sys.platform) -> Path:
    """The directory for a user's application data, as the platform has it."""
    if platform == "darwin":
        return home / "Library" / "Application Support" / "baton"
    name, otherwise = (
        ("LOCALAPPDATA", home / "AppData" / "Local")
        if platform == "win32"
        else ("XDG_DATA_HOME", home / ".local" / "share")
    )
    named = Path(environ.get(name, ""))
    return (named if named.is_absolute() else otherwise) / "baton"


def _baton_home(environ: Mapping[str, str], home: Path, problems: Problems) -> Path:
    named = environ.get("BATON_HOME")
    if named is None:
        found = data_home(environ, home)
        if not found.is_absolute():
            problems.add(NO_HOME)
        return found
    if not named.isprintable() or not Path(named).is_absolute():
        problems.add(BAD_HOME, where="BATON_HOME", found=excerpt(named))
    return Path(named)


def _project_file(cwd: Path, home: Path, user: Path) -> Path | None:
    """The nearest `.baton/config.yaml` that is not the user file: BATON_HOME may well be called `.baton`."""
    for folder in _project_folders(cwd, home):
        file = folder / ".baton" / "config.yaml"
        if is_present(file) and not _same(file, user):
            return file
    return None


def _project_folders(cwd: Path, home: Path) -> list[Path]:
    """From `cwd` up to the repository root or the home directory.

    Outside both only `cwd` itself counts: a directory further up, such as `/tmp`, may be anybody's.
    """
    folders: list[Path] = []
    for folder in (cwd, *cwd.parents):
        folders.append(folder)
        if is_present(folder / ".git") or (home.is_absolute() and _same(folder, home)):
            return folders
    return [cwd]


def is_present(file: Path) -> bool:
    """Whether there is anything at this path, readable or not."""
    try:
        file.lstat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
