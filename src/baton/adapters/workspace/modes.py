"""Who may read, write and run the files of a checkpoint. git itself keeps only whether a file can be run."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from baton.core.handoff.checkpoint import Modes
from baton.core.handoff.workspace import DIRECTORY, EXECUTABLE, FILE
from baton.core.paths import quote_path, unquote_path

MOST = 2_000
_KINDS = (FILE, EXECUTABLE, DIRECTORY)
_BITS = 0o777
_SORT = 0o170000


def collect(root: str, changed: Iterable[str], tracked: Iterable[str] | None) -> Modes:
    """Those of these files below `root`, and of the directories they are in. What is gone is left out.

    Without `tracked`, because there are too many, each of the changed files is listed, and of others nothing is known.
    """
    found = list(_look(root, (*changed, *(tracked or ()))))
    counted = Counter((kind, mode) for _, kind, mode in found if tracked is not None)
    usual = {kind: mode for (kind, mode), _ in reversed(counted.most_common())}
    odd = {path: mode for path, kind, mode in found if mode != usual.get(kind)}
    listed = dict(sorted(odd.items())[:MOST])
    return Modes(usual, listed, whole=len(listed) == len(odd))


def differing(root: str, paths: Iterable[str], wanted: Modes) -> list[tuple[str, int]]:
    """Those of these files, and of the directories they are in, that have other permissions than they should have,
    with the right ones; what is inside a directory comes before it.
    """
    found = ((path, mode, wanted.find(path, kind)) for path, kind, mode in _look(root, paths))
    return sorted(((path, right) for path, mode, right in found if right not in (None, mode)), reverse=True)


def _look(root: str, paths: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    """There may be very many: each costs one call of the system, and as little else as can be."""
    files, folders = set(paths), set[str]()
    for path in files:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    above = f"{root}/"
    for path in files | folders:
        try:
            mode = os.lstat(above + path).st_mode
        except (OSError, ValueError):
            continue
        sort = mode & _SORT
        if sort == stat.S_IFREG:
            yield path, EXECUTABLE if mode & stat.S_IXUSR else FILE, mode & _BITS
        elif sort == stat.S_IFDIR:
            yield path, DIRECTORY, mode & _BITS


def write(modes: Modes) -> dict[str, Any]:
    """As a commit's message holds them."""
    return {
        "usual": {kind: f"{mode:03o}" for kind, mode in modes.usual.items()},
        "odd": {quote_path(path): f"{mode:03o}" for path, mode in modes.odd.items()},
        "whole": modes.whole,
    }


def read(given: object) -> Modes | None:
    """What a commit's message says. Anybody can write such a text: what is malformed is ignored."""
    held = _table(given)
    usual = {kind: mode for kind, mode in _octal(held.get("usual")).items() if kind in _KINDS}
    odd = {unquote_path(path): mode for path, mode in _octal(held.get("odd")).items()}
    return Modes(usual, odd, whole=held.get("whole") is True) if usual or odd else None


def _octal(given: object) -> dict[str, int]:
    told = {name: text for name, text in _table(given).items() if isinstance(text, str)}
    return {name: int(text, 8) for name, text in told.items() if len(text) == 3 and set(text) <= set("01234567")}


def _table(given: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", given) if isinstance(given, dict) else {}
