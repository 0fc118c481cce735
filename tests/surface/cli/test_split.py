"""A conversation that was compressed by split, as the command line shows it: whole, and nothing twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from baton.core.agent.event import HeadAdvanced
from baton.core.log.entry import NewEntry
from baton.core.log.payloads import Compression
from baton.core.log.session import Vitals
from baton.core.log.waiting import continuation
from baton.ports.store import Store
from baton.surfaces.shared.chat import Status
from baton.surfaces.shared.commands import describe
from baton.surfaces.shared.events_json import event_line
from tests.surface.cli.conftest import Cli


@pytest.fixture
def split(store: Store, isolated: Path) -> str:
    """Two splits: 6 requests, of which the last two are kept each time, and one more after each."""
    conversation, head = store.conversations.start("Fix the race", str(isolated), "openai:x")
    mine = store.conversations.claim(conversation.id, "test", 60)
    for number in range(6):
        store.entries.append(mine, head.id, [NewEntry("user", {"text": f"request {number}", "turn": f"t{number}"}, 10)])
    for number in (6, 7):
        entries = store.entries.load(head.id)
        made = Compression("compressed", "", 0.0, entries[-2].seq, "", (), "a summary", "a summary", 0)
        first = continuation(entries, made, 0)
        head = store.sessions.advance(
            mine, head.id, edge="compression", end_reason="compression", reason="compressed", entries=first
        )
        store.entries.append(mine, head.id, [NewEntry("user", {"text": f"request {number}", "turn": f"t{number}"}, 10)])
    store.conversations.release(mine)
    return conversation.id


def test_show_has_every_entry_once_and_counts_along_the_lineage(cli: Cli, split: str) -> None:
    shown = cli("sessions", "show", split, "--all", "--json").json
    said = [entry["body"]["text"] for entry in shown["entries"] if entry["kind"] == "user"]
    assert said == [f"request {number}" for number in range(8)]
    assert [each["compressions"] for each in shown["sessions"]] == [0, 1, 1]
    assert shown["lineage"]["compressions"] == 2
    assert [each["end_reason"] for each in shown["sessions"]] == ["compression", "compression", None]
    assert sum(each["tokens"] for each in shown["sessions"]) == 80


@pytest.mark.parametrize(("limit", "hidden"), [(1, 9), (4, 6), (10, 0)])
def test_the_last_entries_go_back_over_sessions(cli: Cli, split: str, limit: int, hidden: int) -> None:
    out = cli("sessions", "show", split, "--entries", str(limit)).out
    assert (f"… {hidden} entries earlier" in out) == (hidden > 0)
    assert out.count("request 7") == 1
    assert "since the beginning: 2 compressions" in out
    if limit == 10:
        assert [out.count(f"request {number}") for number in range(8)] == [1] * 8


def test_tree_list_search_and_export(cli: Cli, split: str, tmp_path: Path) -> None:
    tree = cli("sessions", "tree", split).out
    assert "3 sessions · 2 compressions" in tree
    assert tree.count("ended by a compression") == 2
    (row,) = cli("sessions", "list", "--json").json
    assert (row["sessions"], row["tokens"]) == (3, 80)
    assert len(cli("sessions", "search", '"request 5"', "--json").json) == 1
    lines = [json.loads(line) for line in cli("sessions", "export", split).out.splitlines()]
    assert len(lines) > 10


def test_status_tells_this_session_from_the_lineage() -> None:
    def status(here: Vitals, lineage: Vitals, store: Store) -> str:
        conversation, session = store.conversations.start("test")
        return describe(Status("m", "ask", "/w", "", conversation, session, here, lineage, 1, 2, None))

    from baton.testing.memory import MemoryStore

    text = status(Vitals(2), Vitals(5, 1, 3, 0, "time-out"), MemoryStore())
    assert "compressions 2 in this session, 5 since the beginning (1 without a summary) · 3 failed" in text
    assert "last error   time-out" in text


def test_a_moved_head_is_one_json_line() -> None:
    line = json.loads(event_line(HeadAdvanced("new", "old", "compression", "compressed")))
    assert line == {
        "type": "head_advanced",
        "session_id": "new",
        "previous_id": "old",
        "edge": "compression",
        "reason": "compressed",
    }
