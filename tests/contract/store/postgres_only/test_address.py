from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from baton.adapters.stores.postgres.address import parse_address
from baton.adapters.stores.postgres.open import open_postgres
from baton.config.extras import install_line
from baton.core.errors import BadInput, StoreUnavailable
from tests.contract.store.postgres_only.conftest import Opener
from tests.support.postgres import drop_schema, fresh_schema, private_server

SECRET = "hunter2-correct-horse"


@pytest.mark.parametrize(
    ("url", "schema", "location"),
    [
        ("postgresql://h/db", "baton", "postgresql://h/db?schema=baton"),
        (f"postgres://me:{SECRET}@h:5433/db", "baton", "postgresql://me:***@h:5433/db?schema=baton"),
        (f"postgresql://h/db?user=me&password={SECRET}&schema=a_1", "a_1", "postgresql://me:***@h/db?schema=a_1"),
        (f"postgresql://me@h/db?schema=x&sslpassword={SECRET}", "x", "postgresql://me@h/db?schema=x"),
        ("postgresql://me@/db?host=/run/pg&schema=x", "x", "postgresql://me@/db?host=/run/pg&schema=x"),
        ("postgresql://a,b:2/db?schema=x", "x", "postgresql://a,b:,2/db?schema=x"),
    ],
)
def test_the_location_has_no_secret(url: str, schema: str, location: str) -> None:
    address = parse_address(url)
    assert (address.schema, address.location) == (schema, location)
    assert SECRET not in repr(address)
    assert "schema" not in address.parameters


@pytest.mark.parametrize(
    "url",
    [
        "mysql://h/db",
        f"postgresql://me:{SECRET}/x@h/db",
        f"postgresql://me:a@{SECRET}@h/db",
        f"postgresql://h/db?pasword={SECRET}",
        f"postgresql://h:{SECRET}/db?connect_timeout=%zz",
        "postgresql://h/db?schema=",
        "postgresql://h/db?schema=pg_catalog",
        "postgresql://h/db?schema=a%22;drop",
        "postgresql://h/db?schema=Upper",
        f"postgresql://h/db?schema={'x' * 49}",
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_address(url)
    assert SECRET not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_neither_errors_nor_logs_show_the_password(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(StoreUnavailable) as caught:
        open_postgres(f"postgresql://me:{SECRET}@127.0.0.1:1/db?schema=x", busy_timeout=1)
    shown = f"{caught.value} {caught.value.facts} {caught.value.__cause__!r} {caplog.text}"
    assert "127.0.0.1:1" in shown
    assert SECRET not in shown


def test_each_schema_is_a_store_of_its_own(opened: Opener) -> None:
    one, elsewhere = opened(), fresh_schema(private_server().url)
    try:
        two = opened(elsewhere)
        conversation, _ = one.conversations.start("here")
        assert [one.conversations.count(), two.conversations.count()] == [1, 0]
        two.conversations.start("there")
        assert one.conversations.find("here") == conversation
        two.close()
    finally:
        drop_schema(elsewhere)


def test_without_psycopg_the_error_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from baton.core.errors import MissingExtra\n"
        "try:\n    import baton.adapters.stores.postgres.open\n"
        "except MissingExtra as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        f"PostgreSQL needs a part of Baton that is not installed. Install it: {install_line('postgres')}"
    )
