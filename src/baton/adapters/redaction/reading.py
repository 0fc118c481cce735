"""A text read name by name: each value judged by what stands before it."""

from __future__ import annotations

from typing import NamedTuple

from baton.adapters.redaction.claim import Claim
from baton.adapters.redaction.company import has_server, has_user, is_said_once, is_setting
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.judge import is_secret, is_spoken
from baton.adapters.redaction.names import PASSWORD, STEMS, TOKEN, WEAK, strength_of
from baton.adapters.redaction.protected import names_a_person
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.worth import wordlike
from baton.adapters.redaction.written import Reader, Written

_NAME = finder(rf"(?i)([\w.$-]*(?:{'|'.join(STEMS)})[\w.-]*)([^=:>,|]*)\|?[=:>,|]$")
_TYPE_BETWEEN = finder(
    r"(?i)(?:\[\])?[\s\"'\])\\\x60]*(?:[*&]?(?:string|str|text|char|bytes?|auto|const|final|varchar))?[\s\"'\])?*$+.|\\\x60;-]*"
)
_FIRST_ARGUMENT = finder(
    r"""(?:\(|\bbuildConfigField|\bresValue)\s*(?:["']String["']\s*,\s*)?[a-z]?["'\x60][\w.$ -]*["'\x60]\s*,$"""
)
_NEXT_PART = finder(r";(?:[A-Za-z][\w ]{1,30}=|$)")
_AFTER_PART = (b";", b'"', b"'", b"", b"\n", b"<")
_BACK, _AROUND = 80, 256
_LONGEST_KEY = 300
_COMMA = 0x2C
_ELSEWHERE = finder(r"[?&\n]")
_NO_NAME = b" \t\"'])"
KINDS = {PASSWORD: "password", TOKEN: "secret", WEAK: "credential"}


class _Verdict(NamedTuple):
    """Places count from the operator's end. `open` is the claim that the company of the value may still decide."""

    span: Span | None
    open: Claim | None = None
    first: int = 0
    last: int = 0


_NOTHING = _Verdict(None)


