"""Values that a name is given: read, trimmed and judged, the same words around the same value once."""

from __future__ import annotations

import re
from typing import NamedTuple

from baton.adapters.redaction.assigned_names import (
    COMMA,
    is_no_assignment,
    name_in,
    says_no_password,
    says_what_is_done,
)
from baton.adapters.redaction.chosen_tokens import is_chosen
from baton.adapters.redaction.drawn_words import is_drawn_word
from baton.adapters.redaction.entropy import has_digit, is_in_order, is_wordlike
from baton.adapters.redaction.escaped_ends import line_end
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.judge import Claim, is_count, is_drawn, is_secret, is_spoken_secret
from baton.adapters.redaction.lookalikes import is_version, may_be_variable, names_a_person
from baton.adapters.redaction.meanings import is_secret_of_words, tells_another
from baton.adapters.redaction.names import PASSWORD, TOKEN, WEAK, strength_of
from baton.adapters.redaction.neighbours import has_server, has_user, is_said_once, is_setting
from baton.adapters.redaction.phrases import GOES_ON, bare_end, is_unsaid
from baton.adapters.redaction.programs import is_called_so, is_link
from baton.adapters.redaction.rules_file import sentence_words
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    FLAG_BACK,
    NAME_BACK,
    SHORTEST_SCRAMBLED,
    SHORTEST_SECRET,
    SHORTEST_TOKEN,
    VERDICT_AROUND,
    VERDICT_LONGEST,
)
from baton.adapters.redaction.typed import in_code, is_phrase, is_typed, phrase_end
from baton.adapters.redaction.value_reader import ValueReader, WrittenValue
from baton.adapters.redaction.work import Work

_DEFINES = Expression(
    r"(?i)\b(?:define|putenv|setenv|set_?config|config_?set|set_?property|prop(?:ertie)?s\.put|env\.put)"
    r"\(\s*[\"'][\w.$-]*[\"']\s*,$"
)
_NO_SIGN = re.compile(rb"::|->")
"""Of names in code and in the lines of a test run, and of what a function returns."""
NEXT_WORD = re.compile(rb"[ \t]+([a-z']+)")
_TYPE_BETWEEN = Expression(
    r"(?i)(?:\[\w{0,16}\])?[\s\"'\])\\\x60]*(?:[*&]?(?:string|str|text|char|bytes?|auto|const|final|varchar))?[\s\"'\])?*$+.|\\\x60;-]*"
)
_CLOSES = re.compile(rb"[)}\]]")
_NEXT_PART = Expression(r";(?:[A-Za-z][\w ]{1,30}=|$)")
_PAIR = re.compile(rb"[A-Za-z][\w.@-]{0,40}:([^\s:]{4,})")
"""A user and a password: `auth: bob:heron7302`."""
_NEXT_FIELD = re.compile(rb"(?<=.),[A-Za-z_][\w.-]{1,30}[=:]")
"""`password=x,vers=3.0`: the next option."""
_AFTER_PART = (b";", b'"', b"'", b"", b"\n", b"<")
PAIRED_NAMES = (b"secret", b"the key")
_AFTER_TEXT = (b"</", b"<b", b"<B", b"<!", b"<s")
"""Of a tag's end, a break or a comment; types in brackets go on otherwise."""
KINDS = {PASSWORD: "password", TOKEN: "secret", WEAK: "credential"}


class _Verdict(NamedTuple):
    """Offsets count from the operator's end. `open` is a claim that the value's neighbours may still decide."""

    span: Span | None
    open: Claim | None = None
    first: int = 0
    last: int = 0


_NOTHING = _Verdict(None)


