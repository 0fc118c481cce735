"""Bindings: which conversation a place speaks for."""

from __future__ import annotations

from collections.abc import Sequence

from baton.adapters.stores.sql.conversations import get_conversation
from baton.adapters.stores.sql.database import Database, Tx
from baton.adapters.stores.sql.transfers import get_transfer
from baton.core.ids import is_id
from baton.core.log.conversation import Conversation
from baton.core.log.lease import Ownership
from baton.core.text import MOST
from baton.core.transfer import place as rules
from baton.core.transfer import transfer as transfers
from baton.core.transfer.place import Binding, Place
from baton.core.value import asdict
from baton.ports.store import BOUND_PAGE


class SqlBindings:
    def __init__(self, db: Database) -> None:
        self._db = db

    def bind(
        self, place: Place, conversation_id: str, *, instead_of: str | None = None, by: Ownership | None = None
    ) -> Binding:
        with self._db.write() as tx:
            get_conversation(tx, conversation_id)
            _check(tx, by)
            tx.reserve(place.key)
            row = tx.one("binding_get", {"place": place.key})
            bound = Binding(*row) if row else None
            rules.check_free(bound, conversation_id, instead_of)
            if bound is not None and bound.conversation_id == conversation_id:
                return bound
            binding = Binding(place.key, conversation_id, self._db.clock.now())
            tx.run("binding_move" if bound else "binding_add", asdict(binding))
            tx.wake("work")
        return binding

    def at(self, place: Place) -> Binding | None:
        with self._db.glance() as tx:
            row = tx.one("binding_get", {"place": place.key})
        return Binding(*row) if row else None

    def of(self, conversation_id: str) -> list[Binding]:
        if not is_id("conversation", conversation_id):
            return []
        with self._db.glance() as tx:
            return [Binding(*row) for row in tx.all("binding_of_conversation", {"id": conversation_id})]

    def list_conversations(
        self, platforms: Sequence[str], since: int, before: Conversation | None = None, *, owned: bool = False
    ) -> list[Conversation]:
        names = [name for name in {*platforms} if rules.is_platform(name)]
        updated_at, last_id = (before.updated_at, before.id) if before else (MOST, "")
        asked = {"since": since, "updated_at": updated_at, "id": last_id, "every": 0 if owned else 1}
        ranges = [{**asked, "low": f"{name}:", "high": f"{name};", "limit": BOUND_PAGE} for name in names]
        with self._db.read() as tx:
            rows = {row for each in ranges for row in tx.all("binding_conversations", each)}
        found = sorted((Conversation(*row) for row in rows), key=lambda each: (each.updated_at, each.id), reverse=True)
        return found[:BOUND_PAGE]

    def unbind(self, place: Place, conversation_id: str, *, by: Ownership | None = None) -> bool:
        if not is_id("conversation", conversation_id):
            return False
        with self._db.write() as tx:
            _check(tx, by)
            return tx.count_changes("binding_remove", {"place": place.key, "id": conversation_id}) > 0


def _check(tx: Tx, by: Ownership | None) -> None:
    if by is not None:
        transfers.check_carried(get_transfer(tx, by.id), by)
