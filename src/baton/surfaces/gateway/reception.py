"""The gateway's door: strangers are not heard, and what is heard is stored before the platform is told so.

What it keeps is read at the desk as a `Message`.
"""

from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING, Any

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.transfer import authority
from baton.core.transfer.authority import NOBODY, OWNER, People
from baton.core.transfer.letter import Letter
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place, parse_place, platform_name
from baton.core.value import asdict, value
from baton.engine.aio import in_thread
from baton.ports.platform import File, Inbound
from baton.surfaces.shared.commands import channel_names
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.engine.mail.outbox import OutboxWriter
    from baton.engine.mail.worker import Put
    from baton.engine.transfer.people import Directory
    from baton.ports.store import Store

LONGEST = 100_000
"""Characters. Of what is longer only the length is kept, and told."""
NAME_LIMIT = 80
_COMMAND = re.compile(r"([/!])([A-Za-z][A-Za-z_-]*)(?:@[\w.-]+)?(?=\s|\Z)")
_LOG = logging.getLogger("baton.gateway")


@value
class Message:
    """What somebody said in a place. `choice` is the button they pressed; `too_long` is the length of a text that was
    not kept for it; `attempts` counts how often the message was taken from the inbox. `corrects` is the key of the
    message whose new words these are.
    """

    key: str
    place: Place
    sender: str
    role: str
    text: str = ""
    choice: str = ""
    name: str = ""
    files: tuple[File, ...] = ()
    too_long: int = 0
    attempts: int = 1
    direct: bool = False
    odd: str = ""
    corrects: str = ""

    @property
    def by_owner(self) -> bool:
        return self.role == OWNER


def to_body(inbound: Inbound, role: str) -> dict[str, Any]:
    """As the inbox keeps it. What is empty is left out."""
    size = len(inbound.text)
    return {
        "sender": inbound.sender,
        "role": role,
        "name": inbound.name[:NAME_LIMIT],
        "direct": inbound.direct,
        "text": inbound.text if size <= LONGEST else "",
        **({"too_long": size} if size > LONGEST else {}),
        **({"choice": inbound.choice} if inbound.choice else {}),
        **({"quotes": inbound.quotes} if inbound.quotes else {}),
        **({"odd": inbound.odd} if inbound.odd else {}),
        **({"corrects": f"{inbound.place.platform}:{inbound.corrects}"} if inbound.corrects else {}),
        **({"files": [asdict(file) for file in inbound.files]} if inbound.files else {}),
    }


def from_mail(mail: Mail) -> Message:
    body: dict[str, Any] = json.loads(mail.body)
    return Message(
        key=mail.key,
        place=parse_place(mail.place),
        sender=str(body["sender"]),
        role=str(body.get("role", "")),
        text=str(body.get("text", "")),
        choice=str(body.get("choice", "")),
        name=str(body.get("name") or ""),
        files=tuple(
            File(str(each["ref"]), str(each["name"]), str(each["media_type"]), int(each["size"]))
            for each in body.get("files", ())
        ),
        too_long=int(body.get("too_long", 0)),
        attempts=mail.attempts,
        direct=body.get("direct") is True,
        odd=str(body.get("odd", "")),
        corrects=str(body.get("corrects", "")),
    )


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
        self._warned: set[str] = set()
        self.put: Put = store.inbox.put
        self.dropped = 0
        self.heard = 0

    async def receive(self, inbound: Inbound) -> bool:
        """Returns when the message is in the inbox, or is none of ours: then False. Nothing is stored of a
        stranger's.
        """
        return await in_thread(self._receive, inbound)

    def _receive(self, inbound: Inbound) -> bool:
        people = self._directory.people()
        room = Place(inbound.place.platform, inbound.place.room)
        who = self._find_role(inbound.sender, room, people, direct=inbound.direct)
        if who == NOBODY or self._is_known_code(who, inbound):
            self._knock(inbound, room, people)
            return False
        if self._is_admitted(who, room, people, inbound):
            return self._keep(inbound, who)
        self.dropped += 1
        return False

    def recheck_role(self, message: Message) -> str:
        """Who the sender of a kept message is by now: somebody may have been forgotten since, and an earlier version
        may have known people by their rooms. Never more than they were. Blocks for a moment.
        """
        room = Place(message.place.platform, message.place.room)
        now = self._find_role(message.sender, room, self._directory.people(), direct=message.direct)
        return authority.lesser(now, message.role)

    def _find_role(self, sender: str, room: Place, people: People, *, direct: bool) -> str:
        platform = self._outbox.platform(room)
        fixed = direct and platform is not None and platform.abilities.fixed_chats
        return authority.role(sender, room.key, people, fixed=fixed)

    def _keep(self, inbound: Inbound, who: str) -> bool:
        """What cannot be stored at all would come again for ever: it is dropped."""
        try:
            key = f"{inbound.place.platform}:{inbound.id}"
            self.heard += self.put(key, inbound.place, to_body(inbound, who), "")
        except BadInput as error:
            self.dropped += 1
            _LOG.warning("%s", words.NOT_STORED.format(platform=inbound.place.platform, code=error.code))
            return False
        return True

    def _is_admitted(self, who: str, room: Place, people: People, inbound: Inbound) -> bool:
        bound = self._store.bindings.at(inbound.place) is not None
        command = is_command(inbound.text) or bool(inbound.choice)
        return authority.is_admitted(who, room.key, people, direct=inbound.direct, bound=bound, command=command)

    def _is_known_code(self, who: str, inbound: Inbound) -> bool:
        """Whether somebody known sends a code that was just given out: it is for the reception, not for the agent. No
        code makes less of an owner.
        """
        invited = inbound.direct and self._directory.find_role(inbound.place.platform, inbound.text, inbound.sender)
        return bool(invited) and (who != OWNER or invited == OWNER)

    def _knock(self, inbound: Inbound, room: Place, people: People) -> None:
        """A stranger: silence, unless they hold the code that was just given out. A code that others can read is spent:
        the quickest of them would be the owner.
        """
        self.dropped += 1
        place = inbound.place
        if not inbound.direct:
            self._directory.expose(place.platform, inbound.text, inbound.sender)
        if not inbound.direct or not authority.is_code(inbound.text):
            self._warn_unheard(room, people)
            return
        role = self._directory.pair(
            place.platform, inbound.text, inbound.sender, one_line(inbound.name, NAME_LIMIT), place
        )
        if role:
            self._outbox.put_now(place, f"paired/{place.platform}:{inbound.id}", Letter(words.PAIRED[role]))

    def _warn_unheard(self, room: Place, people: People) -> None:
        """Says once, in the log, why nobody is heard in a home channel, if nobody can be."""
        owned = any(each.partition(":")[0] == room.platform for each in people.owners)
        if room.key in people.homes and not owned and room.key not in self._warned:
            self._warned.add(room.key)
            _LOG.warning("%s", words.UNHEARD.format(name=platform_name(room.platform), platform=room.platform))
