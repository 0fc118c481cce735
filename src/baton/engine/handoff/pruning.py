"""Pruning checkpoints: which of this work tree's may be removed, and removing them.

Refs are shared by all work trees of a repository and by all who use it. So only checkpoints made of this very work tree
count, and only those of conversations that this store knows; all others are left alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from baton.core.errors import NotFound
from baton.core.handoff.checkpoint import Checkpoint
from baton.core.handoff.retention import Retention, find_outdated, pointed_to
from baton.core.value import value
from baton.ports.store import Store
from baton.ports.workspace import LiveWorkspace


@value
class Pruning:
    """What may be removed, newest first, and how many are left alone: made of other work trees, or of conversations
    that this store does not know.
    """

    outdated: tuple[Checkpoint, ...]
    elsewhere: int
    unknown: int


def plan(store: Store, checkpoints: Sequence[Checkpoint], top: str, retention: Retention, now: float) -> Pruning:
    """Of all `checkpoints`, seen from the work tree at `top`. Changes nothing. Raises what the store raises."""
    here = [each for each in checkpoints if each.root == top]
    known = _by_conversation(store, here)
    going = [
        each
        for conversation_id, kept in known.items()
        if find_outdated(kept, retention, (), now)
        for each in find_outdated(kept, retention, _checkpoints_needed(store, conversation_id), now)
    ]
    going.sort(key=lambda each: each.age_order, reverse=True)
    return Pruning(tuple(going), len(checkpoints) - len(here), len(here) - sum(map(len, known.values())))


def prune_quietly(store: Store, workspace: LiveWorkspace, retention: Retention) -> None:
    """Removes what may be removed. Never fails: what cannot be removed now stays until the next time."""
    if not (retention.keep or retention.days):
        return
    try:
        _prune(store, workspace, retention)
    except Exception:  # noqa: BLE001, a finished handoff must not fail because of upkeep
        return


def _prune(store: Store, workspace: LiveWorkspace, retention: Retention) -> None:
    """The store is asked only if something might be removed."""
    checkpoints, now = workspace.checkpoints(), time.time()
    if find_outdated(checkpoints, retention, (), now):
        workspace.forget(plan(store, checkpoints, workspace.top(), retention, now).outdated)


def _by_conversation(store: Store, checkpoints: Iterable[Checkpoint]) -> dict[str, list[Checkpoint]]:
    conversations: dict[str, str] = {}
    found: dict[str, list[Checkpoint]] = {}
    for each in checkpoints:
        if each.session_id not in conversations:
            conversations[each.session_id] = _conversation(store, each.session_id)
        if conversation_id := conversations[each.session_id]:
            found.setdefault(conversation_id, []).append(each)
    return found


def _conversation(store: Store, session_id: str) -> str:
    try:
        return store.sessions.get(session_id).conversation_id
    except NotFound:
        return ""


def _checkpoints_needed(store: Store, conversation_id: str) -> set[str]:
    """Names and hashes of the checkpoints that its newest packet and its open drafts name."""
    waiting = [store.packets.get(draft.packet_id) for draft in store.drafts.list_waiting(conversation_id)]
    packets = [*waiting, *store.packets.of(conversation_id)[-1:]]
    return {each for packet in packets for each in pointed_to(packet)}
