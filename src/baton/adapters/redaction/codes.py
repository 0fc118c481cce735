# ruff: noqa: E501 (a pattern is easier to read in one line)
"""PINs and one-time codes as people say and machines send them: `the pin for the card is 4821`, `4821 is your code`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from baton.adapters.redaction.layer import Anchor, Hit, longest_first, word_anchors
from baton.adapters.redaction.rules_file import CODES, table
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import CODE_AHEAD, CODE_BACK
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.work import Work

KIND = "pin"
_KEYED = (
    rb"(?:[0-9]{3,4}[ -][0-9]{3,4}(?:[ -][0-9]{2,4}){0,3}|[0-9]{1,4}(?:-[0-9]{1,4}){2,4}|[0-9]{2}(?: [0-9]{2}){2,4}|[0-9]{4,10}[A-F]?|[0-9]{1,4}[A-D][0-9]{1,4})#?"
    rb"|[*#][0-9]{1,8}(?:[*#][0-9]{1,8}){0,3}#?"
)
"""As a keypad takes it: in groups, with the sign that ends it."""
_DIGITS = rb"(?P<digits>" + _KEYED + rb")"
_MIXED = rb"[A-Z0-9]{2,8}(?:-[A-Z0-9]{2,8}){1,9}|[a-z0-9]{3,8}(?:-[a-z0-9]{3,8}){1,9}|[A-Z0-9]{5,8}"
"""Groups of letters and digits."""
_STOP = rb"(?:[#*.!<]|,(?:[ \t]|$|[0-9]{0,3}[\x80-\xff])|[ \t\r\n)\]\"'`;?]|$|\xe3\x80\x82|[\x80-\xff])"
_UNITS = re.compile(
    rb"(?i)[ \t]*(?:%|(?:milli|micro)?sec|min(?:ute)?s?\b|ms\b|s\b|hours?|days?|weeks?|months?|years?|times|attempts|users|digits?|char"
    rb"|bytes?|bits?|kb|mb|px|pages?|lines?|items?|tests\b|files\b|rows\b|requests\b|eur|usd|\$|\xe2\x82\xac|sekunden|minuten|stellen|ziffern|secondes|segundos|secondi)"
)
_TO_VALUE = (
    rb"""["'`*_)\]]{0,3}(?:</\w{1,10}>)?(?:[\x80-\xff]{3,36}?)?(?:[ \t]+(?:[^\s0-9.,;:!?()=\[\]{}<>/]{1,24}|[0-9]{1,2}\.?[A-Za-z]{0,2})){0,7}?[ \t]*(?:\([^()\n0-9]{1,24}\)[ \t]*)?"""
    rb"""(?P<sign>[:=#]|\xef\xbc[\x9a\x9d]|[-=]>|\xe2\x86\x92|\xe2\x80[\x93\x94]|-)?[ \t]*(?:<[A-Za-z][^<>\n]{0,40}>[ \t]*){0,2}["'`*_(\[]{0,3}(?:\xe2\x80[\x98-\x9f])?"""
)
_BETWEEN = re.compile(_TO_VALUE + rb"(?:G-|(?<![A-Za-z][-_]))" + _DIGITS + rb"(?=" + _STOP + rb")")
_BETWEEN_MIXED = re.compile(_TO_VALUE + rb"(?P<digits>" + _MIXED + rb")(?=" + _STOP + rb")")
_IS_THE = re.compile(
    rb"""(?i)(?:^|[\s>"'(:])(?:[A-Z]-)?(?P<digits>[0-9]{4,10}|[0-9]{3}[ -][0-9]{3})[ \t]+(?:is|ist|est|es|\xc3\xa9|\xc3\xa8|to|adalah|l\xc3\xa0|\xe2\x80\x94|-)"""
    rb"[ \t]+(?:[^\s0-9.,;:]{1,20}[ \t]+){1,4}\Z"
)
_USE = re.compile(
    rb"(?i)(?:use|enter|type|with|using|dial|press|nimm|mit|utilise|avec|usa|con|gebruik|met)[ \t]+(?P<digits>[0-9]{4,10}#?)[ \t]*"
    rb"(?:\(|(?:as|for|als|comme|como|come)\b)[ \t]?(?:[a-z]{1,8}[ \t]+){0,3}\Z"
)
_CLAUSE_ENDS = (b"\n", b".", b";", b"!", b"?")
_CLAUSE = re.compile(rb"[^\n.;!?]*+")
_WORD = re.compile(r"[^\s\"'`*_():,=<>\[\]]+")
_DATE = re.compile(rb"(?:19|20)[0-9]{2}[ -][0-9]{2}[ -][0-9]{2}|[0-9]{1,2}[ -][0-9]{1,2}[ -](?:19|20)[0-9]{2}")
_POSTAL_NAME, _POSTAL_DIGITS = "पिन कोड".encode(), 6
"""In India the same words name a postal code."""


