# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What a test made up: values that it both gives and expects, and values whose names say that they are not real.

Only in programs, and only where tests stand around: in settings, commands, logs and talk the same value goes. A token
that its own form gives away, a private key and a value that a test only gives go there too. Asked only about spans that
a rule wants to cut, so that ordinary text pays nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from baton.adapters.redaction.entropy import is_made_of_words, is_random
from baton.adapters.redaction.fixtures import is_setting
from baton.adapters.redaction.literals import is_in_program
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    EXPECTED_BACK,
    FEWEST_TEST_MARKS,
    LABEL_BACK,
    LITERAL_BACK,
    LONGEST_DOCSTRING,
    MOST_TIMES_EXPECTED,
    PROGRAM_LINE,
    SESSION_BACK,
    TEST_AROUND,
)

_MARK = re.compile(
    rb"(?m)^[ \t]*(?:async[ \t]+)?def test_?\w*\(|^[ \t]*class[ \t]+\w*Tests?(?:Case)?\w*\b|\bself\.assert\w+\(|^func (?:Test|Benchmark|Example)\w*\("
    rb"|\*testing\.[TB]\b|#\[(?:\w+::)?test\b|#\[cfg\(test\)\]|\bassert(?:_eq|_ne|_matches)?!\(|\b(?:it|test|describe)\([\"'`]|\bexpect\(|\bpytest\b"
    rb"|\b(?:assert|require|is|qt|c|t)\.(?:Assert|Equals?|Errorf?|Fatalf?|NoError|NotNil|Nil|True|False|Run|Parallel|Helper|deepEqual|strictEqual|ok)\(|^[ \t]+assert[ \t(]"
)
"""What tests are made of, in Python, Go, Rust and JavaScript."""
_EXPECTS = re.compile(
    rb"(?i)\bassert|\.assert|expect|\bwant|[=!]==?|equal|should|\brequire\.|\bto_?be\b|called_?with|errorf?\(|fatalf?\(|\bmatch(?:es)?\(|\bcontains?\("
)
_COMPARED = re.compile(
    rb"(?:[=!]==?|[Aa]ssert\w*!?\(.*[(,]|(?:Equals?|equal|eql|toBe|toEqual|toStrictEqual)\((?:.*,)?|Should\w+,)[ \t]*[bru]?[\"'`]\Z"
)
_NAMED = rb"[\w.-]{0,40}[\"'\])]{0,2}[ \t]*(?::=|[:=,(]|=>)[ \t]*(?:\[\]byte\(|&?str(?:ing)?\(|[\w.:]{1,24}\()?[brfu]?[\"'`]\Z"
_NOT_REAL = re.compile(
    rb"(?:(?:^|[^A-Za-z])(?i:dummy|fake|mock(?:ed)?|bogus|wrong|invalid|incorrect|expected|want|malformed|nonexistent|unknown)"
    rb"|[a-z0-9](?:Dummy|Fake|Mock|Bogus|Wrong|Invalid|Incorrect|Expected|Malformed))(?:[_A-Z0-9]|(?=[a-z]))" + _NAMED
)
_OF_TEST = re.compile(
    rb"(?:(?:^|[^A-Za-z])(?i:test(?:ing)?|sample|example)(?=[_A-Z])|[a-z0-9_]Test(?=[A-Z_]))" + _NAMED
)


def is_tested(data: bytes, span: Span) -> bool:
    """Whether a test says so: by the name it gives the value, or because it expects the value that it gave."""
    start, end, layer, kind = span
    if layer != CONTEXT or b"\n" in data[start:end]:
        return False
    if is_shown(data, start):
        return True
    before = data[max(0, start - LABEL_BACK) : start]
    before = before[before.rfind(b"\n") + 1 :]
    if _NOT_REAL.search(before) or (_OF_TEST.search(before) and _is_plain(kind, data[start:end])):
        return is_in_program(data, start) and not is_setting(data, start, end)
    if not (_is_expected(data, start, end) or _COMPARED.search(before)):
        return False
    return is_in_test(data, start) and is_in_program(data, start) and not is_setting(data, start, end)


def is_shown(data: bytes, at: int) -> bool:
    """Whether a program's documentation shows it in an example: in a session of Python's within a docstring, in a
    comment for Rust's documentation, or in an example of one for JavaScript's.
    """
    line = data.rfind(b"\n", max(0, at - PROGRAM_LINE), at) + 1
    if _RUST.match(data, line, at):
        return is_in_program(data, at)
    before = data[max(0, at - LITERAL_BACK) : at]
    if _STAR.match(data, line, at):
        comment = before[before.rfind(b"/**") :]
        return before.rfind(b"/**") > before.rfind(b"*/") and _EXAMPLE.search(comment) is not None
    return _SESSION.search(before[-SESSION_BACK:]) is not None and _is_in_docstring(data, at)


def _is_in_docstring(data: bytes, at: int) -> bool:
    return data.count(b'"""', max(0, at - LONGEST_DOCSTRING), at) % 2 == 1


_RUST = re.compile(rb"[ \t]*//[/!][ \t]")
_STAR = re.compile(rb"[ \t]*\*[ \t]")
_EXAMPLE = re.compile(rb"(?i)@example|```")
_SESSION = re.compile(rb"(?m)^[ \t]*>>>[ \t]")


def _is_plain(kind: str, value: bytes) -> bool:
    """Whether nobody drew it: a test's own account may have a real key, but no real word."""
    return kind == "password" and (not is_random(value) or is_made_of_words(value))


def _is_expected(data: bytes, start: int, end: int) -> bool:
    """Whether the value stands near by once more, and one of the places is what something is compared with."""
    value = data[start:end]
    first = max(0, start - TEST_AROUND)
    around = data[first : end + TEST_AROUND]
    places: list[int] = []
    at = around.find(value)
    while at >= 0 and len(places) < MOST_TIMES_EXPECTED:
        if not _is_within_word(around, at, at + len(value)):
            places.append(at)
        at = around.find(value, at + len(value))
    return len(places) > 1 and any(_EXPECTS.search(around, _back(around, place), place) for place in places)


def _is_within_word(data: bytes, start: int, end: int) -> bool:
    return data[start - 1 : start].isalnum() or data[end : end + 1].isalnum()


def _back(data: bytes, at: int) -> int:
    """Some lines before, as calls are written on several."""
    first = at
    for _ in range(6):
        line = data.rfind(b"\n", max(0, at - EXPECTED_BACK), max(0, first - 1))
        if line < 0:
            return max(0, at - EXPECTED_BACK)
        first = line
    return first


def is_in_test(data: bytes, at: int) -> bool:
    """Whether several things stand around that only tests have."""
    return _is_test(data[max(0, at - TEST_AROUND) : at + TEST_AROUND])


@lru_cache(maxsize=128)
def _is_test(around: bytes) -> bool:
    return next(islice(_MARK.finditer(around), FEWEST_TEST_MARKS - 1, None), None) is not None
