from __future__ import annotations

from collections.abc import Callable

import pytest

from baton.core.errors import BadText, RecordMoved
from baton.core.transfer.record import KEY_LIMIT, Record
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import at_once, forge, unchanged
from tests.support.backends import Backend

HOME = "home/telegram"
NOWHERE = ["", "home", "home/telegram/", "Home/telegram", "\0", "\ud800", "x" * 5000]


def test_a_record_put_is_seen_by_all(store: Store, other: Store, clock: FrozenClock) -> None:
    record = store.register.put(HOME, {"place": "telegram:1", "by": "é 中 \U0001f600"})
    body = '{"place":"telegram:1","by":"é 中 \U0001f600"}'
    assert record == Record(HOME, body, 1, clock.now() - 1)
    assert other.register.get(HOME) == record
    assert other.register.list("") == [record]
    assert record.data == {"place": "telegram:1", "by": "é 中 \U0001f600"}


@pytest.mark.parametrize("key", NOWHERE)
def test_where_nothing_was_put_there_is_nothing(store: Store, key: str) -> None:
    store.register.put(HOME, {})
    assert store.register.get(key) is None
    with unchanged(store):
        assert store.register.remove(key) is False
        assert store.register.remove(key, expected=1) is False


def test_a_write_replaces_the_whole_record_and_counts(store: Store, other: Store, clock: FrozenClock) -> None:
    store.register.put(HOME, {"a": 1, "b": 2})
    clock.advance(60)
    again = other.register.put(HOME, {"a": 3})
    assert again == store.register.get(HOME) == Record(HOME, '{"a":3}', 2, clock.now() - 1)
    assert [store.register.put(HOME, {"a": 3}).version for _ in range(3)] == [3, 4, 5]


def test_a_record_is_written_only_over_the_version_that_is_expected(store: Store) -> None:
    assert store.register.put(HOME, {"n": 1}, expected=0).version == 1
    assert store.register.put(HOME, {"n": 2}, expected=1).version == 2
    for expected in (0, 1, 3, -1):
        with unchanged(store), pytest.raises(RecordMoved) as caught:
            store.register.put(HOME, {"n": 3}, expected=expected)
        assert caught.value.facts == {"key": HOME, "expected": expected, "version": 2}
    with unchanged(store), pytest.raises(RecordMoved) as caught:
        store.register.put("home/slack", {}, expected=1)
    assert str(caught.value).startswith("Record home/slack has version 0, not 1")


def test_a_removed_record_is_gone_and_begins_anew(store: Store, other: Store) -> None:
    store.register.put(HOME, {"n": 1})
    store.register.put(HOME, {"n": 2})
    assert other.register.remove(HOME) is True
    assert other.register.remove(HOME) is False
    assert (store.register.get(HOME), store.register.list("")) == (None, [])
    assert store.register.put(HOME, {}, expected=0).version == 1


def test_a_record_of_another_version_is_not_removed(store: Store) -> None:
    store.register.put(HOME, {"n": 1})
    store.register.put(HOME, {"n": 2})
    for expected in (0, 1, 3):
        with unchanged(store), pytest.raises(RecordMoved):
            store.register.remove(HOME, expected=expected)
    assert store.register.remove(HOME, expected=2) is True


def test_records_are_listed_by_the_beginning_of_their_keys_in_order(store: Store) -> None:
    keys = [
        "a",
        "a/",
        "a/1",
        "a/10",
        "a/2",
        "a/B",
        "a/_",
        "a/é",
        "a/\uffff",
        "a/\U0001f600",
        "a/\U0010ffff",
        "a0",
        "b/1",
    ]
    for key in reversed(keys):
        store.register.put(key, {"key": key})

    def listed(prefix: str) -> list[str]:
        return [record.data["key"] for record in store.register.list(prefix)]

    assert listed("") == keys
    assert listed("a/") == keys[1:11]
    assert listed("a/1") == ["a/1", "a/10"]
    assert listed("a/\U0010ffff") == ["a/\U0010ffff"]
    assert [listed(prefix) for prefix in ("c", "A", "%", "a/1000", "\0", "\ud800", "x" * 5000)] == [[]] * 7


def test_the_longest_key_is_a_key_like_others(store: Store) -> None:
    key = "\U0010ffff" * KEY_LIMIT
    record = store.register.put(key, {})
    assert (store.register.get(key), store.register.list("")) == (record, [record])
    assert store.register.list(key) == [record]
    assert store.register.remove(key) is True


@pytest.mark.parametrize(
    ("key", "body"),
    [
        ("a\0", {}),
        ("\ud800", {}),
        ("x" * 501, {}),
        ("k", {"x": object()}),
        ("k", {"x": float("nan")}),
    ],
)
def test_a_record_that_cannot_be_stored_is_refused(store: Store, key: str, body: dict[str, object]) -> None:
    with unchanged(store), pytest.raises(BadText):
        store.register.put(key, body)


def test_a_long_body_comes_back_as_it_was(store: Store, other: Store) -> None:
    body = {"texts": ["é\n" * 5000, "\\ \" ' \t", "\0 \ud800"]}
    store.register.put(HOME, body)
    found = other.register.get(HOME)
    assert found is not None
    assert found.data == body


def test_of_many_that_expect_the_same_version_one_writes(backend: Backend, store: Store, clock: FrozenClock) -> None:
    handles = [backend.open(clock) for _ in range(4)]

    def put(number: int, expected: int) -> Callable[[], Record]:
        return lambda: handles[number].register.put(HOME, {"by": number}, expected=expected)

    for version in (0, 1):
        results = at_once(*(put(number, version) for number in range(4)))
        assert sorted(type(result).__name__ for result in results) == ["Record", *["RecordMoved"] * 3]
        assert store.register.get(HOME) in results


def test_of_many_that_write_whatever_is_there_each_counts(backend: Backend, store: Store, clock: FrozenClock) -> None:
    handles = [backend.open(clock) for _ in range(4)]
    results = at_once(*(lambda handle=handle: handle.register.put(HOME, {}).version for handle in handles))
    assert sorted(results, key=str) == [1, 2, 3, 4]


def test_records_survive_when_conversations_are_removed(store: Store, clock: FrozenClock) -> None:
    conversation, _ = store.conversations.start("old")
    record = store.register.put(f"seen/{conversation.id}", {})
    clock.advance(60)
    assert store.upkeep.remove(conversation.id, clock.now()) is True
    assert store.register.list("") == [record]


@pytest.mark.parametrize(("column", "bad"), [("body", "[]"), ("body", '{"a":'), ("version", 0)])
def test_a_record_changed_behind_the_store_is_found_by_a_check(
    backend: Backend, store: Store, column: str, bad: str | int
) -> None:
    record = store.register.put(HOME, {"a": 1})
    assert [finding.level for finding in store.upkeep.check()] == ["ok"]
    fields = {"body": record.body, "version": record.version, column: bad}
    forge(
        backend,
        store,
        f"UPDATE record SET {column} = ? WHERE key = ?",
        bad,
        HOME,
        memory=lambda data: data.records.update({HOME: Record(HOME, updated_at=record.updated_at, **fields)}),
    )
    (finding,) = store.upkeep.check()
    assert (finding.level, finding.subject) == ("error", f"record '{HOME}'")
