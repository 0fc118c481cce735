from __future__ import annotations

import re
from pathlib import Path

from baton.ports.store import Store
from tests.contract.store.kit import begin, moved
from tests.surface.cli.conftest import Cli, Told

INNER = re.compile(r"\b[a-z]{1,2}_[0-9a-z]{12}\b|\b[0-9]{8}_[0-9]{6}_[0-9a-f]{6}\b|\b[0-9a-f]{40,}\b|\b[a-z]+_[a-z]+\b")
"""Ids, hashes and names of kinds: nothing that a person can use."""


def test_list_is_empty_without_being_an_error(cli: Cli) -> None:
    result = cli("sessions", "list")
    assert (result.code, result.out, result.err) == (0, "", "No conversations yet.\n")
    assert cli("sessions", "list", "--json").json == []


def test_list_shows_newest_first_as_plain_lines(cli: Cli, told: Told) -> None:
    result = cli("sessions", "list")
    lines = result.out.splitlines()
    assert [line.split()[0] for line in lines] == [told.fork_id, told.id]
    assert "Fix the checkout race" in lines[1]
    assert "\x1b" not in result.out


def test_list_counts_the_whole_conversation(cli: Cli, told: Told) -> None:
    row = cli("sessions", "list", "--json").json[1]
    assert (row["id"], row["head"], row["sessions"], row["entries"], row["tokens"]) == (
        told.id,
        told.sessions[2],
        3,
        6,
        1852,
    )
    assert row["updated_at"].endswith("Z")


def test_list_says_what_lives_elsewhere(cli: Cli, told: Told, store: Store) -> None:
    assert "in Telegram" not in cli("sessions", "list").out
    moved(store, told.id, "telegram")
    lines = cli("sessions", "list").out.splitlines()
    assert [line.endswith("in Telegram") for line in lines] == [told.id in line for line in lines]
    rows = cli("sessions", "list", "--json").json
    assert {row["id"]: row["lives_in"] for row in rows} == {told.id: "telegram", told.fork_id: "terminal"}


def test_list_here_leaves_other_workspaces_out(cli: Cli, told: Told, store: Store, isolated: Path) -> None:
    begin(store, "elsewhere", workspace="/somewhere/else").say("hello")
    assert {row["id"] for row in cli("sessions", "list", "--here", "--json").json} == {told.id, told.fork_id}
    assert [row["title"] for row in cli("sessions", "list", "-w", "/somewhere/else", "--json").json] == ["elsewhere"]


def test_list_all_goes_past_one_page(cli: Cli, store: Store) -> None:
    _, empty = store.conversations.start("nothing was ever said here")
    for number in range(1005):
        store.conversations.fork(empty.id, 0, f"number {number}")
    assert len(cli("sessions", "list", "--all", "--json").json) == 1005
    assert len(cli("sessions", "list", "--json").json) == 50
    assert len(cli("sessions", "list", "-n", "1003", "--json").json) == 1003


def test_what_an_editor_opened_and_nobody_used_is_not_listed(cli: Cli, store: Store) -> None:
    store.conversations.start("Untitled")
    assert cli("sessions", "list", "--json").json == []
    assert cli("sessions", "tree", "--json").json == []


def test_a_bad_limit_says_what_is_allowed(cli: Cli) -> None:
    result = cli("sessions", "list", "--limit", "0")
    assert (result.code, result.err) == (1, "baton: --limit 0 is not allowed. Allowed: 1 or more, or --all.\n")


def test_show_gives_sessions_vitals_and_the_last_entries(cli: Cli, told: Told) -> None:
    result = cli("sessions", "show", "fix the CHECKOUT")
    assert result.code == 0
    assert "2 compressions, 1 without a summary" in result.out
    assert "g1  first session       ended by a handoff" in result.out
    assert "› You  never touch the migrations red" in result.out
    assert "◆ Context was compressed here without a summary." in result.out
    assert not INNER.search(result.out.replace(told.id, ""))
    assert "\x1b" not in result.out


