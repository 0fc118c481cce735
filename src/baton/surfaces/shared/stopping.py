"""`/stop` on a surface whose own process runs nothing: the turn may be another process's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.log.owner import describe_owner
from baton.engine.aio import in_thread
from baton.engine.turns import stopping
from baton.surfaces.shared.wording import surface
from baton.surfaces.words import commands as words

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.ports.store import Store


async def stop_elsewhere(store: Store, conversation: Conversation | None, quiet: str = "") -> str:
    """What came of it, in words; nothing if a process of the surface `quiet` has stopped, which says so itself."""
    if conversation is None:
        return words.NOTHING_RUNS
    owner = (await in_thread(store.conversations.get, conversation.id)).owner or ""
    outcome = await stopping.stop_elsewhere(store, conversation.id)
    if outcome == stopping.STOPPED and quiet and surface(owner) == quiet:
        return ""
    told = {stopping.STOPPED: words.STOPPED, stopping.ASKED: words.STOP_ASKED}.get(outcome, words.NOTHING_RUNS)
    return told.format(who=describe_owner(owner))
