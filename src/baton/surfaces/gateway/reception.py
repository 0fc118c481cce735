"""The gateway's door: strangers are not heard, and what is heard is stored before the platform is told so."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.transfer import authority
from baton.core.transfer.authority import NOBODY, OWNER, People
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place
from baton.engine.aio import in_thread
from baton.surfaces.gateway import texts
from baton.surfaces.gateway.message import NAME_LIMIT, to_body
from baton.surfaces.shared.commands import channel_names

if TYPE_CHECKING:
    from baton.engine.mail.outbox import OutboxWriter
    from baton.engine.transfer.people import Directory
    from baton.ports.platform import Inbound
    from baton.ports.store import Store

_COMMAND = re.compile(r"([/!])([A-Za-z][A-Za-z_-]*)(?:@[\w.-]+)?(?=\s|\Z)")
_LOG = logging.getLogger("baton.gateway")


def is_command(text: str) -> bool:
    """A slash and a word, or an exclamation mark and the name of a command; a path or an exclamation is none."""
    found = _COMMAND.match(text)
    return found is not None and (found[1] == "/" or found[2].lower() in channel_names())


class Reception:
    """The sink of every platform."""

    def __init__(self, store: Store, directory: Directory, outbox: OutboxWriter) -> None:
        self._store = store
        self._directory = directory
        self._outbox = outbox
        self.dropped = 0
        self.heard = 0

    async def receive(self, inbound: Inbound) -> None:
        """Returns when the message is in the inbox, or is none of ours. Nothing is stored of a stranger's."""
        await in_thread(self._receive, inbound)

    def _receive(self, inbound: Inbound) -> None:
        people = self._directory.people()
        room = Place(inbound.place.platform, inbound.place.room)
        who = authority.role(inbound.sender, room.key, people, direct=inbound.direct)
        if who == NOBODY or self._is_known_code(who, inbound):
            self._knock(inbound)
        elif self._is_admitted(who, room, people, inbound):
            self._keep(inbound, who)
        else:
            self.dropped += 1

    def _keep(self, inbound: Inbound, who: str) -> None:
        """What cannot be stored at all would come again for ever: it is dropped."""
        try:
            key = f"{inbound.place.platform}:{inbound.id}"
            self.heard += self._store.inbox.put(key, inbound.place, to_body(inbound, who))
        except BadInput as error:
            self.dropped += 1
            _LOG.warning("a message of %s cannot be kept: %s", inbound.place.platform, error.code)

    def _is_admitted(self, who: str, room: Place, people: People, inbound: Inbound) -> bool:
        bound = self._store.bindings.at(inbound.place) is not None
        command = is_command(inbound.text) or bool(inbound.choice)
        return authority.is_admitted(who, room.key, people, direct=inbound.direct, bound=bound, command=command)

    def _is_known_code(self, who: str, inbound: Inbound) -> bool:
        """Whether somebody known sends a code that was just given out: it is for the reception, not for the agent. No
        code makes less of an owner.
        """
        invited = inbound.direct and self._directory.find_role(inbound.place.platform, inbound.text)
        return bool(invited) and (who != OWNER or invited == OWNER)

    def _knock(self, inbound: Inbound) -> None:
        """A stranger: silence, unless they hold the code that was just given out."""
        self.dropped += 1
        if not inbound.direct or not authority.is_code(inbound.text):
            return
        place = inbound.place
        role = self._directory.pair(
            place.platform, inbound.text, inbound.sender, one_line(inbound.name, NAME_LIMIT), place
        )
        if role:
            more = texts.PAIRED_OWNER if role == OWNER else texts.PAIRED_GUEST
            text = texts.PAIRED.format(role=role, more=more)
            self._outbox.put_now(place, f"paired/{place.platform}:{inbound.id}", Letter(text))
