"""Tokens that their own format gives away: vendors' keys by the rules of `rules/tokens.txt`, and private keys."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from importlib import import_module
from itertools import groupby
from typing import Any

from baton.adapters.redaction.entropy import entropy, has_digit, is_hex, is_made_of_words, is_wordlike
from baton.adapters.redaction.expression import Expression, compile_rule
from baton.adapters.redaction.grain import has_grain
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.programs import is_used_name
from baton.adapters.redaction.rules_file import TokenRule, recovery_words, token_rules
from baton.adapters.redaction.span import TOKEN, Span
from baton.adapters.redaction.thresholds import (
    LEAST_OF_PRIVATE_KEY,
    LEAST_RECOVERY_WORDS,
    LONGEST_PRIVATE_KEY,
    MOST_RECOVERY_WORDS,
    RECOVERY_AHEAD,
    RECOVERY_BACK,
    SHORTEST_BARE_TOKEN,
    SHORTEST_HASH,
    SHORTEST_LONG,
    SHORTEST_PICTURE,
    TOKEN_AHEAD,
    TOKEN_BACK,
)
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.work import Work

_LEFT = r"(?:^|[^A-Za-z0-9]|\\[nrtfb]|%[0-9A-Fa-f]{2})"
_OPEN_END = re.compile(r"\{([0-9]+),[0-9]*\}$")
_CHECKSUM = Expression(r"(?i)sha[0-9]{1,3}[-:=]$")
_WIDER_THAN_HEX = "[A-Za-z0-9"
"""In the pattern of a token that draws from all letters: none has only those of hexadecimal."""
_HASHES = (b"sha512-", b"sha384-", b"sha256-", b"sha1-", b"h1:")
_SUM = re.compile(rb"sha(?:1|224|256|384|512)[-:=][A-Za-z0-9+/=]*+")
_REST = Expression(r"[A-Za-z0-9_+/=%-]*")


class TokenLayer:
    """Each hit is confirmed by the rule's own expression around it."""

    def anchors(self) -> Sequence[Anchor]:
        """The rules, each with its shortest possible end, so that a long token is reported once."""
        return [Anchor(_LEFT + _short(rule.pattern), rule.caseless) for rule in self._rules]

    def kinds(self) -> Iterable[str]:
        return (rule.kind for rule in self._rules)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        for number, group in groupby(sorted(hits), key=lambda hit: hit[0]):
            rule = self._rules[number]
            yield from self._confirm(rule, data, [end for _, end in group], work)

    def _confirm(self, rule: TokenRule, data: bytes, ends: Sequence[int], work: Work) -> Iterator[Span]:
        expression = _expression(rule)
        secret, back = min(2, expression.groups), _longest(rule)
        done = 0
        for end in ends:
            if end <= done or not work.allows(end):
                continue
            if _in_checksum(data, end, back):
                continue
            limit = min(len(data), end + TOKEN_AHEAD)
            found = expression.search(data, max(done - 1, end - back, 0), limit)
            if found is None:
                continue
            done = found.end()
            start, last = found.span(secret)
            if _holds_a_place(data, start, last) or _goes_on_behind(rule, data, last):
                continue
            if _in_picture(data, start, last) or _goes_on_before(data, start, _OF_BASE64 in rule.pattern):
                continue
            if last == limit and (rest := _REST.match(data, last)):
                last = done = rest.end()
            if not rule.entropy or (_is_random(rule, data, start, last) and not _is_name(data, start, last)):
                yield Span(start, last, TOKEN, rule.kind)

    @cached_property
    def _rules(self) -> tuple[TokenRule, ...]:
        return token_rules()


def _expression(rule: TokenRule) -> Expression:
    """Group 1 is the whole token; a rule's own group is the second."""
    flag = "(?i)" if rule.caseless else ""
    return compile_rule(f"{flag}{_LEFT}({rule.pattern})")


_PLACE_HELD = re.compile(
    rb"(?i:[x*]{10,}|your_|_your(?=_))|0{12,}|1{12,}|a{14,}|(?:1234567890){3,}|(?<=[A-Z0-9])EXAMPLE(?:KEY)?\Z"
)
"""Runs that no random token has, and words that ask for one."""
_COUNTED = re.compile(rb"(?:1234567890){2}|abcdefghijklmnopqrst")


def _holds_a_place(data: bytes, start: int, end: int) -> bool:
    """Whether it only shows a token's form: `ghp_xxxxxxxxxxxx`, `AKIA…EXAMPLE`; or, in a program, counts.

    One run of zeros or ones may be part of a real one: it has to be half of it.
    """
    value = data[start:end]
    held = [found.group() for found in _PLACE_HELD.finditer(value)]
    if held and (not held[-1][:1].isdigit() or 2 * sum(map(len, held)) >= len(value)):
        return True
    return _COUNTED.search(value) is not None and in_code(data, start)


