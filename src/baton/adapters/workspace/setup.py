"""What a repository is told outside of its commits, for finding out whether it was told otherwise since.

All of it decides what git does next, for whoever types the next command: which programs it runs, where it pushes,
which files it looks at. None of it shows in `git status`. It is read, never obeyed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from baton.adapters.workspace import marks
from baton.adapters.workspace.repository import Repository, without_credentials
from baton.core.handoff.workspace import CONFIG, GIT_FILE, HOOK, PLACE, SUBMODULE, UNWATCHED, WORK_TREE, Setup

MOST_KEYS = 200
MOST_FILES = 100
MOST_UNWATCHED = 1_000
_CAP = 1 << 20
_SHORT = 16
_COMMON_FILES = (
    *("info/attributes", "info/exclude", "info/grafts", "objects/info/alternates", "objects/info/http-alternates"),
    *("shallow", "logs/refs/stash"),
)
_OWN_FILES = (
    *("commondir", "info/sparse-checkout", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG"),
    *("rebase-merge/onto", "rebase-merge/git-rebase-todo", "rebase-apply/next", "sequencer/todo"),
)
_UNWATCHED = re.compile(rb"(?:\A|\0)([a-zS]) ([^\0]+)")
_FLAGS = {b"S": "skip-worktree", b"s": "skip-worktree, assume-unchanged"}


def read_setup(found: Repository) -> Iterator[Setup]:
    """Raises `GitFailed`."""
    common = _common_directory(found.directory)
    yield Setup(PLACE, os.path.relpath(found.directory, found.top))
    yield from _config(found)
    yield from _hooks(found, common)
    yield from _files(common, _COMMON_FILES)
    yield from _files(found.directory, _OWN_FILES)
    yield from _work_trees(common)
    yield from _unwatched(found)


def read_inner_setup(path: str, inner: Repository) -> Iterator[Setup]:
    """That of a submodule, its names beginning with its path."""
    yield Setup(SUBMODULE, path)
    for each in (*_config(inner), *_hooks(inner, _common_directory(inner.directory))):
        yield Setup(each.sort, f"{path}: {each.name}", each.digest)


def _common_directory(directory: str) -> str:
    """git's directory that all work trees share."""
    try:
        told = marks.read_content(directory, "commondir", _CAP).data
    except OSError:
        return directory
    return os.path.realpath(os.path.join(directory, os.fsdecode(told.strip()))) if told else directory


def _config(found: Repository) -> Iterator[Setup]:
    """Each key with all its values; credentials count for nothing. Of very many keys only the sections are told apart.

    A remote's first URL is a fact of its own.
    """
    held: dict[str, list[str]] = {}
    for key, text in found.settings.own:
        held.setdefault(key, []).append(without_credentials(text) if "://" in text else text)
    for key in held:
        if key.startswith("remote.") and key.endswith(".url"):
            held[key] = held[key][1:]
    if len(held) > MOST_KEYS:
        folded: dict[str, list[str]] = {}
        for key, texts in sorted(held.items()):
            folded.setdefault(f"{key.partition('.')[0]}.*", []).extend((key, *texts))
        held = folded
    for key, texts in sorted(held.items()):
        if texts:
            yield Setup(CONFIG, _name_key(key), _digest("\0".join(texts).encode("utf-8", "surrogateescape")))


def _name_key(key: str) -> str:
    section, _, rest = key.partition(".")
    name, dot, variable = rest.rpartition(".")
    return f"{section}.{without_credentials(name)}{dot}{variable}" if "://" in name else key


def _hooks(found: Repository, common: str) -> Iterator[Setup]:
    """Those in git's directory, and those in the directory that the configuration names."""
    named = [text for key, text in found.settings.own if key == "core.hookspath"][-1:]
    own = os.path.join(common, "hooks")
    for place in dict.fromkeys((own, *(os.path.join(found.top, os.path.expanduser(text)) for text in named))):
        names = [name for name in _listed(place) if not name.endswith(".sample")]
        for each in _marked(os.path.realpath(place), names, HOOK):
            yield each if place == own else Setup(HOOK, os.path.join(named[0], each.name), each.digest)


def _files(directory: str, names: Iterable[str]) -> Iterator[Setup]:
    yield from _marked(directory, names, GIT_FILE)


def _work_trees(common: str) -> Iterator[Setup]:
    places = [f"{name}/gitdir" for name in _listed(os.path.join(common, "worktrees"))]
    for each in _marked(os.path.join(common, "worktrees"), places, WORK_TREE):
        yield Setup(WORK_TREE, os.path.dirname(each.name), each.digest)


def _listed(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory))[:MOST_FILES]
    except OSError:
        return []


def _marked(directory: str, names: Iterable[str], sort: str) -> Iterator[Setup]:
    for name in names:
        try:
            found = marks.read_content(directory, name, _CAP)
        except OSError:
            yield Setup(sort, name, "unreadable")
            continue
        if found.is_there:
            told = found.data if found.data is not None else f"{found.size} bytes".encode()
            yield Setup(sort, name, _digest(found.kind.encode() + b"\0" + told))


def _unwatched(found: Repository) -> Iterator[Setup]:
    """Files that git was told to take as unchanged, or as not checked out."""
    said = _UNWATCHED.findall(found.git.run("ls-files", "-v", "-z"))
    for flag, path in said[:MOST_UNWATCHED]:
        yield Setup(UNWATCHED, os.fsdecode(path), _FLAGS.get(flag, "assume-unchanged"))
    if len(said) > MOST_UNWATCHED:
        rest = b"\0".join(flag + path for flag, path in said[MOST_UNWATCHED:])
        yield Setup(UNWATCHED, "…", _digest(rest))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:_SHORT]
