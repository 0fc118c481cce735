"""Restoring a work tree to a checkpoint, without losing what is kept nowhere else.

Each file is put back whole or not at all, and no link is followed on the way.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress

from baton.adapters.files import opening
from baton.adapters.workspace import marks, modes
from baton.adapters.workspace.commits import SUBMODULE, Difference, differences
from baton.adapters.workspace.git import Git, GitFailed
from baton.adapters.workspace.repository import find_filters
from baton.core.handoff.checkpoint import FILTERED, REPOSITORY, Checkpoint, LeftOut, Modes, Restored
from baton.core.handoff.workspace import DIRECTORY, EXECUTABLE, FILE
from baton.core.paths import is_batons, is_beneath
from baton.core.value import value

FORBIDDEN = "not a path that a checkpoint may write to"
IN_THE_WAY = "something that is kept nowhere stands there"
NOT_KEPT = "its present content could not be kept first: {reason}"
REFUSED = "the system refused: {reason}"
UNREADABLE = "its content could not be read from the repository"
_LINK = "120000"
_EXECUTABLE = "100755"
_AT: int = getattr(os, "O_PATH", os.O_RDONLY) if os.path.isdir("/proc/self/fd") else os.O_RDONLY


@value
class Present:
    """The state before: `commit` holds the files as they are, `head` those git knew, `saved` what was just kept."""

    commit: str
    head: str
    saved: Checkpoint | None
    filters: frozenset[str]


class Restore:
    """One restore. Each path ends in exactly one of the four lists."""

    def __init__(self, git: Git, root: str, wanted: Checkpoint, present: Present) -> None:
        self._git = git
        self._root = root
        self._wanted = wanted
        self._present = present
        self._unsaved = {each.path: each.reason for each in present.saved.left_out} if present.saved else {}
        self.written: list[str] = []
        self.removed: list[str] = []
        self.kept: list[str] = []
        self.left_out: list[LeftOut] = []

    def run(self) -> Restored:
        """Raises `GitFailed` before anything was touched."""
        found = differences(self._git, self._present.commit, self._wanted.sha)
        raw = {each.path for each in differences(self._git, self._wanted.base, self._wanted.sha)}
        new = {
            each.path for each in differences(self._git, self._present.head, self._present.commit) if each.what == "A"
        }
        through = find_filters(self._git, self._present.filters, (each.path for each in found if each.path not in raw))
        for each in sorted(found, key=lambda each: each.what != "D"):
            reason = self._objection(each)
            if reason:
                self.left_out.append(LeftOut(each.path, reason))
            elif each.what == "D":
                self._remove(each.path, known=each.path not in new)
            elif each.path in through:
                self.left_out.append(LeftOut(each.path, FILTERED))
            else:
                self._write(each, raw=each.path in raw)
        self._settle_modes()
        lists = (tuple(sorted(each)) for each in (self.written, self.removed, self.kept))
        return Restored(self._wanted, self._present.saved, *lists, left_out=tuple(self.left_out))

    def _objection(self, found: Difference) -> str:
        """Why this path must not be touched, or nothing."""
        if not is_beneath(found.path) or is_batons(found.path):
            return FORBIDDEN
        if SUBMODULE in (found.mode, found.before):
            return REPOSITORY
        if found.path in self._unsaved:
            return NOT_KEPT.format(reason=self._unsaved[found.path])
        return IN_THE_WAY if found.what == "A" and marks.is_there(self._root, found.path) else ""

    def _remove(self, path: str, *, known: bool) -> None:
        if not known:
            self.kept.append(path)
            return
        try:
            remove_file(self._root, path)
        except OSError as error:
            self.left_out.append(LeftOut(path, REFUSED.format(reason=error.strerror)))
        else:
            self.removed.append(path)

    def _write(self, found: Difference, *, raw: bool) -> None:
        try:
            put_file(self._root, found.path, found.mode, self._content(found, raw=raw), self._wanted.modes)
        except GitFailed:
            self.left_out.append(LeftOut(found.path, UNREADABLE))
        except OSError as error:
            self.left_out.append(LeftOut(found.path, REFUSED.format(reason=error.strerror or str(error))))
        else:
            self.written.append(found.path)

    def _settle_modes(self) -> None:
        """Files that were not written, because they hold what they should, get their permissions back too."""
        if self._wanted.modes is None:
            return
        said = self._git.run("ls-tree", "-r", "-z", "--full-tree", "--name-only", self._wanted.sha).split(b"\0")
        kept = {os.fsdecode(path) for path in said if path} - {each.path for each in self.left_out}
        held = {path for path in kept if is_beneath(path) and not is_batons(path)}
        for path, mode in modes.differing(self._root, held, self._wanted.modes):
            try:
                changed = set_mode(self._root, path, mode)
            except OSError as error:
                self.left_out.append(LeftOut(path, REFUSED.format(reason=error.strerror or str(error))))
            else:
                self.written += [path] if changed and path in held else []

    def _content(self, found: Difference, *, raw: bool) -> bytes:
        """Raw content as it is; otherwise with the line ends and the encoding that this work tree should have."""
        if raw:
            return self._git.run("cat-file", "blob", found.blob)
        return self._git.run("cat-file", "--filters", f"--path={found.path}", found.blob)


def put_file(root: str, path: str, mode: str, data: bytes, known: Modes | None = None) -> None:
    """Replaces what is at `path` (a file, a link or nothing) by a file or link with this content, and with the
    permissions that are `known`; directories that are missing get theirs too.

    Raises `OSError`, for example if a directory is in the way; what was there is then unchanged.
    """
    above, name = os.path.split(os.path.join(root, path))
    exact = known.find(path, EXECUTABLE if mode == _EXECUTABLE else FILE) if known else None
    _make_directories(root, os.path.dirname(path), known)
    with opening.open_directory(above, make=0o777) as parent:
        like = _stat(name, parent)
        temporary = f".{name[:80]}.{secrets.token_hex(6)}.tmp"
        try:
            if mode == _LINK:
                os.symlink(os.fsdecode(data), temporary, dir_fd=parent)
            else:
                _fill(temporary, parent, data, exact if exact is not None else _permissions(like, mode), mode)
            os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=parent)
            raise


def remove_file(root: str, path: str) -> None:
    """Removes a file or link, and the directories that are empty then. Raises `OSError`."""
    above, name = os.path.split(os.path.join(root, path))
    with opening.open_directory(above) as parent:
        os.unlink(name, dir_fd=parent)
    while above != root:
        above, name = os.path.split(above)
        try:
            with opening.open_directory(above) as parent:
                os.rmdir(name, dir_fd=parent)
        except OSError:
            return


def _stat(name: str, parent: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _permissions(like: os.stat_result | None, mode: str) -> int | None:
    """The mode of the file that was there, but executable exactly if it should be; None for the system's default."""
    execute = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH
    if like is None or not stat.S_ISREG(like.st_mode):
        return None
    kept = stat.S_IMODE(like.st_mode) & 0o777
    return kept | (kept & 0o444) >> 2 if mode == _EXECUTABLE else kept & ~execute


