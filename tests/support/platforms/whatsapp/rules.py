"""What Meta's documentation says beyond its schema, and what holds where the schema cannot be found."""

from __future__ import annotations

from typing import Any

from tests.support.platforms.whatsapp.schema import request_flaws

_TEXT, _BODY, _CAPTION = 4096, 1024, 1024
TAKEN = ("text/plain", "application/pdf", "image/jpeg", "image/png", "image/webp", "audio/ogg", "video/mp4")
"""Media types that can be uploaded, without those that no test needs."""

Json = dict[str, Any]


def broken(body: Json) -> list[str]:
    """In what a request to /messages is not what Meta takes."""
    found = list(request_flaws(body))
    if body.get("messaging_product") != "whatsapp":
        found.append("messaging_product is not whatsapp")
    if "status" in body:
        typing = body.get("typing_indicator")
        return found if typing == {"type": "text"} else [*found, f"typing_indicator is {typing!r}"]
    kind = body.get("type", "")
    checks = {"text": _text, "interactive": _interactive, "document": _document}
    return found + (checks[kind](body[kind]) if kind in checks else [f"a message of the type {kind!r}"])


def _text(text: Json) -> list[str]:
    return _within("text.body", text.get("body", ""), 1, _TEXT)


def _document(document: Json) -> list[str]:
    found = _within("document.caption", document["caption"], 1, _CAPTION) if "caption" in document else []
    return found + _within("document.filename", document.get("filename", ""), 1, 240)


def _interactive(interactive: Json) -> list[str]:
    found = _within("interactive.body", interactive["body"]["text"], 1, _BODY)
    action = interactive["action"]
    if interactive["type"] == "button":
        titles = [each["reply"]["title"] for each in action["buttons"]]
        most, longest = 3, 20
    else:
        titles = [row["title"] for section in action["sections"] for row in section["rows"]]
        most, longest = 10, 24
        found += _within("action.button", action["button"], 1, 20)
    if len(set(titles)) != len(titles) or len(titles) > most:
        found.append(f"{len(titles)} buttons, of which {len(set(titles))} differ")
    return found + [flaw for title in titles for flaw in _within("title", title, 1, longest)]


def _within(name: str, text: str, least: int, most: int) -> list[str]:
    return [] if least <= len(text) <= most else [f"{name} has {len(text)} characters"]
