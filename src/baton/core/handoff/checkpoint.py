"""A checkpoint: a commit of the work tree under Baton's own ref, never on the user's branch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.core.paths import quote_path
from baton.core.value import value

PREFIX = "refs/baton/checkpoints/"

SECRET = "looks like a secret and is not tracked"  # noqa: S105
LARGE = "larger than the limit"
REPOSITORY = "a repository of its own"
SUBMODULE = "a submodule with changes of its own"
FILTERED = "git keeps it through a filter, and filters are not run"
MANY = "there are more files than a checkpoint holds"
UNREADABLE = "cannot be read"
CHANGING = "changed while it was read"


@value
class LeftOut:
    """A file that a checkpoint does not hold, or a restore did not touch, and why."""

    path: str
    reason: str

    def as_dict(self) -> dict[str, Any]:
        return {"path": quote_path(self.path), "reason": self.reason}


@value
class Modes:
    """Permissions of a checkpoint's files and their directories: those that most files of a kind have, and the others
    by path. If not `whole`, there were more of the others than are listed.
    """

    usual: Mapping[str, int]
    odd: Mapping[str, int]
    whole: bool = True

    def find(self, path: str, kind: str) -> int | None:
        """The permissions of one file; None if they are not known."""
        return self.odd.get(path, self.usual.get(kind) if self.whole else None)


@value
class Checkpoint:
    """`name` is what people type: the session and a number. `base` is the commit it was made on, if there was one.

    `at` is in seconds since the epoch. `root` is the work tree it was made of.
    """

    name: str
    sha: str
    message: str
    session_id: str
    at: int
    base: str = ""
    branch: str = ""
    operation: str = ""
    root: str = ""
    left_out: tuple[LeftOut, ...] = ()
    left_out_count: int = 0
    modes: Modes | None = None
    """None where they were not kept."""

    @property
    def ref(self) -> str:
        return PREFIX + self.name

    @property
    def age_order(self) -> tuple[int, str, int]:
        """Sorts checkpoints from the oldest to the newest, including those of one second."""
        return self.at, self.session_id, self.number

    @property
    def number(self) -> int:
        """What tells a session's checkpoints apart."""
        return int(self.name.rpartition("/")[2])

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "ref": self.ref,
            "sha": self.sha,
            "message": self.message,
            "session_id": self.session_id,
            "at": self.at,
            "base": self.base,
            "branch": quote_path(self.branch) if self.branch else "",
            "operation": self.operation,
            "root": quote_path(self.root) if self.root else "",
            "left_out": [each.as_dict() for each in self.left_out],
            "left_out_count": self.left_out_count,
        }


@value
class Change:
    """One file against the commit a checkpoint was made on: `added`, `modified`, `deleted` or `retyped`."""

    what: str
    path: str


@value
class Contents:
    """What a checkpoint holds beyond the commit it was made on."""

    checkpoint: Checkpoint
    changes: tuple[Change, ...]


@value
class Restored:
    """What a restore did. `saved` is the checkpoint of the state before it, if that had anything to keep.

    `kept` are files the checkpoint does not know; they were left where they are. `left_out` were not brought back.
    """

    checkpoint: Checkpoint
    saved: Checkpoint | None
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "checkpoint": self.checkpoint.as_dict(),
            "saved": self.saved.as_dict() if self.saved else None,
            **{name: [quote_path(path) for path in getattr(self, name)] for name in ("written", "removed", "kept")},
            "left_out": [each.as_dict() for each in self.left_out],
        }
