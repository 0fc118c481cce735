"""Bindings: which conversation a place speaks for."""

from __future__ import annotations

from dataclasses import asdict

from baton.adapters.stores.sql.conversations import get_conversation
from baton.adapters.stores.sql.database import Database
from baton.core.errors import PlaceTaken
from baton.core.place import Binding, Place


class SqlBindings:
    def __init__(self, db: Database) -> None:
        self._db = db

    def bind(self, place: Place, conversation_id: str, *, instead_of: str | None = None) -> Binding:
        with self._db.write() as tx:
            get_conversation(tx, conversation_id)
            row = tx.one("binding_get", {"place": place.key})
            if row is not None and row[1] == conversation_id:
                return Binding(*row)
            if row is not None and row[1] != instead_of:
                raise PlaceTaken(place=place.key, conversation=row[1])
            binding = Binding(place.key, conversation_id, self._db.clock.now())
            tx.run("binding_put", asdict(binding))
            tx.wake("work")
        return binding

    def at(self, place: Place) -> Binding | None:
        with self._db.read() as tx:
            row = tx.one("binding_get", {"place": place.key})
        return Binding(*row) if row else None

    def of(self, conversation_id: str) -> list[Binding]:
        with self._db.read() as tx:
            return [Binding(*row) for row in tx.all("binding_of_conversation", {"id": conversation_id})]

    def unbind(self, place: Place, conversation_id: str) -> bool:
        with self._db.write() as tx:
            return tx.run("binding_remove", {"place": place.key, "id": conversation_id}) > 0
