"""A conversation that was handed off hundreds of times."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from baton.core.errors import StoreDamaged
from baton.engine.handoff.packets import history
from tests.support.long_chains import Chain

LENGTH = 200


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chain]:
    made = Chain(tmp_path_factory.mktemp("chain"))
    made.grow(LENGTH)
    yield made
    made.close()


def test_the_lineage_is_whole_and_has_one_live_end(chain: Chain) -> None:
    head_id = chain.store.conversations.get(chain.id).head_id
    lineage = chain.store.sessions.chain(head_id)
    assert [session.depth for session in lineage] == list(range(LENGTH + 1))
    assert [session.live for session in lineage] == [False] * LENGTH + [True]
    assert {session.end_reason for session in lineage[:-1]} == {"handoff"}
    assert len({session.id for session in lineage}) == LENGTH + 1


def test_what_was_asked_first_still_stands_and_the_packet_has_not_grown(chain: Chain) -> None:
    packets = chain.store.packets.of(chain.id)
    last = packets[-1]
    assert last.markdown.count("- Never use eval.") == 1
    assert "First request: Build the parser." in last.markdown
    assert f"Handoff number {LENGTH} of this conversation." in last.markdown
    assert last.tokens <= 4000
    assert len(packets) == LENGTH


def test_a_handoff_costs_no_more_at_the_end_than_the_lineage_is_longer(chain: Chain) -> None:
    """Whatever walks the chain is linear in it; were it quadratic, the last would cost ten times the first."""
    early, late = chain.costs()
    assert late < 6 * early


def test_a_forged_loop_is_found_and_not_walked(tmp_path: Path) -> None:
    own = Chain(tmp_path)
    own.grow(3)
    lineage = own.store.sessions.chain(own.store.conversations.get(own.id).head_id)
    with closing(sqlite3.connect(own.store.location)) as connection, connection:
        connection.execute("UPDATE session SET parent_id = ? WHERE id = ?", (lineage[-1].id, lineage[1].id))
    with pytest.raises(StoreDamaged, match="loop"):
        history(own.store, lineage[-1].id)
    with pytest.raises(StoreDamaged, match="loop"):
        own.grow(1)
    assert own.store.conversations.get(own.id).head_id == lineage[-1].id
    assert "error" in [finding.level for finding in own.store.upkeep.check()]
    own.close()
