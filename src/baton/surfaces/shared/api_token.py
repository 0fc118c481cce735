"""The token of the HTTP API: a file that only its owner can read, made once and never shown by anything else."""

from __future__ import annotations

import os
import re
import secrets
import stat
from contextlib import suppress

from baton.core.errors import UnsafeToken
from baton.surfaces.words import files as words

NAME = "gateway.token"
_BYTES = 32
_FORM = re.compile(r"[A-Za-z0-9_-]{43,200}")


def token_path(home: str) -> str:
    return os.path.join(home, NAME)


def load_token(home: str) -> str:
    """The token, made if there is none. `UnsafeToken` if others can read the file, or it does not hold a strong one."""
    path = token_path(home)
    try:
        return _read(path)
    except FileNotFoundError:
        _make(path)
    return _read(path)


def _make(path: str) -> None:
    """The file appears whole or not at all. If another process was first, its token stays."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    part = f"{path}.{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(part, flags, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(part, path)
    except OSError as error:
        raise UnsafeToken(path=path, reason=words.API_FILE_UNWRITABLE.format(reason=error.strerror)) from None
    finally:
        with suppress(OSError):
            os.unlink(part)


def _read(path: str) -> str:
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UnsafeToken(path=path, reason=words.API_FILE_UNOPENABLE.format(reason=error.strerror)) from None
    with os.fdopen(opened, "rb") as file:
        _check(path, os.fstat(file.fileno()))
        text = file.read(1000).decode("ascii", "replace").strip()
    if _FORM.fullmatch(text) is None or len(set(text)) < 16:
        raise UnsafeToken(path=path, reason=words.API_FILE_WEAK)
    return text


def _check(path: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise UnsafeToken(path=path, reason=words.API_FILE_NO_FILE)
    if found.st_uid != os.getuid():
        raise UnsafeToken(path=path, reason=words.API_FILE_FOREIGN)
    if found.st_mode & 0o077:
        raise UnsafeToken(path=path, reason=words.API_FILE_READABLE.format(mode=stat.S_IMODE(found.st_mode)))
