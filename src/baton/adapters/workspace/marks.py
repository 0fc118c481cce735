"""Marks of files: what each is and holds, read without following a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from hashlib import sha256

from baton.adapters.files import opening
from baton.core.handoff.workspace import ABSENT, DIRECTORY, EXECUTABLE, FILE, LINK, SPECIAL, UNREAD, FileMark
from baton.core.paths import is_beneath
from baton.core.value import value

FILE_CAP = 256 * 1024 * 1024
TOTAL_CAP = 1024 * 1024 * 1024
_PIECE = 1 << 20

Commit = Callable[[str], str]


@value
class Content:
    """A file's content, if it may be read; `data` is None where it was larger than asked for."""

    kind: str
    size: int
    data: bytes | None

    @property
    def is_there(self) -> bool:
        return self.kind != ABSENT


def marks(root: str, paths: Iterable[str], commit: Commit) -> tuple[FileMark, ...]:
    """Marks of files below `root`, sorted. `commit` names the commit of a repository inside.

    A file that cannot be read, because of its size or mode, is marked as unread, with its size.
    """
    left = TOTAL_CAP
    found: list[FileMark] = []
    for path in sorted(set(paths)):
        mark = _mark(root, path, min(FILE_CAP, left), commit)
        left -= mark.size if mark.kind in (FILE, EXECUTABLE) and mark.digest != UNREAD else 0
        found.append(mark)
    return tuple(found)


def _mark(root: str, path: str, cap: int, commit: Commit) -> FileMark:
    if not is_beneath(path):
        return FileMark(path, ABSENT)
    try:
        return _look_at(root, path, cap, commit)
    except (FileNotFoundError, NotADirectoryError):
        return FileMark(path, ABSENT)
    except OSError:
        return FileMark(path, FILE, UNREAD)


def _look_at(root: str, path: str, cap: int, commit: Commit) -> FileMark:
    above, name = os.path.split(os.path.join(root, path))
    with opening.open_directory(above) as parent:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
        kind = _kind(found)
        if kind == LINK:
            return FileMark(path, kind, sha256(os.fsencode(os.readlink(name, dir_fd=parent))).hexdigest())
        if kind == DIRECTORY:
            return FileMark(path, kind, commit(path))
        if kind == SPECIAL:
            return FileMark(path, kind)
        if found.st_size > cap:
            return FileMark(path, kind, UNREAD, found.st_size, stat.S_IMODE(found.st_mode))
        digest, size = _hash(name, parent)
        return FileMark(path, kind, digest, size, stat.S_IMODE(found.st_mode))


def _kind(found: os.stat_result) -> str:
    if stat.S_ISREG(found.st_mode):
        return EXECUTABLE if found.st_mode & stat.S_IXUSR else FILE
    if stat.S_ISLNK(found.st_mode):
        return LINK
    return DIRECTORY if stat.S_ISDIR(found.st_mode) else SPECIAL


def _hash(name: str, parent: int) -> tuple[str, int]:
    descriptor = opening.open_regular(name, parent)
    try:
        hashed, size = sha256(), 0
        while piece := os.read(descriptor, _PIECE):
            hashed.update(piece)
            size += len(piece)
        return hashed.hexdigest(), size
    finally:
        os.close(descriptor)


def read_content(root: str, path: str, cap: int) -> Content:
    """What is at `path` below `root`, with its content up to `cap` bytes; a link's content is its target.

    Raises `OSError`.
    """
    above, name = os.path.split(os.path.join(root, path))
    try:
        with opening.open_directory(above) as parent:
            found = os.stat(name, dir_fd=parent, follow_symlinks=False)
            kind = _kind(found)
            if kind == LINK:
                target = os.fsencode(os.readlink(name, dir_fd=parent))
                return Content(kind, len(target), target)
    except (FileNotFoundError, NotADirectoryError):
        return Content(ABSENT, 0, None)
    if kind in (DIRECTORY, SPECIAL):
        return Content(kind, 0, None)
    content = opening.read(os.path.join(root, path), cap) if found.st_size <= cap else None
    return Content(kind, found.st_size, content.data if content and content.whole else None)


def is_there(root: str, path: str) -> bool:
    """Whether anything is at `path`, with no link on the way to it."""
    above, name = os.path.split(os.path.join(root, path))
    try:
        with opening.open_directory(above) as parent:
            os.stat(name, dir_fd=parent, follow_symlinks=False)
    except OSError:
        return False
    return True
