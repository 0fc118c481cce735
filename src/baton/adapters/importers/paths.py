"""Files as transcripts name them: paths below the workspace, and the files that a patch (`apply_patch`) names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from baton.core.value import value

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


class Folder:
    """`workspace` is the first directory seen, or the nearest one above it that was a working directory too."""

    def __init__(self, seen: Iterable[str]) -> None:
        cleaned = [_with_slashes(each).rstrip("/") for each in seen if each]
        self._seen = list(dict.fromkeys(each for each in cleaned if each))
        self.workspace = self._root()

    def _root(self) -> str:
        if not self._seen:
            return ""
        first = self._seen[0]
        above = [each for each in self._seen if _is_inside(first, each) and each.count("/") > 1]
        return min(above, key=len, default=first)

    def relative(self, path: str, cwd: str = "") -> str:
        """Below the workspace, or below another directory worked in; as it is if it lies outside of all."""
        slashed = _with_slashes(path)
        if not _is_absolute(slashed):
            base = _with_slashes(cwd).rstrip("/") or self.workspace
            slashed = f"{base}/{slashed}" if base else slashed
        clean = posixpath.normpath(slashed)
        longest_first = sorted(self._seen, key=len, reverse=True)
        for root in (self.workspace, *longest_first):
            if root and clean != root and _is_inside(clean, root):
                return clean[len(root) + 1 :]
        return clean


def _is_inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root + "/")


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or _DRIVE.match(path) is not None


def _with_slashes(path: str) -> str:
    return path.replace("\\", "/") if _DRIVE.match(path) or path.startswith("\\\\") else path


EDITED = "edited"
CREATED = "created"
DELETED = "deleted"
_FILE = re.compile(r"^\*\*\* (Add File|Update File|Delete File|Move to): (.{1,4096})$", re.MULTILINE)
_STATES = {"Add File": CREATED, "Update File": EDITED, "Delete File": DELETED, "Move to": CREATED}


@value
class TouchedFile:
    path: str
    state: str


def touched_files(patch: str) -> list[TouchedFile]:
    """In order, each once; a file that is moved away is deleted where it was."""
    found: dict[str, str] = {}
    last = ""
    for verb, name in _FILE.findall(patch):
        path = name.strip()
        if verb == "Move to" and last:
            found[last] = DELETED
        found[path] = _STATES[verb]
        last = path
    return [TouchedFile(path, state) for path, state in found.items()]


def is_patch(text: str) -> bool:
    return "*** Begin Patch" in text
