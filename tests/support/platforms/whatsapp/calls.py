"""Webhook calls, in the shapes of Meta's published examples."""

from __future__ import annotations

import base64
import hashlib
import time
from typing import Any

Json = dict[str, Any]


def call(number_id: str, value: Json) -> Json:
    metadata = {"display_phone_number": "15550000000", "phone_number_id": number_id}
    change = {"field": "messages", "value": {"messaging_product": "whatsapp", "metadata": metadata, **value}}
    return {"object": "whatsapp_business_account", "entry": [{"id": "419561257915477", "changes": [change]}]}


def status(number_id: str, ident: str, room: str, key: str) -> Json:
    found = {"id": ident, "status": "sent", "timestamp": str(int(time.time())), "recipient_id": room}
    return call(number_id, {"statuses": [{**found, **({"biz_opaque_callback_data": key} if key else {})}]})


def pressed(number_id: str, person: str, ident: str, receipt: str, reply: Json) -> Json:
    message = {
        "from": person,
        "id": ident,
        "timestamp": str(int(time.time())),
        "context": {"from": "15550000000", "id": receipt},
        "type": "interactive",
        "interactive": reply,
    }
    contact = {"profile": {"name": "Ann"}, "wa_id": person}
    return call(number_id, {"contacts": [contact], "messages": [message]})


def message_of(body: Json) -> Json:
    """The first message in a call."""
    return body["entry"][0]["changes"][0]["value"]["messages"][0]


def with_file(body: Json, words: str, media: str, name: str, data: bytes) -> Json:
    """The same call, with the text as the caption of a document."""
    message = message_of(body)
    del message["text"]
    sha = base64.b64encode(hashlib.sha256(data).digest()).decode()
    document = {"id": media, "filename": name, "mime_type": "text/plain", "sha256": sha}
    message["type"], message["document"] = "document", {**document, **({"caption": words} if words else {})}
    return body