def _fill(name: str, parent: int, data: bytes, exact: int | None, mode: str) -> None:
    """A new file, which nobody else can read before it has its permissions."""
    usual = 0o777 if mode == _EXECUTABLE else 0o666
    descriptor = opening.create(name, parent, usual if exact is None else 0o600)
    try:
        if exact is not None:
            os.fchmod(descriptor, exact)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _make_directories(root: str, below: str, known: Modes | None) -> None:
    """Those of a path that are missing and whose permissions are known; a link on the way is not followed."""
    made = ""
    for part in below.split("/") if below and known else ():
        made = os.path.join(made, part)
        mode = known.find(made, DIRECTORY) if known else None
        with opening.open_directory(os.path.join(root, os.path.dirname(made))) as parent:
            if mode is None or _stat(part, parent) is not None:
                continue
            os.mkdir(part, 0o700, dir_fd=parent)
            _change_mode(part, parent, mode | stat.S_IRWXU)


def set_mode(root: str, path: str, mode: int) -> bool:
    """Gives a regular file or directory these permissions; whether it had others. Raises `OSError`."""
    above, name = os.path.split(os.path.join(root, path))
    try:
        with opening.open_directory(above) as parent:
            found = _stat(name, parent)
            if found is None or not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
                return False
            if stat.S_IMODE(found.st_mode) & 0o777 == mode:
                return False
            _change_mode(name, parent, mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _change_mode(name: str, parent: int, mode: int) -> None:
    """By way of a descriptor, so that no link is followed; one that needs no right to read the file."""
    descriptor = os.open(name, _AT | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        os.chmod(f"/proc/self/fd/{descriptor}" if _AT != os.O_RDONLY else descriptor, mode)
    finally:
        os.close(descriptor)
