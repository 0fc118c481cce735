"""The key of a store's packets: drawn once, kept in the store, in no packet."""

from __future__ import annotations

import secrets
from contextlib import suppress

from baton.core.errors import RecordMoved
from baton.core.handoff.seal import is_sealed, seal_snapshot
from baton.core.handoff.workspace import Snapshot
from baton.ports.store import Store

KEY = "packets/seal"
_BYTES = 32


def seal(store: Store, taken: Snapshot) -> Snapshot:
    """A snapshot as a packet may hold it."""
    return seal_snapshot(taken, _key(store))


def seal_alike(store: Store, live: Snapshot, claimed: Snapshot) -> Snapshot:
    """The live workspace as a packet would show it that claims this: packets of earlier versions have no seals."""
    return seal(store, live) if is_sealed(claimed) else live


def _key(store: Store) -> bytes:
    """Of several processes that draw one at the same time, the first one's counts."""
    record = store.register.get(KEY)
    if record is None:
        with suppress(RecordMoved):
            store.register.put(KEY, {"key": secrets.token_hex(_BYTES)}, expected=0)
        record = store.register.get(KEY)
    return bytes.fromhex(str(record.data["key"])) if record else b""
