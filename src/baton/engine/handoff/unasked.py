"""Work that came into a session by a packet, and that no person has said anything about since.

Until the owner speaks, whatever cannot be taken back is asked about, in every mode. Read off the store each time, so it
holds after a restart, in another process and on another surface.
"""

from __future__ import annotations

from baton.core.handoff.signs import has_person_spoken
from baton.core.log.session import COMPRESSION, HANDOFF
from baton.engine.aio import in_thread
from baton.engine.turns.writer import SessionWriter
from baton.ports.store import Store


async def continues_unasked(writer: SessionWriter) -> bool:
    return await in_thread(_continues_unasked, writer.store, writer.session.id)


def _continues_unasked(store: Store, session_id: str) -> bool:
    """A session that a compression split off is the same work; any other one began because a person wanted it."""
    for session in reversed(store.sessions.chain(session_id)):
        if session.edge not in (HANDOFF, COMPRESSION) or has_person_spoken(store.entries.load(session.id)):
            return False
        if session.edge == HANDOFF:
            return True
    return False
