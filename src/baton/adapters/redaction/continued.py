# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What is public by what it is called, even where it goes on over several lines or strings.

A modulus, a certificate or a signature is longer than a line. Its later lines look like tokens without a name; the name
stands before the first of them. Asked only about spans that a rule wants to cut, so that ordinary text pays nothing.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.literals import is_in_program
from baton.adapters.redaction.public import is_public
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    FEWEST_LINES_OF_DATA,
    LABEL_BACK,
    MOST_LINES_OF_VALUE,
    SHORTEST_SIGNATURE,
)

_OPENS = re.compile(rb"[ \t]*(?://+|/?\*+|#|;+)?[ \t]*[bru]?[\"'`]?[ \t]*[A-Za-z0-9+/_=-]*\Z")
_LINE_BEFORE = re.compile(
    rb"(?:\A|[^A-Za-z0-9+/_=-])([A-Za-z0-9+/_=-]{16,}+)(?:\\[nr])*[\"'`]?[ \t]*[+.]?[ \t]*\\?\r?\Z"
)
_PUBLIC = re.compile(
    rb"[\"'](?:n|x|y|x5[ct]|x5t#S256|iv|tag|protected)\\?[\"'][ \t]*:[ \t]*[\[(]?\s*\\?[\"'`]?\s*\Z"
    rb"|(?<![\w-])(?:N|X|Y|Modulus|modulus)[ \t]*:?[:=][ \t]*[\w.:]{0,24}\(?[\"'`]?\s*\Z|\b(?:C?DNSKEY|C?DS|RRSIG|TLSA|SSHFP|OPENPGPKEY|NSEC3)\b[ \t\w.-]*\(?[ \t]*\Z"
    rb"|\bTXT[\"'],\s*[\"']?(?i:data|content|value|records?)[\"']?:\s*\[?\\?[\"']\Z|(?<![A-Za-z])(?:[Kk]ey_?I[Dd]|kid)\\?[\"']?[ \t]*:?[:=][ \t]*\\?[\"']\Z"
    rb"|(?i:cipher_?text|encrypted_?key|auth(?:entication)?_?tag|thumbprints?|challenge|attestation_?object|authenticator_?data|client_?data(?:_?json)?|[a-z0-9_](?<!\bprivate_)pub(?:lic)?(?:_?key)?(?:_?(?:hex|b64|pem|bytes))?)\w{0,12}[\"']?[ \t]*:?[:=][ \t]*\\?\s*[\[(]?\s*[bru]?\\?[\"'`]?\Z"
    rb"|(?i:content[-_]?md5|correlation[-_]?id|(?:^|[^A-Za-z])(?:\w{1,12}_)?nonce)[\"']?[ \t]*[:=,][ \t]*[bru]?\\?[\"'`]?\Z|(?i:public_?key)(?:\.\w+)?[\"'\])]{0,2}[ \t]*,[ \t]*[bru]?[\"'`]\Z"
)
"""Parts of JSON Web Keys and of encrypted messages, records of DNSSEC, a sum, a number that is used once."""
_UNNAMED, _LOOSE = "token", "azure-storage-key"
"""Kinds without a name; the second is any 64 bytes in base64."""
_SECRET = re.compile(rb"(?i)priv|secret|pass|key|token|cred|auth|seed|[\"'](?:d|k|p|q|d[pq]|qi)\\?[\"'][ \t]*:")
_SIGNATURE = re.compile(
    rb"(?i)(?:^|[^A-Za-z&?%-])(?:\w{1,24}_)?sig(?:nature)?(?:_?(?:hex|b64|base64|bytes|value|str)|[_0-9]{1,12})?\\?[\"']?[ \t]*(?::=|[:=])[ \t]*\\?\s*(?:[\w.:!\[\]]{0,32}\(\s*)?[bru]?\\?[\"'`]\Z"
    rb"|(?:[a-z0-9])Sig(?:nature)?(?:Hex|B64|Base64|Bytes|Value)?[ \t]*(?::=|[:=])[ \t]*(?:[\w.:!\[\]]{1,24}\()?[bru]?\\?[\"'`]\Z"
)
"""In quotes. In a link, and as a word in settings, it may let one in."""


def is_of_public_value(data: bytes, span: Span) -> bool:
    """Whether the name before the first line of the value says that everybody may see it."""
    if span.layer != CONTEXT and span.kind != _LOOSE:
        return False
    start, lines = _first_of(data, span.start)
    before = data[max(0, start - LABEL_BACK) : start]
    if _PUBLIC.search(before):
        return True
    if start < span.start and is_public(data, start, span.start):
        return True
    if span.kind in (_UNNAMED, _LOOSE) and _SECRET.search(before) is None and _is_data(data, span, lines):
        return True
    if _SIGNATURE.search(before) is None:
        return False
    return span.end - span.start >= SHORTEST_SIGNATURE or is_in_program(data, span.start)


def _is_data(data: bytes, span: Span, lines: int) -> bool:
    """Whether a program writes it in strings of several lines, as it writes pictures and certificates. What stands on
    lines of their own elsewhere may be a list of tokens.
    """
    behind = _LINES_BEHIND.match(data, span.end)
    if lines + (behind.group().count(b"\n") if behind else 0) < FEWEST_LINES_OF_DATA:
        return False
    first = data.rfind(b"\n", max(0, span.start - LABEL_BACK), span.start) + 1
    return _STRING.match(data, first, span.start) is not None or is_in_program(data, span.start)


_LINES_BEHIND = re.compile(
    rb"(?:[A-Za-z0-9+/_=-]*+(?:\\[nr])*[\"'`]?[ \t]*[+.]?[ \t]*\\?\r?\n[ \t]*[bru]?[\"'`]?[A-Za-z0-9+/_=-]{16,}+){1,3}"
)
_STRING = re.compile(rb"[ \t]*[bru]?[\"'`]")


def _first_of(data: bytes, start: int) -> tuple[int, int]:
    """Where the first line of a value begins whose later line begins at `start`, and how many are between them."""
    for lines in range(MOST_LINES_OF_VALUE):
        line = data.rfind(b"\n", max(0, start - LABEL_BACK), start)
        if line < 0 or _OPENS.fullmatch(data, line + 1, start) is None:
            return start, lines
        first = max(data.rfind(b"\n", max(0, line - LABEL_BACK), line) + 1, line - LABEL_BACK, 0)
        found = _LINE_BEFORE.search(data[first:line])
        if found is None:
            return start, lines
        start = first + found.start(1)
    return start, MOST_LINES_OF_VALUE
