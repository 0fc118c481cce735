"""What only shows a key's form, wherever it stands: signs that hide, words that ask to be replaced, a name for a
password; a few letters again and again where no vendor's form says that it is a key.

Not an alphabet behind a vendor's letters (`ghp_0123456789abcdef…`): so people write a key that they make up, and some
keep it. Asked only about spans that a rule wants to cut, so that ordinary text pays nothing.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.bare_labels import is_noun
from baton.adapters.redaction.lookalikes import is_hole
from baton.adapters.redaction.span import CONTEXT, TOKEN, Span
from baton.adapters.redaction.thresholds import (
    LABEL_BACK,
    LONGEST_STRETCH_OF_FORM,
    SHORTEST_HIDDEN,
    SHORTEST_LONG,
)

_PREFIX = re.compile(rb"[A-Za-z]{2,12}[0-9]{0,2}(?:[_-]{1,2}[A-Za-z]{2,8}[0-9]{0,2}){0,2}[_-]{1,2}|[0-9A-Za-z]{5}~")
"""As vendors begin their keys: `sk_`, `ls__`, `xoxb-`, three signs, `8Q` and a tilde."""
_HIDDEN = re.compile(rb"(?:([xX#*.])\1{%d,}|(?:\xe2\x80[\xa2\xa6]){4,})\Z" % (SHORTEST_HIDDEN - 1))
"""Up to the end: letters on both sides of such signs are what is left of a real key."""
_HIDDEN_BEHIND = re.compile(rb"[_-]?[#*]{%d,}" % SHORTEST_HIDDEN)
_HIDDEN_END = re.compile(rb"[_-][#*]{%d,}\Z" % SHORTEST_HIDDEN)
_AGAIN = re.compile(rb"([A-Za-z0-9]{1,4}?)\1{4,}")
_SHORTENED = re.compile(rb"(?:\.{3}|\xe2\x80\xa6)[\"'`]?[ \t]*(?:\r?\n|\Z)")
_GIVEN = re.compile(rb"\w[\"']?[ \t]*[=:][ \t]*[\"'`]?\Z")
_ASKS = re.compile(rb"[\w.-]*(?:[a-z0-9](?:Goes)?Here|[_-](?i:(?:goes[_-]?)?here)|(?i:too[_-]?(?:short|long)))")
"""`…AccessTokenHere`, `…_tooShort`."""
_WITHOUT_A_SECRET = re.compile(rb"xox[a-z]-[0-9-]+")
"""Of Slack: its numbers alone say whose it is; the secret behind them has letters."""
_CALLED = re.compile(rb"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:DB|MQ|RPC)?PASS(?:WORD|WD|PHRASE)?")
"""`NOVA_DBPASS`, as manuals call the password that is to be chosen."""
_DESCRIBED = re.compile(rb"(?i)(?:pass(?:word|phrase)|secret) (?:with|without|containing|that has) [a-z][a-z ,-]{2,40}")
_IS_EXAMPLE = re.compile(rb"(?i)\b(?:example|e\.g\.|sample|format|syntax)\b[^\n]{0,80}\Z")
_PASSWORDS = ("password", "url-password")
"""What people type: it may be anything, and there only its own words tell."""


def is_placeholder(data: bytes, span: Span) -> bool:
    """Whether everybody can see that nobody drew it."""
    start, end, layer, kind = span
    if layer not in (CONTEXT, TOKEN) or end - start > LONGEST_STRETCH_OF_FORM:
        return False
    value = data[start:end]
    prefix = _PREFIX.match(value)
    if layer == CONTEXT and prefix and _is_again(value):
        return True
    if _hides(data, end, value, layer) or _WITHOUT_A_SECRET.fullmatch(value):
        return True
    before = data[max(0, start - LABEL_BACK) : start]
    if (
        layer == CONTEXT
        and prefix
        and (kind not in _PASSWORDS or b"_eyJ" in value)
        and _is_cut_short(data, end, before)
    ):
        return True
    if kind not in _PASSWORDS:
        return (layer == TOKEN or prefix is not None) and _ASKS.fullmatch(value) is not None
    if _CALLED.fullmatch(value) or _DESCRIBED.fullmatch(value):
        return True
    if kind != _PASSWORDS[1]:
        return False
    return is_hole(value) or (is_noun(value) and _IS_EXAMPLE.search(before) is not None)


def _is_cut_short(data: bytes, end: int, before: bytes) -> bool:
    """Whether dots stand for the rest of a value that a name is given, and end the line."""
    if _GIVEN.search(before) is None:
        return False
    shown = data[max(0, end - 3) : end]
    return shown in (b"...", b"\xe2\x80\xa6") or _SHORTENED.match(data, end) is not None


def _is_again(value: bytes) -> bool:
    """Whether one to four letters again and again are more than half of it."""
    again = (len(found.group()) for found in _AGAIN.finditer(value))
    return any(size >= SHORTEST_LONG and 2 * size > len(value) for size in again)


def _hides(data: bytes, end: int, value: bytes, layer: int) -> bool:
    """Whether more than half of it is one sign that stands for what is not shown, or the rest of a token is."""
    hidden = _HIDDEN.search(value)
    if hidden is not None and 2 * len(hidden.group()) > len(value):
        return True
    return (layer == TOKEN and _HIDDEN_BEHIND.match(data, end) is not None) or _HIDDEN_END.search(value) is not None
