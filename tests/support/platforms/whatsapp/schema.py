"""Meta's published description of the API, as far as it can be used to check requests, answers and webhook calls.

It joins several documents and their names clash: what comes in is meant by the names with a number, but the references
were not renamed. And `additionalProperties: false` stands in one half of an `allOf`, so that no message could ever be
right. Both are put right here: references of incoming messages go to the numbered names, and halves are merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

FILE = Path(__file__).resolve().parents[5] / "shared" / "schemas" / "whatsapp-business-v23.yaml"
_PREFIX = "#/components/schemas/"
_INCOMING = {
    "BaseMessageProperties": "BaseMessageProperties_1",
    "text": "TextMessage_2",
    "document": "DocumentMessage_1",
    "interactive": "InteractiveMessageReply",
}
_OUTGOING = {"text": "TextMessage", "document": "DocumentMessage", "interactive": "InteractiveMessage"}
_MORE = {"biz_opaque_callback_data": {"type": "string", "maxLength": 512}}
"""Documented for messages by Meta, and in this file only for calls."""

Json = dict[str, Any]


def request_flaws(body: Json) -> Iterator[str]:
    if "status" in body:
        yield from _flaws("MarkMessageRequestPayload", _named("MarkMessageRequestPayload"), body)
    elif body.get("type") not in _OUTGOING:
        yield f"a message of the type {body.get('type')!r}"
    else:
        yield from _flaws("request", _merged(_OUTGOING[body["type"]]), body)


def answer_flaws(name: str, body: Json) -> Iterator[str]:
    yield from _flaws(name, _named(name), body)


def incoming_flaws(body: Json) -> Iterator[str]:
    for entry in body["entry"]:
        for change in entry["changes"]:
            value = change["value"]
            yield from _flaws("Metadata", _named("Metadata"), value["metadata"])
            for status in value.get("statuses", []):
                yield from _flaws("Statuses", _named("Statuses"), status)
            for message in value.get("messages", []):
                yield from _flaws("incoming", _numbered(_INCOMING[message["type"]]), _described(message))


def _described(message: Json) -> Json:
    """Without the mark of a forwarded message, which stands in Meta's prose and not in this file."""
    marked = message.get("context") == {"forwarded": True}
    return {name: held for name, held in message.items() if name != "context"} if marked else message


def _flaws(what: str, schema: Json | None, body: Json) -> Iterator[str]:
    if schema is not None:
        for error in jsonschema.Draft202012Validator(schema).iter_errors(body):
            yield f"{what}: {error.json_path}: {error.message[:200]}"


@cache
def _schemas() -> Json | None:
    if not FILE.exists():
        return None
    with FILE.open("rb") as file:
        return yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))["components"]["schemas"]


def _named(name: str) -> Json | None:
    schemas = _schemas()
    return schemas and {"$ref": f"{_PREFIX}{name}", "components": {"schemas": schemas}}


@cache
def _merged(name: str) -> Json | None:
    """The two halves of an outgoing message as one, closed."""
    schemas = _schemas()
    if schemas is None:
        return None
    base, own = schemas["BaseMessageProperties"], schemas[name]["allOf"][1]
    return {
        "type": "object",
        "required": [*base["required"], *own["required"]],
        "properties": {**base["properties"], **own["properties"], **_MORE},
        "additionalProperties": False,
        "components": {"schemas": schemas},
    }


@cache
def _numbered(name: str) -> Json | None:
    schemas = _schemas()
    if schemas is None:
        return None
    renamed = {**schemas, "BaseMessageProperties": schemas[_INCOMING["BaseMessageProperties"]]}
    return {"$ref": f"{_PREFIX}{name}", "components": {"schemas": renamed}}