class Reading(Reader):
    """A text with the verdicts given in it: the same words around the same value are judged once."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._verdicts: dict[tuple[bytes, bytes, bytes, Written], _Verdict] = {}
        self._held_in: dict[tuple[int, bytes], bool] = {}
        self._spoken: dict[tuple[bytes, bytes, bool, bool], bool] = {}

    def judged(self, place: Written, end: int, named: bytes = b"") -> Span | None:
        """The span of a secret; `named` where the name does not stand right before the operator."""
        data, start = self.data, place.start
        before = data[max(0, end - _BACK) : end]
        moved = Written(start - end, place.end - end, place.quote, place.below)
        key = (named, before, data[start : min(place.end + 1, start + _LONGEST_KEY)], moved)
        verdict = self._verdicts.get(key)
        if verdict is None:
            verdict = self._verdicts[key] = self._judge(place, end, before, named)
        if verdict.span is not None:
            return Span(verdict.span.start + end, verdict.span.end + end, *verdict.span[2:])
        if verdict.open is None:
            return None
        return self._in_company(verdict.open, verdict.first + end, verdict.last + end)

    def is_spoken_secret(self, name: bytes, held: bytes, clear: bool, quoted: bool) -> bool:
        key = (name, held, clear, quoted)
        if key not in self._spoken:
            self._spoken[key] = is_spoken(name, held, clear, quoted)
        return self._spoken[key]

    def _judge(self, place: Written, end: int, before: bytes, named: bytes) -> _Verdict:
        data = self.data
        name, between = (named, b"") if named else _name_in(before)
        strength = strength_of(name)
        if strength is None or (not named and _is_no_assignment(data, end, before, name)):
            return _NOTHING
        place = _trimmed(data, self.without_scheme(place), end, name)
        held = data[place.start : place.end]
        listed = data[end - 1] == _COMMA and wordlike(held)
        if (listed and strength != PASSWORD) or held.endswith(b"." + name):
            return _NOTHING
        adjacent = _TYPE_BETWEEN.fullmatch(between) is not None
        quoted = bool(place.quote) or named == b"secret" or _is_delimited(data, place, end, name)
        below = place.below and not place.quote and data[end - 1 : end] != b">"
        claim = Claim(strength, name, held, quoted, adjacent, below)
        if names_a_person(data, end):
            return _NOTHING
        if not listed and is_secret(claim):
            return _Verdict(Span(place.start - end, place.end - end, CONTEXT, KINDS[strength]))
        if below or not adjacent or strength == WEAK or not 4 <= len(held) <= _LONGEST_KEY:
            return _NOTHING
        return _Verdict(None, claim, place.start - end, place.end - end)

    def _in_company(self, claim: Claim, first: int, last: int) -> Span | None:
        """Once more, with what stands around it; the same surroundings are looked at once."""
        key = (claim.strength, self.data[max(0, first - _AROUND) : last + _AROUND])
        held = self._held_in.get(key)
        if held is None:
            held = self._held_in[key] = self._is_held_in(claim, first, last)
        return Span(first, last, CONTEXT, KINDS[claim.strength]) if held else None

    def _is_held_in(self, claim: Claim, first: int, last: int) -> bool:
        data = self.data
        accompanied = has_user(data, first) or (claim.quoted and has_server(data, first))
        literal = not claim.quoted and (
            is_setting(data, first, last) or (accompanied and is_said_once(data, first, last))
        )
        return (accompanied or literal) and is_secret(claim._replace(literal=literal, accompanied=accompanied))


def _name_in(before: bytes) -> tuple[bytes, bytes]:
    """The name before an operator and what is between them: of several the first of the last line or part of a link."""
    named, between = b"", b""
    found = _NAME.search(before)
    while found is not None and (not named or _ELSEWHERE.search(between)):
        name = found.group(1).rstrip(_NO_NAME)
        if strength_of(name) is not None:
            named, between = name, found.group(2)
        found = _NAME.search(before, found.end(1))
    return named, between


def _is_no_assignment(data: bytes, end: int, before: bytes, name: bytes) -> bool:
    """A later argument of a call, a comparison, or a variable in a shell's word such as `$PWD:/work`."""
    operator = data[end - 1]
    if operator == _COMMA:
        return _FIRST_ARGUMENT.search(before) is None
    return (operator == 0x3E and data[end : end + 1] == b"=") or (operator == 0x3A and name.startswith(b"$"))


def _is_delimited(data: bytes, place: Written, end: int, name: bytes) -> bool:
    """Whether a bare value is text all the same: between tags, in a query string or a connection string."""
    at = max(0, end - len(name) - 1)
    before = data[max(0, at - 2) : at].rstrip()[-1:]
    if data[end - 1] == 0x3E:
        return data[place.end : place.end + 1] == b"<"
    return before == b"&" or (
        before == b";" and data[end - 1] == 0x3D and data[place.end : place.end + 1] in _AFTER_PART
    )


def _trimmed(data: bytes, place: Written, end: int, name: bytes) -> Written:
    """A bare value ends at `&` in a query string, at `;` in a connection string; a quoted one may be quoted twice."""
    held = data[place.start : place.end]
    if place.quote:
        twice = len(held) > 2 and held[0] in b"\"'" and held[-1] == held[0]
        return Written(place.start + 1, place.end - 1, place.quote, place.below) if twice else place
    before = end - len(name) - 2
    if b"&" in held and (data[max(0, before) : before + 1] in (b"?", b"&") or b"=" in held):
        return Written(place.start, place.start + max(1, held.find(b"&")), b"", place.below)
    part = _NEXT_PART.search(held) if b";" in held else None
    return Written(place.start, place.start + max(1, part.start()), b"", place.below) if part else place
