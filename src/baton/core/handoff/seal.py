"""Digests in a packet, sealed with a key that the packet does not hold.

A packet tells by a digest whether git's settings are what they were. A bare digest of four digits is found by trying
ten thousand, so what a packet shows is keyed: whoever has the packet alone can try nothing. The key belongs to the
store, which holds the transcript anyway.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

from baton.core.handoff.workspace import CONFIG, GIT_FILE, HOOK, WORK_TREE, Setup, Snapshot
from baton.core.value import replace

_SORTS = (CONFIG, HOOK, GIT_FILE, WORK_TREE)
_LONG, _NAME = 16, 6
_MARK = ":"


def seal_snapshot(taken: Snapshot, key: bytes) -> Snapshot:
    """The same with keyed digests of what git was told. Sealed with one key, equal digests stay equal."""
    if taken.facts.setup is None:
        return taken
    setup = tuple(_seal(each, key) if each.sort in _SORTS and each.digest else each for each in taken.facts.setup)
    return replace(taken, facts=replace(taken.facts, setup=setup))


def is_sealed(taken: Snapshot) -> bool:
    return any(_MARK in each.digest for each in taken.facts.setup or ())


def tells_apart(was: str, is_: str) -> bool:
    """Whether two digests show a difference: those sealed with different keys show nothing."""
    return was != is_ and _key_of(was) == _key_of(is_)


def _key_of(digest: str) -> str:
    return digest.partition(_MARK)[0] if _MARK in digest else ""


def _seal(each: Setup, key: bytes) -> Setup:
    name = sha256(b"name of the key" + key).hexdigest()[:_NAME]
    told = hmac.new(key, each.digest.encode("utf-8", "surrogatepass"), sha256).hexdigest()[:_LONG]
    return replace(each, digest=f"{name}{_MARK}{told}")
