"""The live workspace: what is there now, and checkpoints of it.

Every method is synchronous and may take as long as `git status` does; callers that must not wait use a thread. Nothing
that the workspace itself brings along (git configuration, hooks, filters, attributes) is ever executed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from baton.core.handoff.checkpoint import Checkpoint, Contents, Restored
from baton.core.handoff.workspace import Between, RepoFacts, Snapshot


class LiveWorkspace(Protocol):
    def facts(self) -> RepoFacts:
        """The repository now; `is_git=False` where there is none. Changes nothing, not even git's own caches."""
        ...

    def snapshot(
        self, paths: Iterable[str] = (), evidence: Iterable[str] = (), mentioned: Iterable[str] = ()
    ) -> Snapshot:
        """The facts with marks of every changed file, of those that git was told not to look at, and of `paths`.

        `paths` are relative to the top of the repository, as in the marks of an earlier snapshot; `evidence` to the
        workspace. What lies outside either is marked as absent, and not looked at. Of the files that are `mentioned`,
        relative to the workspace too, those that git ignores count as evidence.
        """
        ...

    def between(self, old: str, new: str) -> Between | None:
        """How two commits relate; None if one of them is no longer here."""
        ...

    def checkpoint(self, message: str, session_id: str) -> Checkpoint | None:
        """Keeps the work tree as a commit under Baton's own ref; None if there is nothing to keep.

        Index, branch, stash, reflogs and the files themselves stay untouched. What a checkpoint must not or cannot hold
        is named in it. The same state twice is one checkpoint. Raises `CheckpointFailed`; then nothing was written.
        """
        ...

    def checkpoints(self) -> list[Checkpoint]:
        """Newest first, including those of other work trees of the same repository."""
        ...

    def top(self) -> str:
        """The top of the work tree, which checkpoints made here have as their `root`; outside of git the directory."""
        ...

    def forget(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Removes these by their refs alone; what they hold stays with git until git itself collects it.

        Raises `CheckpointFailed`, and then none was removed; so it does if one has changed since it was listed.
        """
        ...

    def show(self, ref: str) -> Contents:
        """What one holds. `ref` is its name, a session's id (its newest), its ref or the beginning of its hash."""
        ...

    def restore(self, ref: str, *, force: bool = False) -> Restored:
        """Brings the files back to what a checkpoint holds; branch and index stay as they are.

        The present state is kept as a checkpoint first, and nothing is overwritten or removed that is not kept
        anywhere. Raises `OperationInProgress` in the middle of a rebase or merge unless `force`, `NotFound`,
        `CheckpointFailed`.
        """
        ...
