"""The inbox and the outbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from baton.core.ids import not_found
from baton.core.log.lease import Ownership, micros
from baton.core.transfer import mail as rules
from baton.core.transfer.mail import FINAL, Mail
from baton.core.transfer.place import Place
from baton.engine.processes import is_gone
from baton.ports.clock import Clock
from baton.ports.store import WORK
from baton.testing.memory.data import MemoryData


class MemoryMailbox:
    def __init__(self, data: MemoryData, clock: Clock, box: str) -> None:
        self._data = data
        self._clock = clock
        self._box = box

    def put(
        self, key: str, place: Place, body: Mapping[str, Any], conversation_id: str = "", *, wake: bool = True
    ) -> bool:
        letter = rules.new_mail(self._box, key, place, body, conversation_id, self._clock.now())
        with self._data.lock():
            if (self._box, key) in self._data.mail:
                return False
            self._set(letter)
            if wake:
                self._data.wake(WORK)
        return True

    def get(self, key: str) -> Mail:
        with self._data.lock():
            if (self._box, key) not in self._data.mail:
                raise not_found("message", key)
            return self._data.mail[self._box, key]

    def take(self, platforms: Sequence[str], owner: str, ttl: float) -> tuple[Mail, Ownership] | None:
        with self._data.lock():
            ticks, now = self._clock.ticks(), self._clock.now()
            for mail in self._first_of_each_place():
                if mail.place.partition(":")[0] in platforms and rules.takeable(mail, ticks, now, is_gone):
                    taken, proof = rules.take(mail, owner, ticks, micros(ttl), now, is_gone)
                    return self._set(taken), proof
        return None

    def is_due(self, platforms: Sequence[str]) -> bool:
        with self._data.lock():
            ticks, now = self._clock.ticks(), self._clock.now()
            here = [each for each in self._first_of_each_place() if each.place.partition(":")[0] in platforms]
            return any(rules.takeable(mail, ticks, now, is_gone) for mail in here)

    def _first_of_each_place(self) -> list[Mail]:
        first: dict[str, Mail] = {}
        for mail in self.list_waiting():
            first.setdefault(mail.place, mail)
        return list(first.values())

    def renew(self, proof: Ownership, ttl: float) -> None:
        with self._data.lock():
            self._set(rules.renew(self.get(proof.id), proof, self._clock.ticks(), micros(ttl)))

    def settle(self, proof: Ownership, state: str, *, delay: float = 0, error: str = "", receipt: str = "") -> Mail:
        with self._data.lock():
            mail = rules.settle(self.get(proof.id), proof, state, self._clock.now(), delay, error, receipt)
            self._set(mail)
            if any(each.place == mail.place for each in self.list_waiting()):
                self._data.wake(WORK)
            return mail

    def list_waiting(self, place: Place | None = None) -> list[Mail]:
        with self._data.lock():
            found = [mail for mail in self._data.mail.values() if mail.box == self._box]
        unsettled = [mail for mail in found if mail.state not in FINAL[self._box]]
        return [mail for mail in unsettled if place is None or mail.place == place.key]

    def _set(self, mail: Mail) -> Mail:
        self._data.mail[self._box, mail.key] = mail
        return mail
