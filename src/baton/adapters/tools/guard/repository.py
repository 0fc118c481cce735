"""The parts of a git repository that make git run something, and whether a configuration names nothing that runs."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress

from baton.adapters.files.command_environment import environment
from baton.adapters.files.opening import open_regular
from baton.adapters.files.powerful import is_within, looks_like_repository
from baton.adapters.files.tree import repository_top

_FILES = ("config", "config.worktree", "commondir")
_DIRECTORIES = ("hooks", "info")
_INERT_INFO = ("exclude", "refs", "grafts", "sparse-checkout")
_MODULES_DEEP = 4
_SECONDS = 1.0
_INERT_KEY = re.compile(
    r"core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf"
    r"|eol|safecrlf|sparsecheckout|sparsecheckoutcone|quotepath|abbrev)"
    r"|extensions\.(?:objectformat|worktreeconfig|partialclone|refstorage|relativeworktrees|preciousobjects)"
    r"|user\.(?:name|email|useconfigonly)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)"
    r"|remote\..*\.(?:url|pushurl|fetch|tagopt|prune|mirror|promisor|partialclonefilter|gh-resolved)"
    r"|branch\..*\.(?:remote|merge|rebase|description|pushremote|gh-merge-base|vscode-merge-base)"
    r"|submodule\.(?:.*\.(?:url|active|branch)|active)|lfs\.repositoryformatversion|advice\..*|color\.[a-z]+"
)
_UNREAD_KEY = re.compile(
    r"core\.(?:hookspath|editor|commentchar|longpaths)|(?:commit|tag|push|pull|fetch|rebase|rerere|gc|maintenance|alias"
    r"|credential|user|sequence|branch|gui|merge|init)\..*|husky\..*"
)
"""What git does not look at while it only reads: no hook runs then, and no alias replaces a command of git's own."""
_FETCHES = re.compile(r"remote\..*\.(?:promisor|partialclonefilter)|extensions\.partialclone")
"""With these, reading may reach the network."""
_HELPER = re.compile(r"\s*(?:[A-Za-z0-9+.-]+::|-)")
"""An address that names a program to fetch with, or that would be taken for an option."""
_ADDRESS = re.compile(r"remote\..*\.(?:push)?url|submodule\..*\.url")
_PROGRAM_WORD = re.compile(r"[\s;|&()'\"=]+")


def acting_parts(directory: str) -> Iterator[str]:
    """What is there of a repository's parts that make git act, as real paths. What git only keeps data in is not."""
    for name in _FILES:
        if os.path.lexists(path := os.path.join(directory, name)):
            yield path
    for name in _DIRECTORIES:
        for entry in _list(path := os.path.join(directory, name)):
            if not (entry.endswith(".sample") if name == "hooks" else entry in _INERT_INFO):
                yield os.path.join(path, entry)
        if os.path.islink(path):
            yield path
    for name in _list(linked := os.path.join(directory, "worktrees")):
        yield from _parts_of_linked(os.path.join(linked, name))
    for inner in modules(os.path.join(directory, "modules"), _MODULES_DEEP):
        yield from acting_parts(inner)


def fixed_parts(directory: str) -> Iterator[str]:
    """The parts that exist and that no command has to change: files, and directories with all that is in them."""
    for name in (*_FILES, *_DIRECTORIES, "objects/info/alternates"):
        if os.path.exists(path := os.path.join(directory, name)):
            yield path
    for name in _list(linked := os.path.join(directory, "worktrees")):
        yield from (path for path in _parts_of_linked(os.path.join(linked, name)) if os.path.exists(path))
    for inner in modules(os.path.join(directory, "modules"), _MODULES_DEEP):
        yield from fixed_parts(inner)


def governing(root: str) -> Iterator[str]:
    """The repositories outside the workspace that git uses in it: one above, or the one a `.git` file leads to."""
    top = repository_top(root)
    path = os.path.join(top, ".git") if top else ""
    said = _read_small(path) if top else ""
    if said.startswith("gitdir:"):
        path = os.path.realpath(os.path.join(top or "", said.removeprefix("gitdir:").strip()))
    common = os.path.realpath(os.path.join(path, _read_small(os.path.join(path, "commondir")).strip() or "."))
    for each in dict.fromkeys((path, common)):
        if top and os.path.isdir(each) and not is_within(each, root):
            yield os.path.realpath(each)


def _parts_of_linked(directory: str) -> Iterator[str]:
    for name in ("config.worktree", "commondir", "gitdir"):
        if os.path.lexists(path := os.path.join(directory, name)):
            yield path


