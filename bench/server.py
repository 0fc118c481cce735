"""A PostgreSQL server for the benchmark: a given one, or a private one that syncs its files as a real one does."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from bench.progress import say

if TYPE_CHECKING:
    from tests.support.postgres import PrivateServer

AUTO = "auto"
NONE = "none"
SETTINGS = """
listen_addresses = ''
max_connections = 100
log_min_messages = fatal
"""


@contextmanager
def postgres(choice: str) -> Iterator[str | None]:
    """The URL of a server, or None after saying why there is none. A private server is gone afterwards."""
    if choice == NONE:
        yield None
        return
    if choice != AUTO:
        yield choice
        return
    server = _start()
    try:
        yield server.url if server else None
    finally:
        if server:
            server.remove()


def _start() -> PrivateServer | None:
    try:
        from tests.support.postgres import PrivateServer

        return PrivateServer(SETTINGS)
    except (ImportError, AssertionError, OSError, subprocess.SubprocessError) as reason:
        say(f"no PostgreSQL: {reason!r}; give one with --postgres URL")
        return None


def with_schema(server: str) -> str:
    """The URL of a store in a schema that does not exist yet."""
    return f"{server}{'&' if '?' in server else '?'}schema=bench_{uuid.uuid4().hex[:12]}"


def without_schema(url: str) -> tuple[str, str]:
    """What a driver understands, and the schema."""
    parts = urlsplit(url)
    options = parse_qsl(parts.query, keep_blank_values=True)
    schema = dict(options)["schema"]
    plain = urlencode([(name, value) for name, value in options if name != "schema"], safe="/")
    return urlunsplit(parts._replace(query=plain)), schema


def drop_schema(url: str) -> None:
    import psycopg
    from psycopg import sql

    plain, schema = without_schema(url)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(schema)))
