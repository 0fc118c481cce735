"""Files on Matrix: where one is, and the key to it in encrypted rooms. All of it is in `File.ref`."""

# pyright: reportMissingTypeStubs=false
from __future__ import annotations

import json
import re

from baton.adapters.platforms.json_fields import Json, parse_json, table, text
from baton.adapters.platforms.matrix.errors import refused
from baton.adapters.platforms.matrix.wire import MEDIA, MEDIA_OF_OTHERS, Wire, path
from baton.ports.platform import Upload

LARGEST = 20_000_000
_ADDRESS = re.compile(r"mxc://([A-Za-z0-9.:\[\]-]{1,255})/([A-Za-z0-9_-]{1,255})")


def reference(content: Json) -> str:
    """Where the file of a message is and how it is read; empty if that is nowhere we would look."""
    sealed = table(content.get("file"))
    address = text(sealed.get("url")) if sealed else text(content.get("url"))
    if _ADDRESS.fullmatch(address) is None:
        return ""
    if not sealed:
        return address
    key, hashes = table(sealed.get("key")), table(sealed.get("hashes"))
    parts = {"k": text(key.get("k")), "iv": text(sealed.get("iv")), "sha256": text(hashes.get("sha256"))}
    return json.dumps({"url": address, **parts}) if all(parts.values()) else ""


async def fetch(wire: Wire, ref: str) -> bytes:
    """Only ever from our own homeserver, which asks other servers for what they keep."""
    sealed = table(parse_json(ref) if ref.startswith("{") else None)
    found = _ADDRESS.fullmatch(text(sealed.get("url")) if sealed else ref)
    if found is None:
        raise refused("that is no file on Matrix")
    data = await wire.load(path("download", *found.groups(), under=MEDIA_OF_OTHERS), LARGEST)
    return _opened(data, sealed) if sealed else data


async def upload(wire: Wire, file: Upload, *, seal: bool) -> dict[str, object]:
    """What a message says of the file: its address, or with `seal` the address and key of its encrypted form."""
    if not seal:
        media_type = file.media_type if file.media_type.isascii() and file.media_type.isprintable() else ""
        return {"url": await _put(wire, file.data, media_type or "application/octet-stream")}
    from nio.crypto.attachments import encrypt_attachment

    data, keys = encrypt_attachment(file.data)
    return {"file": {**keys, "url": await _put(wire, data, "application/octet-stream")}}


async def _put(wire: Wire, data: bytes, media_type: str) -> str:
    address = text((await wire.put("POST", path("upload", under=MEDIA), data, media_type)).get("content_uri"))
    if _ADDRESS.fullmatch(address) is None:
        raise refused("the server did not say where it keeps the file")
    return address


def _opened(data: bytes, sealed: Json) -> bytes:
    from nio.crypto.attachments import decrypt_attachment
    from nio.exceptions import EncryptionError

    try:
        return decrypt_attachment(data, *(text(sealed.get(name)) for name in ("k", "sha256", "iv")))
    except (EncryptionError, ValueError):
        raise refused("the file cannot be decrypted: its key does not fit") from None
