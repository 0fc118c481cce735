"""A packet that was changed behind the store's back is refused, whichever byte it was."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from baton.core.errors import BadInput, StoreDamaged
from baton.core.handoff.packet import Packet
from baton.core.log.payloads import UserInput
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.ports.store import Store
from tests.support.handoffs import kit, repository
from tests.support.killed_handoffs import ENTRIES
from tests.support.postgres import connect
from tests.support.workers import handing
from tests.support.workers.stores import opened

COLUMNS = ("markdown", "ledger")
SAMPLES = 60


@pytest.fixture
def store(location: str) -> Iterator[Store]:
    with opened(location) as made:
        yield made


class Doing:
    """A conversation with a draft that waits."""

    def __init__(self, store: Store, directory: Path) -> None:
        self.store = store
        given = kit(repository(directory / "repo"), directory / "home")
        self.runtime = handing.runtime(store, handing.TellingModel(handing.Fuse("-")), given)
        conversation, session = store.conversations.start("tampered")
        proof = store.conversations.claim(conversation.id, "test", 60)
        store.entries.append(proof, session.id, ENTRIES)
        store.conversations.release(proof)
        self.id, self.head = conversation.id, session.id
        self.draft_id = self.act(lambda handoff: handoff.offer(Cause())).draft_id
        self.packet = store.packets.get(store.drafts.get(self.draft_id).packet_id)

    def act(self, act: Any) -> Any:
        return asyncio.run(self.runtime.hand_off(self.id, act))

    def confirm(self) -> Any:
        return self.act(lambda handoff: handoff.confirm(self.draft_id))


def forged(location: str, packet: Packet, column: str, held: bytes) -> None:
    """The column with these bytes, as another program would write them."""
    if location.startswith("postgresql:"):
        with closing(connect(location)) as connection:
            change: Any = f"UPDATE packet SET {column} = convert_from(%s, 'UTF8') WHERE id = %s"
            connection.execute(change, (held, packet.id))
        return
    with closing(sqlite3.connect(location)) as connection, connection:
        connection.execute(f"UPDATE packet SET {column} = CAST(? AS TEXT) WHERE id = ?", (held, packet.id))


def flipped(held: bytes, place: int, bit: int) -> bytes:
    return held[:place] + bytes([held[place] ^ (1 << bit)]) + held[place + 1 :]


def test_every_flipped_byte_is_refused_by_the_store_and_moves_nothing(
    location: str, store: Store, tmp_path: Path
) -> None:
    doing = Doing(store, tmp_path)
    dice = random.Random(5)
    tried = 0
    for _ in range(SAMPLES):
        column = dice.choice(COLUMNS)
        whole = getattr(doing.packet, column).encode()
        held = flipped(whole, dice.randrange(len(whole)), dice.randrange(7))
        if b"\0" in held or (location.startswith("postgresql:") and not _is_text(held)):
            continue
        forged(location, doing.packet, column, held)
        with pytest.raises(StoreDamaged):
            store.packets.get(doing.packet.id)
        with pytest.raises(StoreDamaged):
            doing.confirm()
        forged(location, doing.packet, column, whole)
        tried += 1
    assert tried > SAMPLES // 2
    assert store.conversations.get(doing.id).head_id == doing.head
    assert doing.confirm().parent_id == doing.head


def test_no_flip_of_any_byte_is_taken_for_the_packet(store: Store, tmp_path: Path) -> None:
    """In memory, so that it is each byte of both."""
    packet = Doing(store, tmp_path).packet
    assert packet.intact()
    for column in COLUMNS:
        whole = getattr(packet, column).encode()
        for place in range(len(whole)):
            held = flipped(whole, place, place % 7)
            if _is_text(held):
                assert not replace(packet, **{column: held.decode()}).intact(), (column, place)


def test_a_session_whose_packet_is_damaged_goes_on_reading_only(location: str, store: Store, tmp_path: Path) -> None:
    doing = Doing(store, tmp_path)
    session = doing.confirm()
    forged(location, doing.packet, "ledger", doing.packet.ledger.encode() + b" ")

    async def turn() -> list[Any]:
        return [event async for event in doing.runtime.turn(doing.id, UserInput("go on"))]

    events = asyncio.run(turn())
    assert [event.code for event in events if hasattr(event, "code")] == ["unverified"]
    assert events[-1].reason == "completed"
    with pytest.raises(StoreDamaged):
        doing.act(lambda handoff: handoff.now(Cause()))
    assert store.conversations.get(doing.id).head_id == session.id


def test_a_packet_of_another_conversation_is_not_taken(store: Store, tmp_path: Path) -> None:
    one, two = Doing(store, tmp_path / "one"), Doing(store, tmp_path / "two")
    with pytest.raises(BadInput):
        store.drafts.open(one.id, 1, two.packet.id)
    for act in (
        lambda handoff: handoff.confirm(two.draft_id),
        lambda handoff: handoff.edit(two.draft_id, "# Mine"),
        lambda handoff: handoff.cancel(two.draft_id),
    ):
        with pytest.raises(BadInput):
            one.act(act)
    assert [draft.packet_id for draft in store.drafts.list_waiting(two.id)] == [two.packet.id]
    assert store.conversations.get(two.id).head_id == two.head


def _is_text(held: bytes) -> bool:
    try:
        return "\0" not in held.decode()
    except UnicodeDecodeError:
        return False
