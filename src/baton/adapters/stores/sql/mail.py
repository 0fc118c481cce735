"""The inbox and the outbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from baton.adapters.stores.sql.database import Database, Tx
from baton.core.ids import not_found
from baton.core.log.lease import LONGEST, Ownership, micros
from baton.core.text import flaw
from baton.core.transfer import mail as rules
from baton.core.transfer.mail import KEY_LIMIT, Mail
from baton.core.transfer.place import Place
from baton.core.value import asdict
from baton.engine.processes import is_gone


class SqlMailbox:
    def __init__(self, db: Database, box: str) -> None:
        self._db = db
        self._box = box

    def put(
        self, key: str, place: Place, body: Mapping[str, Any], conversation_id: str = "", *, wake: bool = True
    ) -> bool:
        letter = rules.new_mail(self._box, key, place, body, conversation_id, self._db.clock.now())
        with self._db.write() as tx:
            tx.reserve(place.key)  # messages of a place become visible in the order of their numbers
            added = tx.count_changes("mail_add", asdict(letter)) > 0
            if added and wake:
                tx.wake("work")
        return added

    def get(self, key: str) -> Mail:
        with self._db.glance() as tx:
            return self._get(tx, key)

    def take(self, platforms: Sequence[str], owner: str, ttl: float) -> tuple[Mail, Ownership] | None:
        """That a letter is being sent must be known even after a power cut; who works on a message need not."""
        with self._db.write(lasting=self._box == rules.OUTBOX) as tx:
            ticks, now = tx.ticks(), self._db.clock.now()
            for key in self._list_due(tx, platforms, ticks, now):
                mail = self._get(tx, key)  # locked now: somebody else may have been first
                if rules.takeable(mail, ticks, now, is_gone):
                    taken, proof = rules.take(mail, owner, ticks, micros(ttl), now, is_gone)
                    tx.run("mail_set", asdict(taken))
                    return taken, proof
        return None

    def is_due(self, platforms: Sequence[str]) -> bool:
        with self._db.glance() as tx:
            return any(True for _ in self._list_due(tx, platforms, tx.ticks(), self._db.clock.now()))

    def _list_due(self, tx: Tx, platforms: Sequence[str], ticks: int, now: int) -> Iterator[str]:
        """Keys of messages that can probably be taken. Each holder is looked up once."""
        given = {"box": self._box, "now": now, "ticks": ticks, "latest": ticks + LONGEST}
        gone: dict[str, bool] = {}
        for key, place, holder in tx.all("mail_takeable", given):
            if place.partition(":")[0] not in platforms:
                continue
            if holder is not None and holder not in gone:
                gone[holder] = is_gone(holder)
            if holder is None or gone[holder]:
                yield key

    def renew(self, proof: Ownership, ttl: float) -> None:
        with self._db.write(lasting=False) as tx:
            mail = rules.renew(self._get(tx, proof.id), proof, tx.ticks(), micros(ttl))
            tx.run("mail_set", asdict(mail))

    def settle(self, proof: Ownership, state: str, *, delay: float = 0, error: str = "", receipt: str = "") -> Mail:
        with self._db.write() as tx:
            now = self._db.clock.now()
            mail = rules.settle(self._get(tx, proof.id), proof, state, now, delay, error, receipt)
            tx.run("mail_set", asdict(mail))
            tx.reserve(mail.place)  # what is put there meanwhile is seen here, or wakes others after this
            if tx.one("mail_waits", {"box": self._box, "place": mail.place}):
                tx.wake("work")
        return mail

    def list_waiting(self, place: Place | None = None) -> list[Mail]:
        with self._db.glance() as tx:
            found = [Mail(*row) for row in tx.all("mail_waiting", {"box": self._box})]
        return [mail for mail in found if place is None or mail.place == place.key]

    def _get(self, tx: Tx, key: str) -> Mail:
        row = tx.one("mail_get", {"box": self._box, "key": key}) if not flaw(key, KEY_LIMIT) else None
        if row is None:
            raise not_found("message", key)
        return Mail(*row)
