"""Checkpoints as commits: written by one `git fast-import`, which needs no index and no work tree, and listed again."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from baton.adapters.workspace import note
from baton.adapters.workspace.git import Git, GitFailed
from baton.core.errors import BadInput, NotFound
from baton.core.handoff.checkpoint import PREFIX, Change, Checkpoint
from baton.core.ids import shown
from baton.core.paths import quoted
from baton.core.value import replace, value

_PENDING = "refs/baton/pending"
"""A commit needs a ref while git takes it in; this one is dropped before git writes any, so that it never exists."""
_IDENTITY = "Baton <baton@localhost>"
_NAME = re.compile(r"([0-9]{8}_[0-9]{6}_[0-9a-f]{6})/([1-9][0-9]{0,8})")
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_BEGINNING = re.compile(r"[0-9a-f]{7,64}")
_TRIES = 20
SUBMODULE = "160000"
AMBIGUOUS = "{ref} fits several checkpoints: {names}. Give one of these names."
_FORMAT = "%(refname)%00%(objectname)%00%(committerdate:unix)%00%(contents)%00"
_WHAT = {"A": "added", "M": "modified", "D": "deleted", "T": "retyped"}


@value
class Blob:
    """One file of a commit: its mode as git writes it, and its content (for a submodule its commit)."""

    path: str
    mode: str
    data: bytes


@value
class Difference:
    """A path in two trees; a mode of zeros means that the tree does not have it. `blob` is the second tree's."""

    path: str
    what: str
    before: str
    mode: str
    blob: str


def is_sha(text: str) -> bool:
    return _SHA.fullmatch(text) is not None


def write(git: Git, draft: Callable[[], Checkpoint], removed: Iterable[str], blobs: Iterable[Blob]) -> Checkpoint:
    """Commits the draft's base with these files removed and these put in, and names it under the session.

    The draft is asked for after the last blob was taken, so that it can say which were left out. The same tree on the
    same base as the session's newest checkpoint is that checkpoint. Raises `GitFailed`; then there is no new name. A
    process that dies here leaves nothing but objects, which git collects by itself.
    """
    made: list[Checkpoint] = []
    stream = _stream(draft, removed, blobs, made)
    sha = _imported(git, stream)
    kept = replace(made[0], sha=sha)
    before = listed(git, kept.session_id)
    if before and _is_same(git, before[0], kept):
        return replace(before[0], left_out=kept.left_out)
    return _named(git, kept, max((each.number for each in before), default=0))


def _imported(git: Git, stream: Iterable[bytes]) -> str:
    """The commit's name. The report that fast-import leaves of a failure is for its authors, and removed."""
    said = git.attempt("fast-import", "--quiet", "--done", "--date-format=raw", feed=stream)
    if said.exit == 0:
        return said.out.decode().strip()
    report = os.fsdecode(git.run("rev-parse", "--git-path", f"fast_import_crash_{said.pid}")).removesuffix("\n")
    with suppress(OSError):
        os.unlink(os.path.join(git.cwd, report))
    raise GitFailed(said.err)


def _stream(
    draft: Callable[[], Checkpoint], removed: Iterable[str], blobs: Iterable[Blob], made: list[Checkpoint]
) -> Iterator[bytes]:
    placed: list[bytes] = []
    for number, blob in enumerate(blobs, 2):
        if blob.mode != SUBMODULE:
            yield b"blob\nmark :%d\n%b" % (number, _data(blob.data))
        source = blob.data if blob.mode == SUBMODULE else b":%d" % number
        placed.append(b"M %b %b %b\n" % (blob.mode.encode(), source, _name(blob.path)))
    made.append(draft())
    kept = made[0]
    yield f"commit {_PENDING}\nmark :1\ncommitter {_IDENTITY} {kept.at} +0000\n".encode() + _data(note.written(kept))
    yield f"from {kept.base}\n".encode() if kept.base else b""
    yield from (b"D %b\n" % _name(path) for path in removed)
    yield from placed
    yield f"\nreset {_PENDING}\n\nget-mark :1\ndone\n".encode()


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def _name(path: str) -> bytes:
    return os.fsencode(quoted(path))


