"""Conversations as JSON lines: exact in both directions, and every kind of damage named with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from baton.core.errors import BadLine
from baton.core.log.session import HANDOFF
from baton.core.transfer.place import Place
from baton.engine.archive import Imported, export_lines, import_lines
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from baton.testing.memory.store import MemoryStore
from tests.support.exports import (
    CONVERSATION,
    DRAFT,
    GOLDEN,
    GONE,
    HEAD,
    PACKET,
    ROOT,
    TRANSFER,
    Lines,
    edited,
    record,
    renamed,
    resealed,
    with_line,
)

SOURCE = "export.jsonl"
NOTHING_KEPT = "Nothing of the file was imported; the file was not changed."
TODO = "Repair the file, or export the conversation again."


def new_store() -> MemoryStore:
    return MemoryStore(FrozenClock())


def exported(store: Store, *ids: str) -> Lines:
    return [line.encode() for line in export_lines(store, ids)]


def test_the_format_does_not_change_unnoticed() -> None:
    store = new_store()
    assert import_lines(store, GOLDEN, SOURCE) == Imported((CONVERSATION,), ())
    assert exported(store, CONVERSATION) == GOLDEN


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(lambda lines: [line + b"\n" for line in lines], id="line feeds"),
        pytest.param(lambda lines: [line + b"\r\n" for line in lines], id="carriage returns"),
        pytest.param(lambda lines: [b"", *lines, b"  ", b"\n"], id="empty lines"),
        pytest.param(lambda lines: [b"  " + line + b"\t" for line in lines], id="indented"),
    ],
)
def test_white_space_around_lines_does_not_matter(form: Callable[[Lines], Lines]) -> None:
    store = new_store()
    import_lines(store, form(GOLDEN), SOURCE)
    assert exported(store, CONVERSATION) == GOLDEN


def test_a_file_with_no_conversation_imports_nothing() -> None:
    assert import_lines(new_store(), GOLDEN[:1], SOURCE) == Imported((), ())


def sealed(number: int, **fields: Any) -> Lines:
    """A line changed on purpose, by somebody who mends the checksum."""
    return resealed(edited(GOLDEN, number, **fields))


def instead(number: int, *lines: bytes) -> Lines:
    return with_line(GOLDEN, number, *lines)


NOT_AN_EXPORT = "it is not an export of Baton (the first line must be of type baton-export)"
CHANGED = "the lines of this conversation do not fit their checksum: something in them was changed"
LACKS = "does not have the fields it should have"
APART = f"Conversation {CONVERSATION} does not fit together"
OTHER = "c_000000000000"
OTHER_SESSION = "20260101_000000_000000"

# Lines of the golden file: 1 header, 2 conversation, 3 and 4 sessions, 5 packet, 6 draft, 7 transfer, 8 binding,
# 9 to 11 entries, 12 end.
DAMAGE: dict[str, tuple[Lines, int, str]] = {
    "empty file": ([], 1, NOT_AN_EXPORT),
    "blank file": ([b"\n", b" \n"], 2, NOT_AN_EXPORT),
    "no header": (GOLDEN[1:], 1, NOT_AN_EXPORT),
    "format of tomorrow": (edited(GOLDEN, 1, format=3), 1, "its format is 3; this Baton reads formats 1 and 2"),
    "format as text": (edited(GOLDEN, 1, format="1"), 1, "its format is '1'; this Baton reads formats 1 and 2"),
    "format as truth": (edited(GOLDEN, 1, format=True), 1, "its format is True; this Baton reads formats 1 and 2"),
    "no format": (edited(GOLDEN, 1, format=GONE), 1, "its format is None; this Baton reads formats 1 and 2"),
    "header twice": (instead(2, *GOLDEN[:2]), 2, "a conversation should begin here, not 'baton-export'"),
    "beginning lost": (instead(2), 2, "a conversation should begin here, not 'session'"),
    "torn file": (
        [*GOLDEN[:9], GOLDEN[9][:50]],
        10,
        "it is not JSON (Unterminated string starting at at character 30)",
    ),
    "last line lost": (GOLDEN[:-1], 11, "the file ends in the middle of a conversation"),
    "line lost": (instead(10), 11, "the conversation has 2 entries here, but was written with 3"),
    "line twice": (instead(9, *GOLDEN[8:9] * 2), 13, "the conversation has 4 entries here, but was written with 3"),
    "lines swapped": (instead(10, GOLDEN[10], GOLDEN[9])[:11] + GOLDEN[11:], 12, CHANGED),
    "packet lost": (instead(5), 11, CHANGED),
    "word changed": (edited(GOLDEN, 9, body={"text": "why is it fast?"}), 12, CHANGED),
    "end of another": (edited(GOLDEN, 12, conversation=OTHER), 12, "this is the end of another conversation"),
    "checksum as text": (edited(GOLDEN, 12, checksum="3324622722"), 12, CHANGED),
    "conversation inside": (instead(3, GOLDEN[1], GOLDEN[2]), 3, "'conversation' does not belong here"),
    "unknown record": (instead(8, b'{"type":"secret"}'), 8, "'secret' does not belong here"),
    "not UTF-8": (instead(9, GOLDEN[8].replace(b"slow", b"sl\xffw")), 9, "byte 138 is not UTF-8"),
    "byte order mark": (
        [b"\xef\xbb\xbf" + GOLDEN[0], *GOLDEN[1:]],
        1,
        "it is not JSON (Unexpected UTF-8 BOM (decode using utf-8-sig) at character 1)",
    ),
    "an array": (instead(9, b"[1,2,3]"), 9, 'it is not an object with a "type"'),
    "a number": (instead(9, b"42"), 9, 'it is not an object with a "type"'),
    "null": (instead(9, b"null"), 9, 'it is not an object with a "type"'),
    "no type": (edited(GOLDEN, 9, type=GONE), 9, 'it is not an object with a "type"'),
    "type as number": (edited(GOLDEN, 9, type=1), 9, 'it is not an object with a "type"'),
    "NaN": (instead(9, GOLDEN[8].replace(b'"tokens":7', b'"tokens":NaN')), 9, "NaN is not JSON"),
    "infinity": (instead(9, GOLDEN[8].replace(b'"tokens":7', b'"tokens":-Infinity')), 9, "-Infinity is not JSON"),
    "key twice": (
        instead(9, GOLDEN[8].replace(b'"tokens":7', b'"tokens":7,"tokens":8')),
        9,
        "the key 'tokens' is in it twice",
    ),
    "deep": (instead(9, b"[" * 100_000), 9, "it is nested too deeply"),
    "a field missing": (sealed(2, title=GONE), 2, f"this conversation {LACKS} (missing: title)"),
    "a field too many": (sealed(2, colour="red"), 2, f"this conversation {LACKS} (unknown: colour)"),
    "owner smuggled in": (sealed(2, owner="thief"), 2, f"this conversation {LACKS} (unknown: owner)"),
    "text for a number": (sealed(2, version="2"), 2, f"this conversation {LACKS} (version should be int, not str)"),
    "truth for a number": (sealed(2, version=True), 2, f"this conversation {LACKS} (version should be int, not bool)"),
    "float for a number": (sealed(2, version=2.0), 2, f"this conversation {LACKS} (version should be int, not float)"),
    "null for a text": (sealed(2, title=None), 2, f"this conversation {LACKS} (title should be str, not NoneType)"),
    "negative number": (sealed(2, version=-1), 2, f"this conversation {LACKS} (version is out of range)"),
    "huge number": (sealed(2, version=2**62), 2, f"this conversation {LACKS} (version is out of range)"),
    "bad id": (sealed(2, id="../../etc/passwd"), 2, "'../../etc/passwd' is not a conversation id"),
    "bad title": (
        sealed(2, title="a\x1bb"),
        2,
        "This title cannot be used: character 2 is a control character (U+001B)",
    ),
    "NUL": (sealed(2, workspace="a\0"), 2, "The workspace cannot be stored: character 2 is NUL (U+0000)"),
    "surrogate": (
        sealed(2, workspace="\ud800"),
        2,
        "The workspace cannot be stored: character 1 is a lone surrogate (U+D800)",
    ),
    "bad session id": (sealed(3, id="x"), 3, "'x' is not a session id"),
    "bad edge": (
        sealed(3, edge="magic"),
        3,
        f"this session {LACKS} (edge should be one of root, compression, handoff, fork, import, undo)",
    ),
    "bad end reason": (
        sealed(3, end_reason="boredom"),
        3,
        f"this session {LACKS} (end_reason should be one of compression, handoff, compression_handoff, undone)",
    ),
    "bad state of a draft": (
        sealed(6, state="lost"),
        6,
        f"this draft {LACKS} (state should be one of open, confirmed, cancelled, stale)",
    ),
    "bad step": (
        sealed(7, step="jumped"),
        7,
        f"this transfer {LACKS} (step should be one of requested, claimed, opened, bound, greeted)",
    ),
    "journal not JSON": (sealed(7, journal="{"), 7, f"this transfer {LACKS} (journal is not a JSON object)"),
    "ledger not an object": (sealed(5, ledger="[]"), 5, f"this packet {LACKS} (ledger is not a JSON object)"),
    "session of no form": (sealed(9, session_id="../x"), 9, "'../x' is not a session id"),
    "count as truth": (
        edited(GOLDEN, 12, entries=True),
        12,
        "the conversation has 3 entries here, but was written with True",
    ),
    "packet changed": (sealed(5, markdown="# Other"), 5, f"this packet {LACKS} (its text does not fit its digest)"),
    "running transfer": (
        sealed(7, state="running"),
        7,
        f"this transfer {LACKS} (only completed and failed transfers can be imported)",
    ),
    "bad place": (
        sealed(8, place="Telegram:42"),
        8,
        "'Telegram' is not a place: the platform is not a name in lower case",
    ),
    "body as text": (
        sealed(9, body="text"),
        9,
        f"this entry {LACKS} (it needs session_id, seq, kind, at, tokens and a body)",
    ),
    "bad kind": (sealed(9, kind="User!"), 2, "The entry cannot be stored: 'User!' is not a kind"),
    "sequence from zero": (sealed(9, seq=0), 2, f"Entry 1 of session {ROOT} is missing"),
    "sequence with a gap": (sealed(10, seq=3), 2, f"Entry 2 of session {ROOT} is missing"),
    "entry of nobody": (
        sealed(9, session_id=OTHER_SESSION),
        2,
        f"An entry belongs to session {OTHER_SESSION}, which is not in the file",
    ),
    "count too high": (sealed(3, entries=3), 2, f"Session {ROOT} has 2 of its 3 entries"),
    "depth out of line": (sealed(4, depth=7), 2, f"{APART}: session {HEAD} is not one deeper than its parent"),
    "two heads": (
        sealed(3, ended_at=None, end_reason=None),
        2,
        f"{APART}: its head is {HEAD}, but the live sessions are {ROOT}, {HEAD}",
    ),
    "no head": (
        sealed(2, head_id=OTHER_SESSION),
        2,
        f"{APART}: its head is {OTHER_SESSION}, but the live sessions are {HEAD}",
    ),
    "session of another": (
        sealed(3, conversation_id=OTHER),
        2,
        f"{APART}: a part of it belongs to conversation {OTHER}",
    ),
    "draft of another": (sealed(6, conversation_id=OTHER), 2, f"{APART}: a part of it belongs to conversation {OTHER}"),
    "transfer of another": (
        sealed(7, conversation_id=OTHER),
        2,
        f"{APART}: a part of it belongs to conversation {OTHER}",
    ),
    "binding of another": (
        sealed(8, conversation_id=OTHER),
        2,
        f"{APART}: a part of it belongs to conversation {OTHER}",
    ),
    "packet of nobody": (
        sealed(5, session_id=OTHER_SESSION),
        2,
        f"{APART}: packet {PACKET} is of session {OTHER_SESSION}, which is not in it",
    ),
    "draft of nothing": (
        sealed(6, packet_id="p_000000000000"),
        2,
        f"{APART}: draft {DRAFT} is of packet p_000000000000, which is not in it",
    ),
    "session twice": (resealed(instead(3, GOLDEN[2], GOLDEN[2])), 2, f"{APART}: a session is in it twice"),
    "packet twice": (resealed(instead(5, GOLDEN[4], GOLDEN[4])), 2, f"{APART}: packet {PACKET} is in it twice"),
    "draft twice": (resealed(instead(6, GOLDEN[5], GOLDEN[5])), 2, f"{APART}: draft {DRAFT} is in it twice"),
    "transfer twice": (resealed(instead(7, GOLDEN[6], GOLDEN[6])), 2, f"{APART}: transfer {TRANSFER} is in it twice"),
    "lineage in a loop": (sealed(3, parent_id=HEAD), 2, f"{APART}: the lineage of session {HEAD} is a loop"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_named_with_its_line_and_nothing_is_stored(damage: str) -> None:
    lines, line, reason = DAMAGE[damage]
    store = new_store()
    with pytest.raises(BadLine) as caught:
        import_lines(store, lines, SOURCE)
    assert str(caught.value) == f"{SOURCE}, line {line}: {reason}. {NOTHING_KEPT} {TODO}"
    assert list(store.upkeep.ids()) == []


@pytest.mark.parametrize("cut", range(1, len(b"\n".join(GOLDEN)), 97))
def test_a_file_cut_anywhere_is_refused(cut: int) -> None:
    store = new_store()
    torn = b"\n".join(GOLDEN)[:-cut].split(b"\n")
    with pytest.raises(BadLine) as caught:
        import_lines(store, torn, SOURCE)
    assert caught.value.facts["line"] in (len(torn), len(torn) - 1, 1)
    assert list(store.upkeep.ids()) == []


def three_conversations() -> list[Lines]:
    return [renamed(GOLDEN, number)[1:] for number in range(3)]


def test_a_bad_conversation_leaves_those_before_it_imported_and_says_so() -> None:
    store = new_store()
    first, second, third = three_conversations()
    lines = [GOLDEN[0], *first, *second, *edited(third, 8, seq=9)]
    with pytest.raises(BadLine) as caught:
        import_lines(store, lines, SOURCE)
    what, kept, todo = caught.value.parts()
    assert what == f"{SOURCE}, line {len(lines)}: {CHANGED}."
    assert kept == "2 conversation(s) before it were imported; the file was not changed."
    assert todo == TODO
    assert exported(store, *store.upkeep.ids()) == [GOLDEN[0], *first, *second]


def test_an_import_begun_again_after_the_file_was_mended_adds_the_rest() -> None:
    store = new_store()
    first, second, third = three_conversations()
    with pytest.raises(BadLine):
        import_lines(store, [GOLDEN[0], *first, *second[:-1]], SOURCE)
    ids = [record(lines, 1)["id"] for lines in (first, second, third)]
    done = import_lines(store, [GOLDEN[0], *first, *second, *third], SOURCE)
    assert done == Imported(added=tuple(ids[1:]), known=(ids[0],))


def test_conversations_that_were_here_before_do_not_count_as_imported() -> None:
    store = new_store()
    first, second, _ = three_conversations()
    import_lines(store, [GOLDEN[0], *first], SOURCE)
    with pytest.raises(BadLine) as caught:
        import_lines(store, [GOLDEN[0], *first, *second[:-1]], SOURCE)
    assert caught.value.parts()[1] == NOTHING_KEPT


@pytest.mark.parametrize("noun", ["session", "packet", "draft", "transfer"])
def test_a_part_that_is_here_under_another_conversation_refuses_the_file(noun: str) -> None:
    store = new_store()
    import_lines(store, GOLDEN, SOURCE)
    before = exported(store, CONVERSATION)
    stolen = {"session": ROOT, "packet": PACKET, "draft": DRAFT, "transfer": TRANSFER}[noun]
    number = {"session": 3, "packet": 5, "draft": 6, "transfer": 7}[noun]
    mine = renamed(GOLDEN, 1)
    taken = resealed([line.replace(record(mine, number)["id"].encode(), stolen.encode()) for line in mine])
    with pytest.raises(BadLine) as caught:
        import_lines(store, taken, SOURCE)
    assert caught.value.parts()[0] == f"{SOURCE}, line 2: The {noun} {stolen} is already here, with other content."
    assert exported(store, *store.upkeep.ids()) == before


def test_a_continuation_of_somebody_elses_session_is_refused() -> None:
    """It would keep that conversation from ever being handed off."""
    store = new_store()
    import_lines(store, GOLDEN, SOURCE)
    lines = resealed(edited(renamed(GOLDEN, 1), 3, parent_id=HEAD, edge="handoff", depth=2))
    with pytest.raises(BadLine) as caught:
        import_lines(store, lines, SOURCE)
    assert caught.value.parts()[0].startswith(f"{SOURCE}, line 2: ")
    proof = store.conversations.claim(CONVERSATION, "owner", 60)
    store.sessions.advance(proof, HEAD, edge=HANDOFF, end_reason=HANDOFF)


def test_a_place_that_is_bound_already_stays_where_it_is() -> None:
    store = new_store()
    mine, _ = store.conversations.start("mine")
    store.bindings.bind(Place("telegram", "42"), mine.id)
    import_lines(store, GOLDEN, SOURCE)
    bound = store.bindings.at(Place("telegram", "42"))
    assert bound is not None
    assert bound.conversation_id == mine.id


def test_the_export_of_a_conversation_that_is_owned_carries_no_owner() -> None:
    store = new_store()
    import_lines(store, GOLDEN, SOURCE)
    store.conversations.claim(CONVERSATION, "me", 60)
    lines = exported(store, CONVERSATION)
    assert [each for each in map(json.loads, lines) if "owner" in each or "lease_until" in each] == []
