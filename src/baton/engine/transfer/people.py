"""Who may speak, kept where every gateway of a store sees it: pairings, people and home channels."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from baton.core.errors import Conflict
from baton.core.log.lease import micros
from baton.core.transfer import authority
from baton.core.transfer.authority import GUEST, OWNER, People
from baton.core.transfer.place import Place
from baton.core.value import value
from baton.ports.store import Register

_PERSON = "person/"
_HOME = "home/"
_PAIRING = "pairing/"


@value
class Appointed:
    """What the configuration says: it wins over what was set later. Homes are place keys by platform."""

    owners: Collection[str] = ()
    guests: Collection[str] = ()
    homes: Mapping[str, str] = {}


class Directory:
    """Blocks for a moment: call it from a thread."""

    def __init__(self, register: Register, now: Callable[[], int], appointed: Appointed) -> None:
        self._register = register
        self._now = now
        self._appointed = appointed

    def people(self) -> People:
        owners, guests = set(self._appointed.owners), set(self._appointed.guests)
        for record in self._register.list(_PERSON):
            (owners if record.data["role"] == OWNER else guests).add(record.key.removeprefix(_PERSON))
        return People(owners, guests, set(self._homes(owners).values()), set(self._appointed.homes.values()))

    def homes(self) -> dict[str, str]:
        """The home channel of each platform, as a place key. One that was set later is home only as long as whoever set
        it is the owner.
        """
        return self._homes(self.people().owners)

    def _homes(self, owners: Collection[str]) -> dict[str, str]:
        records = [record for record in self._register.list(_HOME) if str(record.data.get("by", "")) in owners]
        found = {record.key.removeprefix(_HOME): str(record.data["place"]) for record in records}
        return {**found, **self._appointed.homes}

    def owners(self, platform: str) -> list[str]:
        """Everybody who is the owner there, by listing or pairing."""
        return sorted(each for each in self.people().owners if each.partition(":")[0] == platform)

    def set_home(self, place: Place, by: str) -> bool:
        """False if the configuration says otherwise."""
        if self._appointed.homes.get(place.platform, place.key) != place.key:
            return False
        self._register.put(_HOME + place.platform, {"place": place.key, "by": by})
        return True

    def forget(self, identity: str) -> bool:
        """Whoever was paired is a stranger again."""
        return self._register.remove(_PERSON + identity)

    def invite(self, platform: str, role: str) -> str:
        """The code that makes whoever sends it the owner, or a guest, on this platform; an earlier one ends."""
        code, salt = authority.new_code(secrets.token_bytes(authority.CODE_LENGTH)), secrets.token_hex(16)
        until = self._now() + micros(authority.CODE_SECONDS)
        body = {"role": role, "salt": salt, "sealed": authority.seal(code, salt), "until": until, "tries": 0}
        self._register.put(_PAIRING + platform, body)
        return f"{code[:4]}-{code[4:]}"

    def has_invitation(self, platform: str) -> bool:
        """Whether an invitation still waits for its code."""
        record = self._register.get(_PAIRING + platform)
        return record is not None and authority.waits(record.data, self._now())

    def why_ended(self, platform: str) -> str:
        """`GUESSED` or `SHOWN` if the last invitation ended for that; empty otherwise."""
        record = self._register.get(_PAIRING + platform)
        return str(record.data.get("ended", "")) if record else ""

    def count_strangers(self, platform: str) -> int:
        """How many senders have sent so many wrong codes that they are no longer listened to."""
        record = self._register.get(_PAIRING + platform)
        return authority.count_strangers(record.data) if record else 0

    def find_role(self, platform: str, text: str, sender: str) -> str:
        """The role that this code stands for, without using it; empty for anything else."""
        record = self._register.get(_PAIRING + platform) if authority.is_code(text) else None
        return str(record.data["role"]) if record and authority.opens(text, sender, record.data, self._now()) else ""

    def expose(self, platform: str, text: str, sender: str) -> None:
        """A message that others could read: if it is the code that makes an owner, it is no longer good."""
        record = self._register.get(_PAIRING + platform) if authority.is_code(text) else None
        if record is None or record.data["role"] != OWNER:
            return
        if authority.opens(text, sender, record.data, self._now()):
            self._update(record.key, authority.end_pairing(record.data, authority.SHOWN), record.version)

    def find_paired(self, platform: str, at: int) -> tuple[str, str, str] | None:
        """Who was paired there since then, even if they were known before: identity, role and name."""
        for record in self._register.list(f"{_PERSON}{platform}:"):
            if int(record.data.get("at", 0)) >= at:
                return record.key.removeprefix(_PERSON), str(record.data["role"]), str(record.data.get("name", ""))
        return None

    def pair(self, platform: str, text: str, identity: str, name: str, room: Place) -> str:
        """The role this message earned its sender, or an empty string. A code works once; wrong ones are counted."""
        record = self._register.get(_PAIRING + platform)
        if record is None or not authority.is_code(text) or not authority.waits(record.data, self._now()):
            return ""
        pairing = record.data
        if not authority.opens(text, identity, pairing, self._now()):
            counted = authority.count_guess(identity, pairing)
            if counted is not pairing:
                self._update(record.key, counted, record.version)
            return ""
        try:
            if not self._register.remove(record.key, expected=record.version):
                return ""
        except Conflict:
            return ""
        role = str(pairing["role"])
        self._register.put(_PERSON + identity, {"role": role, "name": name, "at": self._now()})
        if role == OWNER and platform not in self.homes():
            self.set_home(room, identity)
        return role

    def _update(self, key: str, pairing: Mapping[str, Any], version: int) -> None:
        with suppress(Conflict):
            self._register.put(key, pairing, expected=version)

    def list(self) -> Sequence[tuple[str, str, str]]:
        """Everybody known: identity, role, and the name they had when they were paired."""
        appointed = [(each, OWNER, "") for each in self._appointed.owners]
        appointed += [(each, GUEST, "") for each in self._appointed.guests]
        paired = [
            (record.key.removeprefix(_PERSON), str(record.data["role"]), str(record.data.get("name", "")))
            for record in self._register.list(_PERSON)
        ]
        return appointed + paired
