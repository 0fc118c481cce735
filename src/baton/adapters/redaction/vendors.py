"""Vendors' keys without a form of their own: a vendor's name, an operator, a value of the shape it publishes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from baton.adapters.redaction.entropy import (
    entropy,
    has_digit,
    is_alphabet,
    is_made_of_words,
    is_mixed,
    is_random,
    is_wordlike,
)
from baton.adapters.redaction.expression import Expression, compile_rule
from baton.adapters.redaction.grain import has_grain
from baton.adapters.redaction.judge import Claim, is_drawn, is_secret
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.lookalikes import is_name, is_object_of, is_uuid, is_version, names_a_person
from baton.adapters.redaction.names import TOKEN, says_where
from baton.adapters.redaction.programs import is_of_program
from baton.adapters.redaction.public import is_in_arn
from baton.adapters.redaction.rules_file import VendorRule, vendor_rules
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    LEAST_ENTROPY_BESIDE_VENDOR,
    SHORTEST_LONG,
    SHORTEST_SECRET,
    SHORTEST_TOKEN,
    VENDOR_AHEAD,
    VENDOR_BACK,
)
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.value_reader import ValueReader, WrittenValue
from baton.adapters.redaction.work import Work

_GAP = r"""[^\n=]{0,40}"""
_OPERATOR = r"""(?:[=:>]|[,|][ \t]{0,3}[bru]?["'\x60])"""
_OPERATORS = b"=:>,|"
_SAID = r"[\w .-]{0,20}(?:key|token|secret|password)[ \t]{1,3}[A-Za-z0-9][A-Za-z0-9_-]{15}"
_SAID_LENGTH = 16
"""As many characters as `_SAID` ends with."""
_SAYS_KEY = Expression(
    r"(?i)key|token|secret|pass|auth|cred|api|app|access|client|bearer|pat\b|login|webhook|[_.-]id\b|sid\b"
)
_SAYS_SECRET = Expression(r"(?i)key|token|secret|pass|auth|cred|bearer|pat\b|webhook|(?:api|login)[\"']?[ \t]*[:=]")
"""What makes a key of a UUID or a hash, which programs have for everything."""
_RESOURCE = Expression(r"[A-Z]\w+::[A-Z]\w+::[A-Z]\w+[\"']?[ \t]*:[ \t]*$")
"""The type of a resource, as CloudFormation names them."""
_DIGIT = re.compile(rb"[0-9]")
_NO_DIGIT = re.compile(
    rb"""[=:>~|?+]*+[ \t]{0,64}+(?:"(?:[^"\\\n0-9]{1,128}+|[~^<>=v]{0,2}+[0-9]++(?:\.[0-9]++)++)\""""
    rb"""|'(?:[^'\\\n0-9]{1,128}+|[~^<>=v]{0,2}+[0-9]++(?:\.[0-9]++)++)'|(?!\|)[^\s"'`<>0-9]{1,128}+\n"""
    rb"""|\r?\n[ \t]{0,63}+[A-Za-z_-]{1,64}+:\s)"""
)
"""A value that is no key: no digit, or a version, in quotes or up to the end of the line; or the next line's name. Lock
files hold little else."""
_TOGETHER = 25
_HASHES = (b"sha256:", b"sha512:", b"sha1:", b"h1:")
"""Written before a hash: no name of a key."""
_NO_KEY = (b"sha512-", b"sha384-", b"sha256-", b"sha1-", b"sha256:", b"sha512:", b"h1:", b"//")
"""Hashes and addresses begin like this."""


class VendorLayer:
    def anchors(self) -> Sequence[Anchor]:
        return self._anchors

    @cached_property
    def _anchors(self) -> list[Anchor]:
        """Some names at a time: the prefilter limits the size of a pattern."""
        names = self._names
        some = (names[start : start + _TOGETHER] for start in range(0, len(names), _TOGETHER))
        named = [f"(?:{'|'.join(each)})" for each in some]
        assigned = [Anchor(f"{each}{_GAP}{_OPERATOR}", caseless=True) for each in named]
        return [*assigned, *(Anchor(f"{each}{_SAID}", caseless=True) for each in named)]

    def kinds(self) -> Iterable[str]:
        return (rule.kind for rule in self._rules)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        reader = ValueReader(data)
        verdicts: dict[tuple[bytes, bytes], Span | None] = {}
        done, assigned = 0, len(self.anchors()) // 2
        for end, said in sorted({(end, number >= assigned) for number, end in hits}):
            if end <= done or work.gives_up(end, lines=1):
                continue
            found = self._read_sentence(reader, end, work) if said else self._read_once(reader, end, verdicts, work)
            if found is not None:
                done = found.end
                if not is_of_program(data, found.start, found.end):
                    yield found

    def _read_once(
        self, reader: ValueReader, end: int, verdicts: dict[tuple[bytes, bytes], Span | None], work: Work
    ) -> Span | None:
        """The same words around the same value are judged once; most values need no judge."""
        data = reader.data
        while data[end - 1] not in _OPERATORS:
            end -= 1
        if _NO_DIGIT.match(data, end) or data[max(0, end - 7) : end].lower().endswith(_HASHES):
            return None
        if not _DIGIT.search(data, end, end + 128):
            return None
        if is_in_arn(data, end):
            return None
        place = reader.value(end)
        place = place and _without_other_parts(data, reader.without_scheme(place))
        if place is None or place.end - place.start < SHORTEST_TOKEN:
            return None
        value = data[place.start : min(place.end, place.start + VENDOR_AHEAD)]
        if not has_digit(value) or value.startswith(_NO_KEY) or is_version(value):
            return None
        key = (data[max(0, end - VENDOR_BACK) : end], data[end : end + VENDOR_AHEAD])
        if key not in verdicts:
            if not work.allows(end, lines=1):
                return None
            found = self._judge(data, place, end)
            verdicts[key] = found and Span(found.start - end, found.end - end, *found[2:])
        known = verdicts[key]
        return known and Span(known.start + end, known.end + end, *known[2:])

    def _read_sentence(self, reader: ValueReader, end: int, work: Work) -> Span | None:
        """`their secret 3f2a…`: without an operator the value must have the vendor's shape."""
        start = end - _SAID_LENGTH
        place = reader.bare(start)
        if place is None or not has_digit(reader.data[place.start : place.end]) or not work.allows(end):
            return None
        return self._judge(reader.data, place, start, strict=True)

    def _judge(self, data: bytes, place: WrittenValue, end: int, strict: bool = False) -> Span | None:
        value = data[place.start : min(place.end, place.start + VENDOR_AHEAD)]
        if (
            not has_digit(value)
            or (is_wordlike(value) and not is_drawn(value))
            or entropy(value) < LEAST_ENTROPY_BESIDE_VENDOR
        ):
            return None
        before = data[max(0, end - VENDOR_BACK) : end]
        rule, between = self._vendor_named(before[before.rfind(b"\n", 0, -1) + 1 :])
        if rule is None:
            return None
        if _is_about_something_else(between):
            return None
        told = _SAYS_KEY.search(between) is not None
        shaped = compile_rule(rule.shape).fullmatch(value) is not None
        expected = told and shaped
        if not (is_random(value) and len(value) >= SHORTEST_LONG) and not expected:
            return None
        if not shaped and (strict or not told):
            return None
        if _RESOURCE.search(before) or (not told and b"::" in between) or has_grain(value):
            return None
        if is_alphabet(value) and not (expected and (is_mixed(value) or not in_code(data, place.start))):
            return None
        if (
            (is_name(value) and _SAYS_SECRET.search(between) is None)
            or names_a_person(data, end)
            or _is_named_id(between, value)
        ):
            return None
        claim = Claim(TOKEN, between[-40:] + b"token", value, bool(place.quote), adjacent=True, expected=expected)
        if not is_secret(claim):
            return None
        return Span(place.start, place.end, CONTEXT, rule.kind)

    def _vendor_named(self, before: bytes) -> tuple[VendorRule | None, bytes]:
        """The vendor named last before the operator, and the words from there on."""
        mentioned = list(self._any_name.finditer(before))
        if not mentioned:
            return None, b""
        found = mentioned[-1]
        if _is_within_token(before, found.start(), found.end()) or _is_within_word(before, found.start(), found.end()):
            return None, b""
        return self._rules[self._rule_of(found.group())], before[found.start() :]

    def _rule_of(self, name: bytes) -> int:
        written_as = name.lower().decode("latin-1")
        for number, expression in self._spellings.get(written_as[:2], ()):
            if expression.fullmatch(name):
                return number
        return 0

    @cached_property
    def _rules(self) -> tuple[VendorRule, ...]:
        return vendor_rules()

    @cached_property
    def _names(self) -> list[str]:
        return [_pattern(name) for rule in self._rules for name in rule.names]

    @cached_property
    def _any_name(self) -> Expression:
        return compile_rule(f"(?i)(?:{'|'.join(sorted(self._names, key=len, reverse=True))})")

    @cached_property
    def _spellings(self) -> dict[str, list[tuple[int, Expression]]]:
        spellings: dict[str, list[tuple[int, Expression]]] = {}
        for number, rule in enumerate(self._rules):
            for name in rule.names:
                spellings.setdefault(name[:2], []).append((number, compile_rule(f"(?i){_pattern(name)}")))
        return spellings


_CALLED_ID = Expression(r"(?i)[a-z]{2,20}[_.-]?id[\"'\])]{0,2}[ \t]*(?::=|[:=,])[ \t]*")
"""`github_id`: which account, as far as it is nothing but the vendor's. What gives access says so."""
_ID_OF_ACCESS = Expression(
    r"(?i)(?:app|client|key|access|secret|token|sess(?:ion)?|auth)[_.-]?id[\"'\])]{0,2}[ \t]*[:=,]"
)
_SAYS_SUM = Expression(
    r"(?:[_.-](?i:hash|digest|fingerprint|checksum)|[a-z](?:Hash|Digest|Fingerprint|Checksum))"
    r"[\"'\])]{0,2}[ \t]*(?::=|[:=])[ \t]*$"
)
"""A sum of the key: `googleAccessTokenHash`."""
_AROUND_NAME = b" \t\"'`])=:>,|"
_LETS_IN = Expression(rf"{_SAYS_KEY.pattern}|^(?:code|sig|k|t)$")
_IN_LINK = Expression(
    r"(?i)[\w-]{2,30}\.(?:com|net|org|io|co|dev|app|ai)(?:/[^\s\"'?]*)?"
    r"(?:\?(?:[^\s\"']*&)?([a-z][\w.-]{0,30})=|/?\"[^\n]{0,40},[ \t]*\"(\w{1,30})\"[ \t]*:[ \t]*)$"
)
"""A vendor's word in a link says where it goes: the parameter, or the next name of JSON, says what its value is."""
_ID = re.compile(rb"(?i)[_. -]?id[\"'\])]{0,2}[ \t]*[:=]{1,2}[ \t]*\Z")


def _is_named_id(between: bytes, value: bytes) -> bool:
    """A UUID beside a name that ends with id, or an object whose kind is short for that name: `vault_id: "vlt_01…"`."""
    return _ID.search(between) is not None and (is_uuid(value) or is_object_of(between, value))


def _is_about_something_else(between: bytes) -> bool:
    """Whether the name is an id, a sum or a place, or the vendor's word is the host of a link or of a part of JSON."""
    if _CALLED_ID.fullmatch(between) and not _ID_OF_ACCESS.search(between):
        return True
    if _SAYS_SUM.search(between) or says_where(between.rstrip(_AROUND_NAME)):
        return True
    link = _IN_LINK.match(between)
    return link is not None and not _LETS_IN.search(link.group(1) or link.group(2))


_NEXT_PART = re.compile(rb"&[A-Za-z_]\w*=")


def _without_other_parts(data: bytes, place: WrittenValue) -> WrittenValue:
    """A value in a link ends where the next one begins."""
    after = _NEXT_PART.search(data, place.start, place.end)
    return place._replace(end=after.start()) if after else place


_HUMP = re.compile(rb"[a-z][A-Z][a-z]?\Z")
_GOES_ON = re.compile(rb"(?i)api|app|auth|bot|client|cred|dev|hook|id\b|io|key|live|pass|prod|pwd|sdk|secret|tok|web")


def _is_within_word(before: bytes, start: int, end: int) -> bool:
    """Whether a short name begins a longer word, or its letters belong to several: `exports`, `rookTable`."""
    if before[end : end + 1].islower() and _HUMP.search(before, start, end):
        return True
    return end - start <= SHORTEST_SECRET and before[end : end + 1].islower() and _GOES_ON.match(before, end) is None


def _is_within_token(before: bytes, start: int, end: int) -> bool:
    """Whether a name is letters of a random id that happen to spell it: `call_3Sa2t8DxvBuo9MhnxGandilR`."""
    first, last = start, end
    while first > 0 and before[first - 1 : first].isalnum():
        first -= 1
    while last < len(before) and before[last : last + 1].isalnum():
        last += 1
    word = before[first:last]
    return len(word) >= SHORTEST_LONG and len(word) > end - start and not (is_wordlike(word) or is_made_of_words(word))


def _pattern(name: str) -> str:
    """Short names are words of their own; `_?` allows a blank, a dot or a hyphen too."""
    spelled = name.replace("_?", "[_. -]?")
    return spelled if len(name) > 4 else rf"(?:\b|_){spelled}"
