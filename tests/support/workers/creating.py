"""Jobs around a store that does not exist yet."""

from __future__ import annotations

from tests.support.workers.stores import open_at
from tests.support.workers.timing import spin_until
from tests.support.workers.voice import Voice

_LONG = 600.0


def open_at_once(voice: Voice, location: str, owner: str) -> None:
    """Opens at the given instant, and holds a conversation of its own."""
    voice.say("ready")
    spin_until(voice.hear()[0])
    store = open_at(location)
    conversation, _ = store.conversations.start(owner)
    store.conversations.claim(conversation.id, owner, _LONG)
    voice.say("holds", conversation.id)
    store.close()


def open_and_die(voice: Voice, location: str) -> None:
    """Opens, and waits to be killed."""
    voice.say("opening")
    store = open_at(location, name="maker")
    voice.say("opened", store.conversations.start("first")[0].id)
    voice.hear()
