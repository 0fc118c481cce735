"""What a conversation's newest packet stands for, and everything since: what the next packet is made from."""

from __future__ import annotations

import json
from collections.abc import Iterator

from baton.core import entry as kinds
from baton.core.entry import Entry
from baton.core.ledger import fact as facts
from baton.core.ledger.fact import Ledger
from baton.core.packet import Packet
from baton.core.session import Session
from baton.core.value import value
from baton.ports.store import Store


@value
class History:
    """`carried` is the ledger of the packet the work began from, `entries` are those since, oldest first."""

    carried: Ledger
    packet: Packet | None
    entries: tuple[Entry, ...]
    chain: tuple[Session, ...]


def history(store: Store, session_id: str) -> History:
    """Walks the lineage back to the last packet, through splits and forks."""
    chain = store.sessions.chain(session_id)
    gathered: list[list[Entry]] = []
    upto: int | None = None
    packet: Packet | None = None
    for session in reversed(chain):
        entries = store.entries.load(session.id, limit=upto)
        upto = session.parent_seq
        gathered.append([entry for entry in entries if not entry.copied])
        if entries and entries[0].kind == kinds.PACKET:
            packet = store.packets.get(str(entries[0].data["packet"]))
            break
    carried = facts.from_json(json.loads(packet.ledger)["ledger"]) if packet else Ledger()
    return History(carried, packet, tuple(_joined(gathered)), tuple(chain))


def _joined(newest_first: list[list[Entry]]) -> Iterator[Entry]:
    for entries in reversed(newest_first):
        yield from entries
