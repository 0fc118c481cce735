# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Several secrets after one word for them: `passwords: X, Y and Z`, recovery codes on lines of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from baton.adapters.redaction.clauses import is_chosen
from baton.adapters.redaction.layer import Anchor, Hit, word_anchors
from baton.adapters.redaction.rules_file import LISTS, table
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import LIST_HEAD, MOST_LISTED
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.work import Work

KIND = "password"
_HEAD = re.compile(
    rb"(?=[ \t][0-9]{4,8}[ ,;-])|"
    rb"(?:[ \t]+[^\n:;=.{}<>]{1,48}?)?[*_]{0,2}[ \t]*"
    rb"(?::|\xef\xbc\x9a|\n|\b(?:are|were|sind|lauten|sont|son|sono|zijn|s\xc3\xa3o|\xc3\xa4r|er|ovat|s\xc4\x85|to|jsou)[ \t]*:?[ \t])[*_]{0,2}"
)
_NEXT = re.compile(
    rb"[ \t]*(?:[,;/|&]|(?:and|or|und|oder|et|ou|y|o|e|en|of|och|og|eller|ja|i|lub|a|nebo|\xd0\xb8|\xd1\x82\xd0\xb0)(?=\s))?"
    rb"(?:[ \t]*\r?\n){0,2}[ \t>]{0,16}(?:(?:[-*+]|\xe2\x80\xa2|\[[ x]\]|[0-9]{1,2}[.):])[ \t]+)?"
    rb"""(?:[A-Za-z][\w.@ -]{0,24}[:=][ \t]+)?["'`*]{0,2}(?P<value>[0-9]{4}(?: [0-9]{4}){1,3}(?=[,;\r\n])|[0-9]{4} [0-9]{4}(?![0-9])|[^\s"'`<>|,;*(){}]{4,64})"""
)
_CODE = re.compile(
    rb"[0-9]{6,12}|[0-9]{4}(?: [0-9]{4}){1,3}|(?=[a-z-]*[0-9])[0-9a-z]{8,16}|[0-9a-z]{3,8}(?:-[0-9a-z]{3,8}){1,7}", re.I
)
_DATE = re.compile(rb"(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}|[a-z]+(?:-[a-z]+)*", re.I)
_TAIL = b".:\\"


class ListLayer:
    """Anchored at the word in the plural; reads one value after another, up to the first that is none."""

    def anchors(self) -> Sequence[Anchor]:
        return word_anchors(
            form for word in self._words for form in ({word} if word.isascii() else {word, word[:1].upper() + word[1:]})
        )

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = 0
        for end in sorted({end for _, end in hits}):
            if end <= done:
                continue
            head = _HEAD.match(data, end, end + LIST_HEAD)
            if head is None:
                continue
            codes = data[max(0, end - LIST_HEAD) : end].decode("utf-8", "ignore").lower().endswith(self._codes)
            for span in _listed(data, head.end(), work, codes=codes):
                done = span.end
                yield span

    @cached_property
    def _words(self) -> frozenset[str]:
        return table(LISTS, "passwords") | table(LISTS, "codes")

    @cached_property
    def _codes(self) -> tuple[str, ...]:
        return tuple(table(LISTS, "codes"))


def _listed(data: bytes, at: int, work: Work, *, codes: bool) -> Iterator[Span]:
    for number in range(MOST_LISTED):
        found = _NEXT.match(data, at, at + 2 * LIST_HEAD)
        if found is None or not work.allows(found.end()):
            return
        value = found.group("value").rstrip(_TAIL)
        first = found.start("value")
        if not (_is_code(value) if codes else is_chosen(value)) or (number == 0 and in_code(data, first)):
            return
        at = first + len(value)
        yield Span(first, at, CONTEXT, KIND)
        while data[at : at + 1] in (b'"', b"'", b"`", b"*"):
            at += 1


def _is_code(value: bytes) -> bool:
    return (_CODE.fullmatch(value) is not None and _DATE.fullmatch(value) is None) or is_chosen(value)
