"""Tables of translations: a word or a sentence between lines that give sentences to names too.

`field_password: Kennwort`, `$lang['oldpass'] = 'Das alte Kennwort';`, `"API Key": "API-sleutel",`: such a text says
what a screen calls a password, in any language. Asked only about spans that a rule wants to cut.
"""

from __future__ import annotations

import re
from functools import lru_cache

from baton.adapters.redaction.bare_labels import is_noun
from baton.adapters.redaction.entropy import has_digit
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    FEWEST_TRANSLATED,
    LEAST_TRANSLATED,
    LONGEST_TRANSLATED,
    TRANSLATED_AROUND,
)

_NAME = (
    rb"""\$?[\w.-]++(?:\[[\"']?[^\"'\n\]]{1,200}[\"']?\])?+|[\"'][^\"'\n]{1,200}[\"']|<\w+ name=[\"'][\w.-]++[\"']"""
)
_ELEMENT = re.compile(
    rb"<(translation|source|target|numerusform|seg)(?: [^<>]*)?>|^msg(?:id|str)(?:_plural)?(?:\[[0-9]\])? \"", re.M
)
"""Of the files in which translators work: Qt's, XLIFF, TMX, gettext's."""
_ENTRY = re.compile(
    rb"(?m)^[ \t]*+("
    + _NAME
    + rb""")[ \t]*+(?:=>|[:=>])[ \t]*+(?:\[[ \t]*+)?([\"']?)(\S[^\n]{0,600}?)\2[ \t]*+(?:</\w+>)?\]?[;,]?[ \t]*+\r?$"""
)
"""A name and the text that it is given, on one line."""
_SIGNS_OF_CODE = re.compile(rb"""[\[\]{}=;\\"`]|\(\S*\(|\w\(|\.\w+\.""")
_FILLED_IN = re.compile(rb"[%$#]?\{\{?[\w .%]++\}\}?|%(?:\([\w.]+\))?[0-9$.]*[sdifq]|</?\w+[^<>]{0,80}>|&\w+;|\\n")
"""What a translation leaves for the program."""
_WORD = re.compile(rb"[A-Za-z\x80-\xff][A-Za-z\x80-\xff'-]*+")
_FOREIGN = re.compile(rb"[\xc3-\xf4][\x80-\xbf]{1,3}")
_CODED = re.compile(rb"(?=[A-Za-z]*+[0-9])(?=[0-9]*+[A-Za-z])[A-Za-z0-9]{4,}+|[0-9]{7,}+")
"""Letters and digits in one, or a long number: what sentences seldom have and secrets do."""
_NAMES_ONE = re.compile(
    rb"""(?i)(?:passw(?:or)?d|passwd|passphrase|pwd|pass|secret|token|key|pin|psk)s?[0-9]*[\"'\]]{0,2}\Z"""
)
_OF_SCREEN = re.compile(
    rb"(?i)lang|label|messag|msg|text|locale|string|i18n|trans|field|button|btn|notice|error|setting|title|hint|prompt"
    rb"|placeholder|confirm|new|old|change|reset|forgot|wrong|bad|repeat|again|lost|resend|cur|conf|[ ]"
)
"""Words in names of screens' texts: without one of them a name that ends so says only that a password follows."""


def is_translation(data: bytes, span: Span) -> bool:
    if span.layer != CONTEXT or span.end - span.start > LONGEST_TRANSLATED:
        return False
    if _is_one_with_digits(data[span.start : span.end]):
        return False
    first = data.rfind(b"\n", max(0, span.start - LONGEST_TRANSLATED), span.start) + 1
    if _is_in_element(data, first, span):
        return True
    own = _ENTRY.match(data, first)
    if own is None or own.end() < span.end or own.start(3) > span.start:
        return False
    name, text = own[1], own[3]
    if _CODED.search(data, span.start, span.end) or not _is_said(text):
        return False
    if _NAMES_ONE.search(name) and not _OF_SCREEN.search(name) and not (is_noun(text) or _is_foreign(text)):
        return False
    around = data[max(0, first - TRANSLATED_AROUND) : first], data[own.end() : own.end() + TRANSLATED_AROUND]
    texts = [*_texts(around[0]), *_texts(around[1])]
    said = sum(map(_is_sentence, texts))
    sure = 1 if b" " in text or _FOREIGN.search(text) else 2
    return said >= FEWEST_TRANSLATED * sure and said >= (LEAST_TRANSLATED + sure / 10) * len(texts)


def _is_one_with_digits(value: bytes) -> bool:
    """Whether it is one word with a digit in it: a label has none."""
    return has_digit(value) and b" " not in value and _FOREIGN.search(value) is None


def _is_in_element(data: bytes, first: int, span: Span) -> bool:
    """Whether the words stand in an element of a translator's file and among others of these."""
    if _ELEMENT.search(data, first, span.start) is None:
        return False
    if _CODED.search(data, span.start, span.end) or not _is_said(data[span.start : span.end]):
        return False
    around = data[max(0, first - TRANSLATED_AROUND) : span.end + TRANSLATED_AROUND]
    return sum(1 for _ in _ELEMENT.finditer(around)) >= FEWEST_TRANSLATED


@lru_cache(maxsize=64)
def _texts(around: bytes) -> tuple[bytes, ...]:
    """Of lines that are whole."""
    whole = around[around.find(b"\n") + 1 : around.rfind(b"\n") + 1]
    return tuple(_FILLED_IN.sub(b"", found[3]) for found in _ENTRY.finditer(whole))


def _is_foreign(text: bytes) -> bool:
    return len(_FOREIGN.findall(text)) > 1


def _is_said(text: bytes) -> bool:
    """Whether most of it is letters of words."""
    return 2 * sum(map(len, _WORD.findall(text))) >= len(text)


def _is_sentence(text: bytes) -> bool:
    """Several words, or one with letters that English does not have, or one with a capital as a button shows it."""
    words = _WORD.findall(text)
    if not _is_said(text) or _CODED.search(text) or _SIGNS_OF_CODE.search(text):
        return False
    return len(words) > 1 or bool(words and (_FOREIGN.search(text) or (text.isalpha() and text.istitle())))
