"""What the server refuses, and what is wrong with it, comes out as Baton's errors and findings."""

from __future__ import annotations

import time

import psycopg
import pytest

from baton.adapters.stores.postgres.address import parse_address
from baton.adapters.stores.postgres.connection import Patience, connect
from baton.adapters.stores.postgres.errors import NoAnswer
from baton.adapters.stores.postgres.open import open_postgres
from baton.core.errors import StoreBusy, StoreDamaged, StoreReadOnly, StoreUnavailable
from baton.ports.store import Finding, Store
from tests.contract.store.kit import begin, texts, unchanged
from tests.contract.store.postgres_only.conftest import Opener, holding
from tests.support.postgres import fresh_schema, private_server

READ_ONLY = "&options=-c%20default_transaction_read_only%3Don"


def read_only(url: str) -> str:
    base, _, schema = url.rpartition("schema=")
    return f"{base.rstrip('&')}{READ_ONLY}&schema={schema}"


def test_a_store_that_may_not_be_written_can_be_read(url: str, store: Store, opened: Opener) -> None:
    work = begin(store)
    work.say("kept")
    reader = opened(read_only(url))
    assert texts(reader.entries.load(work.head.id)) == ["kept"]
    with unchanged(store), pytest.raises(StoreReadOnly):
        reader.conversations.start("refused")
    assert texts(reader.entries.load(work.head.id)) == ["kept"]


def test_a_store_cannot_be_made_where_nothing_may_be_written(opened: Opener) -> None:
    with pytest.raises(StoreReadOnly):
        opened(read_only(fresh_schema(private_server().url)))


def test_a_missing_database_is_unavailable() -> None:
    url = fresh_schema(private_server().url.replace("/postgres?", "/nothing?"))
    with pytest.raises(StoreUnavailable, match='database "nothing" does not exist'):
        open_postgres(url)


def test_a_lock_that_is_not_freed_in_time_makes_the_store_busy(opened: Opener, raw: psycopg.Connection) -> None:
    impatient = opened(busy_timeout=0.2)
    work = begin(impatient)
    start = time.monotonic()
    with holding(raw, "SELECT FROM conversation WHERE id = %s FOR UPDATE", work.id):
        with pytest.raises(StoreBusy):
            work.say("too early")
        assert 0.2 <= time.monotonic() - start < 5
        assert impatient.entries.load(work.head.id) == []
    assert texts(work.say("in time")) == ["in time"]


def test_readers_do_not_wait_for_writers(opened: Opener, raw: psycopg.Connection) -> None:
    impatient = opened(busy_timeout=0.2)
    work = begin(impatient)
    with holding(raw, "SELECT FROM conversation WHERE id = %s FOR UPDATE", work.id):
        assert work.now().id == work.id


def test_a_server_that_does_not_answer_is_given_up(url: str, store: Store) -> None:
    with connect(parse_address(url), Patience(1)) as connection:
        connection.answer_within = 0.2
        with pytest.raises(NoAnswer):
            connection.execute("SELECT pg_sleep(5)")
        assert connection.closed


def test_a_schema_that_vanished_is_damage(store: Store, raw: psycopg.Connection) -> None:
    raw.execute("DROP TABLE mail")
    with pytest.raises(StoreDamaged, match="mail"):
        store.inbox.list_waiting()


def test_a_schema_of_another_program_is_left_alone(url: str, opened: Opener, raw: psycopg.Connection) -> None:
    raw.execute("DROP TABLE migration")
    with pytest.raises(StoreDamaged, match="another program"):
        opened()


def test_a_sound_store_has_no_findings_but_its_count(store: Store) -> None:
    begin(store).say("one")
    assert store.upkeep.check() == [Finding("ok", "store", "Every checksum matches. Conversations read: 1.")]


def test_an_invalid_index_is_found(store: Store, raw: psycopg.Connection) -> None:
    raw.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'session_root'::regclass")
    assert [(each.level, each.subject, each.text) for each in store.upkeep.check()] == [
        ("error", "index", "The index session_root is not valid.")
    ]


def test_rows_without_their_parent_are_found(store: Store, raw: psycopg.Connection) -> None:
    work = begin(store)
    work.say("one", "two")
    work.draft()
    with raw.transaction():
        raw.execute("SET LOCAL session_replication_role = replica")
        raw.execute("DELETE FROM session")
    assert [(each.level, each.subject, each.text) for each in store.upkeep.check()] == [
        ("error", "entry", "1 of table entry point to a session that is not there."),
        ("error", "packet", "1 of table packet point to a session that is not there."),
    ]


def test_entries_cannot_be_changed(store: Store, raw: psycopg.Connection) -> None:
    begin(store).say("one")
    with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
        raw.execute("UPDATE entry SET body = '{}'")


def test_the_size_is_that_of_the_schema(store: Store) -> None:
    before = store.upkeep.size()
    begin(store).say(*(f"{number}" * 1000 for number in range(500)))
    assert store.upkeep.size() > before + 50_000


def test_leases_are_measured_on_the_clock_of_the_server(store: Store, raw: psycopg.Connection) -> None:
    work = begin(store, ttl=60)
    row = raw.execute("SELECT extract(epoch FROM clock_timestamp()) * 1e6").fetchone()
    assert row is not None
    assert 50e6 < work.now().lease_until - int(row[0]) <= 60e6
