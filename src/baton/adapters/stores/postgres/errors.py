"""psycopg's errors as Baton's: what happened, what was kept, what to do."""

from __future__ import annotations

import re

import psycopg

from baton.core.errors import (
    AlreadyExists,
    BadText,
    BatonError,
    NotFound,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)
from baton.core.ids import quote

UNKNOWN_OUTCOME = (
    "the connection was lost while a write was being committed, so nobody knows whether it was kept. Look before "
    "repeating it; repeating an append with `expected` is safe"
)
_DETAIL = re.compile(r"\(.*?\)=\((?P<value>.*)\)")
_BUSY = ("55P03", "57014", "40P01", "40001")
_READ_ONLY = ("25006", "42501")
_DAMAGED = ("XX001", "XX002", "58P01", "42P01", "42703", "3F000")
_CLOSING = ("57P01", "57P02", "57P03", "57P05", "25P03")


class NoAnswer(psycopg.OperationalError):
    """The server kept silent for longer than any statement may take; the connection was closed."""


def is_lost(error: BaseException, connection: psycopg.Connection) -> bool:
    """Whether this connection can no longer be used."""
    state = error.sqlstate if isinstance(error, psycopg.Error) else None
    return connection.closed or (state is not None and (state in _CLOSING or state.startswith("08")))


def translate(error: psycopg.Error | UnicodeEncodeError, path: str, seconds: float = 0) -> BatonError:
    """One table from SQLSTATE; an error without one comes from the driver: it cannot reach the server, or cannot send
    the value.
    """
    state = (error.sqlstate or "") if isinstance(error, psycopg.Error) else "22021"
    reason = _one_line(error)
    match state:
        case _ if state in _BUSY:
            return StoreBusy(path=path, holder="", seconds=seconds)
        case "53100":
            return StoreFull(path=path)
        case _ if state in _READ_ONLY:
            return StoreReadOnly(path=path, reason=reason)
        case _ if state in _DAMAGED:
            return StoreDamaged(path=path, reason=reason)
        case "23503" | "23505" | "23P01" if isinstance(error, psycopg.Error):
            return _constraint(error)
        case _ if state.startswith(("22", "54")) or (not state and isinstance(error, psycopg.DataError)):
            return BadText(
                field="value", reason=reason, allowed="shorter text, without NUL or lone surrogates; 64-bit numbers"
            )
        case _ if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
            return StoreUnavailable(path=path, reason=reason)
        case _:
            return StoreError(path=path, reason=reason)


def _constraint(error: psycopg.Error) -> BatonError:
    """The loser of a race that row locks do not cover: its parent was just removed, or its id just taken."""
    detail = _DETAIL.search(error.diag.message_detail or "")
    value = quote(detail["value"] if detail else "?")
    if error.sqlstate != "23503":
        return AlreadyExists(noun=error.diag.table_name or "row", value=value, suggestion="Try again.")
    return NotFound(noun="row", value=value, suggestion="It may have been removed.")


def _one_line(error: Exception) -> str:
    """The server's main message, without details and hints; or everything the driver said."""
    said = (isinstance(error, psycopg.Error) and error.diag.message_primary) or str(error)
    return "; ".join(line.strip() for line in said.splitlines() if line.strip()).rstrip(".") or "no reason given"
