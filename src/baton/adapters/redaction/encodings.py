"""The forms a secret takes on its way through programs, and what a value that was found stands for, decoded."""

from __future__ import annotations

import base64
import binascii
import html
import json
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import quote, quote_plus, unquote

from baton.adapters.redaction.thresholds import (
    LONGEST_ENCODED,
    SHORTEST_KNOWN,
    SHORTEST_KNOWN_BASE64,
    SHORTEST_KNOWN_OTHER_CASE,
)

_SAFE = "!'()*~"
_URL_SAFE = bytes.maketrans(b"+/", b"-_")
_STANDARD = bytes.maketrans(b"-_", b"+/")


def encodings_of(secret: str) -> set[bytes]:
    """Every form: as it is spelled, and as it is coded. Those too short to be told from ordinary text are left out."""
    return {each for each in spellings_of(secret) | codings_of(secret) if len(each) >= SHORTEST_KNOWN}


def spellings_of(secret: str) -> set[bytes]:
    """The forms in which its letters still stand: escapes, other case, backwards."""
    raw = secret.encode("utf-8", "surrogatepass")
    if len(raw) > LONGEST_ENCODED:
        return {raw}
    found = {raw, *_escapes(secret)}
    if secret.isalpha():
        found |= {each.encode("utf-8", "surrogatepass") for each in (secret.capitalize(), secret.upper())}
    if len(secret) >= SHORTEST_KNOWN_OTHER_CASE:
        found |= {each.encode("utf-8", "surrogatepass") for each in (secret.upper(), secret.lower())}
        found.add(raw[::-1])
    return found


def codings_of(secret: str) -> set[bytes]:
    """The forms in which only its codes stand. Each is long and random enough to be told from any other text."""
    raw = secret.encode("utf-8", "surrogatepass")
    if not SHORTEST_KNOWN <= len(raw) <= LONGEST_ENCODED:
        return set()
    wide = (secret.encode("utf-16-le", "surrogatepass"), secret.encode("utf-16-be", "surrogatepass"))
    return {
        *_hexadecimal(raw),
        *_code_points(secret),
        *_base64(raw),
        *(form for each in wide for form in _base64(each)),
    }


def decodings_of(value: str) -> Iterator[str]:
    """What a value stands for if it was cut as it is written in JSON, a link, HTML or base64; of `user:password` in
    base64 also the password.
    """
    if "\\" in value:
        with suppress(ValueError):
            yield json.loads(f'"{value}"')
    if "%" in value:
        yield unquote(value)
    if "&" in value:
        yield html.unescape(value)
    if plain := _from_base64(value):
        yield plain
        user, colon, password = plain.partition(":")
        if colon and user.isprintable() and " " not in user:
            yield password


def _from_base64(value: str) -> str:
    """The text behind base64; empty if it is no base64, or what it holds is no text."""
    given = value.rpartition(" ")[2].encode("ascii", "replace").translate(_STANDARD).rstrip(b"=")
    if len(given) < SHORTEST_KNOWN_BASE64 or len(given) % 4 == 1:
        return ""
    with suppress(binascii.Error, UnicodeDecodeError):
        held = base64.b64decode(given + b"=" * (-len(given) % 4), validate=True).decode()
        return held.strip() if held.strip().isprintable() else ""
    return ""


def _escapes(secret: str) -> Iterator[bytes]:
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
    """In one run, spaced as `xxd` and `od` print it, with colons, and as escapes."""
    for digits in (raw.hex(), raw.hex().upper()):
        pairs = [digits[at : at + 2] for at in range(0, len(digits), 2)]
        fours = [digits[at : at + 4] for at in range(0, len(digits), 4)]
        for form in (
            digits,
            " ".join(pairs),
            " ".join(fours),
            ":".join(pairs),
            "".join(f"\\x{each}" for each in pairs),
        ):
            yield form.encode()
        yield "".join(f"%{each}" for each in pairs).encode()


def _code_points(secret: str) -> Iterator[bytes]:
    """Each character as an escape of JSON or as an entity of HTML."""
    points = [ord(each) for each in secret]
    yield "".join(f"&#{point};" for point in points).encode()
    for digits in ("x", "X"):
        yield "".join(f"\\u{point:04{digits}}" for point in points).encode()
        yield "".join(f"&#x{point:{digits}};" for point in points).encode()


def _base64(raw: bytes) -> Iterator[bytes]:
    """At each of the three offsets a value may have in what was encoded, without the characters neighbours change."""
    for offset in range(3):
        encoded = base64.b64encode(bytes(offset) + raw)
        skipped = (offset * 8 + 5) // 6
        kept = encoded[skipped : (offset + len(raw)) * 8 // 6]
        if len(kept) >= SHORTEST_KNOWN_BASE64:
            yield kept
            yield kept.translate(_URL_SAFE)
