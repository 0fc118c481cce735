from __future__ import annotations

import json
from pathlib import Path

import pytest

from baton.adapters.importers.baton import BatonExport
from baton.core.errors import BadInput
from baton.core.log.entry import NewEntry
from baton.engine.archive import export_lines
from baton.testing.clock import FrozenClock
from baton.testing.memory import MemoryStore


def exported(directory: Path) -> Path:
    """Two sessions, the second after a handoff, with an in-place compression in the first."""
    store = MemoryStore(clock=FrozenClock())
    conversation, root = store.conversations.start("Work", "/home/dev/shop", "model-x")
    proof = store.conversations.claim(conversation.id, "test", 60)
    squeezed = {"outcome": "compressed", "keep_from": 2, "text": "…", "first": "one", "constraints": [], "summary": "…"}
    first = [NewEntry("user", {"text": "one"}), NewEntry("user", {"text": "two"}), NewEntry("compression", squeezed)]
    store.entries.append(proof, root.id, [*first, NewEntry("user", {"text": "three"})])
    packet = [NewEntry("packet", {"text": "# Handoff packet"})]
    after = store.sessions.advance(proof, root.id, edge="handoff", end_reason="handoff", reason="", entries=packet)
    store.entries.append(proof, after.id, [NewEntry("user", {"text": "four"})])
    path = directory / "export.jsonl"
    path.write_text("".join(f"{line}\n" for line in export_lines(store, [conversation.id])))
    return path


def test_sessions_come_in_the_order_of_their_lineage_with_cuts_between_them(tmp_path: Path) -> None:
    imported = BatonExport().read(exported(tmp_path))
    assert [each.kind for each in imported.entries] == ["user", "user", "compression", "user", "packet", "user"]
    assert [each.data["text"] for each in imported.entries if each.kind == "user"] == ["one", "two", "three", "four"]
    assert imported.cuts == (2, 4)
    assert (imported.title, imported.workspace, imported.skipped) == ("Work", "/home/dev/shop", {})


def test_the_order_of_the_lines_does_not_matter(tmp_path: Path) -> None:
    path = exported(tmp_path)
    head, *rest = path.read_text().splitlines()
    expected = BatonExport().read(path).entries
    path.write_text("\n".join([head, *rest[::-1]]) + "\n")
    assert BatonExport().read(path).entries == expected


def test_a_torn_export_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = exported(tmp_path)
    path.write_bytes(path.read_bytes()[:-200])
    imported = BatonExport().read(path)
    assert 3 <= len(imported.entries) < 6
    assert imported.skipped["torn line"] == 1


def test_without_its_lineage_the_sessions_come_as_they_stand(tmp_path: Path) -> None:
    path = exported(tmp_path)
    lines = [line for line in path.read_text().splitlines() if '"type":"session"' not in line]
    path.write_text("\n".join(lines))
    assert len(BatonExport().read(path).entries) == 6


def test_a_lineage_in_a_circle_ends(tmp_path: Path) -> None:
    path = exported(tmp_path)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    sessions = [each for each in records if each["type"] == "session"]
    sessions[0]["parent_id"] = sessions[1]["id"]
    path.write_text("\n".join(map(json.dumps, records)))
    assert len(BatonExport().read(path).entries) == 6


def test_only_the_first_conversation_of_a_file_is_read(tmp_path: Path) -> None:
    path = exported(tmp_path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, *lines[1:]]))
    imported = BatonExport().read(path)
    assert len(imported.entries) == 6
    assert imported.skipped == {"another conversation": 1}


def test_an_export_without_entries_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text('{"type":"baton-export","format":1}\n')
    with pytest.raises(BadInput, match="holds no conversation of Baton"):
        BatonExport().read(path)
