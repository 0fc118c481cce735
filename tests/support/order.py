"""Which files of tests the workers take first: a file that takes minutes is never begun last, when the other workers
have nothing left to do. pytest-xdist's own order begins with the files of most tests, which are the quick ones.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
LONG_FIRST = ("e2e", "real_user", "contract", "house", "surface", "engine", "unit/redaction", "unit/workspace", "")
"""Folders; the last is all others."""


@cache
def place(file: Path) -> int:
    """Files with a smaller one are taken earlier."""
    return next(at for at, folder in enumerate(LONG_FIRST) if not folder or file.is_relative_to(TESTS / folder))
