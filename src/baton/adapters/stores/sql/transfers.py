"""Transfers: every change is a guarded transition of `core.transfer`, made while the row is locked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from baton.adapters.stores.sql.conversations import get_conversation
from baton.adapters.stores.sql.database import Database, Tx
from baton.core.ids import is_id, not_found
from baton.core.log.conversation import page_limit
from baton.core.log.lease import Ownership, micros
from baton.core.transfer import transfer as rules
from baton.core.transfer.transfer import Transfer
from baton.core.value import asdict
from baton.engine.processes import is_gone


class SqlTransfers:
    def __init__(self, db: Database) -> None:
        self._db = db

    def request(self, conversation_id: str, origin: str, target: str) -> Transfer:
        transfer = rules.request(conversation_id, origin, target, self._now())
        with self._db.write() as tx:
            get_conversation(tx, conversation_id)
            others = tx.all("transfer_of_conversation", {"id": conversation_id})
            rules.check_none_active(Transfer(*row) for row in others)
            tx.run("transfer_add", asdict(transfer))
            tx.wake("work")
        return transfer

    def get(self, transfer_id: str) -> Transfer:
        with self._db.read() as tx:
            return get_transfer(tx, transfer_id)

    def of(self, conversation_id: str) -> list[Transfer]:
        if not is_id("conversation", conversation_id):
            return []
        with self._db.read() as tx:
            return [Transfer(*row) for row in tx.all("transfer_of_conversation", {"id": conversation_id})]

    def active(self) -> list[Transfer]:
        with self._db.read() as tx:
            return [Transfer(*row) for row in tx.all("transfer_active")]

    def recent(self, limit: int = 50) -> list[Transfer]:
        with self._db.read() as tx:
            return [Transfer(*row) for row in tx.all("transfer_recent", {"limit": page_limit(limit)})]

    def claim(self, transfer_id: str, owner: str, ttl: float) -> tuple[Transfer, Ownership]:
        with self._db.write() as tx:
            return self._claim(tx, get_transfer(tx, transfer_id), owner, ttl)

    def claim_next(self, platforms: Sequence[str], owner: str, ttl: float) -> tuple[Transfer, Ownership] | None:
        with self._db.write() as tx:
            ticks = tx.ticks()
            for seen in (Transfer(*row) for row in tx.all("transfer_active")):
                if seen.platform not in platforms or not rules.claimable(seen, ticks, is_gone):
                    continue
                transfer = get_transfer(tx, seen.id)  # locked now: somebody else may have been first
                if rules.claimable(transfer, ticks, is_gone):
                    return self._claim(tx, transfer, owner, ttl)
        return None

    def is_due(self, platforms: Sequence[str]) -> bool:
        with self._db.read() as tx:
            active = [Transfer(*row) for row in tx.all("transfer_active")]
            ticks = tx.ticks() if active else 0
        return any(each.platform in platforms and rules.claimable(each, ticks, is_gone) for each in active)

    def _claim(self, tx: Tx, transfer: Transfer, owner: str, ttl: float) -> tuple[Transfer, Ownership]:
        claimed, proof = rules.claim(transfer, owner, tx.ticks(), micros(ttl), self._db.clock.now(), is_gone)
        _set(tx, claimed)
        return claimed, proof

    def beat(self, proof: Ownership, ttl: float) -> Transfer:
        return self._change(proof.id, lambda tx, transfer: rules.beat(transfer, proof, tx.ticks(), micros(ttl)))

    def reach(self, proof: Ownership, step: str, notes: Mapping[str, Any]) -> Transfer:
        return self._change(proof.id, lambda _, transfer: rules.reach(transfer, proof, step, notes, self._now()))

    def complete(self, proof: Ownership) -> Transfer:
        return self._change(proof.id, lambda _, transfer: rules.complete(transfer, proof, self._now()))

    def fail(self, proof: Ownership, error: str) -> Transfer:
        return self._change(proof.id, lambda _, transfer: rules.fail(transfer, proof, error, self._now()))

    def give_back(self, proof: Ownership) -> Transfer:
        return self._change(proof.id, lambda _, transfer: rules.give_back(transfer, proof, self._now()))

    def cancel(self, transfer_id: str) -> Transfer:
        return self._change(transfer_id, lambda _, transfer: rules.cancel(transfer, self._now()))

    def _change(self, transfer_id: str, change: Callable[[Tx, Transfer], Transfer]) -> Transfer:
        with self._db.write() as tx:
            transfer = change(tx, get_transfer(tx, transfer_id))
            _set(tx, transfer)
        return transfer

    def _now(self) -> int:
        return self._db.clock.now()


def get_transfer(tx: Tx, transfer_id: str) -> Transfer:
    row = tx.one("transfer_get", {"id": transfer_id}) if is_id("transfer", transfer_id) else None
    if row is None:
        raise not_found("transfer", transfer_id)
    return Transfer(*row)


def _set(tx: Tx, transfer: Transfer) -> None:
    tx.run("transfer_set", asdict(transfer))
    tx.wake("work")
