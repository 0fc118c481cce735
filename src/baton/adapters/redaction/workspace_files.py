"""What a workspace's own files say is secret: `.env` files at any depth, and the credentials in git's configuration.

Read as files, without a subprocess, and within bounds: a work tree of any size costs a few milliseconds. Folders that
hold other people's code or what a build made are not entered.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterator
from contextlib import suppress

from baton.adapters.redaction.encodings import decodings_of
from baton.adapters.redaction.environment import is_env, parse_env, secrets_of
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.thresholds import (
    DEEPEST_ENV_FILE,
    LARGEST_ENV_FILE,
    MOST_ENV_DIRECTORIES,
    MOST_ENV_FILES,
    MOST_ENV_NAMES,
)

_SKIPPED = frozenset(
    """
    node_modules bower_components vendor target dist build out coverage venv env site-packages __pycache__ Pods .git .hg
    .svn .venv .tox .nox .cache .mypy_cache .pytest_cache .ruff_cache .gradle .next .nuxt .terraform .baton .idea
    """.split()  # noqa: SIM905
)
_LINK = Expression(r"(?i)[a-z][a-z0-9+.-]*://[^\s\"/?#]*@")
_HEADER = Expression(r"(?im)^[ \t]*extraheader[ \t]*=[ \t]*\"?[\w-]+:[ \t]*([^\r\n\"]+)")
_SECRET = Expression(r"(?im)^[ \t]*(?:\w*(?:pass(?:word)?|token|secret))[ \t]*=[ \t]*\"?([^\r\n\"]+)")
_COMMON = "commondir"
_FOLLOWED = 4_096


def env_values(workspace: str) -> dict[str, str]:
    """Names and values of the `.env` files in a workspace. Links, devices and unreadable files count as empty. Of two
    values with one name both are there.
    """
    values: dict[str, str] = {}
    for path in _env_files(workspace):
        for name, held in parse_env(_content(path)).items():
            place = name if values.get(name, held) == held else f"{name} in {len(values)}"
            values[place] = held
    return values


def _env_files(workspace: str) -> Iterator[str]:
    """The nearest first: what is at the root is never lost to what lies deeper."""
    found = entered = seen = 0
    waiting = deque([(workspace, 0)])
    while waiting and entered < MOST_ENV_DIRECTORIES and seen < MOST_ENV_NAMES:
        directory, depth = waiting.popleft()
        entered += 1
        below: list[str] = []
        files: list[str] = []
        with suppress(OSError), os.scandir(directory) as entries:
            for entry in entries:
                seen += 1
                if entry.is_dir(follow_symlinks=False):
                    if depth < DEEPEST_ENV_FILE and entry.name not in _SKIPPED:
                        below.append(entry.path)
                elif is_env(entry.name):
                    files.append(entry.path)
        for path in sorted(files):
            if (found := found + 1) > MOST_ENV_FILES:
                return
            yield path
        waiting.extend((path, depth + 1) for path in sorted(below))


def git_values(workspace: str) -> dict[str, str]:
    """The credentials in the configuration of the workspace's repository: in links, headers and settings called so."""
    found: dict[str, str] = {}
    for directory in _git_directories(workspace):
        for name in ("config", "config.worktree"):
            for held in _credentials(_content(os.path.join(directory, name))):
                found[f"git credential {len(found) + 1}"] = held
    return found


def _credentials(content: bytes) -> Iterator[str]:
    for match in _LINK.finditer(content):
        link = match.group(0).decode("utf-8", "replace")
        yield from secrets_of({"": f"{link}host"}, trusted=True).values()
        user, colon, _ = link.partition("://")[2].rstrip("@").partition(":")
        if not colon and len(user) >= _SHORTEST_USER_TOKEN:
            yield user
    for match in _HEADER.finditer(content):
        held = match.group(1).decode("utf-8", "replace").strip()
        told = held.rpartition(" ")[2]
        yield from (told, *decodings_of(told))
    for match in _SECRET.finditer(content):
        yield match.group(1).decode("utf-8", "replace").strip()


_SHORTEST_USER_TOKEN = 16
"""Of what stands alone before `@`: shorter ones are names."""


def _git_directories(workspace: str) -> Iterator[str]:
    """Git's directory of the repository the workspace is in, and the one it shares with other work trees."""
    above = os.path.abspath(workspace)
    while not os.path.lexists(path := os.path.join(above, ".git")):
        if above == (above := os.path.dirname(above)):
            return
    if not os.path.isdir(path):
        said = _content(path)[:_FOLLOWED].decode("utf-8", "replace").strip()
        if not said.startswith("gitdir:"):
            return
        path = os.path.join(above, said.removeprefix("gitdir:").strip())
    yield path
    if shared := _content(os.path.join(path, _COMMON))[:_FOLLOWED].decode("utf-8", "replace").strip():
        yield os.path.join(path, shared)


def _content(path: str) -> bytes:
    with suppress(OSError, ValueError):
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with os.fdopen(os.open(path, flags), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(LARGEST_ENV_FILE)
    return b""
