"""Context: values beside a name that says password, token or key, in any notation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.anchor import Anchor, Hit
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.names import STEMS
from baton.adapters.redaction.reading import KINDS, Reading
from baton.adapters.redaction.span import CONTEXT, Span

_GAP = r"""[\w.\- \t"'\x60\]\)\[\\?$*|+&/#;]{0,40}"""
_OPERATOR = r"""(?:[=:>]|[,|][ \t]{0,12}[bru]?["'\x60])"""
_OPERATORS = b"=:>,|"
_QUOTES = b"\"'`"
_FLAG = (
    r"\B-[\w-]{0,31}(?:passw(?:or)?d|passwd|passphrase|pass|pwd?|token|secret|key|auth|credentials?)[ \t]{1,4}[^\s=-]"
)
_SPOKEN = (
    r"passw(?:or)?d|passphrase|passcode|pwd?|pass|token|secret|key|bearer|basic|credentials?|contrase.{1,2}a|passwort"
)
_COPULA = (
    r"(?:(?:is|was|be|to|are|=>|->|value|set|now|still|changed|equals"
    r"|(?:for|of|in|on) (?:the )?(?:user(?:name)? )?[\"']?[\w.@-]{1,32}[\"']?(?: is|:)|-{2,8})[ \t:]{1,3}){1,3}"
)
_SAID = (
    rf"(?:{_SPOKEN})[\"'\x60)]{{0,2}}[ \t]{{1,3}}(?:{_COPULA})?"
    rf"(?:[\"'\x60]?[^\s\"'\x60=:,\[][^\s\"'\x60=:,]{{5}}|[\"'\x60][^\s\"'\x60=:,\[][^\s\"'\x60=:,]{{3,4}}[\"'\x60])"
)
_SAID_IN = finder(
    rf"(?i)(?:^|[^A-Za-z0-9])({_SPOKEN})[\"'\x60)]{{0,2}}[ \t]{{1,3}}((?:{_COPULA})?)[\"'\x60(]{{0,2}}([^\s\"'\x60<>]+)"
)
_TELLING = r"(?:pass|pwd|secret|token|key|cred|auth)[\w.\- ]{0,30}"
_PAIRED = (
    r"(?:name|key|id|property|variable|var)[\"']?\s{0,3}[=:]\s{0,3}\\?[\"'][\w.\- ]{0,40}"
    rf"{_TELLING}"
    r"\\?[\"'][^<>\n{}]{0,60}?\s{0,20}\\?[\"']?(?:value|val|content|data|default|text)\\?[\"']?\s{0,3}[=:]",
    rf"{_TELLING}"
    r"[\"']?(?:</(?:key|name)>|[^<>\n]{0,40}>)\s{0,40}<(?:string|value|data)[^<>\n]{0,20}>",
    rf"<[\w:.-]{{0,30}}{_TELLING}\s[^<>\n]{{1,60}}>",
    rf"name[ \t]{{0,3}}:[ \t]{{0,3}}[\w.\-]{{0,40}}{_TELLING}\s{{1,20}}value[ \t]{{0,3}}:",
)


class AssignmentLayer:
    """Operators first: `token = x`, `"password": "x"`, `<secret>x`, then flags, prose and name/value pairs."""

    def anchors(self) -> Sequence[Anchor]:
        named = [Anchor(rf"(?:{stems}){_GAP}{_OPERATOR}", caseless=True) for stems in STEMS]
        return [
            *named,
            Anchor(_FLAG, caseless=True),
            Anchor(_SAID, caseless=True),
            *(Anchor(paired, caseless=True) for paired in _PAIRED),
        ]

    def kinds(self) -> Iterable[str]:
        return KINDS.values()

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        looks = (self._assigned, self._flagged, self._said, *(self._paired for _ in _PAIRED))
        reading = Reading(data)
        done = 0
        for number, end in sorted(set(hits), key=lambda hit: (hit[1], hit[0])):
            if end <= done:
                continue
            found = looks[max(0, number - len(STEMS) + 1)](reading, end)
            if found is not None:
                done = found.end
                yield found

    def _assigned(self, reading: Reading, end: int) -> Span | None:
        data = reading.data
        while data[end - 1] not in _OPERATORS:
            end -= 1
        place = reading.value(end)
        if place is None or place.end - place.start < 4:
            return None
        return reading.judged(place, end)

    def _flagged(self, reading: Reading, end: int) -> Span | None:
        place = reading.value(end - 1)
        name = reading.data[max(0, end - 60) : end - 1].rstrip()
        name = name[max(name.rfind(b" "), name.rfind(b"\n"), name.rfind(b"=")) + 1 :].strip(b"-\"'")
        return None if place is None or not name else reading.judged(place, end, name)

    def _said(self, reading: Reading, end: int) -> Span | None:
        """`the password is hunter2!`: what follows must look like a secret by itself."""
        data = reading.data
        found = _SAID_IN.search(data, max(0, end - 100), min(len(data), end + 512))
        if found is None:
            return None
        first, last = found.span(3)
        while last > first and data[last - 1] in b".,;:!?)]}":
            last -= 1
        clear = found.group(2) != b""
        said = clear and found.group(2)[:1].isalpha()
        quoted = said and data[first - 1] in _QUOTES and data[first - 1 : first] == data[last : last + 1]
        if not reading.is_spoken_secret(found.group(1), data[first:last], clear, quoted):
            return None
        return Span(first, last, CONTEXT, "password" if clear else "credential")

    def _paired(self, reading: Reading, end: int) -> Span | None:
        place = reading.value(end)
        return None if place is None else reading.judged(place, end, b"secret")