class AssignmentReader(ValueReader):
    """Reads one text and remembers its verdicts: the same words around the same value are judged once."""

    def __init__(self, data: bytes, work: Work) -> None:
        super().__init__(data)
        self._work = work
        self._verdicts: dict[tuple[bytes, bytes, bytes, WrittenValue], _Verdict] = {}
        self._beside: dict[tuple[int, bytes, int, int], bool] = {}
        self._spoken: dict[tuple[bytes, bytes, bool, bool], bool] = {}

    def judge(self, place: WrittenValue, end: int, named: bytes = b"") -> Span | None:
        """The span of a secret, or None. `named` gives the name if it does not stand right before the operator."""
        data, place = self.data, self.without_scheme(place)
        start, before = place.start, data[max(0, end - NAME_BACK) : end]
        if _is_beyond_doubt(data[place.start : place.end], named or before):
            return None
        moved = WrittenValue(start - end, place.end - end, place.quote, place.below)
        key = (named, before, data[start : min(place.end + 1, start + VERDICT_LONGEST)], moved)
        verdict = self._verdicts.get(key)
        if verdict is None:
            if not self._work.allows(end, lines=1):
                return None
            verdict = self._verdicts[key] = self._judge(place, end, before, named)
        if verdict.span is not None:
            found = Span(verdict.span.start + end, verdict.span.end + end, *verdict.span[2:])
            return found if place.quote else self._with_phrase(found)
        if verdict.open is None:
            return None
        return self._judge_with_neighbours(verdict.open, verdict.first + end, verdict.last + end)

    def _with_phrase(self, found: Span) -> Span:
        """The rest of a pass phrase too, if a bare password is the first of several words."""
        if found.kind != KINDS[PASSWORD] or self.data[found.end : found.end + 1] != b" ":
            return found
        end = phrase_end(self.data, found.start, found.end)
        if end <= found.end and _GIVES.search(self.data, max(0, found.start - 8), found.start):
            second = _SECOND.match(self.data, found.end)
            if second and _is_word_of_phrase(second[1]):
                return found._replace(end=second.end(1))
        return found._replace(end=end if end > found.end else bare_end(self.data, found.start, found.end))

    def is_spoken_secret(self, name: bytes, first: int, last: int, clear: bool, quoted: bool) -> bool:
        value = self.data[first:last]
        key = (name, value, clear, quoted)
        if key not in self._spoken:
            if not self._work.allows(last):
                return False
            self._spoken[key] = is_spoken_secret(name, value, clear, quoted)
        return self._spoken[key]

    def _judge(self, place: WrittenValue, end: int, before: bytes, named: bytes) -> _Verdict:
        data = self.data
        name, between = (named, b"") if named else name_in(before)
        strength = strength_of(name)
        if strength is None or (not named and is_no_assignment(data, end, before, name)):
            return _NOTHING
        place = _trim(data, place, end, name)
        value = data[place.start : place.end]
        listed = data[end - 1] == COMMA and is_wordlike(value) and not _DEFINES.search(before)
        if (listed and strength != PASSWORD) or value.endswith(b"." + name):
            return _NOTHING
        if strength == PASSWORD and is_link(value):
            return _NOTHING
        adjacent = _TYPE_BETWEEN.fullmatch(between) is not None
        quoted = bool(place.quote) or _is_delimited(data, place, end, name)
        quoted = quoted or (named in PAIRED_NAMES and not may_be_variable(value))
        below = place.below and not place.quote and data[end - 1 : end] != b">"
        claim = Claim(strength, name, value, quoted, adjacent, below)
        if names_a_person(data, end) or is_called_so(before, value, bool(place.quote)):
            return _NOTHING
        if not quoted and says_what_is_done(data, name, place.start):
            return _NOTHING
        if not listed and not (strength == PASSWORD and not quoted and may_be_variable(value)) and is_secret(claim):
            return _Verdict(Span(place.start - end, place.end - end, CONTEXT, KINDS[strength]))
        if below or not adjacent or strength == WEAK or not SHORTEST_SECRET <= len(value) <= VERDICT_LONGEST:
            return _NOTHING
        return _Verdict(None, claim, place.start - end, place.end - end)

    def _judge_with_neighbours(self, claim: Claim, first: int, last: int) -> Span | None:
        """Judges again with the neighbours; the same surroundings are judged once."""
        near = max(0, first - VERDICT_AROUND)
        key = (claim.strength, self.data[near : last + VERDICT_AROUND], first - near, last - first)
        value = self._beside.get(key)
        if value is None:
            value = self._beside[key] = self._is_secret_beside(claim, first, last)
        if not value:
            return None
        found = Span(first, last, CONTEXT, KINDS[claim.strength])
        return found if claim.quoted else self._with_phrase(found)

    def _is_secret_beside(self, claim: Claim, first: int, last: int) -> bool:
        data = self.data
        accompanied = has_user(data, first) or (claim.quoted and has_server(data, first))
        literal = not claim.quoted and (
            is_setting(data, first, last)
            or (accompanied and is_said_once(data, first, last))
            or (claim.strength == TOKEN and _PLAIN.fullmatch(claim.value) is not None and not in_code(data, first))
        )
        if not claim.quoted and not literal and may_be_variable(claim.value) and in_code(data, first):
            return False
        if (accompanied or literal) and is_secret(claim._replace(literal=literal, accompanied=accompanied)):
            return True
        if is_drawn_word(claim) and self._is_given(claim, first, last):
            return True
        if claim.strength == TOKEN:
            if is_in_order(claim.value) and is_secret(claim._replace(expected=True)) and not in_code(data, first):
                return True
            told = claim.quoted or literal or not in_code(data, first)
            return (told and is_secret_of_words(claim.name, claim.value)) or is_chosen(data, claim, first, last)
        return claim.strength == PASSWORD and self._is_typed(claim, first, last)

    def _is_given(self, claim: Claim, first: int, last: int) -> bool:
        """Whether the name is given it: in quotes and no further argument, or as all that follows on the line, which is
        no program's.
        """
        if not claim.quoted:
            return _ENDS_LINE.match(self.data, last) is not None and not in_code(self.data, first)
        return _LISTED.search(self.data, max(0, first - 8), first) is None

    def _is_typed(self, claim: Claim, first: int, last: int) -> bool:
        """Outside code a word, a number or a phrase beside a word for a password is one; in quotes everywhere."""
        if (
            tells_another(claim.name, claim.value)
            or is_count(claim.name, claim.value)
            or _NO_SIGN.search(self.data[first - 4 : first])
        ):
            return False
        if claim.quoted:
            if claim.name.isupper() and is_unsaid(claim.value) and is_setting(self.data, first, last):
                return True
            return is_phrase(claim.value.replace(b",", b"")) or (claim.value.isdigit() and is_typed(claim.value))
        joined = _JOINED.search(self.data, max(0, first - 3), first)
        if not is_typed(claim.value) or not (joined or self._ends(last)):
            return False
        return self.data[max(0, first - FLAG_BACK) : first].find(b" --") >= 0 or not in_code(self.data, first)

    def _ends(self, last: int) -> bool:
        """Whether nothing follows that would make a sentence of it."""
        after = NEXT_WORD.match(self.data, last, last + 24)
        return after is None or after.group(1) not in sentence_words()


