"""Data that a program carries and that is no secret: public structures, tables packed into strings, templates, links.

Asked only about spans that a rule wants to cut, so that ordinary text pays nothing. A known value is cut even here.
"""

from __future__ import annotations

import re
from binascii import a2b_base64

from baton.adapters.redaction.grain import has_grain
from baton.adapters.redaction.names import strength_of
from baton.adapters.redaction.runs import is_in_data
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    LABEL_BACK,
    MOST_SIGNS_OF_VALUE,
    SHORTEST_LONG,
    SHORTEST_SCRAMBLED,
    SHORTEST_TABLE,
)
from baton.adapters.redaction.typed import in_code

_CODED = re.compile(rb"M[A-Z][A-Za-z0-9+/]{14,}={0,2}")
_SEQUENCE, _INTEGER, _OCTETS, _OID = 0x30, 0x02, 0x04, 0x06
_LONG_FORM = 0x80
_SIGNS_OF_CODES = frozenset(b"+/=_-.:,%&\\ \t\r\n")
_FORMATTED = re.compile(rb"(?i)(?:\bf|\brf|\bfr|\$@?)[\"']{1,3}[^\"'\n]*\Z")
_HOLE = re.compile(rb"\{[^{}\n]{1,120}\}")
_PARAMETER = re.compile(rb"[?&;]([A-Za-z_][\w.-]{0,40})=\Z")
_JOINTS = re.compile(rb"%[0-9A-Fa-f]{2}|[+|:,;@&]")
_LINK = re.compile(rb"(?i)[a-z][a-z0-9+.-]{1,10}%3a%2f%2f.*", re.S)
_AGENT = re.compile(rb"[A-Za-z][A-Za-z._-]++/[0-9]++(?:\.[0-9]++)++(?: .*)?", re.S)
"""`Mozilla/5.0 (Macintosh; …`: a product and its version."""
_PACKAGE = re.compile(rb"@?[a-z][a-z0-9.-]*+(?:/[a-z][a-z0-9.-]*+)++@[~^v]?[0-9]++(?:\.[0-9]++)*+")
_URN = re.compile(rb"urn:[a-z0-9][a-z0-9-]{0,31}:(?:[\w.-]+:)*\Z", re.I)
_ENVIRONMENT = re.compile(rb"[A-Z][A-Z0-9]*+(?:_[A-Z][A-Z0-9]*+)++")
_CALLED_ENVIRONMENT = re.compile(rb"(?i)\benv(?:ironment)?(?:[ _-]?var(?:iable)?s?)?\b[^\n]{0,12}\Z")
_TAG = re.compile(rb"protobuf:\"[^\"\n]*\bjson=\Z")
_OPTIONAL = re.compile(rb"(?:pass(?:w(?:or)?d|wd)?|pwd?|secret|token)\]")
"""The form of a link: `redis://[:password]@host`."""
_OBJECT = re.compile(rb"(?:[a-z]+-)?[a-z]+(?:\.[A-Za-z]+){2,}-[\w:]+")
"""By the path of its kind: `key-vim.host.ScsiLun-0005000000`."""
_XML_SIGNATURE = re.compile(
    rb"<(?:\w+:)?(?:SignatureValue|DigestValue|X509Certificate|Modulus|CipherValue)(?:\s[^<>]*)?>\s*\Z"
)
_LIKE_DATA = "facebook-token"
"""Begins with letters that base64 of DER has, too."""
_LISTED = re.compile(rb"[\"'][A-Za-z][\w.-]*[\"'], ?[\"']\Z")
_UNNAMED, _LONGEST_DIGEST = "token", 128
_DIGEST = rb"[\"'`](?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})[\"'`]"
_DIGEST_AFTER = re.compile(rb"[\"'`],\s*" + _DIGEST)
_DIGEST_BEFORE = re.compile(_DIGEST + rb",\s*[\"'`]\Z")
"""In a list beside a token: what a test of a hash works on, or the same hash in base64."""
_ALIASED = re.compile(rb"[\w$] as \Z")
_EXPECTED = re.compile(rb"(?i)[\"'`(][^\n]*\b(?:expect(?:ed|s)?|want(?:ed)?|should)\b[^\n]*\Z")
_GOT = re.compile(rb"[^\n]{0,60}(?:%[+#]?[qvsd]|\bgot\b)")
"""`"expected the key to be `x`, got %q"`: what a test says when it fails."""
_CAMEL = re.compile(rb"[a-z]{1,12}(?:[A-Z]{1,4}[a-z]{1,14}){1,6}")
_GIVEN = re.compile(rb"(?:[:=]|=>|\()[ \t]*[brf]?[\"'`]?\Z")


