"""Context: values beside a name that says password, token or key, in any notation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from baton.adapters.redaction.chosen_tokens import MAY_NAME_ONE, is_chosen
from baton.adapters.redaction.drawn_words import is_drawn_word
from baton.adapters.redaction.entropy import has_digit, is_in_order, is_wordlike
from baton.adapters.redaction.escaped_ends import line_end
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.judge import Claim, is_count, is_drawn, is_secret, is_spoken_secret
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.lookalikes import is_version, may_be_variable, names_a_person
from baton.adapters.redaction.meanings import is_secret_of_words, says_otherwise, tells_another
from baton.adapters.redaction.names import PASSWORD, STEMS, TOKEN, WEAK, strength_of
from baton.adapters.redaction.neighbours import has_server, has_user, is_said_once, is_setting
from baton.adapters.redaction.phrases import GOES_ON, bare_end, is_unsaid
from baton.adapters.redaction.programs import is_called_so, is_head_in_program, is_link, is_of_program
from baton.adapters.redaction.public import is_in_arn
from baton.adapters.redaction.rules_file import sentence_words
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    FLAG_BACK,
    MOST_VERDICTS,
    NAME_BACK,
    PAIR_BACK,
    SENTENCE_AHEAD,
    SENTENCE_BACK,
    SHORTEST_SCRAMBLED,
    SHORTEST_SECRET,
    SHORTEST_TOKEN,
    TAG_AHEAD,
    VERDICT_AROUND,
    VERDICT_LONGEST,
)
from baton.adapters.redaction.typed import in_code, is_phrase, is_typed, phrase_end
from baton.adapters.redaction.value_reader import SCHEMES, ValueReader, WrittenValue
from baton.adapters.redaction.work import Work

_GAP = r"""[\w.\- \t"'\x60\]\)\[\\?$*|+&/#;]{0,40}"""
_OPERATOR = r"""(?:[=:>]|[,|][ \t]{0,12}[bru]?["'\x60])"""
_OPERATORS = b"=:>,|"
_CLOSING_TAG = re.compile(rb"</[\w:.-]+[ \t]*>\Z")
_PLACEHOLDER = re.compile(rb"[=:][ \t]*[\"']?<([\w .-]+)>\Z")
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
            if end <= done or (number == 0 and _is_idle(data, end)):
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
        while data[end - 1] not in _OPERATORS:
            end -= 1
        if _GIVE_YOURS.search(data, max(0, end - NAME_BACK), end):
            return None
        if data[max(0, end - 7) : end].lower().endswith(_HASHES) or is_in_arn(data, end) or _closes_tag(data, end):
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
        if _BEGINS_COMMENT.search(data, max(0, found.end(1) - 8), found.end(1)) and _NEXT_WORD.match(data, last):
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
        return reading.judge(place, end, _PAIRED_NAMES[told is None])


def _pair_begins(data: bytes, end: int) -> int:
    """Behind the pair before, which may name another thing: a bracket, or the line before the last."""
    first = max(0, end - PAIR_BACK)
    line = data.rfind(b"\n", first, max(first, data.rfind(b"\n", first, end)))
    return max(first, line + 1, data.rfind(b"}", first, end) + 1)


_SAYS_PAIRED = Expression(
    r"(?i)(?:pass|pwd|secret|token|cred|(?:api|access|private|client|encryption|auth|account|master)[_. -]?key)[\w.-]*"
)
_DEFINES = Expression(
    r"(?i)\b(?:define|putenv|setenv|set_?config|config_?set|set_?property|prop(?:ertie)?s\.put|env\.put)"
    r"\(\s*[\"'][\w.$-]*[\"']\s*,$"
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
_NO_SIGN = re.compile(rb"::|->")
"""Of names in code and in the lines of a test run, and of what a function returns."""
_NEXT_WORD = re.compile(rb"[ \t]+([a-z']+)")
_IN_TWO_WORDS = (
    r"(?:\b(?:api|access|app|account|auth|client|deploy|encryption|license|master|private|secret|service|signing) )?"
)
"""`Acme API key: …` says as much as `acme_api_key`."""
_NAME_BEFORE = Expression(rf"(?i)({_IN_TWO_WORDS}[\w.$-]*(?:{'|'.join(STEMS)})[\w.-]*)([^=:>,|]*)\|?[=:>,|]$")
_TYPE_BETWEEN = Expression(
    r"(?i)(?:\[\w{0,16}\])?[\s\"'\])\\\x60]*(?:[*&]?(?:string|str|text|char|bytes?|auto|const|final|varchar))?[\s\"'\])?*$+.|\\\x60;-]*"
)
_FIRST_ARGUMENT = Expression(
    r"""(?:\(|\bbuildConfigField|\bresValue)\s*(?:["']String["']\s*,\s*)?[a-z]?["'\x60][\w.$ -]*["'\x60]\s*,$"""
)
_CLOSES = re.compile(rb"[)}\]]")
_NEXT_PART = Expression(r";(?:[A-Za-z][\w ]{1,30}=|$)")
_NEXT_FIELD = re.compile(rb"(?<=.),[A-Za-z_][\w.-]{1,30}[=:]")
"""`password=x,vers=3.0`: the next option."""
_AFTER_PART = (b";", b'"', b"'", b"", b"\n", b"<")
_PAIRED_NAMES = (b"secret", b"the key")
_OWN_NAME = re.compile(rb"[ \t]([A-Za-z_][\w.-]*+)=\Z")
_RESOURCE = Expression(r"[A-Z]\w+::[A-Z]\w+::[A-Z]\w+[\"']?[ \t]*:$")
"""The type of a resource, as CloudFormation names them."""
_AFTER_TEXT = (b"</", b"<b", b"<B", b"<!", b"<s")
"""Of a tag's end, a break or a comment; types in brackets go on otherwise."""
_REST_OF_MAKE = (b"=", b":=", b"::=")
"""What follows a colon where make assigns at once: `NAME ::= x`, `NAME :::= x`."""
_BAR, _COMMA = 0x7C, 0x2C
_ELSEWHERE = Expression(r"[?&\n]| --?[A-Za-z]|/[\w-]+[ \t]|[.!;] ")
_NO_NAME = b" \t\"'])"
KINDS = {PASSWORD: "password", TOKEN: "secret", WEAK: "credential"}


_GIVE_YOURS = re.compile(rb"(?i)<(?:your|my|enter|insert|some|the)[ _-][\w -]{1,40}>\Z")
"""The place of a password in a command, `-p<your-password> shop`: what follows is the next argument."""
_SWITCH = re.compile(
    rb"(?i)(?:(?:same|no|ask|prompt|show|hide|skip|save|need|require|want|ignore|remember)[_-]?|(?:ask|prompt)[_-](?:\w+[_-]){1,2})"
    rb"(?:passw(?:or)?d|passwd|passphrase|pass|pwd?)"
)
"""`--samepass host1 host2`, `--ask-vault-pass`: an option without a value, which says what is done."""
_ATTRIBUTE = re.compile(rb"[a-z]+(?:-[a-z]+)*=")
"""`yubikey:slot-id=9c`: the first attribute of a link that is called after the device, and judged by its own name."""


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
        name, between = (named, b"") if named else _name_in(before)
        strength = strength_of(name)
        if strength is None or (not named and _is_no_assignment(data, end, before, name)):
            return _NOTHING
        place = _trim(data, place, end, name)
        value = data[place.start : place.end]
        listed = data[end - 1] == _COMMA and is_wordlike(value) and not _DEFINES.search(before)
        if (listed and strength != PASSWORD) or value.endswith(b"." + name):
            return _NOTHING
        if strength == PASSWORD and is_link(value):
            return _NOTHING
        adjacent = _TYPE_BETWEEN.fullmatch(between) is not None
        quoted = bool(place.quote) or _is_delimited(data, place, end, name)
        quoted = quoted or (named in _PAIRED_NAMES and not may_be_variable(value))
        below = place.below and not place.quote and data[end - 1 : end] != b">"
        claim = Claim(strength, name, value, quoted, adjacent, below)
        if names_a_person(data, end) or is_called_so(before, value, bool(place.quote)):
            return _NOTHING
        if not quoted and _says_what_is_done(data, name, place.start):
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
        after = _NEXT_WORD.match(self.data, last, last + 24)
        return after is None or after.group(1) not in sentence_words()


def _says_what_is_done(data: bytes, name: bytes, first: int) -> bool:
    """Whether a part of a program is named and then what it does: `FdoSecrets: Display existing services`,
    `secrets:decrypt-to-local`.
    """
    if name == b"secrets":
        return data[first - 1 : first] == b":" and _COMMAND.match(data, first) is not None
    return _COMPONENT.fullmatch(name) is not None and _DOES.match(data, first) is not None


_COMMAND = re.compile(rb"[a-z]+(?:-[a-z]+){2,}\b")
_COMPONENT = re.compile(rb"[A-Z][a-z]+(?:[A-Z][a-z]+)+s")
_DOES = re.compile(rb"[A-Z][a-z]+ [a-z]{2,} [a-z]{2,}")
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
_MAY_SAY_PASSWORD = re.compile(
    rb"(?i)pass|pw|ps[wk]|secret|contrase|senha|kennwort|mnemonic|seed|wachtw|heslo|haslo|lozin|losen|salas|jelsz|mdp|sifre|[\x80-\xff]"
)
"""What every name has that says password."""


_PARTED = bytes(0x3D if byte in _OPERATORS else byte for byte in range(256))
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
    return _says_no_password(named)


_VERSION = rb"[~^<>=v]{0,2}+[0-9]++(?:\.[0-9]++)++"
_ENDS_THERE = rb"""(?=\s)(?![ \t]*+[="'`&\\(\[])"""
"""Behind a word that neither is a type nor opens a string."""
_IDLE = re.compile(
    rb"""[=:>~|?+]*+[ \t]{0,64}+(?:"(?:[^"\\\n]{1,3}+|%b)"|'(?:[^'\\\n]{1,3}+|%b)'|""(?!")|''(?!')"""
    rb"""|[0-9][^\s"'`<>]{0,2}+[\s"'`<>]|"(?P<quoted>[A-Za-z._-]{4,11}+|[\w.-]{4,7}+)"|(?:\r?\n[ \t]{0,63}+)?+"""
    rb"""(?!new )(?:[^\s"'`<>|]{1,3}+%b|(?P<bare>[A-Za-z._-]{1,11}+|[\w.-]{1,7}+)[,;)}\]]{0,3}+%b))"""
    % (_VERSION, _VERSION, _ENDS_THERE, _ENDS_THERE)
)


_LONGEST_END = 40
"""Of a name, with what may stand between it and its value."""


def _closes_tag(data: bytes, end: int) -> bool:
    """Whether `</password>` ends there, or the placeholder `=<password>` that no tag closes: the rest is another's."""
    if data[end - 1 : end] != b">":
        return False
    if _CLOSING_TAG.search(data, max(0, end - FLAG_BACK), end):
        return True
    held = _PLACEHOLDER.search(data, max(0, end - FLAG_BACK), end)
    return held is not None and data.find(b"</" + held[1] + b">", end, end + TAG_AHEAD) < 0


_PADDED_BACK = 28
_PADDED = re.compile(rb"(?=[A-Za-z+/]*[0-9])[A-Za-z0-9+/]{26,27}={1,2}\Z")
"""The end of a line of base64, which is no name of what stands on the next one."""


def _is_idle(data: bytes, end: int) -> bool:
    """Whether it needs no look, as most values beside a name in ordinary text: nothing, a version, a line of base64, or
    a short word beside a name that says nothing of a password. What reads and judges values says the same, later.
    """
    while data[end - 1] not in _OPERATORS:
        end -= 1
    idle = _IDLE.match(data, end)
    if idle is None:
        return data[end : end + 1] in b"\r\n" and _PADDED.match(data, end - _PADDED_BACK, end) is not None
    quoted, bare = idle.groups()
    if quoted is None and (bare is None or bare.lower() in SCHEMES):
        return bare is None
    return _says_no_password(data[max(0, end - NAME_BACK) : end])


def _says_no_password(named: bytes) -> bool:
    """The name is what follows the operator before the last one."""
    last = -2 if named.endswith(b"||") else -1
    if _MAY_SAY_PASSWORD.search(named, named[:last].translate(_PARTED).rfind(b"=") + 1):
        return False
    return MAY_NAME_ONE.search(named, max(0, len(named) - _LONGEST_END)) is None


def _name_in(before: bytes) -> tuple[bytes, bytes]:
    """The name before an operator, and what is between them. Of several, the first of the last line or link part."""
    named, between = b"", b""
    is_value = False
    found = _NAME_BEFORE.search(before)
    while found is not None and (not named or is_value or named.endswith(b".") or _ELSEWHERE.search(between)):
        name = found.group(1).rstrip(_NO_NAME)
        if strength_of(name) is not None:
            named, between = name, found.group(2)
            is_value = before[max(0, found.start(1) - 1) : found.start(1)] == b"="
        found = _NAME_BEFORE.search(before, found.end(1))
    return _inner_name(named, between)


_INNER = re.compile(rb"[(\[{,][ \t]{0,4}[\"']?([A-Za-z_][\w.-]{0,60})[\"'\])]{0,4}[ \t]*\Z")


def _inner_name(named: bytes, between: bytes) -> tuple[bytes, bytes]:
    """Of an argument or an element, its own name if it says more than what it is given to: `login(password=`."""
    inner = _INNER.search(between)
    strength = strength_of(inner[1]) if inner else None
    if inner is None or strength is None or strength >= (strength_of(named) or 0):
        return named, between
    return inner[1], between[inner.end(1) :]


def _is_no_assignment(data: bytes, end: int, before: bytes, name: bytes) -> bool:
    """Whether it is a later argument, one of several strings, a comparison, `Secret::new`, or a shell's variable."""
    operator = data[end - 1]
    if operator == 0x3A and b"::" in before and _RESOURCE.search(before):
        return True
    if operator == 0x3A and _is_part_of_address(data, end, before, name):
        return True
    if operator == _BAR and before.rstrip(b"| \t")[-1:] in (b"'", b'"'):
        return True
    if operator == 0x3E and data[end : end + 1] == b"@":
        return True
    if operator == _COMMA:
        return _FIRST_ARGUMENT.search(before) is None
    if is_head_in_program(before, data[end : end + 1]):
        return True
    if before.endswith((b") ->", b") =>")) or (operator == 0x3D and _is_others(before, name)):
        return True
    if operator == 0x3A and b"::" in data[end - 2 : end + 1] and not data.startswith(_REST_OF_MAKE, end):
        return True
    return (operator == 0x3E and data[end : end + 1] == b"=") or (
        operator == 0x3A and name.startswith(b"$") and not _IS_GIVEN.search(before + data[end : end + 1])
    )


def _is_part_of_address(data: bytes, end: int, before: bytes, name: bytes) -> bool:
    """Of what a build makes, of a device, of a seed's link."""
    if b"//" in before and _TARGET.search(before):
        return True
    if name.lower() == b"yubikey" and _ATTRIBUTE.match(data, end):
        return True
    return b"otpauth://" in before and b" " not in before[before.rfind(b"otpauth://") :]


_TARGET = re.compile(rb"(?:\A|[\s\"'(,@])[\w-]*//(?!/)[\w./-]*:\Z")
"""`//pkg/volume/secret:go_default_library`, as Bazel calls what is built."""
_IS_GIVEN = re.compile(rb":=\Z|[\"'`]\$[\w.-]{1,60}[\"'`][ \t]?:.?\Z")
"""A variable of a template that gets a value, or a name of JSON, and no variable in a text."""


def _is_others(before: bytes, name: bytes) -> bool:
    """Whether another name stands right before the sign: `salt-cloud -f create_volume ec2 zone=…`."""
    own = _OWN_NAME.search(before)
    return own is not None and not own[1].endswith(name) and strength_of(own[1]) is None


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
