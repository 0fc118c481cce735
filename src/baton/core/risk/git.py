"""What of git destroys, rewrites or publishes."""

from __future__ import annotations

import re
from collections.abc import Callable

from baton.core.risk.git_settings import setting
from baton.core.risk.line import DELETES, OUTSIDE, REWRITES, RUNS, Line
from baton.core.value import replace

Found = tuple[str, str]
"""A kind and a reason; two empty strings for nothing."""

_NOTHING: Found = ("", "")
_OWN = "git is given a command of its own to run"
_COMMANDS = (
    "--upload-pack",
    "--receive-pack",
    "--exec",
    "--open-files-in-pager",
    "--extcmd",
    "--template",
    "--exec-path",
)
"""Options whose value git runs."""
_FILE = re.compile(
    r"(?i).*[/\w-]\.(?:py|jsx?|tsx?|mjs|go|rs|rb|java|c|h|cc|cpp|hpp|md|rst|json|ya?ml|toml|txt|html|css|scss|sh|lock|cfg|ini"
    r"|sql|php|cs|kt|swift|vue|svelte|xml|csv|env|ex|exs|lua|pl|scala)"
)
_VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix")


def git(line: Line) -> Found:
    """The kind and the reason, or nothing."""
    position = 0
    while position < len(line.args) and line.args[position].text.startswith("-"):
        option = line.args[position].text
        held = "".join(line.texts[position + 1 : position + 2])
        if option in ("-c", "--config-env") and (reason := _setting(held)):
            return RUNS, reason
        if option.startswith("--exec-path="):
            return RUNS, _OWN
        position += 2 if option in _VALUED else 1
    if position >= len(line.args):
        return _NOTHING
    name = line.args[position].text
    rest = replace(line, args=line.args[position + 1 :])
    found = _RULES.get(name, _harmless)(rest)
    return found if found[0] else _given_command(name, rest)


def _harmless(_: Line) -> Found:
    return _NOTHING


def _setting(text: str) -> str:
    key, _, held = text.partition("=")
    return setting(key, held)


def _given_command(name: str, line: Line) -> Found:
    """What any of git's commands may be told to run: a transport, a pager, a setting of its own."""
    own = any(text.partition("=")[0] in _COMMANDS or text.startswith("ext::") for text in line.texts)
    if own or (name == "clone" and line.after("-u")):
        return RUNS, _OWN
    held = line.after("-c", "--config") if name == "clone" else None
    if held and (reason := _setting(held.text)):
        return RUNS, reason
    paged = name == "grep" and any(text.startswith("-O") and len(text) > 2 for text in line.texts)
    return (RUNS, _OWN) if paged else _NOTHING


def _config(line: Line) -> Found:
    said = [text for text in line.operands if text not in ("set", "get", "list", "unset", "edit")]
    if len(said) < 2 or line.has("--get", "--get-all", "--get-regexp", "-l", "--list", "--unset", "--unset-all"):
        return _NOTHING
    reason = setting(said[0], said[1], kept=True)
    return (RUNS, reason) if reason else _NOTHING


def _remote(line: Line) -> Found:
    if line.begins("set-url", "remove", "rm"):
        return OUTSIDE, "it changes where commits go"
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
    made = line.has("-b", "-t", "--track", "--detach", "-d", "--orphan", "-c", "--create")
    paths = len(line.operands) > 1 or any(_FILE.fullmatch(text) for text in line.operands)
    discards = "--" in line.texts or "." in line.operands or (paths and not made)
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
    moved = line.has("-d", "--stdin") or len(line.operands) > 1
    return (REWRITES, "a ref is moved or deleted") if moved else _NOTHING


def _symbolic_ref(line: Line) -> Found:
    moved = line.has("-d", "--delete") or len(line.operands) > 1
    return (REWRITES, "a ref is moved or deleted") if moved else _NOTHING


def _pull(line: Line) -> Found:
    anew = any(
        text in ("-r", "--rebase", "--rebase=true", "--rebase=interactive", "--force", "-f") for text in line.texts
    )
    return (REWRITES, "commits are written anew") if anew else _NOTHING


def _svn(line: Line) -> Found:
    return (
        (OUTSIDE, "it publishes commits")
        if line.begins("dcommit", "commit-diff", "branch", "tag", "submit")
        else _NOTHING
    )


def _lfs(line: Line) -> Found:
    if line.begins("push"):
        return OUTSIDE, "it publishes files"
    return (DELETES, "files are removed") if line.begins("prune", "migrate", "dedup") else _NOTHING


def _index(line: Line) -> Found:
    over = line.has("-f", "--force", "--reset", "-u")
    return (DELETES, "uncommitted changes are lost") if over else _NOTHING


def _abort(line: Line) -> Found:
    return (DELETES, "uncommitted changes are lost") if line.has("--abort", "--quit") else _NOTHING


def _difftool(line: Line) -> Found:
    return (RUNS, _OWN) if line.has("--extcmd") or line.after("-x") else _NOTHING


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
    "symbolic-ref": _symbolic_ref,
    "config": _config,
    "remote": _remote,
    "pull": _pull,
    **dict.fromkeys(("svn", "p4"), _svn),
    "lfs": _lfs,
    **dict.fromkeys(("checkout-index", "read-tree"), _index),
    **dict.fromkeys(("merge", "cherry-pick", "revert", "am"), _abort),
    "difftool": _difftool,
    **dict.fromkeys(
        ("annex",), lambda line: (DELETES, "files are removed") if line.begins("drop", "dropunused") else _NOTHING
    ),
}