def _in_checksum(data: bytes, end: int, back: int) -> bool:
    """Whether the hit lies in what is called a hash, as lock files have them by the thousand."""
    begin = data.rfind(b"sha", max(0, end - back - 8), end)
    found = _SUM.match(data, begin) if begin >= 0 else None
    return found is not None and found.end() >= end


def _in_picture(data: bytes, start: int, end: int) -> bool:
    """Whether it is part of a long run of base64 that goes on before it: data, in which any token's form may occur."""
    if data[max(0, start - 1) : start] not in (b"/", b"+"):
        return False
    before = data[max(0, start - SHORTEST_PICTURE) : start].translate(_NOT_BASE64)
    after = data[end : end + SHORTEST_PICTURE].translate(_NOT_BASE64)
    return len(before) - before.rfind(b" ") + (after + b" ").find(b" ") > SHORTEST_PICTURE


_WITHOUT_WORDS = re.compile(r"\[.*\]\{[0-9]+,[0-9]+\}")


def _goes_on_behind(rule: TokenRule, data: bytes, end: int) -> bool:
    """Whether letters follow where the longest token of a vendor ends that begins it with no word of its own: part of
    something longer, in which such a form may occur.
    """
    return rule.entropy > 0 and data[end : end + 1].isalnum() and _WITHOUT_WORDS.fullmatch(rule.pattern) is not None


_OF_BASE64 = "0-9+/"
"""In the pattern of a token that draws from all signs of base64: behind one of them it is part of a longer run."""


def _goes_on_before(data: bytes, start: int, slashes: bool) -> bool:
    """A path ends with a slash too: only where the token itself may have one, that is part of a run."""
    before = data[max(0, start - SHORTEST_LONG) : start]
    if before[-1:] != b"+" and not (slashes and before[-1:] == b"/"):
        return False
    return b" " not in before.translate(_NOT_BASE64) and len(before) == SHORTEST_LONG


_NOT_BASE64 = bytes(
    byte if chr(byte).isascii() and (chr(byte).isalnum() or byte in b"+/=") else 0x20 for byte in range(256)
)


@cache
def _longest(rule: TokenRule) -> int:
    """How far before a hit its match begins at most. A search from there costs a tenth of one from further back."""
    parser: Any = import_module("re._parser")
    width: int = parser.parse(_LEFT + _short(rule.pattern)).getwidth()[1]
    return min(TOKEN_BACK, width)


def _short(pattern: str) -> str:
    return _OPEN_END.sub(r"{\1}", pattern.removesuffix("={0,2}"))


def _is_random(rule: TokenRule, data: bytes, start: int, end: int) -> bool:
    """Whether it is random enough for the rule, and not a checksum that is called one."""
    value = data[start:end]
    if data[max(0, start - 7) : start].lower().endswith(_HASHES):
        return False
    if len(value) >= SHORTEST_HASH and _WIDER_THAN_HEX in rule.pattern and is_hex(value):
        return False
    if rule.digits and (not has_digit(value) or ((b"-" in value or b"." in value[:3]) and is_wordlike(value))):
        return False
    return entropy(value) >= rule.entropy and not _CHECKSUM.search(data[max(0, start - 8) : start])


def _is_name(data: bytes, start: int, end: int) -> bool:
    """Whether it is a name of words in a program: `keysForFixed32Map` has the form of a key."""
    value = data[start:end]
    if value.isupper():
        return False
    if value.count(b"_") > 2 and is_made_of_words(value):
        return True
    if value.count(b"-") > 2 and value.islower() and _VERSION.match(value):
        return True
    body = value.rpartition(b"_")[2]
    if len(body) >= SHORTEST_BARE_TOKEN and body.isalpha() and has_grain(body):
        return True
    return value.isalnum() and (has_grain(value) or is_used_name(data, start, end))


_VERSION = re.compile(rb"[0-9]{1,5}-g[0-9a-f]{7,12}-")
"""As `git describe` writes it: `00001-geba40aecb3b7-ab85`."""

PRIVATE_KEY = "private-key"
_BEGIN_LINE = (
    r"-{2,5} ?BEGIN [A-Z0-9 ]{0,40}(?:(?:PRIVATE|SECRET) KEY(?: BLOCK)?|OpenVPN Static key)[A-Z0-9 ]{0,20} ?-{2,5}"
)
_END_LINE = (
    r"-{2,5} ?END [A-Z0-9 ]{0,40}(?:(?:PRIVATE|SECRET) KEY(?: BLOCK)?|OpenVPN Static key)[A-Z0-9 ]{0,20} ?-{2,5}"
)
_BODY = Expression(r"""(?:[A-Za-z0-9+/=\s]|\\[nrt]|[A-Za-z-]{4,20}: [^\n]{1,80}|["',>|&;#*%-])*""")

