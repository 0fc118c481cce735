"""What is known of a workspace at one moment, by program: its repository, its changed files and their hashes.

Paths are relative to the top of the repository, or to the workspace outside of one. `as_dict` and `from_dict` are each
other's inverse for any path a file system allows; what does not have the right form is `BadInput`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.paths import quote_path, unquote_path
from baton.core.value import value

ABSENT = "absent"
FILE = "file"
EXECUTABLE = "executable"
LINK = "link"
DIRECTORY = "directory"
SPECIAL = "special"
UNREAD = "unread"
"""The digest of a file that was too large, or not allowed, to be read: only its kind and size are known."""
KINDS = (ABSENT, FILE, EXECUTABLE, LINK, DIRECTORY, SPECIAL)


@value
class FileMark:
    """One file as it was: `digest` is the sha256 of its content, of a link's target, or a submodule's commit."""

    path: str
    kind: str
    digest: str = ""
    size: int = 0
    mode: int | None = None
    """Who may read, write and run a file; None where that is not known."""

    @property
    def is_there(self) -> bool:
        return self.kind != ABSENT

    def as_dict(self) -> dict[str, Any]:
        told = {"path": quote_path(self.path), "kind": self.kind, "sha256": self.digest, "size": self.size}
        return told if self.mode is None else told | {"mode": self.mode}

    @staticmethod
    def from_dict(given: object) -> FileMark:
        held = _as_mapping(given, "mark")
        kind = _text(held, "kind")
        if kind not in KINDS:
            raise BadInput(reason=f"A mark has the kind {kind!r}. Allowed: {', '.join(KINDS)}.")
        path, digest, size = unquote_path(_text(held, "path")), _text(held, "sha256"), _number(held, "size") or 0
        return FileMark(path, kind, digest, size, _number(held, "mode"))


@value
class Commit:
    sha: str
    subject: str
    at: int
    """Seconds since the epoch."""


@value
class Remote:
    """Where a repository is pulled from and pushed to; the URL holds no credentials."""

    name: str
    url: str


CONFIG = "config"
HOOK = "hook"
GIT_FILE = "git file"
SUBMODULE = "submodule"
WORK_TREE = "work tree"
UNWATCHED = "unwatched"
PLACE = "place"
SORTS = (CONFIG, HOOK, GIT_FILE, SUBMODULE, WORK_TREE, UNWATCHED, PLACE)


@value
class Setup:
    """One thing that a repository is told outside of its commits: a key of its configuration, a hook, a file in git's
    own directory, a submodule that is checked out, another work tree, a file git was told not to look at, or where its
    directory is. `digest` stands for what it says.
    """

    sort: str
    name: str
    digest: str = ""

    @staticmethod
    def from_dict(given: object) -> Setup:
        held = _as_mapping(given, "setup")
        sort = _text(held, "sort")
        if sort not in SORTS:
            raise BadInput(reason=f"A setup has the sort {sort!r}. Allowed: {', '.join(SORTS)}.")
        return Setup(sort, unquote_path(_text(held, "name")), _text(held, "digest"))

    def as_dict(self) -> dict[str, Any]:
        return {"sort": self.sort, "name": quote_path(self.name), "digest": self.digest}


@value
class RepoFacts:
    """A repository as git sees it, or `is_git=False` with the reason in `problem` where there should have been one.

    `branch` is empty when HEAD is detached, `head` is empty before the first commit. `stage` names the exact content of
    what is staged. The lists of files are sorted; `truncated` when there were more than are listed. `setup` is None if
    nobody looked.
    """

    root: str
    is_git: bool
    branch: str = ""
    head: str = ""
    operation: str = ""
    upstream: str = ""
    ahead: int | None = None
    behind: int | None = None
    staged: tuple[str, ...] = ()
    unstaged: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    conflicted: tuple[str, ...] = ()
    stage: str = ""
    commits: tuple[Commit, ...] = ()
    remotes: tuple[Remote, ...] = ()
    truncated: bool = False
    problem: str = ""
    setup: tuple[Setup, ...] | None = None

    @property
    def unwatched(self) -> frozenset[str]:
        """Files that git was told not to look at: changes in them are not among the changed files."""
        return frozenset(each.name for each in self.setup or () if each.sort == UNWATCHED)

    @property
    def is_unborn(self) -> bool:
        return self.is_git and not self.head

    @property
    def is_detached(self) -> bool:
        return self.is_git and not self.branch

    @property
    def dirty(self) -> tuple[str, ...]:
        """Every file that differs from HEAD, once, sorted."""
        return tuple(sorted({*self.staged, *self.unstaged, *self.untracked, *self.conflicted}))

    @property
    def is_clean(self) -> bool:
        return not (self.staged or self.unstaged or self.untracked or self.conflicted or self.operation)

    def as_dict(self) -> dict[str, Any]:
        return {
            "root": quote_path(self.root),
            "is_git": self.is_git,
            "branch": quote_path(self.branch) if self.branch else "",
            "head": self.head,
            "operation": self.operation,
            "upstream": quote_path(self.upstream) if self.upstream else "",
            "ahead": self.ahead,
            "behind": self.behind,
            **{name: [quote_path(path) for path in getattr(self, name)] for name in _LISTS},
            "stage": self.stage,
            "commits": [{"sha": each.sha, "subject": each.subject, "at": each.at} for each in self.commits],
            "remotes": [{"name": each.name, "url": each.url} for each in self.remotes],
            "truncated": self.truncated,
            "problem": self.problem,
            "setup": None if self.setup is None else [each.as_dict() for each in self.setup],
        }

    @staticmethod
    def from_dict(given: object) -> RepoFacts:
        held = _as_mapping(given, "repository")
        return RepoFacts(
            root=unquote_path(_text(held, "root")),
            is_git=held.get("is_git") is True,
            branch=unquote_path(_text(held, "branch")),
            head=_text(held, "head"),
            operation=_text(held, "operation"),
            upstream=unquote_path(_text(held, "upstream")),
            ahead=_number(held, "ahead"),
            behind=_number(held, "behind"),
            **{name: tuple(unquote_path(_string(path, name)) for path in _items(held, name)) for name in _LISTS},
            stage=_text(held, "stage"),
            commits=tuple(_commit(each) for each in _items(held, "commits")),
            remotes=tuple(_remote(each) for each in _items(held, "remotes")),
            truncated=held.get("truncated") is True,
            problem=_text(held, "problem"),
            setup=None if held.get("setup") is None else tuple(map(Setup.from_dict, _items(held, "setup"))),
        )


_LISTS = ("staged", "unstaged", "untracked", "conflicted")


@value
class Snapshot:
    """A workspace at one moment. `marks` are its changed files (all files outside of git), `evidence` what the work's
    claims rest on: logs and reports, whose paths are relative to the workspace.
    """

    facts: RepoFacts
    marks: tuple[FileMark, ...] = ()
    evidence: tuple[FileMark, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "repository": self.facts.as_dict(),
            "marks": [each.as_dict() for each in self.marks],
            "evidence": [each.as_dict() for each in self.evidence],
        }

    @staticmethod
    def from_dict(given: object) -> Snapshot:
        held = _as_mapping(given, "snapshot")
        return Snapshot(
            RepoFacts.from_dict(held.get("repository")),
            tuple(FileMark.from_dict(each) for each in _items(held, "marks")),
            tuple(FileMark.from_dict(each) for each in _items(held, "evidence")),
        )


@value
class Between:
    """From one commit to another: how many only the second has, how many only the first, and files that differ."""

    ahead: int
    behind: int
    paths: tuple[str, ...] = ()


def _commit(given: object) -> Commit:
    held = _as_mapping(given, "commit")
    return Commit(_text(held, "sha"), _text(held, "subject"), _number(held, "at") or 0)


def _remote(given: object) -> Remote:
    held = _as_mapping(given, "remote")
    return Remote(_text(held, "name"), _text(held, "url"))


def _as_mapping(given: object, noun: str) -> Mapping[str, object]:
    if not isinstance(given, Mapping):
        raise BadInput(reason=f"The {noun} is not an object.")
    return cast("Mapping[str, object]", given)


def _items(held: Mapping[str, object], name: str) -> Sequence[object]:
    found = held.get(name, ())
    if not isinstance(found, list | tuple):
        raise BadInput(reason=f"{name} is not a list.")
    return cast("Sequence[object]", found)


def _text(held: Mapping[str, object], name: str) -> str:
    return _string(held.get(name, ""), name)


def _string(found: object, name: str) -> str:
    if not isinstance(found, str):
        raise BadInput(reason=f"{name} is not text.")
    return found


def _number(held: Mapping[str, object], name: str) -> int | None:
    found = held.get(name)
    if found is not None and (not isinstance(found, int) or isinstance(found, bool)):
        raise BadInput(reason=f"{name} is not a whole number.")
    return found


_FILES = 20
_COMMITS = 3


def repo_lines(facts: RepoFacts) -> list[str]:
    if not facts.is_git:
        return [f"Not a git repository: {facts.problem}" if facts.problem else "Not a git repository."]
    lines = [_position(facts)]
    if facts.operation:
        lines.append(f"In the middle of: {facts.operation}")
    for name in ("conflicted", "staged", "unstaged", "untracked"):
        paths: tuple[str, ...] = getattr(facts, name)
        if paths:
            lines.append(f"{name.capitalize()} ({len(paths)}): {_list_paths(paths)}")
    if facts.is_clean:
        lines.append("The work tree is clean.")
    lines += [f"Commit {each.sha[:10]} {one_line(each.subject, 100)}" for each in facts.commits[:_COMMITS]]
    return lines


def _position(facts: RepoFacts) -> str:
    where = f"Branch {facts.branch}" if facts.branch else "HEAD is detached"
    at = f" at {facts.head[:10]}" if facts.head else ", no commits yet"
    far = [f"{count} {word}" for count, word in ((facts.ahead, "ahead"), (facts.behind, "behind")) if count]
    distance = f", {' and '.join(far)} of {facts.upstream}" if far and facts.upstream else ""
    return f"{where}{at}{distance}"


def _list_paths(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _FILES} more" if len(paths) > _FILES else ""
    return ", ".join(one_line(path, 200) for path in paths[:_FILES]) + more
