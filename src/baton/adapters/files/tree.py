"""What is below a directory, found without following a link, and the repository above it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

from baton.adapters.files import opening
from baton.core.value import value

MOST = 50_000
_SECONDS = 5.0
_SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv"})


@value
class Tree:
    """Names relative to the directory; the name of an empty or a skipped directory ends with a slash."""

    names: list[str]
    complete: bool


def repository_top(path: str) -> str | None:
    """The nearest directory above, or `path` itself, that has a `.git`."""
    while not os.path.lexists(os.path.join(path, ".git")):
        above = os.path.dirname(path)
        if above == path:
            return None
        path = above
    return path


def walk(real: str, stop: threading.Event) -> Tree:
    """Everything below a directory, within limits of number and time. No link is followed."""
    names: list[str] = []
    waiting, deadline = [""], time.monotonic() + _SECONDS
    while waiting:
        below = waiting.pop()
        before = len(names) + len(waiting)
        for name, is_directory in _entries(os.path.join(real, below)):
            path = os.path.join(below, name)
            if is_directory and name not in _SKIPPED:
                waiting.append(path)
            else:
                names.append(f"{path}/" if is_directory else path)
        if below and len(names) + len(waiting) == before:
            names.append(f"{below}/")
        if len(names) > MOST or time.monotonic() > deadline or stop.is_set():
            return Tree(names[:MOST], complete=False)
    return Tree(names, complete=True)


def _entries(real: str) -> Iterator[tuple[str, bool]]:
    try:
        with opening.open_directory(real) as parent:
            descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
        try:
            with os.scandir(descriptor) as found:
                entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
        finally:
            os.close(descriptor)
    except OSError:
        return
    yield from entries
