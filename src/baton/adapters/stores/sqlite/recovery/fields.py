"""What each field of a stored row can be, so that a damaged row is told from a whole one, field by field.

There is no checksum over these rows. A flipped byte that turns text into other text, or a number into another, passes.
A migration that adds a column adds its check here, and its default to the rows of older databases.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from baton.core.errors import BadInput
from baton.core.handoff import packet
from baton.core.ids import is_id, is_session_id
from baton.core.log.entry import BODY_LIMIT, SEQ_LIMIT
from baton.core.log.session import EDGES
from baton.core.text import FIELD_LIMIT, MOST, check_title, flaw
from baton.core.transfer import mail, record, transfer
from baton.core.transfer.place import parse_place

Facts = dict[str, Any]
Check = Callable[[Any], bool]

_LATEST_TIME = 2**58


def true_fields(checks: Mapping[str, Check], row: Mapping[str, Any]) -> Facts:
    """The fields of a row that pass."""
    return {name: row[name] for name, check in checks.items() if name in row and check(row[name])}


def _one_of(*allowed: Any) -> Check:
    return lambda value: value in allowed


def _or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _noun(noun: str) -> Check:
    return lambda value: isinstance(value, str) and is_id(noun, value)


def _session(value: Any) -> bool:
    return isinstance(value, str) and is_session_id(value)


def _count(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value < MOST


def _number(value: Any) -> bool:
    return isinstance(value, int) and 0 < value < MOST // SEQ_LIMIT


def _time(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value < _LATEST_TIME


def _seq(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value < SEQ_LIMIT


def _text(value: Any) -> bool:
    return isinstance(value, str) and not flaw(value, FIELD_LIMIT)


def _long(value: Any) -> bool:
    return isinstance(value, str) and not flaw(value, BODY_LIMIT)


def _json(value: Any) -> bool:
    try:
        return _long(value) and isinstance(json.loads(value), dict)
    except (ValueError, RecursionError):
        return False


def _title(value: Any) -> bool:
    try:
        return isinstance(value, str) and check_title(value) == value
    except BadInput:
        return False


def _place(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(parse_place(value))
    except BadInput:
        return False


def _record_key(value: Any) -> bool:
    return isinstance(value, str) and not flaw(value, record.KEY_LIMIT)


_MAIL_STATES = tuple(state for box, held in mail.HELD.items() for state in (held, *mail.WAITING[box], *mail.FINAL[box]))

CHECKS: dict[str, dict[str, Check]] = {
    "meta": {"key": _text, "value": _long},
    "conversation": {
        "id": _noun("conversation"),
        "title": _title,
        "workspace": _text,
        "head_id": _session,
        "version": _count,
        "created_at": _time,
        "updated_at": _time,
        "epoch": _count,
    },
    "session": {
        "n": _number,
        "id": _session,
        "conversation_id": _noun("conversation"),
        "parent_id": _or_none(_session),
        "parent_seq": _or_none(_seq),
        "root_id": _session,
        "edge": _one_of(*EDGES),
        "reason": _text,
        "depth": _count,
        "model": _text,
        "started_at": _time,
        "ended_at": _or_none(_time),
        "end_reason": _or_none(_text),
        "entries": _seq,
        "tokens": _count,
    },
    "packet": {
        "id": _noun("packet"),
        "session_id": _session,
        "sha256": _text,
        "markdown": _long,
        "ledger": _json,
        "tokens": _count,
        "created_at": _time,
    },
    "draft": {
        "id": _noun("draft"),
        "conversation_id": _noun("conversation"),
        "version": _count,
        "packet_id": _noun("packet"),
        "state": _one_of(packet.OPEN, packet.CONFIRMED, packet.CANCELLED, packet.STALE),
        "created_at": _time,
        "updated_at": _time,
    },
    "transfer": {
        "id": _noun("transfer"),
        "conversation_id": _noun("conversation"),
        "origin": _text,
        "target": _text,
        "platform": _text,
        "state": _one_of(transfer.PENDING, transfer.RUNNING, transfer.COMPLETED, transfer.FAILED),
        "step": _one_of(*transfer.STEPS),
        "journal": _json,
        "cancel_asked": _one_of(0, 1),
        "owner": _or_none(_text),
        "epoch": _count,
        "lease_until": _count,
        "attempts": _count,
        "error": _long,
        "requested_at": _time,
        "updated_at": _time,
    },
    "binding": {"place": _place, "conversation_id": _noun("conversation"), "bound_at": _time},
    "mail": {
        "n": _number,
        "box": _one_of(mail.INBOX, mail.OUTBOX),
        "key": _text,
        "place": _place,
        "conversation_id": lambda value: value == "" or _noun("conversation")(value),
        "body": _json,
        "state": _one_of(*_MAIL_STATES),
        "unsure": _one_of(0, 1),
        "owner": _or_none(_text),
        "epoch": _count,
        "lease_until": _count,
        "attempts": _count,
        "not_before": _count,
        "error": _long,
        "receipt": _long,
        "created_at": _time,
        "updated_at": _time,
    },
    "record": {"key": _record_key, "body": _json, "version": _number, "updated_at": _time},
}

KEYS = {table: next(iter(checks)) for table, checks in CHECKS.items()}
"""What tells the rows of a table apart."""

INDEXED_TOO: dict[str, Check] = {"rowid": _count, "title_key": _text}
"""What indexes hold beside fields."""
