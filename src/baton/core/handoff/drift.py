"""What changed between the workspace a packet describes and the one that is there now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from baton.core.display import one_line
from baton.core.handoff import workspace
from baton.core.handoff.seal import tells_apart
from baton.core.handoff.workspace import ABSENT, UNREAD, Between, FileMark, RepoFacts, Snapshot
from baton.core.paths import quote_path
from baton.core.value import asdict, value

REPOSITORY_GONE = "repository_gone"
REPOSITORY_APPEARED = "repository_appeared"
BRANCH_SWITCHED = "branch_switched"
HEAD_MOVED = "head_moved"
OPERATION = "operation"
CONFLICTS_CHANGED = "conflicts_changed"
STAGED_CHANGED = "staged_changed"
EDITED = "edited"
DELETED = "deleted"
APPEARED = "appeared"
MODE_CHANGED = "mode_changed"
NO_LONGER_CHANGED = "no_longer_changed"
EVIDENCE_MISSING = "evidence_missing"
EVIDENCE_ALTERED = "evidence_altered"
REMOTE_CHANGED = "remote_changed"
CONFIG_CHANGED = "config_changed"
HOOK_CHANGED = "hook_changed"
GIT_FILE_CHANGED = "git_file_changed"
SUBMODULE_CHANGED = "submodule_changed"
WORK_TREE_CHANGED = "work_tree_changed"
WATCH_CHANGED = "watch_changed"
REPOSITORY_MOVED = "repository_moved"

SENTENCES = {
    REPOSITORY_GONE: "There is no git repository any more: {after}",
    REPOSITORY_APPEARED: "The workspace has become a git repository.",
    BRANCH_SWITCHED: "The branch was switched from {before} to {after}.",
    HEAD_MOVED: "HEAD moved from {before} to {after}{detail}.",
    OPERATION: "An operation of git is under way: {after} (when the packet was written: {before}).",
    CONFLICTS_CHANGED: "The files in conflict are others: {after} (in the packet: {before}).",
    STAGED_CHANGED: "What is staged has changed{detail}.",
    EDITED: "Edited: {path}",
    DELETED: "Deleted: {path}",
    APPEARED: "New: {path}",
    MODE_CHANGED: "Changed from {before} to {after}: {path}",
    NO_LONGER_CHANGED: "Committed or put back, it no longer differs from HEAD: {path}",
    EVIDENCE_MISSING: "Evidence is missing: {path}",
    EVIDENCE_ALTERED: "Evidence was altered since: {path}",
    REMOTE_CHANGED: "The remote {path} was {before} and is {after}.",
    CONFIG_CHANGED: "In git's configuration of this repository {path} was {after}.",
    HOOK_CHANGED: "The hook {path} was {after}.",
    GIT_FILE_CHANGED: "In git's own directory {path} was {after}.",
    SUBMODULE_CHANGED: "The submodule {path} was {after}.",
    WORK_TREE_CHANGED: "Another work tree of this repository, {path}, was {after}.",
    WATCH_CHANGED: "Git {after} changes of this file: {path}",
    REPOSITORY_MOVED: "Git's own directory {path} was {after}.",
}
_OF_SETUP = {
    workspace.CONFIG: CONFIG_CHANGED,
    workspace.HOOK: HOOK_CHANGED,
    workspace.GIT_FILE: GIT_FILE_CHANGED,
    workspace.SUBMODULE: SUBMODULE_CHANGED,
    workspace.WORK_TREE: WORK_TREE_CHANGED,
    workspace.UNWATCHED: WATCH_CHANGED,
    workspace.PLACE: REPOSITORY_MOVED,
}
_TOLD = ("added", "removed", "changed")
_WATCHING = ("no longer looks at", "looks again at", "was told otherwise about")
NOTHING = "Nothing has changed since the packet was written."
HEADING = "The workspace has changed since the packet was written ({count}):"
MORE = "… and {count} more"
_SHORT = 12
_LISTED = 5
_LONG = 500


@value
class Difference:
    """One thing that is not as the packet says. Only what the kind needs is filled in."""

    kind: str
    path: str = ""
    before: str = ""
    after: str = ""
    detail: str = ""

    @property
    def sentence(self) -> str:
        told = {name: one_line(str(held), _LONG) for name, held in asdict(self).items()}
        return SENTENCES[self.kind].format_map(told | {"path": quote_path(self.path), "detail": self._detail})

    @property
    def _detail(self) -> str:
        return f" {one_line(self.detail, _LONG)}" if self.detail else ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"path": quote_path(self.path) if self.path else "", "sentence": self.sentence}


@value
class Drift:
    """Differences, those of the repository first, then files by path, then evidence. No differences, no drift."""

    differences: tuple[Difference, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.differences)

    def report(self, limit: int = 100) -> str:
        """The differences as a list for people and models, at most `limit` of them in words."""
        if not self.differences:
            return NOTHING
        lines = [f"- {each.sentence}" for each in self.differences[:limit]]
        if (more := len(self.differences) - limit) > 0:
            lines.append(f"- {MORE.format(count=more)}")
        return "\n".join([HEADING.format(count=len(self.differences)), *lines])

    def as_dict(self, limit: int = 100) -> dict[str, Any]:
        told = [each.as_dict() for each in self.differences[:limit]]
        return {"drift": bool(self), "count": len(self.differences), "differences": told}


def compare(packet: Snapshot, live: Snapshot, between: Between | None = None) -> Drift:
    """What differs. `live` should hold marks of the files that the packet marked; `between` says how far HEAD moved."""
    if packet.facts.is_git and not live.facts.is_git:
        return Drift(
            (Difference(REPOSITORY_GONE, after=live.facts.problem or live.facts.root), *_evidence(packet, live))
        )
    repository = _repository(packet.facts, live.facts, between) if live.facts.is_git else ()
    return Drift((*repository, *_files(packet, live), *_evidence(packet, live)))


def _repository(before: RepoFacts, after: RepoFacts, between: Between | None) -> Iterable[Difference]:
    if not before.is_git:
        yield Difference(REPOSITORY_APPEARED)
        return
    if before.branch != after.branch:
        yield Difference(BRANCH_SWITCHED, before=_branch(before), after=_branch(after))
    if before.head != after.head:
        detail = _distance(between) if between else ""
        yield Difference(HEAD_MOVED, before=_head(before), after=_head(after), detail=detail)
    if before.operation != after.operation:
        yield Difference(OPERATION, before=before.operation or "none", after=after.operation or "none")
    if before.conflicted != after.conflicted:
        yield Difference(CONFLICTS_CHANGED, before=_list_paths(before.conflicted), after=_list_paths(after.conflicted))
    if (before.staged, before.stage) != (after.staged, after.stage):
        yield Difference(STAGED_CHANGED, detail=_staging_detail(before, after))
    yield from _remotes(before, after)
    yield from _setup(before, after)


def _remotes(before: RepoFacts, after: RepoFacts) -> Iterable[Difference]:
    old, new = ({each.name: each.url for each in side.remotes} for side in (before, after))
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            told = (f"at {url}" if url is not None else "not there" for url in (old.get(name), new.get(name)))
            yield Difference(REMOTE_CHANGED, name, *told)


def _setup(before: RepoFacts, after: RepoFacts) -> Iterable[Difference]:
    """What git was told otherwise since; nothing if that was not looked at when the packet was written."""
    if before.setup is None or after.setup is None:
        return
    old, new = ({(each.sort, each.name): each.digest for each in side} for side in (before.setup, after.setup))
    for sort, name in sorted(old.keys() | new.keys()):
        was, is_ = old.get((sort, name)), new.get((sort, name))
        if was is None or is_ is None or tells_apart(was, is_):
            told = _WATCHING if sort == workspace.UNWATCHED else _TOLD
            yield Difference(_OF_SETUP[sort], name, after=told[_change(was, is_)])


def _change(was: str | None, is_: str | None) -> int:
    return 0 if was is None else 1 if is_ is None else 2


def _branch(facts: RepoFacts) -> str:
    return quote_path(facts.branch) if facts.branch else "a detached HEAD"


def _head(facts: RepoFacts) -> str:
    return facts.head[:_SHORT] or "no commit"


def _distance(between: Between) -> str:
    counts = f"{between.ahead} commits ahead of the packet's, {between.behind} behind"
    files = f"; files that differ: {_list_paths(between.paths)}" if between.paths else ""
    return f"({counts}{files})"


def _staging_detail(before: RepoFacts, after: RepoFacts) -> str:
    added, gone = (
        _list_paths(sorted({*one.staged} - {*other.staged})) for one, other in ((after, before), (before, after))
    )
    told = [f"newly staged: {added}"] if added != "none" else []
    told += [f"no longer staged: {gone}"] if gone != "none" else []
    return f"({'; '.join(told)})" if told else "(the same files, with other content)"


def _list_paths(paths: Iterable[str]) -> str:
    named = [quote_path(path) for path in paths]
    more = f" and {len(named) - _LISTED} more" if len(named) > _LISTED else ""
    return (", ".join(named[:_LISTED]) or "none") + more


def _files(packet: Snapshot, live: Snapshot) -> Iterable[Difference]:
    before, after = ({mark.path: mark for mark in side.marks} for side in (packet, live))
    known = before if packet.facts.truncated or live.facts.truncated else before.keys() | after.keys()
    newly_unwatched = live.facts.unwatched - packet.facts.unwatched
    for path in sorted(known):
        if path not in before:
            if path not in newly_unwatched:
                yield Difference(_kind_of_new(after[path], live.facts), path)
        elif path not in after:
            yield Difference(NO_LONGER_CHANGED, path)
        elif found := _compare_marks(before[path], after[path]):
            yield found


def _kind_of_new(mark: FileMark, live: RepoFacts) -> str:
    """How a file differs now that did not when the packet was written."""
    if not mark.is_there:
        return DELETED
    return APPEARED if mark.path in live.untracked or not live.is_git else EDITED


def _compare_marks(before: FileMark, after: FileMark) -> Difference | None:
    if before.kind != after.kind and ABSENT in (before.kind, after.kind):
        return Difference(APPEARED if after.is_there else DELETED, after.path)
    if _has_other_content(before, after):
        return Difference(EDITED, after.path)
    if before.kind != after.kind:
        return Difference(MODE_CHANGED, after.path, before=before.kind, after=after.kind)
    if before.mode is not None and after.mode is not None and before.mode != after.mode:
        return Difference(MODE_CHANGED, after.path, before=f"mode {before.mode:04o}", after=f"mode {after.mode:04o}")
    return None


def _has_other_content(before: FileMark, after: FileMark) -> bool:
    """Whether the content differs; of a file that was not read only the size can tell."""
    if UNREAD in (before.digest, after.digest):
        return before.size != after.size
    return before.digest != after.digest


def _evidence(packet: Snapshot, live: Snapshot) -> Iterable[Difference]:
    after = {mark.path: mark for mark in live.evidence}
    for mark in packet.evidence:
        found = after.get(mark.path)
        if not mark.is_there:
            continue
        if found is None or not found.is_there:
            yield Difference(EVIDENCE_MISSING, mark.path)
        elif _has_other_content(mark, found):
            yield Difference(EVIDENCE_ALTERED, mark.path)