def test_show_shortens_and_says_so(cli: Cli, told: Told) -> None:
    out = cli("sessions", "show", told.id, "-n", "2").out
    assert "… 4 entries earlier: --all shows them" in out
    assert out.count("A fresh session began here. Packet: kept in the store") == 2
    assert "earlier" not in cli("sessions", "show", told.id, "--all").out


def test_show_json_has_everything(cli: Cli, told: Told) -> None:
    shown = cli("sessions", "show", told.id, "--all", "--json").json
    assert [session["id"] for session in shown["sessions"]] == told.sessions[:3]
    first = shown["sessions"][0]
    assert (first["end_reason"], first["compressions"], first["lossy"], first["last_error"]) == (
        "compression_handoff",
        2,
        1,
        "time-out",
    )
    assert [entry["seq"] for entry in shown["entries"]] == [1, 2, 3, 4, 1, 1]
    assert shown["entries"][0]["body"]["text"].startswith("never touch")


def test_show_finds_by_a_session_id_too(cli: Cli, told: Told) -> None:
    assert cli("sessions", "show", told.sessions[1], "--json").json["id"] == told.id


def test_an_unknown_conversation_is_explained(cli: Cli) -> None:
    result = cli("sessions", "show", "no\x1b[31mthing")
    assert result.code == 1
    assert result.err == (
        "baton: There is no conversation 'no\\x1b[31mthing'.\n  `baton sessions list` shows what there is.\n"
    )


def test_an_error_is_json_when_json_was_asked_for(cli: Cli) -> None:
    result = cli("sessions", "show", "nothing", "--json")
    assert result.out == ""
    assert '"code": "not-found"' in result.err


def test_search_marks_nothing_when_plain_and_groups_by_conversation(cli: Cli, told: Told) -> None:
    result = cli("sessions", "search", "dead", "lock")
    assert result.out.splitlines()[0] == f"Fix the checkout race  {told.id}"
    assert "found a dead lock on retry" in result.out
    assert cli("sessions", "search", "--json", "migr*").json[0]["session_id"] == told.sessions[0]
    assert cli("sessions", "search", "absent").err == "Nothing found.\n"
    assert cli("sessions", "search", "!!!").code == 1


def test_search_colors_the_words_when_asked(cli: Cli, told: Told) -> None:
    assert "\x1b[33;1mdead lock\x1b[0m" in cli("sessions", "search", "--color", "always", '"dead lock"').out


def test_tree_draws_the_lineage(cli: Cli, told: Told) -> None:
    lines = cli("sessions", "tree", told.id).out.splitlines()
    root, second, third, fork = told.sessions
    assert lines[0] == "Fix the checkout race   4 sessions · 2 handoffs · 2 compressions · 1,852 tokens"
    assert lines[1].startswith(f"└─ {root}  first session       ended by a handoff")
    assert lines[2].startswith(f"   ├─ {second}  after a handoff     ended by a handoff")
    assert lines[3].startswith(f"   │  └─ {third}  after a handoff     live")
    assert lines[4].startswith(f"   └─ {fork}  a fork              live")
    assert lines[4].endswith("Try another lock")


def test_tree_without_a_name_draws_each_lineage_once(cli: Cli, told: Told) -> None:
    assert cli("sessions", "tree").out.count(told.sessions[0]) == 1
    (lineage,) = cli("sessions", "tree", "--json").json
    assert lineage[0]["id"] == told.sessions[0]
    assert [child["id"] for child in lineage[0]["children"]] == [told.sessions[1], told.sessions[3]]


def test_rename_changes_the_title_or_nothing(cli: Cli, told: Told) -> None:
    assert cli("sessions", "rename", told.id, "Another name").code == 0
    assert cli("sessions", "show", "another NAME", "--json").json["id"] == told.id
    result = cli("sessions", "rename", told.id, "two\nlines")
    assert (result.code, "control character" in result.err) == (1, True)
    assert cli("sessions", "show", "another name").code == 0


def test_a_new_title_holds_no_secret(cli: Cli, told: Told, store: Store) -> None:
    assert cli("sessions", "rename", told.id, "login, password: xK9mPq2Lw").code == 0
    assert store.conversations.get(told.id).title == "login, password: [redacted: password]"
    assert "xK9mPq2Lw" not in cli("sessions", "list").out
