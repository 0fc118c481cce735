"""Stopping a turn that another process runs: a wish in the store, which the turn's own process reads once a second.

The wish names the epoch of the turn it is about. A turn that began later is never stopped by it.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from baton.core.errors import RecordMoved
from baton.engine.aio import in_thread
from baton.engine.processes import is_gone
from baton.ports.store import Store

LOOK = 1.0
PATIENCE = 5.0
NOTHING, STOPPED, ASKED = "nothing", "stopped", "asked"
"""How stopping went: nothing ran, it has ended, or its process was asked and has not ended it yet."""
_AGAIN = 0.05


async def stop_elsewhere(store: Store, conversation_id: str, patience: float | None = None) -> str:
    """Asks whichever process has the conversation to stop its turn, and waits for a moment."""
    epoch = await in_thread(_wish, store, conversation_id)
    if epoch is None:
        return NOTHING
    until = time.monotonic() + (PATIENCE if patience is None else patience)
    try:
        while time.monotonic() < until:
            now = await in_thread(store.conversations.get, conversation_id)
            if now.owner is None or now.epoch != epoch:
                return STOPPED
            await asyncio.sleep(_AGAIN)
    finally:
        await in_thread(store.register.remove, _key(conversation_id))
    return ASKED


def is_wished(store: Store, conversation_id: str, epoch: int) -> bool:
    """Whether somebody elsewhere wants the turn of this epoch stopped. A wish is granted once."""
    record = store.register.get(_key(conversation_id))
    if record is None or record.data.get("epoch") != epoch:
        return False
    with suppress(RecordMoved):
        store.register.remove(record.key, expected=record.version)
    return True


def _wish(store: Store, conversation_id: str) -> int | None:
    """The epoch of the turn that is to stop; None if nobody is at work."""
    now = store.conversations.get(conversation_id)
    if now.owner is None or is_gone(now.owner):
        return None
    store.register.put(_key(conversation_id), {"epoch": now.epoch})
    return now.epoch


def _key(conversation_id: str) -> str:
    return f"stop/{conversation_id}"