class CodeLayer:
    """Anchored at the word for a code; what it names is digits, and letters only beside some words."""

    def anchors(self) -> Sequence[Anchor]:
        return [*self._sure_anchors, *word_anchors(_forms_of("code"))]

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = 0
        sure = {end for number, end in hits if number < len(self._sure_anchors)}
        for end in sorted({end for _, end in hits}):
            if end <= done or data[end : end + 1] in _IN_A_NAME:
                continue
            if not (self._may_be_sure(data, end) if end in sure else self._may_be(data, end)) or not work.allows(end):
                continue
            word = self._word(data, end)
            found = self._after(data, end, word) or self._before(data, end, word)
            if found is not None and (_is_in_tag(data, found) or not in_code(data, end)):
                done = found.end
                yield found

    def _may_be_sure(self, data: bytes, end: int) -> bool:
        return _ANY_DIGITS.search(data, max(0, end - CODE_BACK), end + CODE_AHEAD) is not None

    def _may_be(self, data: bytes, end: int) -> bool:
        """Of a word that names a code only beside a device."""
        return _DIGITS_FOLLOW.match(data, end, end + CODE_AHEAD) is not None and self._has_device(data, end)

    def _after(self, data: bytes, end: int, word: bytes) -> Span | None:
        """What follows a word that names a code by itself, or another word where a device stands beside it."""
        found = _BETWEEN.match(data, end, end + CODE_AHEAD)
        if found is None and word in self._mixed:
            found = _BETWEEN_MIXED.match(data, end, end + CODE_AHEAD)
        if found is None or self._is_otherwise(data, end - len(word), found) or not _is_code(data, found):
            return None
        said = _said(data[end : found.start("digits")])
        told = found.group("sign") is not None or not said or said[-1] in table(CODES, "is")
        if any(map(_has_digit, said)) and not told:
            return None
        if word in self._certain or told or said[-1] in table(CODES, "device"):
            return Span(*found.span("digits"), CONTEXT, KIND)
        return None

    def _before(self, data: bytes, end: int, word: bytes) -> Span | None:
        start = end - len(word)
        first = max(0, start - CODE_BACK, data.rfind(b"\n", max(0, start - CODE_BACK), start) + 1)
        before = data[first:start]
        found = (_IS_THE.search(before) or _USE.search(before)) if word in self._certain else None
        if found is None or not _is_code(before, found):
            return None
        return Span(first + found.start("digits"), first + found.end("digits"), CONTEXT, KIND)

    def _word(self, data: bytes, end: int) -> bytes:
        """The word that ends there; the longest one counts."""
        before = data[max(0, end - CODE_BACK) : end].lower()
        return next((before[-size:] for size in self._sizes if before[-size:] in self._encoded), b"")

    def _is_otherwise(self, data: bytes, start: int, found: re.Match[bytes]) -> bool:
        """Whether words around it say that the digits are another number."""
        value = found.group("digits")
        if value.isdigit() and len(value) == _POSTAL_DIGITS and data.startswith(_POSTAL_NAME, start):
            return True
        before = _said(data[max(0, start - CODE_BACK) : start])[-1:] if data[start - 1 : start] == b" " else []
        between = _said(data[start : found.start("digits")])
        if between and between[-1] in table(CODES, "numbered"):
            return True
        return not table(CODES, "otherwise").isdisjoint((*before, *between))

    def _has_device(self, data: bytes, end: int) -> bool:
        """Whether the clause around a word names something that opens with a code."""
        first = max(0, end - CODE_BACK)
        for stop in _CLAUSE_ENDS:
            first = max(first, data.rfind(stop, first, end) + 1)
        said = _CLAUSE.match(data, end, end + CODE_AHEAD)
        return (
            self._devices.search(data[first : said.end() if said else end].decode("utf-8", "ignore").lower())
            is not None
        )

    @cached_property
    def _devices(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(table(CODES, 'device'), key=longest_first)))})\b")

    @cached_property
    def _sure_anchors(self) -> list[Anchor]:
        return word_anchors(_forms_of("word", "mixed"))

    @cached_property
    def _encoded(self) -> frozenset[bytes]:
        return self._certain | _bytes_of("code")

    @cached_property
    def _sizes(self) -> list[int]:
        return sorted({len(word) for word in self._encoded}, reverse=True)

    @cached_property
    def _certain(self) -> frozenset[bytes]:
        return _bytes_of("word") | self._mixed

    @cached_property
    def _mixed(self) -> frozenset[bytes]:
        return _bytes_of("mixed")


def _bytes_of(what: str) -> frozenset[bytes]:
    return frozenset(form.encode().lower() for form in _forms_of(what))


def _forms_of(*kinds: str) -> frozenset[str]:
    return frozenset(form for what in kinds for word in table(CODES, what) for form in _forms(word))


def _forms(word: str) -> set[str]:
    """With and without capitals, which only ASCII is searched without regard to."""
    head, bar, rest = word.partition("-")
    return {word} if word.isascii() else {word, word[:1].upper() + word[1:], word.upper(), head.upper() + bar + rest}


def _said(part: bytes) -> list[str]:
    return _WORD.findall(part.decode("utf-8", "ignore").lower())


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _is_in_tag(data: bytes, span: Span) -> bool:
    return data[span.start - 1 : span.start] == b">" and data[span.end : span.end + 2] == b"</"


_ANY_DIGITS = re.compile(rb"[0-9]{3}|[0-9]{1,4}[ -][0-9]|[0-9][A-Za-z]|[A-Za-z][0-9]")
_DIGITS_FOLLOW = re.compile(rb"[^\n.;!?<>0-9*#]{0,60}+(?:<\w{1,6}>)?[0-9*#]")
_IN_A_NAME = (b"_", b"/", b"-", b"\\", b"@", b">")


def _is_code(data: bytes, found: re.Match[bytes]) -> bool:
    """Whether it is no date, no amount with a unit and no word without a digit or a letter."""
    value, end = found.group("digits"), found.end("digits")
    if _DATE.fullmatch(value) or _UNITS.match(data, end, end + 16):
        return False
    digits = sum(48 <= byte < 58 for byte in value)
    return digits >= 3 or (digits > 0 and b"-" in value) or (value.isalnum() and 0 < digits < len(value))
