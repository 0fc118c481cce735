# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords of several words: in quotes they go as a whole or not at all, bare ones up to the end of their line.

A quoted text beside a word for a password is one unless it is a sentence about passwords, a label or a place for one.
What shows it: a word that mixes letters with digits or signs, a number at its end, capitals where no sentence has them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from baton.adapters.redaction.lookalikes import is_example, is_text_in_program
from baton.adapters.redaction.prefixed_commands import runs_command
from baton.adapters.redaction.rules_file import sentence_words
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import LONGEST_TYPED_PHRASE, MOST_WORDS_OF_PHRASE
from baton.adapters.redaction.typed import is_phrase

_KIND = "password"
_QUOTES = b"\"'`"
_EDGES = b".,;:!?\"'"
ABOUT = re.compile(
    rb"(?i)pass(?:w|phr|code)|kennw|contrase|senha|wachtwo|mot de passe|secret|geheim|segret|token|credential|clave|parol|has[l\xc5]"
    rb"|\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb|\b(?:char(?:acter)?s?|letters?|digits?|numbers?|symbols?|zeichen|ziffern|caract\S{1,3}res|caracteres|caratteri"
    rb"|tekens|znak\w*|minimum|maximum|min|max|at least|mindestens|use|must|enter|type|choose|please|bitte|keys?|api|url|host|port|ip"
    rb"|hint|label|title|version|step|level|part|page|section|chapter|test|case|error|code|line|row|column|item|phase|stage|schl\S{1,3}ssel)\b"
)
"""Words that tell what a password must be, where it goes, or which one of several things it is."""
_NO_TEXT = re.compile(
    rb"[(){}\[\]<>;=|\\`\x00-\x1f]|\s{2}|\s-|://|%[sdvqr(]|\$[A-Za-z{(]|&\w+;|(?:^|\s)[/~.]{1,2}\w|\w@\w+\.\w"
)
_STANDARD = re.compile(
    rb"[A-Z]{2,8}-?[0-9]{1,4}|[a-z]{2,6}-?[0-9]{1,2}|[A-Z][a-z]{2,8}-?[0-9]{1,2}|[A-Za-z]{3,}[12]|v?[0-9]+(?:\.[0-9]+)*[A-Za-z]{0,3}|[0-9]+[A-Z][a-z]+|[A-Za-z]+(?:[-_.'&][A-Za-z]+)+|[^/]*/.*"
)
"""`SHA256`, `oauth2`, `2nd`, `10MB`, `1Password`, `read-only`: words like others."""
_SIGNS = re.compile(rb"[!#$%*^~@?+]")
_NUMBER_LAST = re.compile(rb"[0-9]{1,8}[!?#$*.]{0,3}")
_WORD = re.compile(rb"[A-Za-z\x80-\xff'-]++")
_REST = re.compile(rb"(?: [A-Za-z0-9\x80-\xff!?#$*+-]{1,24}){1,4}[ \t]*+(?=\r?\n|\Z)")
_GIVEN = re.compile(rb"[:=][ \t]*[bru]?[\"'`]\Z")
_FEW = 3
GOES_ON = frozenset(b"for then but since until per as btw and or".split())
"""What follows a password of one word, in a sentence."""


@lru_cache(maxsize=4096)
def is_quoted_phrase(value: bytes) -> bool:
    """Whether several words in quotes beside a word for a password are one."""
    if not is_of_words(value):
        return False
    words = value.split(b" ")
    if any(map(_shows_itself, words)):
        return True
    said = sum(word.strip(_EDGES).lower() in sentence_words() for word in words)
    if not said and _NUMBER_LAST.fullmatch(words[-1]) and all(map(_WORD.fullmatch, words[:-1])):
        return len(words) >= _FEW or sum(48 <= byte < 58 for byte in words[-1]) > 1
    return said < 2 and len(words) >= _FEW and _has_odd_capitals(words)


@lru_cache(maxsize=4096)
def is_of_words(value: bytes) -> bool:
    """Whether it is some words that neither speak about a password nor are a template, a command or code."""
    if b" " not in value or value != value.strip() or not len(value) <= LONGEST_TYPED_PHRASE:
        return False
    if value.count(b" ") >= MOST_WORDS_OF_PHRASE or _NO_TEXT.search(value) or ABOUT.search(value):
        return False
    return value[0] not in b"+,.?:&*/-" and not is_example(value) and not is_text_in_program(value)


def is_unsaid(value: bytes) -> bool:
    """Whether it is words none of which holds a sentence together."""
    return is_of_words(value) and not any(
        word.strip(_EDGES).lower() in sentence_words() or len(word) < _FEW for word in value.split(b" ")
    )


def _shows_itself(word: bytes) -> bool:
    """Whether a word mixes letters with digits or signs, as no word of a sentence does."""
    word = word.strip(_EDGES)
    if word.isalpha() or not any(65 <= byte < 128 for byte in word) or _STANDARD.fullmatch(word):
        return False
    return any(48 <= byte < 58 for byte in word) or _SIGNS.search(word[1:-1]) is not None


def _has_odd_capitals(words: list[bytes]) -> bool:
    """`correct Horse battery`: a sentence begins with a capital, a label has one everywhere."""
    return words[0].islower() and all(map(_WORD.fullmatch, words)) and any(word[:1].isupper() for word in words[1:-1])


def bare_end(data: bytes, start: int, end: int) -> int:
    """Where a bare password ends of which the word from `start` to `end` is the first: with its line, or there."""
    rest = _REST.match(data, end, end + LONGEST_TYPED_PHRASE)
    if rest is None or not _WORD.fullmatch(data, start, end):
        return end
    if rest.group().split(maxsplit=1)[0] in GOES_ON:
        return end
    said = data[start : rest.end()].rstrip()
    return start + len(said) if is_quoted_phrase(said) and not runs_command(said) else end


def whole_phrase(data: bytes, span: Span) -> Span | None:
    """The whole of a text in quotes if its first word was taken; None if it is a label or a sentence after an operator."""
    if span.layer != CONTEXT or span.kind != _KIND or data[span.end : span.end + 1] != b" " or not span.start:
        return span
    quote = data[span.start - 1]
    if quote not in _QUOTES:
        return span
    close = data.find(quote, span.end, span.end + LONGEST_TYPED_PHRASE)
    if close < 0 or b"\n" in data[span.end : close]:
        return span
    said = data[span.start : close]
    if is_quoted_phrase(said) or is_phrase(said):
        return span._replace(end=close)
    label = _WORD.fullmatch(data, span.start, span.end) and _GIVEN.search(data, max(0, span.start - 8), span.start)
    return None if label else span
