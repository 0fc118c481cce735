"""What a repair keeps, what it rebuilds, what it says, and what it leaves alone."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite import repair as repairing
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.stores.sqlite.queue import WriterQueue
from baton.adapters.stores.sqlite.repair import Repair, repair
from baton.core.errors import BadInput, LogMissing, StoreDamaged, StoreError, StoreReadOnly, StoreTooNew
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.session import HANDOFF
from baton.core.transfer.place import Place
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.support.stocked import Stocked, after_a_crash, everything

PAGE = 4096
LOST = {"text": "[entry lost to damage]", "lost": True}


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Stocked:
    return Stocked(tmp_path_factory.mktemp("stocked"), 12)


@pytest.fixture
def path(stocked: Stocked, tmp_path: Path) -> Path:
    return stocked.copy(tmp_path / "store")


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
        yield store


def mend(path: Path) -> Repair:
    """A repair after which the store opens and checks clean, with nothing of the repair left behind."""
    before = path.read_bytes() if path.exists() else b""
    done = repair(str(path), busy_timeout=0.5, clock=FrozenClock())
    with opened(path) as store:
        assert [finding.level for finding in store.upkeep.check()] == ["ok"]
    if done.quarantine is not None:
        assert Path(done.quarantine).read_bytes() == before
    assert not list(path.parent.glob("*.repair*")) + list(path.parent.glob("*.partial"))
    return done


def overwrite(path: Path, needle: str, *, pages: bool = False) -> int:
    """Makes a text unreadable wherever it is, or all pages it is on; says how often."""
    data, raw = bytearray(path.read_bytes()), needle.encode()
    places = [at for at in range(len(data)) if data.startswith(raw, at)]
    for at in places:
        start, length = (at // PAGE * PAGE, PAGE) if pages else (at, len(raw))
        data[start : start + length] = b"\xff" * length
    path.write_bytes(data)
    return len(places)


def conversation_with(path: Path, *texts: str, title: str = "Alone") -> tuple[str, str]:
    with opened(path) as store:
        conversation, session = store.conversations.start(title)
        proof = store.conversations.claim(conversation.id, "me", 60)
        store.entries.append(proof, session.id, [NewEntry("user", {"text": text}) for text in texts])
        store.conversations.release(proof)
    return conversation.id, session.id


def load(path: Path, session_id: str) -> list[Entry]:
    with opened(path) as store:
        return store.entries.load(session_id)


def seen(path: Path) -> list[str]:
    with opened(path) as store:
        return everything(store)


def test_nothing_wrong_changes_nothing(path: Path, stocked: Stocked) -> None:
    names = sorted(os.listdir(path.parent))
    done = mend(path)
    assert done == Repair(
        quarantine=None,
        conversations_whole=len(stocked.ids),
        entries_kept=len(stocked.entries),
        sentences=(
            f"{len(stocked.ids)} conversations with {len(stocked.entries)} entries read, and every checksum matches.",
            "Nothing had to be changed.",
        ),
    )
    assert path.read_bytes() == stocked.data
    assert sorted(os.listdir(path.parent)) == names


def test_where_there_is_no_database_none_is_made(tmp_path: Path) -> None:
    path = tmp_path / "none" / "baton.db"
    done = repair(str(path))
    assert done == Repair(sentences=(f"There is no database at {path}: nothing to repair.",))
    assert not path.parent.exists()


def test_an_entry_that_does_not_fit_its_checksum_is_replaced_by_a_note(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_id, session_id = conversation_with(path, "first", "needle", "last")
    whole = load(path, session_id)
    overwrite(path, "needle")
    done = mend(path)
    first, note, last = load(path, session_id)
    assert [first, last] == [whole[0], whole[2]]
    assert (note.kind, note.data, note.at) == ("note", LOST, first.at)
    assert (done.conversations_with_losses, done.entries_kept, done.entries_lost) == (1, 2, 1)
    assert f"Conversation {conversation_id} (Alone) has losses: entry 2 of session {session_id}." in done.sentences


def test_a_repair_says_what_was_wrong_and_where_the_damaged_copy_is(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_with(path, "needle")
    overwrite(path, "needle")
    done = mend(path)
    assert done.sentences[0] == "The database was damaged: a text in it is not UTF-8."
    assert done.sentences[-1] == f"What was found is kept at {done.quarantine} and is never removed by Baton."
    assert done.quarantine == f"{path}.damaged-20260921T141320Z"
    assert done.as_dict()["entries_lost"] == 1


def test_without_a_header_everything_comes_back(path: Path, stocked: Stocked) -> None:
    path.write_bytes(b"\xff" * 100 + stocked.data[100:])
    done = mend(path)
    assert seen(path) == stocked.everything
    assert (done.conversations_whole, done.entries_kept, done.entries_lost) == (12 + 1, len(stocked.entries), 0)


def test_without_the_schema_everything_comes_back(path: Path, stocked: Stocked) -> None:
    path.write_bytes(b"\xff" * PAGE + stocked.data[PAGE:])
    mend(path)
    assert seen(path) == stocked.everything


def test_leaves_that_no_tree_leads_to_are_found(path: Path, stocked: Stocked) -> None:
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entry'").fetchone()
    start = (root - 1) * PAGE
    assert stocked.data[start] == 5, "the root of all entries should be an interior page here"
    path.write_bytes(stocked.data[:start] + bytes(PAGE) + stocked.data[start + PAGE :])
    mend(path)
    assert seen(path) == stocked.everything


def test_a_lost_conversation_is_rebuilt_from_its_sessions_and_indexes(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_id, session_id = conversation_with(path, "one", "two", title="Needle Work")
    whole = load(path, session_id)
    assert overwrite(path, "Needle Work") == 1
    done = mend(path)
    with opened(path) as store:
        conversation = store.conversations.get(conversation_id)
    assert (conversation.title, conversation.head_id) == ("Recovered needle work", session_id)
    assert load(path, session_id) == whole
    assert (done.conversations_rebuilt, done.entries_kept) == (1, 2)


def test_records_that_can_be_read_are_kept_and_the_others_named(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    with opened(path) as store:
        kept = [store.register.put(f"home/{name}", {"room": name}) for name in ("discord", "slack")]
        store.register.put("home/telegram", {"room": "needle"})
    assert overwrite(path, "needle") == 1
    done = mend(path)
    with opened(path) as store:
        assert store.register.list("") == kept
        assert store.register.put("home/telegram", {}, expected=0).version == 1
    assert "Lost, or without a conversation they belong to: record 'home/telegram'." in done.sentences


def test_records_whose_page_is_gone_are_named_by_their_index(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    with opened(path) as store:
        store.register.put("home/slack", {"room": "needle"})
    assert overwrite(path, "needle", pages=True) == 1
    done = mend(path)
    assert "Lost, or without a conversation they belong to: record 'home/slack'." in done.sentences


def test_a_record_that_is_no_object_any_more_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    with opened(path) as store:
        store.register.put("home/slack", {"room": "x"})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE record SET body = '[]'")
    done = mend(path)
    assert done.sentences[0] == "The database was damaged: it is not a JSON object."
    assert "Lost, or without a conversation they belong to: record 'home/slack'." in done.sentences


def test_a_conversation_of_which_only_sessions_are_left_is_rebuilt_with_their_head(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_id, first_id = conversation_with(path, "one", title="Needle Work")
    with opened(path) as store:
        proof = store.conversations.claim(conversation_id, "me", 60)
        head = store.sessions.advance(proof, first_id, edge=HANDOFF, end_reason=HANDOFF)
        store.conversations.release(proof)
    overwrite(path, "Needle Work", pages=True)
    overwrite(path, "needle work", pages=True)
    mend(path)
    with opened(path) as store:
        conversation = store.conversations.get(conversation_id)
        sessions = store.sessions.of(conversation_id)
    assert conversation.title == "Recovered 2026-09-21 14:13"
    assert conversation.head_id == head.id
    assert [session.live for session in sessions] == [False, True]


def test_a_lost_session_row_is_filled_in_from_its_indexes(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    with opened(path) as store:
        conversation, session = store.conversations.start("Kept", model="needle-model")
        proof = store.conversations.claim(conversation.id, "me", 60)
        store.entries.append(proof, session.id, [NewEntry("user", {"text": "kept"})])
        head = store.sessions.advance(proof, session.id, edge=HANDOFF, end_reason=HANDOFF, model="other-model")
        store.entries.append(proof, head.id, [NewEntry("user", {"text": "kept too"})])
        store.conversations.release(proof)
    whole = load(path, session.id) + load(path, head.id)
    assert overwrite(path, "needle-model", pages=True) == 1
    done = mend(path)
    assert load(path, session.id) + load(path, head.id) == whole
    with opened(path) as store:
        back = store.sessions.of(conversation.id)
    assert [(each.id, each.parent_id, each.root_id, each.edge, each.live) for each in back] == [
        (session.id, None, session.id, "root", False),
        (head.id, session.id, session.id, "handoff", True),
    ]
    assert (done.conversations_with_losses, done.entries_kept, done.entries_lost) == (1, 2, 0)


def test_a_session_that_only_its_conversation_names_is_known_by_its_checksums(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_id, session_id = conversation_with(path, "one", "two")
    whole = load(path, session_id)
    data = bytearray(path.read_bytes())
    for page in range(0, len(data), PAGE):
        if session_id.encode() in data[page : page + PAGE] and b"Alone" not in data[page : page + PAGE]:
            data[page : page + PAGE] = bytes(PAGE)
    path.write_bytes(data)
    mend(path)
    with opened(path) as store:
        assert store.conversations.get(conversation_id).head_id == session_id
    assert load(path, session_id) == whole


def test_entries_whose_session_nobody_names_become_a_conversation_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_id, session_id = conversation_with(path, "one", "two")
    other_id, other_session = conversation_with(path, "another", title="Other")
    overwrite(path, session_id)
    overwrite(path, conversation_id)
    done = mend(path)
    with opened(path) as store:
        (recovered,) = set(store.upkeep.ids()) - {other_id}
        conversation = store.conversations.get(recovered)
        entries = store.entries.load(conversation.head_id)
        assert store.conversations.get(other_id).head_id == other_session
    assert conversation.title.startswith("Recovered ")
    assert [entry.kind for entry in entries] == ["note", "user", "user"]
    assert entries[0].data["recovered"] is True
    assert [entry.text for entry in entries[1:]] == ["one", "two"]
    assert (done.conversations_rebuilt, done.entries_kept, done.entries_lost) == (1, 3, 0)


def test_a_place_stays_bound_although_its_row_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_id, _ = conversation_with(path, "one")
    place = Place("slack", "needle")
    with opened(path) as store:
        store.bindings.bind(place, conversation_id)
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'binding'").fetchone()
    data = bytearray(path.read_bytes())
    data[(root - 1) * PAGE : root * PAGE] = bytes(PAGE)
    path.write_bytes(data)
    mend(path)
    with opened(path) as store:
        bound = store.bindings.at(place)
    assert bound is not None
    assert bound.conversation_id == conversation_id


def test_a_damaged_packet_and_its_draft_are_named(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_id, session_id = conversation_with(path, "one")
    with opened(path) as store:
        packet = store.packets.add(session_id, "# needle", {})
        draft = store.drafts.open(conversation_id, 1, packet.id)
    overwrite(path, "# needle")
    done = mend(path)
    lost = f"Conversation {conversation_id} (Alone) has losses: packet {packet.id}, draft {draft.id}."
    assert lost in done.sentences


def test_a_damaged_message_is_named(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    with opened(path) as store:
        store.inbox.put("key-1", Place("slack", "C1"), {"text": "needle"})
        store.inbox.put("key-2", Place("slack", "C1"), {"text": "kept"})
    overwrite(path, "needle")
    done = mend(path)
    assert "Lost, or without a conversation they belong to: message 'key-1' of the inbox." in done.sentences
    with opened(path) as store:
        assert [mail.key for mail in store.inbox.list_waiting()] == ["key-2"]


def test_what_was_removed_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    removed, _ = conversation_with(path, *(f"secret {number} " + "x" * 3000 for number in range(40)))
    kept, session_id = conversation_with(path, *(f"kept {number} " + "x" * 3000 for number in range(40)), title="Kept")
    with opened(path) as store:
        assert store.upkeep.remove(removed, 2**61)
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entry'").fetchone()
    data = bytearray(path.read_bytes())
    data[(root - 1) * PAGE : root * PAGE] = bytes(PAGE)
    path.write_bytes(data)
    done = mend(path)
    with opened(path) as store:
        assert list(store.upkeep.ids()) == [kept]
    assert [entry.text[:7] for entry in load(path, session_id)][:3] == ["kept 0 ", "kept 1 ", "kept 2 "]
    assert (done.entries_kept, done.entries_lost) == (40, 0)


def test_a_damaged_database_is_read_together_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    with opened(path) as store:
        conversation, session = store.conversations.start("In the log")
        proof = store.conversations.claim(conversation.id, "me", 60)
        store.entries.append(proof, session.id, [NewEntry("user", {"text": "in the log"})])
        crashed = after_a_crash(path, tmp_path / "crashed")
    crashed.write_bytes(b"\xff" * len(crashed.read_bytes()))
    log = (crashed.parent / "baton.db-wal").read_bytes()
    done = mend(crashed)
    assert [entry.text for entry in load(crashed, session.id)] == ["in the log"]
    assert Path(f"{done.quarantine}-wal").read_bytes() == log


def test_a_deleted_log_is_accepted_after_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    conversation_id, session_id = conversation_with(path, "checkpointed")
    with opened(path) as store:
        proof = store.conversations.claim(conversation_id, "me", 60)
        store.entries.append(proof, session_id, [NewEntry("user", {"text": text}) for text in ("two", "three")])
        crashed = after_a_crash(path, tmp_path / "crashed")
    os.unlink(crashed.parent / "baton.db-wal")
    with pytest.raises(LogMissing, match="entry 3 of session number 1 was acknowledged"):
        open_sqlite(str(crashed))
    done = mend(crashed)
    assert done.sentences == (
        f"The write-ahead log was gone, and with it entries 2 to 3 of session {session_id} (Alone); perhaps more that "
        "was written just before.",
        f"The database as it was found is kept at {done.quarantine}.",
        "1 conversation with 1 entry read, and every checksum matches.",
    )
    assert (done.entries_kept, done.entries_lost) == (1, 2)
    assert [entry.text for entry in load(crashed, session_id)] == ["checkpointed"]


def test_a_lost_log_and_damage_together_are_repaired(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    conversation_id, session_id = conversation_with(path, "needle", "kept")
    with opened(path) as store:
        proof = store.conversations.claim(conversation_id, "me", 60)
        store.entries.append(proof, session_id, [NewEntry("user", {"text": "gone"})])
        crashed = after_a_crash(path, tmp_path / "crashed")
    os.unlink(crashed.parent / "baton.db-wal")
    overwrite(crashed, "needle")
    done = mend(crashed)
    assert [entry.text for entry in load(crashed, session_id)] == ["[entry lost to damage]", "kept"]
    assert (done.entries_kept, done.entries_lost) == (1, 2)


@pytest.mark.parametrize("step", ["_build", "_put_in_place"])
def test_a_repair_that_was_interrupted_is_finished_by_the_next(
    path: Path, stocked: Stocked, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    damaged = b"\xff" * 100 + stocked.data[100:]
    path.write_bytes(damaged)
    with monkeypatch.context() as patch:
        act = getattr(repairing._Mender, step)

        def stop(*given: object) -> None:
            if step == "_build":
                act(*given)
            raise KeyboardInterrupt

        patch.setattr(repairing._Mender, step, stop)
        with pytest.raises(KeyboardInterrupt):
            repair(str(path))
    with pytest.raises(StoreDamaged, match="a repair of it was interrupted"):
        open_sqlite(str(path))
    done = mend_again(path)
    assert seen(path) == stocked.everything
    assert done.conversations_whole == len(stocked.ids)
    assert Path(done.quarantine or "").read_bytes() == damaged


def mend_again(path: Path) -> Repair:
    done = repair(str(path), clock=FrozenClock())
    assert not list(path.parent.glob("*.repair*"))
    return done


def test_what_an_earlier_attempt_left_is_swept_and_its_copy_used_again(path: Path, stocked: Stocked) -> None:
    damaged = b"\xff" * 100 + stocked.data[100:]
    path.write_bytes(damaged)
    earlier = Path(f"{path}.damaged-20260101T000000Z")
    earlier.write_bytes(damaged)
    Path(f"{path}.damaged-20260102T000000Z.partial").write_bytes(damaged[:1000])
    Path(f"{path}.repairing").write_bytes(b"half a database")
    Path(f"{path}.repairing-wal").write_bytes(b"half a log")
    Path(f"{path}.repairing.d").mkdir()
    done = mend(path)
    assert done.quarantine == str(earlier)
    assert seen(path) == stocked.everything


def test_two_repairs_of_one_second_keep_two_copies(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_with(path, "needle", "pin")
    overwrite(path, "needle")
    first = mend(path).quarantine
    overwrite(path, "pin")
    second = mend(path).quarantine
    assert second == f"{first}-2"


def test_after_a_repair_deleted_files_are_noticed_again(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_with(path, "needle", "kept")
    overwrite(path, "needle")
    mend(path)
    path.write_bytes(b"")
    with pytest.raises(StoreDamaged, match="it is empty or gone, although it was written to before"):
        open_sqlite(str(path))


def test_search_finds_what_a_repair_brought_back_under_its_new_number(tmp_path: Path) -> None:
    path = tmp_path / "baton.db"
    conversation_with(path, "needle", title="Damaged")
    _, session_id = conversation_with(path, "findable", title="Whole")
    with opened(path) as store:
        assert len(store.search.find("findable")) == 1
    overwrite(path, "needle")
    mend(path)
    with opened(path) as store:
        assert [hit.session_id for hit in store.search.find("findable")] == [session_id]
        assert store.search.find("needle") == []


def test_a_database_of_another_program_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "elsewhere" / "other.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE conversation (id TEXT PRIMARY KEY, title TEXT)")
        connection.execute("INSERT INTO conversation VALUES ('c_123456789abc', 'mine')")
        connection.commit()
    assert_left_alone(path, "it is a database of another program")


def test_a_text_file_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "elsewhere" / "notes.txt"
    path.parent.mkdir()
    path.write_text("Dear diary\n" * 1000)
    assert_left_alone(path, "it does not begin like a SQLite database")


def assert_left_alone(path: Path, reason: str) -> None:
    path.chmod(0o644)
    before, when = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(StoreDamaged, match=reason):
        open_sqlite(str(path))
    with pytest.raises(BadInput, match="is not a database of Baton, and nothing in it looks like one"):
        repair(str(path))
    assert os.listdir(path.parent) == [path.name]
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode & 0o777) == (before, when, 0o644)


def test_a_directory_and_a_dangling_link_are_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "directory.db").mkdir()
    (tmp_path / "dangling.db").symlink_to(tmp_path / "nowhere")
    for act in (open_sqlite, repair):
        with pytest.raises(StoreReadOnly, match="it is a directory"):
            act(str(tmp_path / "directory.db"))
        with pytest.raises(StoreReadOnly, match=r"it is a link to .*/nowhere, which does not exist"):
            act(str(tmp_path / "dangling.db"))
    assert not (tmp_path / "nowhere").exists()


def test_a_newer_database_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StoreTooNew):
        repair(str(path))
    assert path.read_bytes() == before


def test_nothing_is_written_to_a_file_that_was_replaced(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    conversation_id, session_id = conversation_with(path, "one")
    with opened(path) as store:
        proof = store.conversations.claim(conversation_id, "me", 60)
        shutil.copy(path, tmp_path / "restored.db")
        os.rename(tmp_path / "restored.db", path)
        with pytest.raises(StoreError, match="the file was replaced by another; open it again"):
            store.entries.append(proof, session_id, [NewEntry("user", {"text": "lost"})])


def test_removing_the_last_acknowledged_entry_leaves_nothing_to_expect(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    conversation_id, _ = conversation_with(path, "one")
    with opened(path) as store:
        assert store.upkeep.remove(conversation_id, 2**61)
    with closing(WriterQueue(f"{path}.d/queue")) as queue:
        assert queue.read_mark() == (0, 0)
    with opened(path) as store:
        assert store.conversations.count() == 0
