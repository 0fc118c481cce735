from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from baton.core.errors import BadText, HeadMoved, SequenceMoved, StoreDamaged
from baton.core.log.entry import BODY_LIMIT, DEPTH_LIMIT, KINDS, Entry, NewEntry, entry
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import at_once, begin, forge, said, texts, unchanged
from tests.support.backends import Backend


def test_appended_entries_are_numbered_in_order_and_read_back_whole(store: Store, clock: FrozenClock) -> None:
    work = begin(store)
    first = store.entries.append(
        work.proof, work.head.id, [NewEntry("user", {"text": "hi"}, 3), NewEntry("note", {}, 0, at=12)]
    )
    now = clock.now() - 1
    assert first == [
        entry(work.head.id, 1, "user", now, 3, '{"text":"hi"}'),
        entry(work.head.id, 2, "note", 12, 0, "{}"),
    ]
    second = work.say("there")
    assert [each.seq for each in second] == [3]
    assert store.entries.load(work.head.id) == first + second
    session = store.sessions.get(work.head.id)
    assert (session.entries, session.tokens) == (3, 3)
    assert work.now().updated_at == second[0].at


@pytest.mark.parametrize(
    ("after", "limit", "expected"),
    [
        (0, None, [1, 2, 3, 4, 5]),
        (0, 2, [1, 2]),
        (2, None, [3, 4, 5]),
        (2, 2, [3, 4]),
        (4, 9, [5]),
        (5, None, []),
        (99, None, []),
        (2**70, None, []),
        (-3, 2, [1, 2]),
        (0, 0, []),
        (0, -1, []),
        (3, 2**70, [4, 5]),
    ],
)
def test_a_part_of_the_entries_is_loaded(store: Store, after: int, limit: int | None, expected: list[int]) -> None:
    work = begin(store)
    work.say("1", "2", "3", "4", "5")
    begin(store, "another").say("not mine")
    assert [each.seq for each in store.entries.load(work.head.id, after=after, limit=limit)] == expected


@pytest.mark.parametrize(
    ("count", "expected"), [(0, []), (1, ["3"]), (2, ["2", "3"]), (3, ["1", "2", "3"]), (2**70, ["1", "2", "3"])]
)
def test_the_newest_are_loaded_in_order(store: Store, count: int, expected: list[str]) -> None:
    work = begin(store)
    work.say("1", "2", "3")
    begin(store, "another").say("not mine")
    assert texts(store.entries.last(work.head.id, count)) == expected
    assert store.entries.last(work.head.id, -1) == []


def test_appending_nothing_adds_nothing(store: Store) -> None:
    work = begin(store)
    assert store.entries.append(work.proof, work.head.id, []) == []
    assert store.entries.load(work.head.id) == []
    assert store.sessions.get(work.head.id).entries == 0


def test_a_writer_that_expects_another_count_is_refused(store: Store) -> None:
    work = begin(store)
    work.say("one", "two")
    for expected in (0, 1, 3, -1, 2**70):
        with unchanged(store), pytest.raises(SequenceMoved) as caught:
            store.entries.append(work.proof, work.head.id, said("three"), expected=expected)
        assert (caught.value.facts["count"], caught.value.facts["expected"]) == (2, expected)
    assert texts(store.entries.append(work.proof, work.head.id, said("three"), expected=2)) == ["three"]


def test_a_writer_that_does_not_know_whether_it_wrote_repeats_safely(store: Store) -> None:
    work = begin(store)
    store.entries.append(work.proof, work.head.id, said("once"), expected=0)
    with pytest.raises(SequenceMoved):
        store.entries.append(work.proof, work.head.id, said("once"), expected=0)
    assert texts(store.entries.load(work.head.id)) == ["once"]


def test_all_kinds_are_taken_and_others_too_if_they_are_names(store: Store) -> None:
    work = begin(store)
    kinds = [*KINDS, "x", "a_new_kind", "k" * 32]
    store.entries.append(work.proof, work.head.id, [NewEntry(kind, {}) for kind in kinds])
    assert [each.kind for each in store.entries.load(work.head.id)] == kinds


