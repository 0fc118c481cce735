"""The records of an export, each checked field by field because they come from outside."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar, cast

from baton.core.errors import BadText
from baton.core.handoff.packet import STATES, Draft, Packet
from baton.core.ids import check_id, check_session_id
from baton.core.log.bundle import limit
from baton.core.log.conversation import Conversation
from baton.core.log.entry import Entry, encode_body, entry
from baton.core.log.session import EDGES, END_REASONS, Session
from baton.core.text import FIELD_LIMIT, check_text, check_title
from baton.core.transfer.place import Binding, parse_place
from baton.core.transfer.transfer import COMPLETED, FAILED, STEPS, Transfer
from baton.core.value import fields

LONG = 64 * 1024 * 1024

T = TypeVar("T")


def _value(kind: type[T], record: dict[str, Any], **local: Any) -> T:
    """A value from exactly its fields, each of the type it is declared with; `local` ones are not in the record."""
    expected = {field.name: str(field.type) for field in fields(cast("Any", kind)) if field.name not in local}
    if missing := expected.keys() - record.keys():
        raise ValueError(f"missing: {', '.join(sorted(missing))}")
    if unknown := record.keys() - expected.keys():
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    for name, type_name in expected.items():
        _check_field(name, type_name, record[name])
    return kind(**record, **local)


_TYPES = {"str": str, "int": int}


def _check_field(name: str, type_name: str, value: object) -> None:
    base, _, optional = type_name.partition(" | ")
    if value is None and optional == "None":
        return
    if type(value) is not _TYPES[base]:
        raise ValueError(f"{name} should be {base}, not {type(value).__name__}")
    if isinstance(value, str):
        check_text(name, value, LONG if name in ("markdown", "ledger", "journal") else FIELD_LIMIT)
    elif not 0 <= value < limit(name):
        raise ValueError(f"{name} is out of range")


def _check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} should be one of {', '.join(allowed)}")


def _check_json(name: str, text: str) -> None:
    """Must be a JSON object, and one that this store would have written."""
    try:
        encode_body(json.loads(text))
    except (ValueError, RecursionError, BadText):
        raise ValueError(f"{name} is not a JSON object") from None


def _read_conversation(record: dict[str, Any]) -> Conversation:
    made = _value(Conversation, record, owner=None, lease_until=0)
    check_id("conversation", made.id)
    check_session_id(made.head_id)
    check_title(made.title)
    return made


def _read_session(record: dict[str, Any]) -> Session:
    made = _value(Session, record)
    check_session_id(made.id)
    _check_choice("edge", made.edge, EDGES)
    if made.end_reason is not None:
        _check_choice("end_reason", made.end_reason, END_REASONS)
    return made


def _read_packet(record: dict[str, Any]) -> Packet:
    made = _value(Packet, record)
    check_id("packet", made.id)
    if not made.intact():
        raise ValueError("its text does not fit its digest")
    _check_json("ledger", made.ledger)
    return made


def _read_draft(record: dict[str, Any]) -> Draft:
    made = _value(Draft, record)
    check_id("draft", made.id)
    _check_choice("state", made.state, STATES)
    return made


def _read_transfer(record: dict[str, Any]) -> Transfer:
    made = _value(Transfer, record, owner=None, lease_until=0)
    check_id("transfer", made.id)
    if made.state not in (COMPLETED, FAILED):
        raise ValueError("only completed and failed transfers can be imported")
    _check_choice("step", made.step, STEPS)
    _check_json("journal", made.journal)
    return made


def _read_binding(record: dict[str, Any]) -> Binding:
    made = _value(Binding, record)
    parse_place(made.place)
    return made


def _read_entry(record: dict[str, Any]) -> Entry:
    if record.keys() != {"session_id", "seq", "kind", "at", "tokens", "body"} or not isinstance(record["body"], dict):
        raise ValueError("it needs session_id, seq, kind, at, tokens and a body")
    for name, type_name in (("session_id", "str"), ("seq", "int"), ("kind", "str"), ("at", "int"), ("tokens", "int")):
        _check_field(name, type_name, record[name])
    check_session_id(record["session_id"])
    body = encode_body(cast("dict[str, Any]", record["body"]))
    return entry(record["session_id"], record["seq"], record["kind"], record["at"], record["tokens"], body)


MAKERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "conversation": _read_conversation,
    "session": _read_session,
    "packet": _read_packet,
    "draft": _read_draft,
    "transfer": _read_transfer,
    "binding": _read_binding,
    "entry": _read_entry,
}