_PROSE = re.compile(rb"\s*+(?:[A-Za-z',;-]{1,15}+(?:[ \t]++[A-Za-z',;-]{1,15}+)++\s*+)?")
"""A line below a key that was cut off: words, where a key has none."""


class PrivateKeyLayer:
    """Private keys between `BEGIN` and `END` lines, even if they are cut off or written on one line.

    Begins and ends are found in one pass and paired, so that a thousand begins cost what one does.
    """

    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(_BEGIN_LINE), Anchor(_END_LINE)]

    def kinds(self) -> Iterable[str]:
        return (PRIVATE_KEY,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:  # noqa: ARG002 (a layer's form)
        """Without a look: a key that was left unread would go on below its first line."""
        marks = sorted({(end, number) for number, end in hits})
        done = 0
        for index, (at, number) in enumerate(marks):
            if number != 0 or at <= done:
                continue
            end = self._end(data, at, marks, index)
            while end < len(data) and data[end] == 0x2D:
                end += 1
            done = end
            if _holds_a_key(data[at : min(end, at + 400)]):
                yield Span(_begin(data, at), end, TOKEN, PRIVATE_KEY)

    def _end(self, data: bytes, at: int, marks: Sequence[tuple[int, int]], index: int) -> int:
        """The end of the `END` line, or of what still looks like a key. A begin may be reported several times."""
        for later, number in marks[index + 1 : index + 8]:
            if number == 1 and later - at <= LONGEST_PRIVATE_KEY:
                return later
            if number == 0 and later - at > 12:
                break
        beyond = bisect(marks, (at + 40, len(marks)), index)
        until = marks[beyond][0] - 20 if beyond < len(marks) else len(data)
        body = _BODY.match(data, at, max(at, min(until, at + LONGEST_PRIVATE_KEY)))
        end = at if body is None else body.end()
        while (line := data.rfind(b"\n", at, end)) > at and _PROSE.fullmatch(data, line, end):
            end = line
        return end


def _begin(data: bytes, at: int) -> int:
    start = data.rfind(b"BEGIN", max(0, at - 120), at)
    while start > 0 and data[start - 1] in b"- ":
        start -= 1
    return start


def _holds_a_key(body: bytes) -> bool:
    """Whether there is more than the words around a key, and no program that puts one together."""
    return _OF_KEY.search(body) is not None and _PUT_TOGETHER.match(body) is None


_PUT_TOGETHER = re.compile(rb"-*(?:\\{1,2}[nr])*\\?[\"'`]\s*(?:;|\+=?\s*[A-Za-z_$(]|,\s*[A-Za-z_$])")
"""`"-----BEGIN PRIVATE KEY-----\\n" + body`: the string ends behind the heading."""


_OF_KEY = re.compile(rb"(?:[A-Za-z0-9+/=]|[\x80-\xff]|\\[nr]){%d}" % LEAST_OF_PRIVATE_KEY)
RECOVERY_PHRASE = "recovery-phrase"


class RecoveryPhraseLayer:
    """Twelve or more words of the list that wallets draw from, in a row, and most of them once."""

    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(r"(?:[a-z]{3,8} ){11}[a-z]{3,8}(?:$|[^a-z ]| [^a-z]| [a-z]{1,2}[^a-z])")]

    def kinds(self) -> Iterable[str]:
        return (RECOVERY_PHRASE,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = 0
        for _, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done or not work.allows(end):
                continue
            start, stop = max(done - RECOVERY_BACK, end - RECOVERY_BACK, 0), min(len(data), end + RECOVERY_AHEAD)
            done = stop - RECOVERY_BACK
            for first, last in _runs_of(recovery_words(), data, start, stop):
                done = max(done, last)
                words = data[first:last].split()
                if 2 * len({*words}) > len(words) and not _is_list(data, first, last):
                    yield Span(first, last, TOKEN, RECOVERY_PHRASE)


def _is_list(data: bytes, first: int, last: int) -> bool:
    """Whether it is part of the list itself: in its order, among more of its words than a phrase has."""
    words = data[first:last].split()
    if words != sorted(words):
        return False
    around = data[max(0, first - RECOVERY_AHEAD) : last + RECOVERY_AHEAD].split()
    return sum(word in recovery_words() for word in around) > MOST_RECOVERY_WORDS


def _runs_of(words: frozenset[bytes], data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where at least twelve of the words stand in a row."""
    first = last = count = 0
    for found in _WORD.finditer(data, start, end):
        joined = count and data[last : found.start()] in (b" ", b"\n")
        if found.group() not in words or not (joined or not count):
            if count >= LEAST_RECOVERY_WORDS:
                yield first, last
            count = 0
        if found.group() in words:
            first = first if count else found.start()
            count, last = count + 1, found.end()
    if count >= LEAST_RECOVERY_WORDS:
        yield first, last


_WORD = re.compile(rb"[A-Za-z0-9_]+")