def _is_same(git: Git, one: Checkpoint, other: Checkpoint) -> bool:
    left_out = (one.left_out, one.left_out_count) == (other.left_out[: note.LISTED], other.left_out_count)
    return left_out and one.base == other.base and _tree(git, one.sha) == _tree(git, other.sha)


def _tree(git: Git, sha: str) -> bytes:
    return git.run("rev-parse", "--verify", "--quiet", f"{sha}^{{tree}}")


def _named(git: Git, kept: Checkpoint, last: int) -> Checkpoint:
    """Another process may take a number first; then the next one is tried."""
    refusal = ""
    for number in range(last + 1, last + 1 + _TRIES):
        named = replace(kept, name=f"{kept.session_id}/{number}")
        orders = f"create {named.ref}\0{kept.sha}\0".encode()
        said = git.attempt("update-ref", "--stdin", "-z", feed=[orders])
        if said.exit == 0:
            return named
        refusal = said.err
    raise GitFailed(refusal)


def listed(git: Git, session_id: str = "") -> list[Checkpoint]:
    """Every checkpoint, or those of one session; newest first. Raises `GitFailed`."""
    below = PREFIX + (f"{session_id}/" if session_id else "")
    fields = git.run("for-each-ref", f"--format={_FORMAT}", below).decode(errors="replace").split("\0")
    found: list[Checkpoint] = []
    for ref, sha, at, message in zip(fields[0::4], fields[1::4], fields[2::4], fields[3::4], strict=False):
        name = ref.strip().removeprefix(PREFIX)
        if _NAME.fullmatch(name) and at.isdecimal():
            found.append(note.read(name, sha, int(at), message))
    return sorted(found, key=lambda each: each.age_order, reverse=True)


def forget(git: Git, checkpoints: Iterable[Checkpoint]) -> None:
    """Deletes their refs by one `git update-ref`: none, if one is not any more what was listed. Raises `GitFailed`.

    A ref that leads to another is deleted itself, never what it leads to. No object is removed. A git that is killed in
    the middle leaves each ref as it was or gone.
    """
    orders: list[bytes] = []
    for each in checkpoints:
        if not (_NAME.fullmatch(each.name) and is_sha(each.sha)):
            raise GitFailed(f"{shown(each.name)} is not the name of a checkpoint")
        orders.append(f"delete {each.ref}\0{each.sha}\0".encode())
    if orders:
        git.run("update-ref", "--no-deref", "--stdin", "-z", feed=orders)


def resolved(git: Git, ref: str) -> Checkpoint:
    """The one that `ref` means: a name, a session's id (its newest), a ref or the beginning of a hash."""
    every = listed(git)
    wanted = ref.strip().removeprefix(PREFIX)
    found = [each for each in every if each.name == wanted]
    found = found or [each for each in every if each.session_id == wanted][:1]
    if not found and _BEGINNING.fullmatch(wanted):
        found = [each for each in every if each.sha.startswith(wanted)]
    if len({each.sha for each in found}) > 1:
        raise BadInput(reason=AMBIGUOUS.format(ref=shown(ref), names=", ".join(each.name for each in found[:5])))
    if not found:
        raise NotFound(noun="checkpoint", value=shown(ref), suggestion="`baton checkpoint list` shows what there is.")
    return found[0]


def differences(git: Git, before: str, after: str) -> list[Difference]:
    """Every file that differs between two commits; an empty name means one without files. Raises `GitFailed`."""
    old, new = (name or git.run("hash-object", "-t", "tree", "--stdin").decode().strip() for name in (before, after))
    asked = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv")
    said = git.run(*asked, "--ignore-submodules=none", old, new, "--").split(b"\0")
    found: list[Difference] = []
    for line, path in zip(said[0::2], said[1::2], strict=False):
        before_mode, mode, _, blob, what = os.fsdecode(line).lstrip(":").split(" ")
        found.append(Difference(os.fsdecode(path), what[:1], before_mode, mode, blob))
    return found


def changes(git: Git, kept: Checkpoint) -> tuple[Change, ...]:
    found = differences(git, kept.base, kept.sha)
    return tuple(Change(_WHAT.get(each.what, "modified"), each.path) for each in found)
