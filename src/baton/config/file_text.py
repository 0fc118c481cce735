"""The text of a configuration file, within limits: a repository may have put anything in its place."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from baton.config.problems import DIRECTORY, NOT_A_FILE, NOT_UTF8, TOO_LARGE, UNREADABLE, Problems

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 1_000_000


def read_text(file: Path, problems: Problems) -> str | None:
    """The decoded text without a byte order mark; `None` when there is none, which is then reported."""
    raw = _read_bytes(file, problems)
    if raw is None:
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problems.add(NOT_UTF8, where=f"{file}:{line}")
        return None


def _read_bytes(file: Path, problems: Problems) -> bytes | None:
    try:
        mode = file.stat().st_mode
        if not stat.S_ISREG(mode):
            problems.add(DIRECTORY if stat.S_ISDIR(mode) else NOT_A_FILE, where=file)
            return None
        with file.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        problems.add(UNREADABLE, where=file, reason=error.strerror or type(error).__name__)
        return None
    if len(raw) > LARGEST:
        problems.add(TOO_LARGE, where=file, limit=LARGEST)
        return None
    return raw
