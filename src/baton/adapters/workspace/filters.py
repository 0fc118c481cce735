"""Filters: programs that git runs on the content of files. None is run; whose files they are is told."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256

from baton.adapters.tools.running.programs import without_filters
from baton.adapters.workspace.git import Git
from baton.core.value import value

LARGE_FILES = "lfs"
_KEYS = ("clean", "smudge", "process", "required")
_POINTER = b"version https://git-lfs.github.com/spec/v1\n"


@value
class Settings:
    """What of a repository's configuration matters here: the filters it could run, and its remotes as written."""

    filters: frozenset[str]
    keys: tuple[str, ...]
    remotes: tuple[tuple[str, str], ...]

    def without_filters(self, git: Git) -> Git:
        """git with every filter switched off."""
        return git.with_environment(without_filters(self.keys)) if self.keys else git


def settings(git: Git) -> Settings:
    """Raises `GitFailed`."""
    names: dict[str, None] = {}
    remotes: dict[str, str] = {}
    for item in git.run("config", "--list", "-z").split(b"\0"):
        key, _, held = os.fsdecode(item).partition("\n")
        section, _, rest = key.partition(".")
        name, _, variable = rest.rpartition(".")
        if section == "filter" and name and variable in _KEYS:
            names[name] = None
        elif section == "remote" and name and variable == "url":
            remotes.setdefault(name, held)
    keys = tuple(f"filter.{name}.{variable}" for name in names for variable in _KEYS)
    return Settings(frozenset(names), keys, tuple(sorted(remotes.items())))


def filtered(git: Git, known: frozenset[str], paths: Iterable[str]) -> dict[str, str]:
    """Of these paths those that have a filter which is configured, and its name. Raises `GitFailed`."""
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