def modules(directory: str, deep: int) -> Iterator[str]:
    """The repositories of submodules that are kept below."""
    for name in _list(directory):
        inner = os.path.join(directory, name)
        if looks_like_repository(_list(inner)):
            yield inner
        elif deep and os.path.isdir(inner) and not os.path.islink(inner):
            yield from modules(inner, deep - 1)


def _is_inert_config(git: str | None, path: str, before: bytes | None) -> bool:
    """Whether a configuration, compared to what it was, names nothing new that git would run or read."""
    if git is None:
        return False
    now, then = _pairs(git, path), _pairs_of(git, before)
    if now is None or then is None:
        return False
    had = {key for key, _ in then}
    return all(_is_inert(key, held, had) for key, held in now if (key, held) not in then)


def _is_inert(key: str, held: str, had: set[str]) -> bool:
    if not _INERT_KEY.fullmatch(key):
        return False
    return not (_ADDRESS.fullmatch(key) and (key in had or _HELPER.match(held)))


def runs_nothing_when_read(git: str, directory: str) -> bool:
    """Whether the configuration of a repository names nothing that git runs or fetches in order to show what is
    there.
    """
    for name in _FILES:
        path = os.path.join(directory, name)
        if name == "commondir" and os.path.lexists(path):
            return False
        if os.path.lexists(path) and not _is_calm_config(_pairs(git, path)):
            return False
    return True


def _is_calm_config(pairs: list[tuple[str, str]] | None) -> bool:
    if pairs is None:
        return False
    calm = (_UNREAD_KEY.fullmatch(key) or _is_inert(key, held, set()) for key, held in pairs)
    return all(calm) and not any(_FETCHES.fullmatch(key) for key, _ in pairs)


def is_inert_part(git: str | None, path: str, root: str, before: bytes | None = None) -> bool:
    """Whether a part that is new, or was `before`, lets git run nothing that it did not run until now."""
    name = os.path.basename(path)
    if name in ("config", "config.worktree"):
        return _is_inert_config(git, path, before)
    if name == ".git":
        return _is_inert_link(git, path, root)
    said = _read_small(path).strip()
    if "/.git/worktrees/" not in path:
        return False
    return said == "../.." if name == "commondir" else name == "gitdir" and said.endswith("/.git")


def _is_inert_link(git: str | None, path: str, root: str) -> bool:
    """Whether a `.git` file leads to a repository in this workspace that runs nothing."""
    said = _read_small(path)
    if not said.startswith("gitdir:"):
        return False
    led = os.path.realpath(os.path.join(os.path.dirname(path), said.removeprefix("gitdir:").strip()))
    return is_within(led, root) and all(is_inert_part(git, part, root) for part in acting_parts(led))


def named_files(git: str | None, root: str) -> Iterator[str]:
    """Files and directories of the workspace that the repository's configuration includes, or names as a program."""
    if git is None or not os.path.isfile(os.path.join(root, ".git", "config")):
        return
    said = _ask(git, ["config", "--includes", "--show-origin", "--null", "--list"], root)
    fields = (said or "").split("\0")
    for origin, pair in zip(fields[::2], fields[1::2], strict=False):
        file = os.path.join(root, origin.removeprefix("file:"))
        yield file
        key, _, held = pair.partition("\n")
        if key == "include.path" or (key.startswith("includeif.") and key.endswith(".path")):
            yield os.path.join(os.path.dirname(file), os.path.expanduser(held))
        elif not _INERT_KEY.fullmatch(key):
            yield from (os.path.join(root, word) for word in _PROGRAM_WORD.split(held) if "/" in word or "." in word)


def _pairs(git: str, path: str) -> list[tuple[str, str]] | None:
    try:
        return _pairs_of(git, _read_bytes(path))
    except OSError:
        return None


def _pairs_of(git: str, data: bytes | None) -> list[tuple[str, str]] | None:
    if not data:
        return []
    said = _ask(git, ["config", "--file", "-", "--no-includes", "--null", "--list"], "/", data)
    if said is None:
        return None
    pairs = [each.partition("\n") for each in said.split("\0") if each]
    return [(key, held) for key, _, held in pairs]


def _ask(git: str, arguments: list[str], cwd: str, given: bytes = b"") -> str | None:
    env = environment(os.environ) | {"LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [git, *arguments], cwd=cwd, env=env, input=given, capture_output=True, timeout=_SECONDS, check=False
        )
        return os.fsdecode(done.stdout) if done.returncode == 0 else None
    return None


def _list(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _read_small(path: str) -> str:
    try:
        return os.fsdecode(_read_bytes(path)[:4096])
    except OSError:
        return ""


def _read_bytes(path: str) -> bytes:
    """What a regular file holds. Raises `OSError`, also for a pipe or a link."""
    above = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
    try:
        descriptor = open_regular(os.path.basename(path), above)
    finally:
        os.close(above)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(1 << 20)
