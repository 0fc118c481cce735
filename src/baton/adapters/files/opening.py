"""Opening real paths without following a single link, and replacing whole files.

Every function takes a path that `Workspace.locate` returned. Such a path has no link in it; a link met on the way was
put there since, and opening fails. All raise `OSError`, which `as_tool_errors` turns into a `ToolError`.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from hashlib import sha256

from baton.core.errors import ToolError
from baton.core.value import value

_PATH: int = getattr(os, "O_PATH", os.O_RDONLY)
_STEP = _PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

_REASONS = {
    errno.ENOENT: "there is no such file",
    errno.ELOOP: "a link was put in its place; it was not followed",
    errno.ENOTDIR: "part of the path is no directory, or a link was put in its place; it was not followed",
    errno.EISDIR: "it is a directory",
    errno.EACCES: "permission denied",
    errno.ENAMETOOLONG: "the path is too long",
}


class Special(OSError):
    """Devices, pipes and sockets are neither read nor written."""


class Moved(OSError):
    """The file was changed by somebody else between reading and replacing it."""


@contextmanager
def as_tool_errors(tool: str, shown: str) -> Generator[None]:
    """Turns what the system says into a `ToolError` about `shown`."""
    try:
        yield
    except Special:
        raise ToolError(tool=tool, reason=f"{shown}: it is not a regular file") from None
    except Moved:
        raise ToolError(tool=tool, reason=f"{shown}: it changed at this very moment; read it again") from None
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, (error.strerror or str(error)).lower())
        raise ToolError(tool=tool, reason=f"{shown}: {reason}") from None


@contextmanager
def open_directory(real: str, *, make: int | None = None) -> Generator[int]:
    """A descriptor of the directory, good for `dir_fd`. `make` is the mode for directories that are missing."""
    current = os.open("/", _STEP)
    try:
        for part in filter(None, real.split("/")):
            following = _step(current, part, make)
            os.close(current)
            current = following
        yield current
    finally:
        os.close(current)


def _step(current: int, part: str, make: int | None) -> int:
    try:
        return os.open(part, _STEP, dir_fd=current)
    except FileNotFoundError:
        if make is None:
            raise
    with suppress(FileExistsError):
        os.mkdir(part, make, dir_fd=current)
    return os.open(part, _STEP, dir_fd=current)


@contextmanager
def open_file(real: str) -> Generator[int]:
    """A descriptor of a regular file, to read from."""
    above, name = os.path.split(real)
    with open_directory(above) as parent:
        descriptor = open_regular(name or ".", parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def open_regular(name: str, parent: int) -> int:
    _regular(os.stat(name, dir_fd=parent, follow_symlinks=False))
    descriptor = os.open(name, _READ, dir_fd=parent)
    try:
        _regular(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _regular(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISLNK(found.st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if not stat.S_ISREG(found.st_mode):
        raise Special


@value
class Content:
    """A file as it was read: `data` up to the cap, `whole` if that is all of it, `size` of the file itself."""

    data: bytes
    whole: bool
    size: int
    identity: tuple[int, int, int, int]

    @property
    def digest(self) -> str:
        return digest(self.data)


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def read(real: str, cap: int) -> Content:
    """At most `cap` bytes of a regular file."""
    with open_file(real) as descriptor:
        found = os.fstat(descriptor)
        pieces: list[bytes] = []
        length = 0
        while length < cap and (piece := os.read(descriptor, min(1 << 20, cap - length))):
            pieces.append(piece)
            length += len(piece)
        whole = length < cap or not os.read(descriptor, 1)
        return Content(b"".join(pieces), whole, max(found.st_size, length), _identity(found))


def _identity(found: os.stat_result) -> tuple[int, int, int, int]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def replace(real: str, data: bytes, before: Content | None) -> None:
    """Replaces the file with `data`, atomically and completely, or not at all.

    Missing directories are made and the mode is kept. `Moved` if the file is no longer what `before` says.
    """
    above, name = os.path.split(real)
    with open_directory(above, make=0o777) as parent:
        found = _stat_regular(parent, name)
        if (None if found is None else _identity(found)) != (before.identity if before else None):
            raise Moved
        temporary = f".{name[:100]}.{secrets.token_hex(6)}.tmp"
        try:
            _fill(temporary, parent, data, found)
            os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=parent)
            raise


def check_file(real: str, *, missing: bool) -> None:
    """`OSError` unless there is a regular file at the path, or nothing if it has to be `missing`. Follows no link."""
    above, name = os.path.split(real)
    try:
        with open_directory(above) as parent:
            found = _stat_regular(parent, name)
    except FileNotFoundError:
        found = None
    if (found is None) != missing:
        raise Moved


def _stat_regular(parent: int, name: str) -> os.stat_result | None:
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None
    _regular(found)
    return found


def _fill(name: str, parent: int, data: bytes, like: os.stat_result | None) -> None:
    descriptor = os.open(name, _CREATE, 0o666, dir_fd=parent)
    try:
        if like is not None:
            with suppress(PermissionError):
                os.fchown(descriptor, like.st_uid, like.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(like.st_mode) & 0o777)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def create(name: str, parent: int, mode: int) -> int:
    """A new file to write to; `FileExistsError` if the name is taken, even by a link."""
    return os.open(name, _CREATE, mode, dir_fd=parent)
