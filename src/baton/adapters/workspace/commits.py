"""Checkpoints as commits: written by one `git fast-import`, which needs no index and no work tree, and listed again.

A commit's message is a line for people, and one of JSON for Baton.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, cast

from baton.adapters.workspace import modes
from baton.adapters.workspace.git import Git, GitFailed
from baton.core.display import one_line
from baton.core.errors import BadInput, NotFound
from baton.core.handoff.checkpoint import PREFIX, Change, Checkpoint, LeftOut
from baton.core.ids import quote
from baton.core.paths import quote_path, unquote_path
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
_MARK = "Baton-Checkpoint: "
LISTED = 200
_TITLE = 200


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
    """Commits the draft's base with some files removed and these blobs added, and names the commit under the session.

    The draft is asked for after the last blob was read, so that it can name what was left out. The same tree on the
    same base as the session's newest checkpoint is that checkpoint. Raises `GitFailed`; then there is no new name. A
    process that dies here leaves only objects, which git collects by itself.
    """
    made: list[Checkpoint] = []
    stream = _stream(draft, removed, blobs, made)
    sha = _import(git, stream)
    kept = replace(made[0], sha=sha)
    before = list_checkpoints(git, kept.session_id)
    if before and _is_same(git, before[0], kept):
        return replace(before[0], left_out=kept.left_out)
    return _add_ref(git, kept, max((each.number for each in before), default=0))


def _import(git: Git, stream: Iterable[bytes]) -> str:
    """The commit's name. The report that fast-import leaves after a failure is meant for its authors, and removed."""
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
    yield f"commit {_PENDING}\nmark :1\ncommitter {_IDENTITY} {kept.at} +0000\n".encode() + _data(write_message(kept))
    yield f"from {kept.base}\n".encode() if kept.base else b""
    yield from (b"D %b\n" % _name(path) for path in removed)
    yield from placed
    yield f"\nreset {_PENDING}\n\nget-mark :1\ndone\n".encode()


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def _name(path: str) -> bytes:
    return os.fsencode(quote_path(path))


def _is_same(git: Git, one: Checkpoint, other: Checkpoint) -> bool:
    noted = (one.left_out, one.left_out_count, one.modes) == (
        other.left_out[:LISTED],
        other.left_out_count,
        other.modes,
    )
    return noted and one.base == other.base and _tree(git, one.sha) == _tree(git, other.sha)


def _tree(git: Git, sha: str) -> bytes:
    return git.run("rev-parse", "--verify", "--quiet", f"{sha}^{{tree}}")


def _add_ref(git: Git, kept: Checkpoint, last: int) -> Checkpoint:
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


def list_checkpoints(git: Git, session_id: str = "") -> list[Checkpoint]:
    """Every checkpoint, or those of one session; newest first. Raises `GitFailed`."""
    below = PREFIX + (f"{session_id}/" if session_id else "")
    fields = git.run("for-each-ref", f"--format={_FORMAT}", below).decode(errors="replace").split("\0")
    found: list[Checkpoint] = []
    for ref, sha, at, message in zip(fields[0::4], fields[1::4], fields[2::4], fields[3::4], strict=False):
        name = ref.strip().removeprefix(PREFIX)
        if _NAME.fullmatch(name) and at.isdecimal():
            found.append(read_message(name, sha, int(at), message))
    return sorted(found, key=lambda each: each.age_order, reverse=True)


def forget(git: Git, checkpoints: Iterable[Checkpoint]) -> None:
    """Deletes their refs by one `git update-ref`: none of them, if one is no longer what was listed. Raises
    `GitFailed`.

    A symbolic ref is deleted itself, never what it leads to. No object is removed. If git is killed in the middle, each
    ref is as it was or gone.
    """
    orders: list[bytes] = []
    for each in checkpoints:
        if not (_NAME.fullmatch(each.name) and is_sha(each.sha)):
            raise GitFailed(f"{quote(each.name)} is not the name of a checkpoint")
        orders.append(f"delete {each.ref}\0{each.sha}\0".encode())
    if orders:
        git.run("update-ref", "--no-deref", "--stdin", "-z", feed=orders)


def resolve(git: Git, ref: str) -> Checkpoint:
    """The checkpoint that `ref` means: a name, a session's id (its newest), a ref or the beginning of a hash."""
    every = list_checkpoints(git)
    wanted = ref.strip().removeprefix(PREFIX)
    found = [each for each in every if each.name == wanted]
    found = found or [each for each in every if each.session_id == wanted][:1]
    if not found and _BEGINNING.fullmatch(wanted):
        found = [each for each in every if each.sha.startswith(wanted)]
    if len({each.sha for each in found}) > 1:
        raise BadInput(reason=AMBIGUOUS.format(ref=quote(ref), names=", ".join(each.name for each in found[:5])))
    if not found:
        raise NotFound(noun="checkpoint", value=quote(ref), suggestion="`baton checkpoint list` shows what there is.")
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


def write_message(kept: Checkpoint) -> bytes:
    data = {
        "base": kept.base,
        "branch": quote_path(kept.branch) if kept.branch else "",
        "operation": kept.operation,
        "root": quote_path(kept.root),
        "left_out": [each.as_dict() for each in kept.left_out[:LISTED]],
        "left_out_count": len(kept.left_out),
        **({"modes": modes.write(kept.modes)} if kept.modes else {}),
    }
    title = one_line(kept.message, _TITLE) or "checkpoint"
    return f"{title}\n\nSession: {kept.session_id}\n{_MARK}{json.dumps(data)}\n".encode()


def read_message(name: str, sha: str, at: int, message: str) -> Checkpoint:
    """What a commit's message says. Anybody can write such a text: what is malformed is ignored."""
    title, _, rest = message.partition("\n")
    line = next((line for line in rest.split("\n") if line.startswith(_MARK)), "")
    data = _parse(line.removeprefix(_MARK))
    out = data.get("left_out")
    listed = cast("list[object]", out) if isinstance(out, list) else []
    left_out = tuple(found for each in listed[:LISTED] if (found := _left_out(each)))
    count = data.get("left_out_count")
    return Checkpoint(
        name=name,
        sha=sha,
        message=one_line(title, _TITLE),
        session_id=name.partition("/")[0],
        at=at,
        base=_text(data, "base"),
        branch=unquote_path(_text(data, "branch")),
        operation=_text(data, "operation"),
        root=unquote_path(_text(data, "root")),
        left_out=left_out,
        left_out_count=count if isinstance(count, int) else len(left_out),
        modes=modes.read(data.get("modes")),
    )


def _parse(text: str) -> Mapping[str, Any]:
    try:
        found: object = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}


def _left_out(given: object) -> LeftOut | None:
    held: Mapping[str, Any] = cast("Mapping[str, Any]", given) if isinstance(given, dict) else {}
    path, reason = _text(held, "path"), _text(held, "reason")
    return LeftOut(unquote_path(path), one_line(reason, _TITLE)) if path else None


def _text(held: Mapping[str, Any], name: str) -> str:
    found = held.get(name)
    return found if isinstance(found, str) else ""
