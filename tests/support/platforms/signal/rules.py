"""What signal-cli's manual says of the calls we make (signal-cli(1) and signal-cli-jsonrpc(5), 0.13.19)."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any
from urllib.parse import unquote

_TARGET = {"recipient": list, "groupId": str}
_WORDS = {"message": str, "textStyles": list, "mentions": list}
_METHODS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "version": {},
    "listAccounts": {},
    "listGroups": {"account": str, "groupId": list, "detailed": bool},
    "send": {"account": str, **_TARGET, **_WORDS, "attachments": list, "editTimestamp": int},
    "sendTyping": {"account": str, **_TARGET, "stop": bool},
    "getAttachment": {"account": str, "id": str, "recipient": str, "groupId": str},
}
_STYLE = re.compile(r"(\d+):(\d+):(BOLD|ITALIC|SPOILER|STRIKETHROUGH|MONOSPACE)")
_URI = re.compile(r"data:([\w.+-]+/[\w.+-]+);filename=([^;,]+);base64,([A-Za-z0-9+/=]*)")


def broken(call: Any) -> list[str]:
    """In what a call is not what the manual allows."""
    if not isinstance(call, dict) or call.keys() != {"jsonrpc", "id", "method", "params"} or call["jsonrpc"] != "2.0":
        return [f"not a call: {str(call)[:200]}"]
    method, params = call["method"], call["params"]
    known = _METHODS.get(method)
    if known is None:
        return [f"{method}: no such command"]
    found = [
        f"{method}: {name} is not a parameter of this kind"
        for name, given in params.items()
        if not isinstance(given, known.get(name, ()))
    ]
    if method in ("send", "sendTyping") and len(_TARGET.keys() & params.keys()) != 1:
        found.append(f"{method}: needs a recipient or a group")
    return found + (_sent(params) if method == "send" and not found else [])


def _sent(params: dict[str, Any]) -> list[str]:
    found = [f"send: bad style {each}" for each in params.get("textStyles", []) if not _fits(each, params["message"])]
    found += [f"send: bad attachment {each[:80]}" for each in params.get("attachments", []) if attached(each) is None]
    if not params.get("message") and not params.get("attachments"):
        found.append("send: empty")
    return found


def _fits(style: str, words: str) -> bool:
    found = _STYLE.fullmatch(style)
    units = len(words.encode("utf-16-le")) // 2
    return found is not None and int(found[2]) > 0 and int(found[1]) + int(found[2]) <= units


def attached(uri: str) -> tuple[str, bytes] | None:
    """The name and the data of a data URI."""
    found = _URI.fullmatch(uri)
    if found is None:
        return None
    try:
        return unquote(found[2]), base64.b64decode(found[3], validate=True)
    except binascii.Error:
        return None
