"""`baton undo`: what it says, what it prints for programs, and what the record shows afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.log.entry import NewEntry
from baton.core.log.payloads import Compression, new_entry
from baton.ports.store import Store
from tests.surface.cli.conftest import Cli


@pytest.fixture
def compressed(store: Store, isolated: Path) -> str:
    """Six requests, the first four of them behind a compression in place."""
    conversation, head = store.conversations.start("Fix the race", str(isolated), "openai:x")
    mine = store.conversations.claim(conversation.id, "test", 60)
    store.entries.append(mine, head.id, [NewEntry("user", {"text": f"request {number}"}) for number in range(6)])
    made = Compression("compressed", "", 0.0, 5, "", (), "a summary", "a summary", 0)
    store.entries.append(mine, head.id, [new_entry(made)])
    store.conversations.release(mine)
    return conversation.id


def test_the_newest_conversation_here_is_undone(cli: Cli, store: Store, compressed: str) -> None:
    done = cli("undo")
    assert (done.code, done.err) == (0, "")
    assert "The last compression was taken back" in done.out
    assert "Files and checkpoints were not touched." in done.out
    shown = cli("sessions", "show", compressed, "--all", "--json").json
    assert [entry["kind"] for entry in shown["entries"]] == ["user"] * 6 + ["compression"] * 2
    assert shown["lineage"]["compressions"] == 0


def test_what_programs_get(cli: Cli, compressed: str) -> None:
    head = cli("sessions", "show", compressed, "--json").json["head"]
    done = cli("undo", compressed, "--json").json
    tokens = done.pop("tokens")
    assert done == {
        "conversation_id": compressed, "undone": "compression", "session_id": head, "previous_session_id": head,
    }  # fmt: skip
    assert tokens > 0


def test_with_nothing_to_undo_one_sentence_says_so(cli: Cli, store: Store, compressed: str) -> None:
    cli("undo")
    before = cli("sessions", "export", compressed).out
    again = cli("undo")
    assert again.code == 1
    assert "There is nothing to undo: no compression and no handoff of this conversation is in force." in again.err
    assert cli("sessions", "export", compressed).out.splitlines()[2:-1] == before.splitlines()[2:-1]


def test_a_conversation_at_work_elsewhere_is_left_alone(cli: Cli, store: Store, compressed: str) -> None:
    store.conversations.claim(compressed, "somebody", 60)
    refused = cli("undo")
    assert refused.code == 1
    assert "Another process is at work" in refused.err
    assert cli("sessions", "show", compressed, "--json").json["lineage"]["compressions"] == 1
