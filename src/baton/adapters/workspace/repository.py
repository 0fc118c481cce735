"""Where a workspace's repository is, and which parts of its configuration matter.

Its configuration cannot lead elsewhere. Filters are programs that git runs on the content of files: none is run, but
which files have one is known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from hashlib import sha256

from baton.adapters.files.programs import find_program, without_filters
from baton.adapters.files.tree import repository_top
from baton.adapters.files.workspace import Workspace
from baton.adapters.workspace.git import Git, GitFailed
from baton.core.value import value

MISSING = "git is not installed"
ELSEWHERE = "the repository names another directory as its work tree"
LARGE_FILES = "lfs"
_KEYS = ("clean", "smudge", "process", "required")
_LONG = 300
_ITS_OWN = ("local", "worktree")
_POINTER = b"version https://git-lfs.github.com/spec/v1\n"


@value
class Repository:
    """`top` is the real path of the work tree's top, `directory` git's own for it. `git` runs there without filters."""

    top: str
    directory: str
    git: Git
    settings: Settings


def find_repository(root: str) -> Repository | None:
    """The repository that the directory `root` is in, if any. `GitFailed` when there is one that cannot be used."""
    top = repository_top(root)
    if top is None:
        return None
    git = Git(git_program(top), top)
    said = os.fsdecode(git.run("rev-parse", "--show-toplevel", "--absolute-git-dir")).removesuffix("\n")
    if not said.startswith(f"{top}\n"):
        raise GitFailed(ELSEWHERE)
    found = read_settings(git)
    return Repository(top, said.removeprefix(f"{top}\n"), found.without_filters(git), found)


def git_program(root: str) -> str:
    """git's path. Raises `GitFailed` where there is none outside of the workspace."""
    found = find_program("git", Workspace(root))
    if found is None:
        raise GitFailed(MISSING)
    return found


@value
class Settings:
    """The parts of a repository's configuration that matter here: filters it could run, remotes as written, and
    everything that the repository itself says, files it includes too.
    """

    filters: frozenset[str]
    keys: tuple[str, ...]
    remotes: tuple[tuple[str, str], ...]
    own: tuple[tuple[str, str], ...]

    def without_filters(self, git: Git) -> Git:
        """git with every filter switched off."""
        return git.with_environment(without_filters(self.keys)) if self.keys else git


def read_settings(git: Git) -> Settings:
    """Raises `GitFailed`."""
    names: dict[str, None] = {}
    remotes: dict[str, str] = {}
    own: list[tuple[str, str]] = []
    said = git.run("config", "--list", "--show-scope", "-z").split(b"\0")
    for scope, item in zip(said[0::2], said[1::2], strict=False):
        key, _, held = os.fsdecode(item).partition("\n")
        if scope.decode(errors="replace") in _ITS_OWN:
            own.append((key, held))
        section, _, rest = key.partition(".")
        name, _, variable = rest.rpartition(".")
        if section == "filter" and name and variable in _KEYS:
            names[name] = None
        elif section == "remote" and name and variable == "url":
            remotes.setdefault(name, held)
    keys = tuple(f"filter.{name}.{variable}" for name in names for variable in _KEYS)
    return Settings(frozenset(names), keys, tuple(sorted(remotes.items())), tuple(own))


def find_filters(git: Git, known: frozenset[str], paths: Iterable[str]) -> dict[str, str]:
    """Those of these paths that have a configured filter, with its name. Raises `GitFailed`."""
    asked = [os.fsencode(path) + b"\0" for path in paths]
    if not known or not asked:
        return {}
    said = git.run("check-attr", "-z", "--stdin", "filter", feed=asked).split(b"\0")
    triples = zip(said[0::3], said[2::3], strict=False)
    return {os.fsdecode(path): os.fsdecode(name) for path, name in triples if os.fsdecode(name) in known}


def is_what_the_pointer_says(pointer: bytes, content: bytes) -> bool:
    """Whether a file kept through git-lfs is unchanged, judged by its pointer; no program is needed for that."""
    wanted = f"oid sha256:{sha256(content).hexdigest()}\nsize {len(content)}\n".encode()
    return pointer.startswith(_POINTER) and pointer.endswith(wanted)


def without_credentials(url: str) -> str:
    """The URL without user, password, query and fragment. A name before a host, as in `git@host:path`, may stay."""
    flat = "".join(character for character in url if character.isprintable())
    if "://" not in flat:
        return _short(re.sub(r"^[^/@:]*:[^/@]*@", "", flat))
    scheme, _, rest = flat.partition("://")
    host, slash, path = rest.partition("/")
    place = host.rpartition("@")[2]
    return _short(re.split(r"[?#]", f"{scheme}://{place}{slash}{path}")[0])


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
