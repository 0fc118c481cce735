"""Who may speak and where conversations may go: what the configuration says, and what was set since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.transfer.place import PLATFORMS, Place
from baton.engine.mail.delivery import now
from baton.engine.transfer.people import Appointed, Directory
from baton.engine.transfer.targets import Targets

if TYPE_CHECKING:
    from baton.config import Settings
    from baton.ports.store import Store


def open_directory(store: Store, settings: Settings) -> Directory:
    given = settings.gateway
    homes = {platform: Place(platform, room).key for platform, room in given.home.items()}
    return Directory(store.register, now, Appointed(given.owners, given.guests, homes))


def open_targets(store: Store, settings: Settings) -> Targets:
    named = {name: _place(text).key for name, text in settings.gateway.targets.items()}
    return Targets(store.register, now, open_directory(store, settings).homes, named, PLATFORMS)


def _place(text: str) -> Place:
    platform, _, room = text.partition(":")
    return Place(platform, room)