_GIVES = re.compile(rb"(?<!asswd)[:=] ?\Z")
"""Not of `/etc/nsswitch.conf`, which lists where to look."""
_SECOND = re.compile(rb" ([a-z]{3,16})(?=[ \t]{0,4}(?:\r?\n|\Z))")


def _is_word_of_phrase(word: bytes) -> bool:
    """Whether the second and last word of a line belongs to the password before it, and does not speak about it."""
    return word not in sentence_words() and word not in GOES_ON and is_typed(word + b"0")


_ENDS_LINE = re.compile(rb"[ \t]*+(?:[,;#]|\r?\n|\Z)")
_LISTED = re.compile(rb",[ \t]*[bfru]?[\"'`]\Z")
"""Behind another argument, whose words are no name of it."""
_JOINED = re.compile(rb"[\w\]]=\Z")
"""`password=x is wrong`: what follows belongs to the sentence around."""
_PLAIN = re.compile(rb"[A-Za-z0-9._-]++")


def _is_beyond_doubt(value: bytes, named: bytes) -> bool:
    """Whether it needs no judge: a version, what was cut before, or words or too few letters for a token, beside a name
    that says nothing of a password. The judge says the same, later.
    """
    if is_version(value) or not value.strip(b"[*]"):
        return True
    short = len(value) < SHORTEST_TOKEN or (
        len(value) < SHORTEST_SCRAMBLED and not has_digit(value) and _PLAIN.fullmatch(value) is not None
    )
    if not short and not (_PLAIN.fullmatch(value) and is_wordlike(value) and not is_drawn(value)):
        return False
    return says_no_password(named)


def _is_delimited(data: bytes, place: WrittenValue, end: int, name: bytes) -> bool:
    """Whether a bare value is text nevertheless: between tags, in a query string or in a connection string."""
    at = max(0, end - len(name) - 1)
    before = data[max(0, at - 2) : at].rstrip()[-1:]
    if data[end - 1] == 0x3E:
        return data[place.end : place.end + FLAG_BACK].lstrip()[:2] in _AFTER_TEXT
    return (before == b"&" and b"&&" not in data[max(0, at - 3) : at]) or (
        before == b";" and data[end - 1] == 0x3D and data[place.end : place.end + 1] in _AFTER_PART
    )


def _more(value: bytes) -> int:
    """How far behind a value the next part's name may go on; in a program nothing does."""
    return 0 if _CLOSES.search(value) else FLAG_BACK


def _trim(data: bytes, place: WrittenValue, end: int, name: bytes) -> WrittenValue:
    """A bare value ends at `&` in a query string, at `;` in a connection string; a quoted one may be quoted twice."""
    value = data[place.start : place.end]
    if place.quote:
        twice = len(value) > 2 and value[0] in b"\"'" and value[-1] == value[0]
        return WrittenValue(place.start + 1, place.end - 1, place.quote, place.below) if twice else place
    if (pair := _PAIR.fullmatch(value)) and name[-4:].lower() == b"auth":
        return WrittenValue(place.start + pair.start(1), place.end, b"", place.below)
    if (line := line_end(data, place.start, place.end)) < place.end:
        place = WrittenValue(place.start, line, b"", place.below)
        value = data[place.start : line]
    if b"," in value and (field := _NEXT_FIELD.search(value)) and not in_code(data, place.start):
        place = WrittenValue(place.start, place.start + field.start(), b"", place.below)
        value = value[: field.start()]
    before = end - len(name) - 2
    if b"&" in value and (data[max(0, before) : before + 1] in (b"?", b"&") or b"=" in value):
        return WrittenValue(place.start, place.start + max(1, value.find(b"&")), b"", place.below)
    part = _NEXT_PART.search(data, place.start, min(len(data), place.end + _more(value))) if b";" in value else None
    if part is None or part.start() >= place.end:
        return place
    return WrittenValue(place.start, max(place.start + 1, part.start()), b"", place.below)