@pytest.mark.parametrize("kind", ["", "User", "two words", "k" * 33, "_x", "1x", "a-b", "user\n", "ü", "\0", "\ud800"])
def test_a_kind_that_is_not_a_name_is_refused(store: Store, kind: str) -> None:
    work = begin(store)
    with unchanged(store), pytest.raises(BadText):
        store.entries.append(work.proof, work.head.id, [*said("fine"), NewEntry(kind, {})])


def nested(levels: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for _ in range(levels - 1):
        data = {"in": data}
    return data


def endless() -> dict[str, Any]:
    data: dict[str, Any] = {}
    data["me"] = data
    return data


FORBIDDEN: dict[str, Callable[[], Any]] = {
    "nan": lambda: {"x": float("nan")},
    "infinity": lambda: {"x": float("inf")},
    "an object": lambda: {"x": object()},
    "a set": lambda: {"x": {1, 2}},
    "bytes": lambda: {"x": b"bytes"},
    "a number of 5,000 digits": lambda: {"x": 10**5000},
    "a key that is no text": lambda: {("a", "b"): 1},
    "a list": lambda: ["not", "an", "object"],
    "text": lambda: "text",
    "one level too deep": lambda: nested(DEPTH_LIMIT + 1),
    "far too deep": lambda: nested(50_000),
    "endless": endless,
    "a character too long": lambda: {"text": "x" * (BODY_LIMIT - len('{"text":""}') + 1)},
    "a split character": lambda: {"text": "\ud83d\ude00"},
}


@pytest.mark.parametrize("what", sorted(FORBIDDEN))
def test_what_json_or_the_limits_forbid_is_refused(store: Store, what: str) -> None:
    work = begin(store)
    with unchanged(store), pytest.raises(BadText):
        store.entries.append(work.proof, work.head.id, [*said("fine"), NewEntry("user", FORBIDDEN[what]())])


@pytest.mark.parametrize("options", [{"tokens": -1}, {"tokens": 2**62}, {"at": -1}, {"at": 2**62}])
def test_numbers_out_of_range_are_refused(store: Store, options: dict[str, int]) -> None:
    work = begin(store)
    with unchanged(store), pytest.raises(BadText):
        store.entries.append(work.proof, work.head.id, [NewEntry("user", {}, **options)])


def test_json_values_come_back_as_they_were(store: Store) -> None:
    work = begin(store)
    data = {
        "numbers": [0, -1, 2**63, 2**200, 0.1, -0.0, 1e300, 5e-324, 1.7976931348623157e308],
        "others": [None, True, False, "", [], {}, [[]]],
        "": "an empty key",
        "ключ": {"nested": {"deep": ["ä", {"ü": "ö"}]}},
        "deep": nested(DEPTH_LIMIT - 1),
    }
    [added] = store.entries.append(work.proof, work.head.id, [NewEntry("user", data)])
    [loaded] = store.entries.load(work.head.id)
    assert loaded == added
    assert loaded.data == data
    assert list(loaded.data) == list(data)
    assert str(loaded.data["numbers"][5]) == "-0.0"


def test_the_largest_entry_fits(store: Store) -> None:
    work = begin(store)
    text = "é" * (BODY_LIMIT - len('{"text":""}'))
    work.say(text)
    assert store.entries.load(work.head.id)[0].data == {"text": text}


def test_entries_of_several_handles_interleave_in_one_order(store: Store, other: Store) -> None:
    work = begin(store)
    added: list[Entry] = []
    for number in range(10):
        handle = (store, other)[number % 2]
        added += handle.entries.append(work.proof, work.head.id, said(f"{number}"), expected=number)
    assert store.entries.load(work.head.id) == other.entries.load(work.head.id) == added
    assert [each.seq for each in added] == list(range(1, 11))


def test_writers_at_once_lose_nothing_and_leave_no_gap(backend: Backend, store: Store, clock: FrozenClock) -> None:
    work = begin(store)
    handles = [backend.open(clock) for _ in range(4)]

    def write(number: int) -> Callable[[], list[str]]:
        def run() -> list[str]:
            return [
                texts(handles[number].entries.append(work.proof, work.head.id, said(f"{number}.{turn}")))[0]
                for turn in range(25)
            ]

        return run

    results = at_once(*(write(number) for number in range(4)))
    acknowledged = [text for result in results if isinstance(result, list) for text in result]
    loaded = store.entries.load(work.head.id)
    assert [each.seq for each in loaded] == list(range(1, 101))
    assert sorted(texts(loaded)) == sorted(acknowledged)
    for number in range(4):
        mine = [text for text in texts(loaded) if text.startswith(f"{number}.")]
        assert mine == [f"{number}.{turn}" for turn in range(25)]


def test_of_many_that_expect_the_same_count_one_wins(backend: Backend, store: Store, clock: FrozenClock) -> None:
    work = begin(store)
    handles = [backend.open(clock) for _ in range(4)]

    def append(handle: Store) -> Callable[[], list[Entry]]:
        return lambda: handle.entries.append(work.proof, work.head.id, said("mine"), expected=0)

    results = at_once(*(append(handle) for handle in handles))
    assert sorted(type(result).__name__ for result in results) == ["SequenceMoved"] * 3 + ["list"]
    assert texts(store.entries.load(work.head.id)) == ["mine"]


def test_a_session_may_hold_many_entries(store: Store) -> None:
    work = begin(store)
    for part in range(20):
        work.say(*(f"{part * 600 + number}" for number in range(600)))
    loaded = store.entries.load(work.head.id)
    assert texts(loaded) == [str(number) for number in range(12_000)]
    assert tuple(store.upkeep.bundle(work.id).entries) == tuple(loaded)


def test_a_session_that_is_full_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    work = begin(store)
    work.say("1", "2", "3")
    monkeypatch.setattr("baton.core.log.entry.SEQ_LIMIT", 5)
    work.say("4")
    with unchanged(store), pytest.raises(Exception, match="is full: it can hold 4 entries"):
        work.say("5")


FORGED = {
    "body": ('UPDATE entry SET body = \'{"text":"changed"}\' WHERE id & 16777215 = 2', {"body": '{"text":"changed"}'}),
    "kind": ("UPDATE entry SET kind = 'assistant' WHERE id & 16777215 = 2", {"kind": "assistant"}),
    "at": ("UPDATE entry SET at = 1 WHERE id & 16777215 = 2", {"at": 1}),
    "tokens": ("UPDATE entry SET tokens = 99 WHERE id & 16777215 = 2", {"tokens": 99}),
    "checksum": ("UPDATE entry SET checksum = 1 WHERE id & 16777215 = 2", {"checksum": 1}),
}


@pytest.mark.parametrize("field", sorted(FORGED))
def test_an_entry_changed_behind_the_store_is_noticed_whoever_reads_it(
    backend: Backend, store: Store, field: str
) -> None:
    work = begin(store)
    work.say("one", "two", "three")
    sql, change = FORGED[field]

    def damage(data: Any) -> None:
        held = data.entries[work.head.id]
        held[1] = held[1]._replace(**change)

    forge(backend, store, sql, memory=damage)
    for read in (
        lambda: store.entries.load(work.head.id),
        lambda: store.entries.load(work.head.id, after=1, limit=1),
        lambda: store.entries.last(work.head.id, 2),
        lambda: list(store.upkeep.bundle(work.id).entries),
    ):
        with pytest.raises(StoreDamaged) as caught:
            read()
        assert f"entry 2 of session {work.head.id}" in str(caught.value)
    assert texts(store.entries.load(work.head.id, after=2)) == ["three"]
    findings = store.upkeep.check()
    assert [(finding.level, finding.subject) for finding in findings] == [("error", work.id)]
    assert "entry 2" in findings[0].text


def test_an_entry_gone_behind_the_store_is_noticed_by_the_check(backend: Backend, store: Store) -> None:
    work = begin(store)
    work.say("one", "two", "three")
    forge(
        backend,
        store,
        "DELETE FROM entry WHERE id & 16777215 = 3",
        memory=lambda data: data.entries[work.head.id].pop(),
    )
    assert [finding.text for finding in store.upkeep.check()] == ["1 of its 3 entries are missing"]


def test_appending_to_a_session_that_is_not_the_head_is_refused(store: Store) -> None:
    work, stranger = begin(store), begin(store, "stranger")
    for session_id in (stranger.head.id, "20260101_000000_abcdef", "", "\0", "\ud800"):
        with unchanged(store), pytest.raises(HeadMoved):
            store.entries.append(work.proof, session_id, said("stray"))
