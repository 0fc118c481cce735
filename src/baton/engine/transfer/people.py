"""Who may speak, kept where every gateway of a store sees it: pairings, people and home channels."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
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
        return People(owners, guests, set(self.homes().values()))

    def homes(self) -> dict[str, str]:
        """The home channel of each platform, as a place key."""
        found = {record.key.removeprefix(_HOME): str(record.data["place"]) for record in self._register.list(_HOME)}
        return {**found, **self._appointed.homes}

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
        return record is not None and self._now() < int(record.data["until"])

    def find_role(self, platform: str, text: str) -> str:
        """The role that this code stands for, without using it; empty for anything else."""
        record = self._register.get(_PAIRING + platform) if authority.is_code(text) else None
        return str(record.data["role"]) if record and authority.opens(text, record.data, self._now()) else ""

    def find_paired(self, platform: str, at: int) -> tuple[str, str, str] | None:
        """Who was paired there since then, even if they were known before: identity, role and name."""
        for record in self._register.list(f"{_PERSON}{platform}:"):
            if int(record.data.get("at", 0)) >= at:
                return record.key.removeprefix(_PERSON), str(record.data["role"]), str(record.data.get("name", ""))
        return None

    def pair(self, platform: str, text: str, identity: str, name: str, room: Place) -> str:
        """The role this message earned its sender, or an empty string. A code works once; wrong ones are counted."""
        record = self._register.get(_PAIRING + platform)
        if record is None or not authority.is_code(text):
            return ""
        pairing = record.data
        if not authority.opens(text, pairing, self._now()):
            self._count(record.key, pairing, record.version)
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

    def _count(self, key: str, pairing: Mapping[str, Any], version: int) -> None:
        tries = int(pairing["tries"]) + 1
        try:
            if tries >= authority.CODE_TRIES or self._now() >= int(pairing["until"]):
                self._register.remove(key, expected=version)
            else:
                self._register.put(key, {**pairing, "tries": tries}, expected=version)
        except Conflict:
            return

    def list(self) -> Sequence[tuple[str, str, str]]:
        """Everybody known: identity, role, and the name they had when they were paired."""
        appointed = [(each, OWNER, "") for each in self._appointed.owners]
        appointed += [(each, GUEST, "") for each in self._appointed.guests]
        paired = [
            (record.key.removeprefix(_PERSON), str(record.data["role"]), str(record.data.get("name", "")))
            for record in self._register.list(_PERSON)
        ]
        return appointed + paired
