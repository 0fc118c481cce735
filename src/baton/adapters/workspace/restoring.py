"""Bringing a work tree back to a checkpoint, without losing what is kept nowhere else."""

from __future__ import annotations

from baton.adapters.workspace import marks, placing
from baton.adapters.workspace.commits import SUBMODULE, Difference, differences
from baton.adapters.workspace.filters import filtered
from baton.adapters.workspace.git import Git, GitFailed
from baton.core.handoff.checkpoint import FILTERED, REPOSITORY, Checkpoint, LeftOut, Restored
from baton.core.paths import is_batons, is_beneath
from baton.core.value import value

FORBIDDEN = "not a path that a checkpoint may write to"
IN_THE_WAY = "something that is kept nowhere stands there"
NOT_KEPT = "its present content could not be kept first: {reason}"
REFUSED = "the system refused: {reason}"
UNREADABLE = "its content could not be read from the repository"


@value
class Present:
    """The state before: `commit` holds the files as they are, `head` those git knew, `saved` what was just kept."""

    commit: str
    head: str
    saved: Checkpoint | None
    filters: frozenset[str]


class Restoring:
    """One restore. Each path ends in exactly one of the four lists."""

    def __init__(self, git: Git, root: str, wanted: Checkpoint, present: Present) -> None:
        self._git = git
        self._root = root
        self._wanted = wanted
        self._present = present
        self._unsaved = {each.path: each.reason for each in present.saved.left_out} if present.saved else {}
        self.written: list[str] = []
        self.removed: list[str] = []
        self.kept: list[str] = []
        self.left_out: list[LeftOut] = []

    def run(self) -> Restored:
        """Raises `GitFailed` before anything was touched."""
        found = differences(self._git, self._present.commit, self._wanted.sha)
        raw = {each.path for each in differences(self._git, self._wanted.base, self._wanted.sha)}
        new = {
            each.path for each in differences(self._git, self._present.head, self._present.commit) if each.what == "A"
        }
        through = filtered(self._git, self._present.filters, (each.path for each in found if each.path not in raw))
        for each in sorted(found, key=lambda each: each.what != "D"):
            reason = self._objection(each)
            if reason:
                self.left_out.append(LeftOut(each.path, reason))
            elif each.what == "D":
                self._remove(each.path, known=each.path not in new)
            elif each.path in through:
                self.left_out.append(LeftOut(each.path, FILTERED))
            else:
                self._write(each, raw=each.path in raw)
        lists = (tuple(sorted(each)) for each in (self.written, self.removed, self.kept))
        return Restored(self._wanted, self._present.saved, *lists, left_out=tuple(self.left_out))

    def _objection(self, found: Difference) -> str:
        """Why this path must not be touched, or nothing."""
        if not is_beneath(found.path) or is_batons(found.path):
            return FORBIDDEN
        if SUBMODULE in (found.mode, found.before):
            return REPOSITORY
        if found.path in self._unsaved:
            return NOT_KEPT.format(reason=self._unsaved[found.path])
        return IN_THE_WAY if found.what == "A" and marks.is_there(self._root, found.path) else ""

    def _remove(self, path: str, *, known: bool) -> None:
        if not known:
            self.kept.append(path)
            return
        try:
            placing.remove(self._root, path)
        except OSError as error:
            self.left_out.append(LeftOut(path, REFUSED.format(reason=error.strerror)))
        else:
            self.removed.append(path)

    def _write(self, found: Difference, *, raw: bool) -> None:
        try:
            placing.place(self._root, found.path, found.mode, self._content(found, raw=raw))
        except GitFailed:
            self.left_out.append(LeftOut(found.path, UNREADABLE))
        except OSError as error:
            self.left_out.append(LeftOut(found.path, REFUSED.format(reason=error.strerror or str(error))))
        else:
            self.written.append(found.path)

    def _content(self, found: Difference, *, raw: bool) -> bytes:
        """Raw content as it is; otherwise with the line ends and the encoding that this work tree is to have."""
        if raw:
            return self._git.run("cat-file", "blob", found.blob)
        return self._git.run("cat-file", "--filters", f"--path={found.path}", found.blob)
