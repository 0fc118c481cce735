"""Where a conversation worked: paths as a person in its workspace would write them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


class Folder:
    """`workspace` is the first directory seen, or the nearest one above it that was a working directory too."""

    def __init__(self, seen: Iterable[str]) -> None:
        cleaned = [_slashed(each).rstrip("/") for each in seen if each]
        self._seen = list(dict.fromkeys(each for each in cleaned if each))
        self.workspace = self._root()

    def _root(self) -> str:
        if not self._seen:
            return ""
        first = self._seen[0]
        above = [each for each in self._seen if _inside(first, each) and each.count("/") > 1]
        return min(above, key=len, default=first)

    def relative(self, path: str, cwd: str = "") -> str:
        """Below the workspace, or below another directory worked in; as it is if it lies outside of all."""
        slashed = _slashed(path)
        if not _absolute(slashed):
            base = _slashed(cwd).rstrip("/") or self.workspace
            slashed = f"{base}/{slashed}" if base else slashed
        clean = posixpath.normpath(slashed)
        longest_first = sorted(self._seen, key=len, reverse=True)
        for root in (self.workspace, *longest_first):
            if root and clean != root and _inside(clean, root):
                return clean[len(root) + 1 :]
        return clean


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root + "/")


def _absolute(path: str) -> bool:
    return path.startswith("/") or _DRIVE.match(path) is not None


def _slashed(path: str) -> str:
    return path.replace("\\", "/") if _DRIVE.match(path) or path.startswith("\\\\") else path