def is_carried(data: bytes, span: Span) -> bool:
    """Whether it is data of a program, or part of a name or a link that says so."""
    if span.layer != CONTEXT:
        return span.kind == _LIKE_DATA and is_in_data(data, span.start, span.end)
    value, before = data[span.start : span.end], data[max(0, span.start - LABEL_BACK) : span.start]
    if _is_public_structure(value) or _LINK.fullmatch(value) or _URN.search(before) or _XML_SIGNATURE.search(before):
        return True
    if _is_other_parameter(value, before) or _TAG.search(before) or _OPTIONAL.fullmatch(value):
        return True
    if (
        _AGENT.fullmatch(value)
        or _PACKAGE.fullmatch(value)
        or (_ENVIRONMENT.fullmatch(value) and _CALLED_ENVIRONMENT.search(before))
    ):
        return in_code(data, span.start)
    if _is_spoken_name(value, before) and _LISTED.search(before):
        return True
    after = data[span.end : span.end + LABEL_BACK + _LONGEST_DIGEST]
    if span.kind == _UNNAMED and (_DIGEST_AFTER.match(after) or _DIGEST_BEFORE.search(_back(data, span.start))):
        return True
    return in_code(data, span.start) and (
        _is_table(value)
        or _OBJECT.fullmatch(value) is not None
        or _is_template(value, before)
        or _is_spoken_name(value, before)
        or _is_line_of_data(data, span, before)
        or (_ALIASED.search(before) is not None and after[:1] in (b",", b"}", b";", b" "))
        or (_EXPECTED.search(before) is not None and _GOT.match(after) is not None)
    )


def _back(data: bytes, start: int) -> bytes:
    return data[max(0, start - LABEL_BACK - _LONGEST_DIGEST) : start]


def _is_public_structure(value: bytes) -> bool:
    """Whether it is base64 of DER that begins with what it is about, as public keys, certificates and names of
    algorithms do. Private keys begin with a version; encrypted ones hold their bytes in a string of octets.
    """
    if _CODED.fullmatch(value) is None:
        return False
    coded = value.rstrip(b"=")
    try:
        plain = a2b_base64(coded[: len(coded) // 4 * 4])
    except ValueError:
        return False
    inner, end = _head(plain, 0, _SEQUENCE)
    if not inner or end < len(coded) * 3 // 4 - 1:
        return False
    if plain[inner] == _OID:
        return True
    first, after = _head(plain, inner, _SEQUENCE)
    return bool(first) and after < len(plain) and plain[after] not in (_INTEGER, _OCTETS)


def _is_line_of_data(data: bytes, span: Span, before: bytes) -> bool:
    """Whether it is a line of base64 among others, which has no name of its own."""
    if span.end - span.start < SHORTEST_LONG or before.rpartition(b"\n")[2].strip(b" \t\"'`/#*+(bru"):
        return False
    return is_in_data(data, span.start, span.end)


def _head(plain: bytes, at: int, tag: int) -> tuple[int, int]:
    """Where the content of an element with this tag begins and where it ends; 0 for another one."""
    if at + 2 >= len(plain) or plain[at] != tag:
        return 0, 0
    size = plain[at + 1]
    if size < _LONG_FORM:
        return at + 2, at + 2 + size
    count = size - _LONG_FORM
    if not 0 < count <= 3 or at + 2 + count >= len(plain):
        return 0, 0
    return at + 2 + count, at + 2 + count + int.from_bytes(plain[at + 2 : at + 2 + count], "big")


_PIN = b"pin-value"
"""Of a smart card, in a link that names it."""


def _is_other_parameter(value: bytes, before: bytes) -> bool:
    """Whether a link's parameter has it whose name says nothing of a secret, and it is no random value."""
    named = _PARAMETER.search(before)
    if named is None or strength_of(named[1]) is not None or named[1].lower() == _PIN:
        return False
    return all(has_grain(part) for part in _JOINTS.sub(b" ", value).split() if not part.isdigit())


def _is_table(value: bytes) -> bool:
    """Whether it is longer than secrets are and full of signs that their alphabets lack: `0o~R^XY}YZ}]^}pq}rs!Stu`."""
    if len(value) < SHORTEST_TABLE:
        return False
    signs = sum(not chr(byte).isalnum() and byte not in _SIGNS_OF_CODES for byte in value)
    return signs > MOST_SIGNS_OF_VALUE * len(value)


def _is_template(value: bytes, before: bytes) -> bool:
    """Whether a string that is filled in has a hole there: the value comes from elsewhere."""
    return b"{" in value and _HOLE.search(value) is not None and _FORMATTED.search(before) is not None


def _is_spoken_name(value: bytes, before: bytes) -> bool:
    """Whether it is a name like `sAMAccountName` that nothing gives to another name."""
    if len(value) < SHORTEST_SCRAMBLED or _CAMEL.fullmatch(value) is None:
        return False
    return _GIVEN.search(before) is None and has_grain(value)
