"""What the server can tell about the store's health."""

from __future__ import annotations

from baton.adapters.stores.postgres import migrate
from baton.adapters.stores.sql.database import Tx
from baton.adapters.stores.sql.scripts import parse_blocks, to_postgres
from baton.ports.store import Finding

OLDEST_SERVER = 140000
BLOCKS = {
    name: to_postgres(sql).encode()
    for name, sql in parse_blocks("""
-- name: server
SELECT current_setting('server_version_num')::bigint, current_setting('server_version');

-- name: version
SELECT max(version) FROM migration;

-- name: invalid_indexes
SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace s ON s.oid = c.relnamespace
WHERE s.nspname = :schema AND NOT (i.indisvalid AND i.indisready) ORDER BY c.relname;

-- name: orphans
SELECT * FROM (
  SELECT 'entry' AS child, 'session' AS parent, count(*) AS missing
  FROM (SELECT DISTINCT id >> 24 AS n FROM entry) e WHERE NOT EXISTS (SELECT FROM session s WHERE s.n = e.n)
  UNION ALL SELECT 'session', 'conversation', count(*)
  FROM session c WHERE NOT EXISTS (SELECT FROM conversation p WHERE p.id = c.conversation_id)
  UNION ALL SELECT 'packet', 'session', count(*)
  FROM packet c WHERE NOT EXISTS (SELECT FROM session p WHERE p.id = c.session_id)
  UNION ALL SELECT 'draft', 'conversation', count(*)
  FROM draft c WHERE NOT EXISTS (SELECT FROM conversation p WHERE p.id = c.conversation_id)
  UNION ALL SELECT 'draft', 'packet', count(*)
  FROM draft c WHERE NOT EXISTS (SELECT FROM packet p WHERE p.id = c.packet_id)
  UNION ALL SELECT 'transfer', 'conversation', count(*)
  FROM transfer c WHERE NOT EXISTS (SELECT FROM conversation p WHERE p.id = c.conversation_id)
  UNION ALL SELECT 'binding', 'conversation', count(*)
  FROM binding c WHERE NOT EXISTS (SELECT FROM conversation p WHERE p.id = c.conversation_id)
) AS found WHERE missing > 0;

-- name: size
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace WHERE s.nspname = :schema AND c.relkind = 'r';
""").items()
}


def check(tx: Tx, schema: str) -> list[Finding]:
    """Only what is wrong."""
    return [*_server(tx), *_version(tx), *_indexes(tx, schema), *_orphans(tx)]


def size(tx: Tx, schema: str) -> int:
    row = tx.one("size", {"schema": schema})
    return row[0] if row else 0


def _server(tx: Tx) -> list[Finding]:
    row = tx.one("server")
    if row is None or row[0] >= OLDEST_SERVER:
        return []
    text = f"PostgreSQL {row[1]} is older than what Baton is tested with ({OLDEST_SERVER // 10000})."
    return [Finding("warning", "server", text, "Upgrade the server when you can.")]


def _version(tx: Tx) -> list[Finding]:
    row = tx.one("version")
    if row is not None and row[0] == migrate.LATEST:
        return []
    text = f"The schema has version {row[0] if row else 0}, this Baton expects {migrate.LATEST}."
    return [Finding("error", "schema", text, "Open the store again: that migrates it.")]


def _indexes(tx: Tx, schema: str) -> list[Finding]:
    return [
        Finding("error", "index", f"The index {name} is not valid.", f"REINDEX INDEX {schema}.{name}")
        for (name,) in tx.all("invalid_indexes", {"schema": schema})
    ]


def _orphans(tx: Tx) -> list[Finding]:
    todo = "Restore a backup, or export what is readable and import it into a new schema."
    return [
        Finding("error", child, f"{missing} of table {child} point to a {parent} that is not there.", todo)
        for child, parent, missing in tx.all("orphans")
    ]
