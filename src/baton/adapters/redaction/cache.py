"""Compiled patterns in a file of their own, readable by their owner only."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

_LARGEST = 64 << 20
_DIGEST = 32


class Cache:
    """A damaged, foreign or unreadable file is as good as none; without a directory nothing is kept."""

    def __init__(self, directory: str = "") -> None:
        self._directory = directory

    def key(self, patterns: Iterable[str], version: str) -> str:
        """Another rule, library version or processor is another file."""
        told = "\0".join([version, platform.machine(), _processor(), *patterns])
        return sha256(told.encode()).hexdigest()[:32]

    def read(self, key: str) -> bytes | None:
        if not self._directory:
            return None
        try:
            held = _read(self._path(key))
        except OSError:
            return None
        digest, body = held[:_DIGEST], held[_DIGEST:]
        return body if sha256(body).digest() == digest else None

    def write(self, key: str, body: bytes) -> None:
        """Whole or not at all. A directory that cannot be written costs a second at each start, nothing else."""
        if not self._directory:
            return
        path = self._path(key)
        part = path.with_suffix(f".{os.getpid()}-{os.urandom(4).hex()}")
        try:
            for directory in (path.parent.parent, path.parent):
                directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
                file.write(sha256(body).digest() + body)
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink()

    def _path(self, key: str) -> Path:
        return Path(self._directory) / f"redaction-{key}.hs"


def _read(path: Path) -> bytes:
    """The file of nobody but us."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
        about = os.fstat(file.fileno())
        if about.st_size > _LARGEST or about.st_uid != os.getuid() or about.st_mode & 0o022:
            raise PermissionError(path)
        return file.read(_LARGEST)


def _processor() -> str:
    """The processor's abilities, where the system tells them: a database is compiled for them."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.lower().startswith(("flags", "features")):
                return line
    return platform.processor()
