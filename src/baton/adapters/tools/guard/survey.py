"""Which files of a workspace make programs act, and what each of them is right now."""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256

from baton.adapters.files.powerful import (
    home_directories,
    is_powerful_name,
    is_within,
    looks_like_repository,
    powerful_links,
)
from baton.adapters.tools.guard.repository import acting_parts, fixed_parts, governing, named_files
from baton.core.value import field, value

_SECONDS = 0.5
_MOST = 2_000
_KEPT = 1 << 20
_KEPT_IN_ALL = 16 << 20
_PASSED_OVER = frozenset(
    {"node_modules", "__pycache__", ".venv", "venv", "site-packages", ".tox", ".nox", ".mypy_cache", ".ruff_cache"}
)
"""Where packages are installed: what came with them is no configuration of yours."""
_OWN = ".baton"
"""Below this Baton writes itself, at any time; what acts are the files directly in it."""


@value
class Sight:
    """One file as it was seen: `state` is the same as long as it says the same. `data` is None if it was too long."""

    state: str
    identity: tuple[int, int]
    data: bytes | None = field(default=None, repr=False)
    mode: int = 0


@value
class Survey:
    """`files` are paths of files that act. `whole` are files and directories no command has to change, `repositories`
    the directories in which git keeps its data besides, those it uses outside the workspace included. `complete` unless
    there was more than time allows to look at.
    """

    files: dict[str, Sight]
    whole: tuple[str, ...]
    repositories: tuple[str, ...]
    complete: bool


def survey(root: str, git: str | None) -> Survey:
    """Looks at all of the workspace, top first. No link is followed, and no pipe is opened."""
    return _Walk(root, git).look()


class _Walk:
    def __init__(self, root: str, git: str | None) -> None:
        self._root = root
        self._git = git
        self._until = time.monotonic() + _SECONDS
        self._room = _KEPT_IN_ALL
        self._files: dict[str, Sight] = {}
        self._whole: list[str] = []
        self._repositories: list[str] = []
        self._homes = [home for home in home_directories() if is_within(home, root)]

    def look(self) -> Survey:
        self._whole += self._led_to()
        self._repositories += governing(self._root)
        waiting = deque([self._root])
        while waiting and len(self._files) < _MOST and time.monotonic() < self._until:
            waiting.extend(self._enter(waiting.popleft()))
        for path in list(self._whole):
            self._take_all(path)
        for directory in self._repositories:
            for path in acting_parts(directory):
                self._take(path)
            self._whole += fixed_parts(directory)
        return Survey(self._files, tuple(dict.fromkeys(self._whole)), tuple(self._repositories), not waiting)

    def _led_to(self) -> Iterator[str]:
        """What acts because something else names it: links, and the repository's own configuration."""
        yield from powerful_links(self._root).values()
        for named in named_files(self._git, self._root):
            real = os.path.realpath(named)
            if self._is_below(real) and os.path.exists(real) and not is_within(real, os.path.join(self._root, ".git")):
                yield real

    def _is_below(self, real: str) -> bool:
        return real != self._root and is_within(real, self._root)

    def _enter(self, directory: str) -> Iterator[str]:
        """Notes what acts in a directory; gives the directories to enter next."""
        entries = _entries(directory)
        if looks_like_repository([each.name for each in entries]):
            self._repositories.append(directory)
        for entry in entries:
            is_directory = entry.is_dir(follow_symlinks=False)
            if self._acts(directory, entry.name):
                if is_directory and entry.name == ".git":
                    self._repositories.append(entry.path)
                else:
                    self._whole.append(entry.path)
            elif is_directory and entry.name not in _PASSED_OVER:
                yield entry.path

    def _acts(self, directory: str, name: str) -> bool:
        return is_powerful_name(name) or (directory in self._homes and (name.startswith(".") or name == "bin"))

    def _take_all(self, path: str) -> None:
        """A file, or every file below a directory."""
        if not os.path.isdir(path) or os.path.islink(path):
            return self._take(path)
        for above, directories, names in os.walk(path):
            for name in (*names, *(each for each in directories if os.path.islink(os.path.join(above, each)))):
                self._take(os.path.join(above, name))
            if os.path.basename(path) == _OWN:
                directories.clear()
            if len(self._files) >= _MOST or time.monotonic() > self._until:
                break
        return None

    def _take(self, path: str) -> None:
        with suppress(OSError):
            self._files[path] = self._see(path)

    def _see(self, path: str) -> Sight:
        found = os.lstat(path)
        identity = (found.st_dev, found.st_ino)
        if stat.S_ISLNK(found.st_mode):
            return Sight(f"-> {os.readlink(path)}", identity)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _KEPT:
            return Sight(f"{stat.S_IFMT(found.st_mode)} {found.st_size} {found.st_mtime_ns}", identity)
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(_KEPT)
        self._room -= len(data)
        mode = stat.S_IMODE(found.st_mode)
        kept = data if self._room > 0 else None
        return Sight(f"{sha256(data).hexdigest()} {mode & 0o111:o}", identity, kept, mode)


def _entries(directory: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as found:
            return list(found)
    except OSError:
        return []
