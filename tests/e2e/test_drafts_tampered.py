"""A draft or packet whose row was changed behind the store's back moves nothing, or begins from the very packet that
was reviewed; another conversation never notices.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

import pytest

from baton.core.errors import BatonError
from tests.e2e.test_handoff_tampered import Doing
from tests.support.workers.stores import opened

CHANGES = [
    ("draft", "packet_id", "{theirs.packet.id}"),
    ("draft", "packet_id", "p_nowhere"),
    ("draft", "packet_id", ""),
    ("draft", "conversation_id", "{theirs.id}"),
    ("draft", "conversation_id", "c_nowhere"),
    *(("draft", "state", state) for state in ("confirmed", "cancelled", "stale", "OPEN", "open ", "", "x", "open\n")),
    *(("draft", "version", version) for version in (-1, 0, 1, 10**9)),
    *(("draft", "created_at", moment) for moment in (0, -1, 2**62)),
    ("packet", "session_id", "{theirs.head}"),
    ("packet", "session_id", "s_nowhere"),
    ("packet", "sha256", ""),
    ("packet", "sha256", "0" * 64),
    ("packet", "sha256", "{theirs.packet.sha256}"),
    ("packet", "sha256", "{upper}"),
    ("packet", "sha256", "{only_markdown}"),
    ("packet", "markdown", ""),
    ("packet", "markdown", "{theirs.packet.markdown}"),
    ("packet", "ledger", "{{}}"),
    ("packet", "ledger", "{theirs.packet.ledger}"),
    ("packet", "ledger", "["),
    *(("packet", "tokens", tokens) for tokens in (-1, 0, 2**62)),
]


@pytest.mark.timeout(120)
def test_no_changed_row_moves_a_head_to_anything_else(tmp_path: Path) -> None:
    path = str(tmp_path / "baton.db")
    with opened(path) as store:
        theirs = Doing(store, tmp_path / "theirs")
        held = 0
        for number, (table, column, given) in enumerate(CHANGES):
            mine = Doing(store, tmp_path / f"mine{number}")
            markdown = mine.packet.markdown
            told = {"upper": mine.packet.sha256.upper(), "only_markdown": sha256(markdown.encode()).hexdigest()}
            new = given.format(theirs=theirs, **told) if isinstance(given, str) else given
            with closing(sqlite3.connect(path, timeout=30)) as connection, connection:
                key = mine.draft_id if table == "draft" else mine.packet.id
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (new, key))
            child = None
            with suppress(BatonError):
                child = mine.confirm()
            head = store.conversations.get(mine.id).head_id
            if child is None:
                assert head == mine.head, (table, column, given)
                held += 1
            else:
                assert (head, child.parent_id) == (child.id, mine.head)
                first = store.entries.load(child.id)[0]
                assert markdown in first.text, (table, column, given)
            assert store.conversations.get(theirs.id).head_id == theirs.head
        assert held >= 20
        assert theirs.confirm().parent_id == theirs.head
