"""A text read name by name: each value judged by what stands before it."""

from __future__ import annotations

from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.judge import Claim, is_secret
from baton.adapters.redaction.names import PASSWORD, STEMS, TOKEN, WEAK, strength_of
from baton.adapters.redaction.protected import names_a_person
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.worth import mixed, wordlike
from baton.adapters.redaction.written import Reader, Written

_NAME = finder(rf"(?i)([\w.$-]*(?:{'|'.join(STEMS)})[\w.-]*)([^=:>,|]*)\|?[=:>,|]$")
_TYPE_BETWEEN = finder(
    r"(?i)[\s\"'\])\\\x60]*(?:[*&]?(?:string|str|text|char|bytes?|auto|const|final|varchar))?[\s\"'\])?*$+.|\\\x60;-]*"
)
_FIRST_ARGUMENT = finder(r"""\(\s*[a-z]?["'\x60][\w.$ -]*["'\x60]\s*,$""")
_BACK = 80
_LONGEST_KEY = 300
KINDS = {PASSWORD: "password", TOKEN: "secret", WEAK: "credential"}


class Reading(Reader):
    """A text with the verdicts given in it: the same words around the same value are judged once."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._verdicts: dict[tuple[bytes, bytes, bytes, Written], Span | None] = {}
        self._spoken: dict[tuple[bytes, bytes, bool], bool] = {}

    def judged(self, place: Written, end: int, named: bytes = b"") -> Span | None:
        """The span of a secret; `named` where the name does not stand right before the operator."""
        data, start = self.data, place.start
        before = data[max(0, end - _BACK) : end]
        moved = Written(start - end, place.end - end, place.quote, place.below)
        key = (named, before, data[start : min(place.end + 1, start + _LONGEST_KEY)], moved)
        if key not in self._verdicts:
            verdict = self._judge(place, end, before, named)
            self._verdicts[key] = verdict and Span(verdict.start - end, verdict.end - end, *verdict[2:])
        known = self._verdicts[key]
        return known and Span(known.start + end, known.end + end, *known[2:])

    def is_spoken_secret(self, name: bytes, held: bytes, clear: bool) -> bool:
        key = (name, held, clear)
        if key not in self._spoken:
            unusual = mixed(held) and (clear or not wordlike(held.rstrip(b"0123456789s")))
            claim = Claim(PASSWORD if clear else WEAK, name, held, quoted=clear, adjacent=clear)
            self._spoken[key] = unusual and is_secret(claim)
        return self._spoken[key]

    def _judge(self, place: Written, end: int, before: bytes, named: bytes) -> Span | None:
        data, name, between = self.data, named, b""
        if not named:
            found = _NAME.search(before)
            while found is not None and strength_of(found.group(1)) is None:
                found = _NAME.search(before, found.end(1))
            if found is None:
                return None
            name, between = found.group(1), found.group(2)
        strength = strength_of(name)
        if strength is None or (not named and data[end - 1] == 0x2C and _FIRST_ARGUMENT.search(before) is None):
            return None
        place = self.without_scheme(place)
        if not place.quote:
            place = _trimmed(data, place, end, name)
        held = data[place.start : place.end]
        adjacent = _TYPE_BETWEEN.fullmatch(between) is not None
        if data[end - 1] == 0x2C and wordlike(held):
            return None
        quoted = bool(place.quote) or named == b"secret" or _is_delimited(data, place, end, name)
        below = place.below and not place.quote and data[end - 1 : end] != b">"
        claim = Claim(strength, name, held, quoted, adjacent, below)
        if not is_secret(claim) or names_a_person(data, end):
            return None
        return Span(place.start, place.end, CONTEXT, KINDS[strength])


def _is_delimited(data: bytes, place: Written, end: int, name: bytes) -> bool:
    """Whether a bare value is text all the same: between tags, or in a query string."""
    before = end - len(name) - 2
    return (data[end - 1] == 0x3E and data[place.end : place.end + 1] == b"<") or data[before : before + 1] == b"&"


def _trimmed(data: bytes, place: Written, end: int, name: bytes) -> Written:
    """A bare value of a query string ends at `&`."""
    before = end - len(name) - 2
    held = data[place.start : place.end]
    if b"&" in held and (data[max(0, before) : before + 1] in (b"?", b"&") or b"=" in held):
        return Written(place.start, place.start + max(1, held.find(b"&")), b"", place.below)
    return place
