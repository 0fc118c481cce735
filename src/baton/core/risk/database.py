"""What changes a database so that it cannot be undone: statements, and tools that migrate."""

from __future__ import annotations

import re

from baton.core.risk.line import Line, Rule, words

_FILE = "it runs statements from a file or a pipe"
_UNKNOWN = "its statements are only known when it runs"
_COMMENT = re.compile(r"--[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING = re.compile(r"'(?:[^']|'')*'")
_STATEMENTS = (
    (re.compile(r"\b(?:drop|truncate)\b", re.IGNORECASE), "it drops or empties tables"),
    (re.compile(r"\balter\b", re.IGNORECASE), "it changes the schema"),
    (re.compile(r"\b(?:grant|revoke)\b", re.IGNORECASE), "it changes who may do what"),
)
_ROWS = re.compile(r"\s*(?:with\b.*\)\s*)?(delete\s+from|update)\b", re.IGNORECASE | re.DOTALL)
_WHERE = re.compile(r"\bwhere\b(?!\s*\(*\s*(?:true|not\s+false|1\s*=\s*1|1)\s*\)*\s*$)", re.IGNORECASE)
_SHELL = re.compile(r"(?m)(?:^|\s)\\!|^\s*\.(?:shell|system)\b")
_INCLUDES = re.compile(r"(?m)^\s*(?:\\i[r]?\s|\.read\s|\.restore\s|source\s)")
_EXPANSION = re.compile(r"\$\(.*\)|\$\{?\w+\}?|`.*`", re.DOTALL)
_DOCUMENT = re.compile(r"\b(?:drop\w*|deleteMany|deleteOne|remove|update\w*|renameCollection)\s*\(")


def statements(sql: str) -> str:
    """Why these statements are risky, or an empty string."""
    bare = _STRING.sub("''", _COMMENT.sub(" ", sql))
    for pattern, reason in _STATEMENTS:
        if pattern.search(bare):
            return reason
    for one in bare.split(";"):
        if _ROWS.match(one) and not _WHERE.search(one):
            return "it changes or deletes every row"
    return ""


def client(line: Line) -> str:
    """psql, mysql, sqlite3 and their like: by what they are told to run."""
    if any(redirect.operator == "<" for redirect in line.redirects) or line.piped:
        return _FILE
    if line.after("-f", "--file", "-init", "--init-file"):
        return _FILE
    order = line.after("-c", "--command", "-e", "--execute", "-q", "--query", "-Q")
    if order and not order.known and _EXPANSION.fullmatch(order.text):
        return _UNKNOWN
    if line.begins("rm"):
        return whole(line)
    said = [*line.texts, line.input.text if line.input else ""]
    if any(_SHELL.search(text) for text in said):
        return "it runs a command of its own"
    if any(_INCLUDES.search(text) for text in said):
        return _FILE
    return next(filter(None, (statements(text) for text in said)), "")


def documents(line: Line) -> str:
    if any(redirect.operator == "<" for redirect in line.redirects) or line.piped or _names_script(line):
        return _FILE
    said = " ".join([*line.texts, line.input.text if line.input else ""])
    return "it drops or deletes documents" if _DOCUMENT.search(said) else ""


def _names_script(line: Line) -> bool:
    return any(text.endswith(".js") for text in line.operands)


_KEYS = words("flushall flushdb del unlink shutdown rename eval evalsha script restore migrate swapdb failover")


def redis(line: Line) -> str:
    said = {text.lower() for text in (*line.operands, *(line.input.text.split() if line.input else ()))}
    if line.piped or line.has("--pipe"):
        return _FILE
    return "it deletes keys" if said & _KEYS else ""


def whole(_: Line) -> str:
    return "it removes or replaces a database"


def pg_restore(line: Line) -> str:
    return "" if line.has("-l", "--list") or not line.has("-d", "--dbname") else whole(line)


def mysqladmin(line: Line) -> str:
    return whole(line) if {"drop", "shutdown", "flush-tables"} & {*line.operands} else ""


