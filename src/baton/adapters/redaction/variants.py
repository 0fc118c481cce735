"""The forms a known value takes on its way through programs: encodings, escapes, upper case."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

SHORTEST = 6
SHORTEST_BASE64 = 8
SHORTEST_UPPER = 12
_SAFE = "!'()*~"


def variants(secret: str) -> set[bytes]:
    """Every form, as bytes; those too short to be told from ordinary text are left out."""
    raw = secret.encode("utf-8", "surrogatepass")
    found = {raw, *_escaped(secret), *_hexadecimal(raw), *_base64(raw)}
    if len(secret) >= SHORTEST_UPPER:
        found |= {each.encode("utf-8", "surrogatepass") for each in (secret.upper(), secret.lower())}
        found.add(raw[::-1])
    return {each for each in found if len(each) >= SHORTEST}


def _escaped(secret: str) -> Iterator[bytes]:
    if secret.isalnum() and secret.isascii():
        return
    quotable = secret.encode("utf-8", "surrogatepass")
    strict = "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02X}" for byte in quotable)
    once = json.dumps(secret)[1:-1]
    readable = json.dumps(secret, ensure_ascii=False)[1:-1]
    forms = {
        quote(quotable, safe=""),
        quote(quotable, safe=_SAFE),
        quote(quotable),
        quote_plus(quotable),
        strict,
        strict.lower(),
        once,
        json.dumps(once)[1:-1],
        readable,
        json.dumps(readable, ensure_ascii=False)[1:-1],
        once.replace("/", "\\/"),
        repr(secret)[1:-1],
        html.escape(secret),
        html.escape(secret).replace("&#x27;", "&#39;"),
        secret.replace("$", "\\$"),
        secret.replace("'", "'\\''"),
    }
    for form in forms:
        yield form.encode("utf-8", "surrogatepass")


def _hexadecimal(raw: bytes) -> Iterator[bytes]:
    yield raw.hex().encode()
    yield raw.hex().upper().encode()


def _base64(raw: bytes) -> Iterator[bytes]:
    """At each of the three offsets a value may have in what was encoded, without the characters neighbours change."""
    for offset in range(3):
        encoded = base64.b64encode(bytes(offset) + raw)
        skipped = (offset * 8 + 5) // 6
        kept = encoded[skipped : (offset + len(raw)) * 8 // 6]
        if len(kept) >= SHORTEST_BASE64:
            yield kept
            yield kept.translate(bytes.maketrans(b"+/", b"-_"))
