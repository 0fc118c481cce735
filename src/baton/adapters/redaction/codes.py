# ruff: noqa: E501 (a pattern is easier to read in one line)
"""PINs and one-time codes as people say and machines send them: `the pin for the card is 4821`, `4821 is your code`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from baton.adapters.redaction.layer import Anchor, Hit, word_anchors
from baton.adapters.redaction.rules_file import code_words
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import CODE_AHEAD, CODE_BACK
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.work import Work

KIND = "pin"
_DIGITS = rb"(?P<digits>[0-9]{4,10}|[0-9]{3}[ -][0-9]{3})"
_STOP = rb"(?:[#*.!]|,(?:[ \t]|$|[0-9]{0,3}[\x80-\xff])|[ \t\r\n)\]\"'`;?]|$|\xe3\x80\x82|[\x80-\xff])"
_UNITS = re.compile(
    rb"(?i)[ \t]*(?:%|(?:milli|micro)?sec|min(?:ute)?s?\b|ms\b|s\b|hours?|days?|weeks?|months?|years?|times|attempts|users|digits?|char"
    rb"|bytes?|bits?|kb|mb|px|pages?|lines?|items?|eur|usd|\$|\xe2\x82\xac|sekunden|minuten|stellen|ziffern|secondes|segundos|secondi)"
)
_BETWEEN = re.compile(
    rb"""["'`*_)\]]{0,3}(?:[\x80-\xff]{3,12}?)?(?:[ \t]+[^\s0-9.,;:!?()=\[\]{}<>/]{1,24}){0,6}?[ \t]*(?:\([^()\n0-9]{1,24}\)[ \t]*)?"""
    rb"""(?:[:=#]|\xef\xbc[\x9a\x9d]|[-=]>|\xe2\x86\x92|\xe2\x80[\x93\x94]|-)?[ \t]*["'`*_(\[]{0,3}(?:\xe2\x80[\x98-\x9f])?"""
    + _DIGITS
    + rb"(?="
    + _STOP
    + rb")"
)
_IS_THE = re.compile(
    rb"""(?i)(?:^|[\s>"'(:])(?:[A-Z]-)?(?P<digits>[0-9]{4,10}|[0-9]{3}[ -][0-9]{3})[ \t]+(?:is|ist|est|es|\xc3\xa9|\xc3\xa8|to|adalah|l\xc3\xa0|\xe2\x80\x94|-)"""
    rb"[ \t]+(?:[^\s0-9.,;:]{1,20}[ \t]+){1,4}\Z"
)
_USE = re.compile(
    rb"(?i)(?:use|enter|type|with|using|dial|press|nimm|mit|utilise|avec|usa|con|gebruik|met)[ \t]+(?P<digits>[0-9]{4,10})#?[ \t]*"
    rb"(?:\(|(?:as|for|als|comme|como|come)\b)[ \t]?(?:[a-z]{1,8}[ \t]+){0,3}\Z"
)
_TELLS_OTHERWISE = frozenset(
    b"expire expires expired expiring valid ttl timeout length long longer max maximum min minimum limit least most than port year since until"
    b" after before version error errors status http https line lines page pages section size rev revision build count total number_of"
    b" invalid wrong rfc issue ticket ref step steps rate retry retries digit digits between".split()
)


class CodeLayer:
    """Anchored at the word for a code; what it names is digits, and digits only."""

    def anchors(self) -> Sequence[Anchor]:
        return word_anchors(self._words)

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = 0
        for end in sorted({end for _, end in hits}):
            near = data[max(0, end - CODE_BACK) : end + CODE_AHEAD]
            if end <= done or not _ANY_DIGITS.search(near) or work.gives_up(end):
                continue
            if data[end : end + 1] in _IN_A_NAME or not work.allows(end):
                continue
            found = self._after(data, end) or self._before(data, end)
            if found is not None and not in_code(data, end):
                done = found.end
                yield found

    def _after(self, data: bytes, end: int) -> Span | None:
        found = _BETWEEN.match(data, end, end + CODE_AHEAD)
        if found is None:
            return None
        words = {word.strip(b"\"'`*_()").lower() for word in data[end : found.start("digits")].split()}
        if not words.isdisjoint(_TELLS_OTHERWISE) or not _is_code(data, *found.span("digits")):
            return None
        return Span(*found.span("digits"), CONTEXT, KIND)

    def _before(self, data: bytes, end: int) -> Span | None:
        start = self._start(data, end)
        first = max(0, start - CODE_BACK, data.rfind(b"\n", max(0, start - CODE_BACK), start) + 1)
        before = data[first:start]
        found = _IS_THE.search(before) or _USE.search(before)
        if found is None or not _is_code(data, first + found.start("digits"), first + found.end("digits")):
            return None
        return Span(first + found.start("digits"), first + found.end("digits"), CONTEXT, KIND)

    def _start(self, data: bytes, end: int) -> int:
        """Where the word that ends there begins; the longest one counts."""
        before = data[max(0, end - CODE_BACK) : end].lower()
        return end - max((len(word) for word in self._encoded if before.endswith(word)), default=0)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(
            form
            for word in code_words()
            for form in ({word} if word.isascii() else {word, word[:1].upper() + word[1:]})
        )

    @cached_property
    def _encoded(self) -> frozenset[bytes]:
        return frozenset(word.encode().lower() for word in self._words)


_ANY_DIGITS = re.compile(rb"[0-9]{4}|[0-9]{3}[ -][0-9]{3}")
_IN_A_NAME = (b"_", b"/", b"-", b"\\", b"@")


def _is_code(data: bytes, start: int, end: int) -> bool:
    """Whether it is no year in a date, no amount with a unit, and not one digit again and again."""
    return len(set(data[start:end])) > 1 and _UNITS.match(data, end, end + 16) is None
