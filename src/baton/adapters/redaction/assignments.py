"""Context: values beside a name that says password, token or key, in any notation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.assigned_names import OPERATORS, closes_tag, is_idle
from baton.adapters.redaction.assigned_values import KINDS, NEXT_WORD, PAIRED_NAMES, AssignmentReader
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.meanings import says_otherwise
from baton.adapters.redaction.names import STEMS
from baton.adapters.redaction.programs import is_of_program
from baton.adapters.redaction.public import is_in_arn
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    FLAG_BACK,
    MOST_VERDICTS,
    NAME_BACK,
    PAIR_BACK,
    SENTENCE_AHEAD,
    SENTENCE_BACK,
    SHORTEST_SECRET,
    VERDICT_AROUND,
    VERDICT_LONGEST,
)
from baton.adapters.redaction.work import Work

_GAP = r"""[\w.\- \t"'\x60\]\)\[\\?$*|+&/#;]{0,40}"""
_OPERATOR = r"""(?:[=:>]|[,|][ \t]{0,12}[bru]?["'\x60])"""
_QUOTES = b"\"'`"
_HASHES = (b"sha256:", b"sha512:", b"sha1:", b"h1:")
"""Written before a hash: no name of a secret."""
_FLAG = (
    r"\B-[\w-]{0,31}(?:passw(?:or)?d|passwd|passphrase|pass|pwd?|token|secret|key|auth|credentials?)[ \t]{1,4}[^\s=-]"
)
_SPOKEN = (
    r"passw(?:or)?d|passphrase|passcode|pwd?|pass|token|secret|(?:api_?)?key|bearer|basic|credentials?"
    r"|contrase.{1,2}a|passwort"
)
_COPULA = (
    r"(?:(?:is|was|be|to|are|=>|->|value|set|now|still|changed|equals"
    r"|(?:for|of|in|on) (?:the )?(?:user(?:name)? )?[\"']?[\w.@-]{1,32}[\"']?(?: is|:)|-{2,8})[ \t:]{1,3}){1,3}"
)
_SAID = (
    rf"(?:{_SPOKEN})[\"'\x60)]{{0,2}}[ \t]{{1,3}}(?:{_COPULA})?"
    rf"(?:[\"'\x60]?[^\s\"'\x60=:,\[][^\s\"'\x60=:,]{{5}}|[\"'\x60][^\s\"'\x60=:,\[][^\s\"'\x60=:,]{{3,4}}[\"'\x60])"
)
_SAID_IN = Expression(
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

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        looks = (self._read_assignment, self._read_flag, self._read_sentence, *(self._read_pair for _ in _PAIRED))
        reading = AssignmentReader(data, work)
        seen: dict[tuple[int, bytes, bytes], Span | None] = {}
        done = 0
        places = sorted({(end, max(0, number - len(STEMS) + 1)) for number, end in hits})
        for at, (end, number) in enumerate(places):
            if work.is_spent:
                work.leave((end for end, _ in places[at:] if end > done), lines=1)
                return
            if end <= done or (number == 0 and is_idle(data, end)):
                continue
            key = (number, data[max(0, end - VERDICT_AROUND) : end], data[end : end + VERDICT_LONGEST])
            if key in seen:
                found = seen[key]
            else:
                found = looks[number](reading, end)
                found = found and found._replace(start=found.start - end, end=found.end - end)
                if len(seen) < MOST_VERDICTS:
                    seen[key] = found
            if found is not None:
                done = found.end + end
                start = found.start + end
                if not is_of_program(data, start, done):
                    yield found._replace(start=start, end=done)

    def _read_assignment(self, reading: AssignmentReader, end: int) -> Span | None:
        data = reading.data
        while data[end - 1] not in OPERATORS:
            end -= 1
        if _GIVE_YOURS.search(data, max(0, end - NAME_BACK), end):
            return None
        if data[max(0, end - 7) : end].lower().endswith(_HASHES) or is_in_arn(data, end) or closes_tag(data, end):
            return None
        place = reading.value(end)
        if place is None or place.end - place.start < SHORTEST_SECRET:
            return None
        if b"==" in data[end - 2 : end + 1] and not place.quote and data[place.start : place.end].isalpha():
            return None
        return reading.judge(place, end)

    def _read_flag(self, reading: AssignmentReader, end: int) -> Span | None:
        place = reading.value(end - 1)
        name = reading.data[max(0, end - FLAG_BACK) : end - 1].rstrip()
        name = name[max(name.rfind(b" "), name.rfind(b"\n"), name.rfind(b"=")) + 1 :].strip(b"-\"'")
        if place is None or not name or _SWITCH.fullmatch(name):
            return None
        return reading.judge(place, end, name)

    def _read_sentence(self, reading: AssignmentReader, end: int) -> Span | None:
        """`the password is hunter2!`: what follows must look like a secret by itself."""
        data = reading.data
        if _SAID_WORD.match(data, max(0, end - 7)):
            return None
        said = _SAID_IN.finditer(data, max(0, end - SENTENCE_BACK), min(len(data), end + SENTENCE_AHEAD))
        found = next((each for each in said if each.end() >= end), None)
        if found is None:
            return None
        first, last = found.span(3)
        while last > first and data[last - 1] in b".,;:!?)]}":
            last -= 1
        if _OTHER_KEY.search(data, max(0, found.start(1) - 12), found.start(1)):
            return None
        if _RETURNS.search(data[found.end(1) : first]) or _IS_VERB.search(
            data, max(0, found.end(1) - 12), found.end(1)
        ):
            return None
        if _BEGINS_COMMENT.search(data, max(0, found.end(1) - 8), found.end(1)) and NEXT_WORD.match(data, last):
            return None
        clear = found.group(2) != b"" and not (
            _PURPOSE.fullmatch(found.group(2)) and not _SETS.search(data[max(0, end - SENTENCE_BACK) : first])
        )
        said = clear and found.group(2)[:1].isalpha()
        quoted = said and data[first - 1] in _QUOTES and data[first - 1 : first] == data[last : last + 1]
        if not reading.is_spoken_secret(found.group(1), first, last, clear, quoted):
            return None
        return Span(first, last, CONTEXT, "password" if clear else "credential")

    def _read_pair(self, reading: AssignmentReader, end: int) -> Span | None:
        """The name stands in quotes or in a tag before it; one that only says key wants a value that shows itself."""
        place = reading.value(end)
        if place is None:
            return None
        told = _SAYS_PAIRED.search(reading.data, _pair_begins(reading.data, end), end)
        if told is not None and says_otherwise(told.group()):
            return None
        return reading.judge(place, end, PAIRED_NAMES[told is None])


def _pair_begins(data: bytes, end: int) -> int:
    """Behind the pair before, which may name another thing: a bracket, or the line before the last."""
    first = max(0, end - PAIR_BACK)
    line = data.rfind(b"\n", first, max(first, data.rfind(b"\n", first, end)))
    return max(first, line + 1, data.rfind(b"}", first, end) + 1)


_SAYS_PAIRED = Expression(
    r"(?i)(?:pass|pwd|secret|token|cred|(?:api|access|private|client|encryption|auth|account|master)[_. -]?key)[\w.-]*"
)
_SAID_WORD = re.compile(
    rb"""[ \t](?:(?!changed|equals)[^\s"'`<>0-9]{6,}+"""
    rb"""|(?:(?<=key.)|(?<=token.)|(?<=secret.))v[0-9]++(?:\.[0-9]++)++(?:/go\.mod)?+)\s"""
)
"""A word without a digit, bare, or the version of a package that is called so: `stripe-token v1.2.3`. Neither is a
secret, whatever is said of it."""
_RETURNS = re.compile(rb"\)[ \t]*[=-]>")
_IS_VERB = re.compile(rb"(?i)\b(?:to|and|or|can|will|must|you|we|we'll) pass\Z")
_OTHER_KEY = re.compile(rb"(?i)\b(?:public|primary|foreign|partition|sort|host) \Z")
_BEGINS_COMMENT = re.compile(rb"(?://|#|\*) [Pp]ass\Z")
_PURPOSE = re.compile(rb"(?i)to[ \t:]{1,3}")
_SETS = re.compile(rb"(?i)chang|rotat|reset|updat|switch|\bset|assign|correct|\bmov")
"""`set the password to 'x'`, but not `arguments to pass to 'x'`."""
_GIVE_YOURS = re.compile(rb"(?i)<(?:your|my|enter|insert|some|the)[ _-][\w -]{1,40}>\Z")
"""The place of a password in a command, `-p<your-password> shop`: what follows is the next argument."""
_SWITCH = re.compile(
    rb"(?i)(?:(?:same|no|ask|prompt|show|hide|skip|save|need|require|want|ignore|remember)[_-]?|(?:ask|prompt)[_-](?:\w+[_-]){1,2})"
    rb"(?:passw(?:or)?d|passwd|passphrase|pass|pwd?)"
)
"""`--samepass host1 host2`, `--ask-vault-pass`: an option without a value, which says what is done."""