_MIGRATES = "it migrates or resets a database"
_VERBS: dict[str, tuple[str, ...]] = {
    "alembic": ("upgrade", "downgrade", "stamp"),
    "prisma": ("migrate deploy", "migrate reset", "migrate dev", "migrate resolve", "db push", "db execute", "db seed"),
    "flask": ("db upgrade", "db downgrade", "db stamp"),
    "manage.py": ("migrate", "flush", "loaddata", "reset_db", "sqlflush", "dbshell"),
    "django-admin": ("migrate", "flush", "loaddata"),
    "knex": ("migrate:latest", "migrate:up", "migrate:down", "migrate:rollback", "seed:run"),
    "sequelize": ("db:migrate", "db:drop", "db:migrate:undo", "db:migrate:undo:all", "db:seed", "db:seed:all"),
    "sequelize-cli": ("db:migrate", "db:drop", "db:migrate:undo", "db:migrate:undo:all"),
    "typeorm": ("migration:run", "migration:revert", "schema:drop", "schema:sync"),
    "drizzle-kit": ("push", "migrate", "drop"),
    "goose": ("up", "down", "redo", "reset"),
    "migrate": ("up", "down", "drop", "force", "goto"),
    "dbmate": ("up", "down", "drop", "migrate", "rollback"),
    "flyway": ("migrate", "clean", "repair", "undo", "baseline"),
    "liquibase": ("update", "rollback", "drop-all", "dropAll", "rollback-count"),
    "diesel": ("migration run", "migration redo", "migration revert", "database reset", "database drop"),
    "sqlx": ("migrate run", "migrate revert", "database drop", "database reset"),
    "artisan": (
        "migrate",
        "migrate:fresh",
        "migrate:rollback",
        "migrate:reset",
        "migrate:refresh",
        "db:wipe",
        "db:seed",
    ),
    "mix": ("ecto.migrate", "ecto.drop", "ecto.reset", "ecto.rollback"),
    "supabase": (
        *(
            "db push",
            "db reset",
            "migration up",
            "projects delete",
            "functions deploy",
            "functions delete",
            "secrets set",
        ),
        *("secrets unset", "branches delete", "storage rm", "config push"),
    ),
    "atlas": ("schema apply", "migrate apply", "schema clean"),
    "dotnet": ("ef database",),
    "hasura": ("migrate apply", "metadata apply", "deploy"),
    "skeema": ("push",),
    "sqitch": ("deploy", "revert", "rebase"),
    "aerich": ("upgrade", "downgrade"),
    "yoyo": ("apply", "rollback", "reapply"),
    "rails": (
        "db:migrate",
        "db:drop",
        "db:reset",
        "db:rollback",
        "db:setup",
        "db:seed",
        "db:schema:load",
        "db:prepare",
    ),
}


_ANYWHERE = ("goose", "migrate", "dbmate", "flyway", "liquibase")
"""Their verb may stand behind an address."""


def migrates(line: Line) -> str:
    verbs = _VERBS[line.program]
    begun = line.begins(*verbs) or (line.program in _ANYWHERE and {*line.operands} & {*verbs})
    return _MIGRATES if begun and not line.is_rehearsal else ""


def rake(line: Line) -> str:
    named = [
        text for text in line.operands if re.match(r"db:(?!version|migrate:status|abort)|.*:(?:deploy|drop)$", text)
    ]
    return _MIGRATES if named else ""


CHANGING: dict[str, Rule] = {
    **dict.fromkeys(_VERBS, migrates),
    **dict.fromkeys(("rails", "rake"), rake),
    **dict.fromkeys(
        ("psql", "mysql", "mariadb", "sqlite3", "duckdb", "cockroach", "sqlcmd", "clickhouse-client"), client
    ),
    **dict.fromkeys(("pgcli", "mycli", "litecli", "bq", "snowsql", "cqlsh", "isql", "usql", "turso"), client),
    **dict.fromkeys(("mongo", "mongosh"), documents),
    "redis-cli": redis,
    "valkey-cli": redis,
    **dict.fromkeys(("dropdb", "dropuser", "mongorestore", "mysqlimport", "pg_resetwal"), whole),
    "pg_restore": pg_restore,
    "mysqladmin": mysqladmin,
    "mysql_secure_installation": whole,
    **dict.fromkeys(
        ("neo4j-admin", "cypher-shell"),
        lambda line: (
            whole(line)
            if line.begins("database load", "load", "database restore", "restore", "database copy")
            or "delete" in line.text.lower()
            else ""
        ),
    ),
    **dict.fromkeys(
        ("influx", "influxd"),
        lambda line: whole(line) if line.begins("delete", "bucket delete", "restore") else client(line),
    ),
}
