"""The port's implementation: one directory, read again by every call."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import partial

from baton.adapters.files.tree import repository_top
from baton.adapters.workspace import checkpoint_source, commits, modes
from baton.adapters.workspace.checkpoint_blobs import CheckpointBlobs
from baton.adapters.workspace.checkpoint_source import CheckpointSource
from baton.adapters.workspace.facts import read_repository
from baton.adapters.workspace.git import Git, GitFailed
from baton.adapters.workspace.marks import marks
from baton.adapters.workspace.repository import find_repository, git_program
from baton.adapters.workspace.restore import Present, Restore
from baton.core.errors import CheckpointFailed, OperationInProgress
from baton.core.handoff.checkpoint import SUBMODULE, Checkpoint, Contents, Restored
from baton.core.handoff.workspace import Between, RepoFacts, Snapshot
from baton.core.ids import check_session_id
from baton.core.paths import is_batons, is_beneath
from baton.core.value import replace

BEFORE = "before restoring {name}"
_FILES = 200


class DirectoryWorkspace:
    """`root` may be anywhere inside a repository, or outside of one; `home` is Baton's own directory."""

    def __init__(self, root: str, home: str, now: Callable[[], float] = time.time) -> None:
        self._root = os.path.realpath(root)
        self._home = home
        self._now = now

    def facts(self) -> RepoFacts:
        return self._look()[0]

    def _look(self) -> tuple[RepoFacts, tuple[str, ...]]:
        """The facts, and the files they are about: the changed ones, or outside git all of them."""
        try:
            found = find_repository(self._root)
            if found is not None:
                facts = read_repository(found).facts
                return facts, facts.dirty
            problem = ""
        except GitFailed as failure:
            problem = str(failure)
        return checkpoint_source.plain_facts(self._root, problem)

    def snapshot(
        self, paths: Iterable[str] = (), evidence: Iterable[str] = (), mentioned: Iterable[str] = ()
    ) -> Snapshot:
        facts, about = self._look()
        commit = partial(checkpoint_source.commit_of, facts.root)
        files = marks(facts.root, {*paths, *about, *_present(facts)}, commit)
        proofs = {*map(self._below, evidence), *self._ignored(facts, mentioned)}
        return Snapshot(facts, files, marks(self._root, proofs, commit))

    def _ignored(self, facts: RepoFacts, mentioned: Iterable[str]) -> list[str]:
        """Those of these files that git ignores: their changes show nowhere else."""
        below = {path for path in map(self._below, mentioned) if is_beneath(path) and not is_batons(path)}
        named = sorted(below)[:_FILES] if facts.is_git else []
        if not named:
            return []
        try:
            git = Git(git_program(self._root), self._root, {"GIT_LITERAL_PATHSPECS": "0"})
            feed = [b"./%b\0" % os.fsencode(path) for path in named]
            said = git.attempt("check-ignore", "-z", "--stdin", feed=feed)
        except GitFailed:
            return []
        return [os.fsdecode(path).removeprefix("./") for path in said.out.split(b"\0") if path]

    def _below(self, path: str) -> str:
        """The path relative to the workspace, even if it is given as absolute."""
        if not os.path.isabs(path):
            return path
        above, name = os.path.split(path)
        return os.path.relpath(os.path.join(os.path.realpath(above), name), self._root)

    def between(self, old: str, new: str) -> Between | None:
        if not (commits.is_sha(old) and commits.is_sha(new)):
            return None
        try:
            found = find_repository(self._root)
            if found is None:
                return None
            counted = found.git.run("rev-list", "--left-right", "--count", f"{old}...{new}", "--").split()
            paths = [each.path for each in commits.differences(found.git, old, new)]
        except GitFailed:
            return None
        return Between(ahead=int(counted[1]), behind=int(counted[0]), paths=tuple(paths[:_FILES]))

    def checkpoint(self, message: str, session_id: str) -> Checkpoint | None:
        check_session_id(session_id)
        with _failures("made"):
            return self._keep(self._source(), message, session_id)

    def checkpoints(self) -> list[Checkpoint]:
        with _failures("listed"):
            return commits.list_checkpoints(self._git())

    def top(self) -> str:
        return repository_top(self._root) or self._root

    def forget(self, checkpoints: Iterable[Checkpoint]) -> None:
        with _failures("removed"):
            commits.forget(self._git(), checkpoints)

    def show(self, ref: str) -> Contents:
        with _failures("shown"):
            git = self._git()
            found = commits.resolve(git, ref)
            return Contents(found, commits.changes(git, found))

    def restore(self, ref: str, *, force: bool = False) -> Restored:
        with _failures("restored"):
            here = self._source()
            wanted = commits.resolve(here.git, ref)
            if here.facts.operation and not force:
                raise OperationInProgress(operation=here.facts.operation, name=wanted.name)
            saved = self._keep(here, BEFORE.format(name=wanted.name), wanted.session_id)
            commit = saved.sha if saved else here.facts.head
            present = Present(commit, here.facts.head, saved, here.filters)
            return Restore(here.git, here.facts.root, wanted, present).run()

    def _git(self) -> Git:
        found = find_repository(self._root)
        return found.git if found else checkpoint_source.own_repository(self._root, self._home)

    def _source(self) -> CheckpointSource:
        found = find_repository(self._root)
        if found is not None:
            return checkpoint_source.repository_source(found)
        return checkpoint_source.directory_source(self._root, self._home, *checkpoint_source.plain_facts(self._root))

    def _keep(self, here: CheckpointSource, message: str, session_id: str) -> Checkpoint | None:
        facts = here.facts
        if not (here.changed or here.submodules):
            return None
        commit = partial(checkpoint_source.commit_of, facts.root)
        kept = CheckpointBlobs(facts.root, here.untracked, here.filter_of, commit)
        gone, there = kept.partition(here.changed)
        for path in here.submodules:
            kept.leave_out(path, SUBMODULE)
        blank = Checkpoint(
            name="",
            sha="",
            message=message,
            session_id=session_id,
            at=int(self._now()),
            base=facts.head,
            branch=facts.branch,
            operation=facts.operation,
            root=facts.root,
            modes=modes.collect(facts.root, here.changed, here.tracked()),
        )
        return commits.write(here.git, lambda: _with_left_out(blank, kept), gone, kept.blobs(there))


def _present(facts: RepoFacts) -> list[str]:
    """Files that git does not look at and that are here: only their marks tell whether they change."""
    return [path for path in facts.unwatched if os.path.lexists(os.path.join(facts.root, path))]


def _with_left_out(blank: Checkpoint, kept: CheckpointBlobs) -> Checkpoint:
    left_out = tuple(sorted(kept.left_out, key=lambda each: each.path))
    return replace(blank, left_out=left_out, left_out_count=len(left_out))


@contextmanager
def _failures(verb: str) -> Generator[None]:
    try:
        yield
    except GitFailed as failure:
        raise CheckpointFailed(verb=verb, reason=str(failure)) from None
    except OSError as error:
        raise CheckpointFailed(verb=verb, reason=error.strerror or str(error)) from None
