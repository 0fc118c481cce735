"""The `.env` files of a workspace: names and values, read as data."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from baton.adapters.redaction.expression import finder

_LARGEST = 1 << 20
_MOST = 32
_LINE = finder(
    r"""(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]{0,200})[ \t]*[=:][ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|[^\r\n]*)"""
)
_COMMENT = finder(r"[ \t]#.*$")


def env_values(workspace: str) -> dict[str, str]:
    """What the workspace's `.env` files hold. Links, devices, huge and unreadable files count as empty."""
    values: dict[str, str] = {}
    with suppress(OSError):
        directory = os.open(workspace, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            names = sorted(name for name in os.listdir(directory) if _is_env(name))[:_MOST]
            for name in names:
                values.update(parsed(_content(directory, name)))
        finally:
            os.close(directory)
    return values


def parsed(content: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _LINE.finditer(content):
        name = match.group(1).decode("ascii", "replace")
        found[name] = _unquoted(match.group(2)).decode("utf-8", "replace")
    return found


def _is_env(name: str) -> bool:
    return name == ".envrc" or name.startswith(".env.") or name in (".env", "env.local") or name.endswith(".env")


def _content(directory: int, name: str) -> bytes:
    with suppress(OSError):
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, dir_fd=directory), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(_LARGEST)
    return b""


def _unquoted(written: bytes) -> bytes:
    held = written.strip()
    if held[:1] in (b'"', b"'") and held[-1:] == held[:1] and len(held) >= 2:
        inner = held[1:-1]
        return inner.replace(b'\\"', b'"').replace(b"\\n", b"\n") if held[:1] == b'"' else inner
    comment = _COMMENT.search(held)
    return held[: comment.start()].rstrip() if comment else held
