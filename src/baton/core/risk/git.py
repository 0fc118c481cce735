"""What of git destroys, rewrites or publishes."""

from __future__ import annotations

from collections.abc import Callable

from baton.core.risk.line import DELETES, OUTSIDE, REWRITES, Line
from baton.core.value import replace

Found = tuple[str, str]
"""A kind and a reason; two empty strings for nothing."""

_NOTHING: Found = ("", "")
_VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix")


def git(line: Line) -> Found:
    """The kind and the reason, or nothing."""
    position = 0
    while position < len(line.args) and line.args[position].text.startswith("-"):
        option = line.args[position].text
        if option == "-c" and "=!" in "".join(line.texts[position + 1 : position + 2]):
            return REWRITES, "git is given a command of its own to run"
        position += 2 if option in _VALUED else 1
    if position >= len(line.args):
        return _NOTHING
    name = line.args[position].text
    rest = replace(line, args=line.args[position + 1 :])
    return _RULES.get(name, _harmless)(rest)


def _harmless(_: Line) -> Found:
    return _NOTHING


def _push(line: Line) -> Found:
    if line.has("-n", "--dry-run"):
        return _NOTHING
    if line.has("-f", "--force", "--force-with-lease", "--force-if-includes") or _any(line, lambda it: it[0] == "+"):
        return OUTSIDE, "a forced push replaces what others have"
    if line.has("-d", "--delete", "--mirror", "--prune") or _any(line, lambda it: it[0] == ":"):
        return OUTSIDE, "it deletes branches or tags of the remote"
    return OUTSIDE, "it publishes commits"


def _any(line: Line, test: Callable[[str], bool]) -> bool:
    return any(test(text) for text in line.operands if text)


def _reset(line: Line) -> Found:
    return (DELETES, "uncommitted changes are lost") if line.has("--hard", "--merge") else _NOTHING


def _clean(line: Line) -> Found:
    rehearsed = line.has("-n", "--dry-run")
    return (DELETES, "untracked files are lost") if line.has("-f", "--force") and not rehearsed else _NOTHING


def _checkout(line: Line) -> Found:
    if line.has("-f", "--force", "--discard-changes"):
        return DELETES, "uncommitted changes are lost"
    if line.has("-B", "-C", "--force-create"):
        return REWRITES, "a branch is moved to other commits"
    discards = "--" in line.texts or "." in line.operands
    return (DELETES, "uncommitted changes of files are lost") if discards else _NOTHING


def _restore(line: Line) -> Found:
    staged_only = line.has("-S", "--staged") and not line.has("-W", "--worktree")
    return _NOTHING if staged_only else (DELETES, "uncommitted changes of files are lost")


def _branch(line: Line) -> Found:
    forced = line.has("-f", "--force")
    deleted = line.has("-D") or (line.has("-d", "--delete") and forced)
    return (REWRITES, "a branch is deleted or moved for good") if deleted or forced or line.has("-M") else _NOTHING


def _tag(line: Line) -> Found:
    return (REWRITES, "a tag is deleted or moved") if line.has("-d", "--delete", "-f", "--force") else _NOTHING


def _rebase(line: Line) -> Found:
    return _NOTHING if line.has("--show-current-patch") else (REWRITES, "commits are written anew")


def _commit(line: Line) -> Found:
    return (REWRITES, "the last commit is written anew") if line.has("--amend") else _NOTHING


def _rewrites(_: Line) -> Found:
    return REWRITES, "the history is written anew"


def _reflog(line: Line) -> Found:
    return (REWRITES, "the way back to earlier states is lost") if line.begins("expire", "delete") else _NOTHING


def _gc(line: Line) -> Found:
    return (REWRITES, "the way back to earlier states is lost") if line.after("--prune") else _NOTHING


def _stash(line: Line) -> Found:
    return (DELETES, "stashed changes are lost") if line.begins("drop", "clear") else _NOTHING


def _worktree(line: Line) -> Found:
    forced = line.begins("remove") and line.has("-f", "--force")
    return (DELETES, "a work tree is removed with its changes") if forced else _NOTHING


def _submodule(line: Line) -> Found:
    forced = line.begins("deinit") and line.has("-f", "--force", "--all")
    return (DELETES, "a submodule is removed with its changes") if forced else _NOTHING


def _rm(line: Line) -> Found:
    kept = line.has("--cached", "-n", "--dry-run")
    return (DELETES, "files are removed") if line.has("-r", "-f", "--force") and not kept else _NOTHING


def _update_ref(line: Line) -> Found:
    return (REWRITES, "a ref is deleted") if line.has("-d", "--stdin") else _NOTHING


def _sends(_: Line) -> Found:
    return OUTSIDE, "it publishes commits"


_RULES: dict[str, Callable[[Line], Found]] = {
    "push": _push,
    "send-email": _sends,
    "reset": _reset,
    "clean": _clean,
    "checkout": _checkout,
    "switch": _checkout,
    "restore": _restore,
    "branch": _branch,
    "tag": _tag,
    "rebase": _rebase,
    "commit": _commit,
    "filter-branch": _rewrites,
    "filter-repo": _rewrites,
    "replace": _rewrites,
    "fast-import": _rewrites,
    "reflog": _reflog,
    "gc": _gc,
    "prune": _rewrites,
    "stash": _stash,
    "worktree": _worktree,
    "submodule": _submodule,
    "rm": _rm,
    "update-ref": _update_ref,
}
