"""Context: values beside a name that says password, token or key, in any notation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.anchor import Anchor, Hit
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.judge import PASSWORD, TOKEN, WEAK, Claim, is_secret
from baton.adapters.redaction.protected import names_a_person
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.worth import mixed, wordlike
from baton.adapters.redaction.written import Reader, Written

_STEMS = (
    r"pass|pwd|pword|psw|mnemonic|contrase|senha|kennwort|\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
    "secret|token",
    "key",
    "auth|cred|bearer|jwt",
    "conn.?str|connection.?string|dsn|cookie|otp|hook",
    "seed|salt|sign|nonce|cert|login|sig|sid",
    "client.?id|app.?id|session.?id|sessid",
)
"""What a name must hold, in a form that is quick to look for; what it says is decided later."""
_NO_PASSWORD = finder(r"(?i)bypass|compass|surpass|trespass|passi[nv]|passenger|passage|passed|passes|passthr|passport")
PASSWORDS = (
    r"passw(?:or)?d|passwd|passwrd|passwort|passphrase|pass[_-]?code|pass(?:$|[^A-Za-z]|(?-i:[A-Z]))|(?-i:Pass(?:$|[^a-z]))|pwd|(?:\b|_)(?:pword|psw)"
    r"|contrase|senha|kennwort|\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c|mnemonic|seed.?phrase|secrets?$|secret_?string"
)
TOKENS = (
    r"token|secret|(?:api|app|access|private|priv|client|encryption|signing|master|shared|account|storage|session|license"
    r"|service|admin|application|auth|consumer|deploy|webhook|integration|subscription|server|write|read|rest|security"
    r"|primary|secondary|instance|ssh|pgp|gpg|rsa|aes|hmac|jwt|crypto|cipher|user|db|root|secure|aws|azure|gcp)[_. -]?key"
    r"|key[_. -]?(?:value|secret)|credentials?|bearer|jwt|authorization|auth[_-]?token|\bauth$|_auth$"
    r"|connection[_. -]?string|conn[_-]?str|\bdsn\b|cookie|\b_?t?otp|webhook|\bsid$|sess(?:ion)?_?id|client[_. -]?id|app[_. -]?id"
)
_OTHER_KEYS = finder(
    r"(?i)(?:cache|primary|foreign|idempoten\w*|object|partition|sort|row|group|unique|dedupe?|lookup|index|s3|file|commit"
    r"|trace|conversation|message|request|correlation|map|dict|json|data|registry|hot|foreign|composite|natural|public"
    r"|event|log|state|store|item|entry|field|config|setting|resource|routing|shard|merge|order|the|a|by|with)[_. -]?keys?$"
)
WEAKS = (
    r"(?:^|[^A-Za-z])(?i:keys?|auth|seed|salt|sign|signature|nonce|cert|login|sig|creds?)(?:$|[^A-Za-z]|[A-Z])"
    r"|(?:Key|Auth|Seed|Salt|Signature|Nonce|Cert|Login|Sig|Cred)(?:$|[^a-z])|[a-z]key$|[A-Z]KEY$"
)
_GAP = r"""[\w.\- \t"'\x60\]\)\[\\?$*|+&/#;]{0,40}"""
_OPERATOR = r"[=:>,|]"
_FLAG = (
    r"(?:^|[\s\"'=])--?[\w-]{0,30}(?:passw(?:or)?d|passwd|pass|pwd|token|secret|key|auth|credentials?)[ \t]{1,4}[^\s=-]"
)
_SPOKEN = (
    r"passw(?:or)?d|passphrase|passcode|pwd|pass|token|secret|key|bearer|basic|credentials?|contrase.{1,2}a|passwort"
)
_COPULA = r"(?:is|was|be|to|as|are|=>|->|value|set to|equals|for \w{1,20} is)[ \t:]{1,3}"
_SAID = rf"(?:{_SPOKEN})[\"'\x60)]{{0,2}}[ \t]{{1,3}}(?:{_COPULA})?[\"'\x60]?[^\s\"'\x60=:,]{{6}}"
_SAID_IN = finder(rf"(?i)({_SPOKEN})[\"'\x60)]{{0,2}}[ \t]{{1,3}}((?:{_COPULA})?)[\"'\x60(]{{0,2}}([^\s\"'\x60<>]+)")
_PAIRED = (
    r"(?:name|key|id|property|variable|var)[\"']?\s{0,3}[=:]\s{0,3}\\?[\"'][\w.\- ]{0,40}(?:pass|pwd|secret|token|key|cred|auth)[\w.\- ]{0,30}"
    r"\\?[\"'][^<>\n{}]{0,60}?\s{0,20}\\?[\"']?(?:value|val|content|data|default|text)\\?[\"']?\s{0,3}[=:]",
    r"(?:pass|pwd|secret|token|key|cred|auth)[\w.\- ]{0,30}[\"']?(?:</(?:key|name)>|[^<>\n]{0,40}>)\s{0,40}<(?:string|value|data)[^<>\n]{0,20}>",
)
_NAMED_KEY = finder(r"[A-Za-z0-9][_.-](?i:key)$|[a-z]Key$")
_NAME = finder(rf"(?i)([\w.$-]*(?:{'|'.join(_STEMS)})[\w.-]*)([^=:>,|]*)[=:>,|]$")
_STRENGTHS = (
    (PASSWORD, finder(rf"(?i){PASSWORDS}")),
    (TOKEN, finder(rf"(?i){TOKENS}")),
    (WEAK, finder(WEAKS)),
)
_TYPE_BETWEEN = finder(
    r"(?i)[\s\"'\])\\\x60]*(?:[*&]?(?:string|str|text|char|bytes?|auto|const|final|varchar))?[\s\"'\])?*$+.|\\\x60;-]*"
)
_FIRST_ARGUMENT = finder(r"""\(\s*[a-z]?["'\x60][\w.$ -]*["'\x60]\s*,$""")
_BACK = 80
_LONGEST_KEY = 300
_KINDS = {PASSWORD: "password", TOKEN: "secret", WEAK: "credential"}


class AssignmentLayer:
    """Operators first: `token = x`, `"password": "x"`, `<secret>x`, then flags, prose and name/value pairs."""

    def anchors(self) -> Sequence[Anchor]:
        named = [Anchor(rf"(?:{stems}){_GAP}{_OPERATOR}", caseless=True) for stems in _STEMS]
        return [
            *named,
            Anchor(_FLAG, caseless=True),
            Anchor(_SAID, caseless=True),
            Anchor(_PAIRED[0], caseless=True),
            Anchor(_PAIRED[1], caseless=True),
        ]

    def kinds(self) -> Iterable[str]:
        return _KINDS.values()

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        looks = (self._assigned, self._flagged, self._said, self._paired, self._paired)
        reading = _Reading(data)
        done = 0
        for number, end in sorted(set(hits), key=lambda hit: (hit[1], hit[0])):
            if end <= done:
                continue
            found = looks[max(0, number - len(_STEMS) + 1)](reading, end)
            if found is not None:
                done = found.end
                yield found

    def _assigned(self, reading: _Reading, end: int) -> Span | None:
        data = reading.data
        place = reading.value(end)
        if place is None or place.end - place.start < 4:
            return None
        if data[end - 1] in b",|" and not place.quote:
            return None
        return reading.judged(place, end)

    def _flagged(self, reading: _Reading, end: int) -> Span | None:
        place = reading.value(end - 1)
        name = reading.data[max(0, end - 60) : end - 1].rstrip()
        name = name[max(name.rfind(b" "), name.rfind(b"\n"), name.rfind(b"=")) + 1 :].strip(b"-\"'")
        return None if place is None or not name else reading.judged(place, end, name)

    def _said(self, reading: _Reading, end: int) -> Span | None:
        """`the password is hunter2!`: what follows must look like a secret by itself."""
        data = reading.data
        found = _SAID_IN.search(data, max(0, end - 60), min(len(data), end + 512))
        if found is None:
            return None
        first, last = found.span(3)
        while last > first and data[last - 1] in b".,;:!?)]}":
            last -= 1
        clear = found.group(2) != b""
        if not reading.is_spoken_secret(found.group(1), data[first:last], clear):
            return None
        return Span(first, last, CONTEXT, "password" if clear else "credential")

    def _paired(self, reading: _Reading, end: int) -> Span | None:
        place = reading.value(end)
        return None if place is None else reading.judged(place, end, b"secret")


class _Reading(Reader):
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
            if found is None:
                return None
            name, between = found.group(1), found.group(2)
        strength = _strength(name)
        if strength is None or (not named and data[end - 1] == 0x2C and _FIRST_ARGUMENT.search(before) is None):
            return None
        place = self.without_scheme(place)
        if not place.quote:
            place = _trimmed(data, place, end, name)
        held = data[place.start : place.end]
        adjacent = _TYPE_BETWEEN.fullmatch(between) is not None
        if data[end - 1] == 0x2C and wordlike(held):
            return None
        quoted = bool(place.quote) or (named == b"secret")
        below = place.below and not place.quote and data[end - 1 : end] != b">"
        claim = Claim(strength, name, held, quoted, adjacent, below)
        if not is_secret(claim) or names_a_person(data, end):
            return None
        return Span(place.start, place.end, CONTEXT, _KINDS[strength])


def _trimmed(data: bytes, place: Written, end: int, name: bytes) -> Written:
    """A bare value of a query string ends at `&`."""
    before = end - len(name) - 2
    held = data[place.start : place.end]
    if b"&" in held and (data[max(0, before) : before + 1] in (b"?", b"&") or b"=" in held):
        return Written(place.start, place.start + max(1, held.find(b"&")), b"", place.below)
    return place


def _strength(name: bytes) -> int | None:
    if _NAMED_KEY.search(name) and not _OTHER_KEYS.search(name):
        return TOKEN
    for strength, expression in _STRENGTHS:
        if expression.search(name) and not (strength == PASSWORD and _NO_PASSWORD.search(name)):
            return strength
    return None
