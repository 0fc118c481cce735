# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What programs write where a secret would stand, to show or to test that something stands there.

Such a value says what it is (`s3cr3t`, `SomeKindOfPassword1`), counts (`123456`, `abcd1234`), is the user's name over
again, or belongs to a host that nobody can reach. Only in programs: in settings, commands and talk people do use such
passwords. Asked only about spans that a rule wants to cut, so that ordinary text pays nothing.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from baton.adapters.redaction.grain import has_grain
from baton.adapters.redaction.literals import is_in_program
from baton.adapters.redaction.programs import holds_a_place
from baton.adapters.redaction.span import CONTEXT, TOKEN, Span
from baton.adapters.redaction.thresholds import (
    FEWEST_DIFFERENT,
    LABEL_AHEAD,
    LEAST_COUNTED,
    LONGEST_FIXTURE,
    NEIGHBOURS_AROUND,
    PROGRAM_LINE,
    SHORTEST_LONG,
    SHORTEST_SECRET,
)

_LEET = bytes.maketrans(b"013457@$", b"oieastas")
_ESCAPED = re.compile(rb"%[0-9A-Fa-f]{2}|\\(?:x00|u00[01][0-9a-f]|[0nrt])")
_BEHIND = re.compile(rb"[!?.*#@$%&^:]{1,4}\Z")
_NUMBER = re.compile(rb"[-_. ]?([0-9]{1,10})\Z")
_WORDS = re.compile(rb"[a-z]+(?:[-_. :;/+]{1,2}[a-z]+)*")
_SAYS_SECRET = re.compile(
    rb"(?:passw(?:or)?d|pass[-+_. ]word|passphrase|passcode|(?<!com)(?<!sur)(?<!tres)pass|se[ck]r[ei]?t|tokens?|credentials?|letmein|hunter|sesame|changeme|(?:api|(?:\A|[-_. :;/+]))[-_]?key|pwd?|auth)"
    rb"(?:[-_. ]?(?:value|string|here|test|testing|example|sample|one|two))?\Z"
)
"""With nothing behind it that says more."""
_SAYS_OTHERWISE = re.compile(
    rb"(?:wrong|broken|invalid|incorrect|bogus|dummy|placeholder|(?:test|testing|mock|fake)(?:[-_. ]|\Z))"
)
"""That it is not the real one."""
_SHELL_LINE = re.compile(
    rb"[ \t]*(?:[$>%+-][ \t]+)?(?:export[ \t]+|local[ \t]+|readonly[ \t]+|declare[ \t]+(?:-\w+[ \t]+)?|set[ \t]+|ENV[ \t]+|ARG[ \t]+)?[A-Za-z_]\w*=[\"']?\Z"
)
_ENDS_LINE = re.compile(rb"[\"']?[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_USER = rb"(?i:user|login|name|account|e-?mail|uid|owner|bind|dn)\w{0,12}[\"'\])]{0,2}[ \t]*(?::=|==|[:=(,]|=>)[ \t]*[brf]?[\"']"
_NOBODYS = re.compile(
    rb"@(?:[\w-]+\.)*(?:example(?:\.(?:com|org|net|edu))?|test|invalid)(?![\w.-])|@(?:192\.0\.2|198\.51\.100|203\.0\.113)\.[0-9]"
)
"""Hosts that RFC 2606 and RFC 5737 keep for documents."""
_SHORTENED = re.compile(rb"(?:\.{3}|\xe2\x80\xa6)[\"'`]")
_SPOILED = re.compile(rb"[a-z]{2,8}\\x0[0-8][a-z]{1,8}")
"""With a sign that no header may have."""
_CODED = re.compile(rb"[A-Za-z0-9+/_-]{8,}={0,2}")
_STANDARD = bytes.maketrans(b"-_", b"+/")


def is_fixture(data: bytes, span: Span) -> bool:
    """Whether a program only holds a secret's place with it."""
    value = data[span.start : span.end]
    if span.layer == TOKEN:
        return (counts(value) or _is_ramp(value)) and is_in_program(data, span.start)
    if span.layer != CONTEXT:
        return False
    if len(value) >= SHORTEST_LONG and len({*value}) < FEWEST_DIFFERENT:
        return True
    if not (
        says_what_it_is(value)
        or counts(value)
        or _holds_a_pair(value)
        or _SHORTENED.match(data, span.end)
        or _NOBODYS.match(data, span.end)
        or _SPOILED.fullmatch(value)
        or _is_user_too(data, span.start, span.end, value)
    ):
        return False
    return is_in_program(data, span.start) and not is_setting(data, span.start, span.end)


def is_setting(data: bytes, start: int, end: int) -> bool:
    """Whether the whole line is a shell's `NAME=value`, which programs write with blanks or with a comma behind it."""
    first = data.rfind(b"\n", max(0, start - PROGRAM_LINE), start) + 1
    return _SHELL_LINE.fullmatch(data, first, start) is not None and _ENDS_LINE.match(data, end) is not None


@lru_cache(maxsize=1024)
def says_what_it_is(value: bytes) -> bool:
    """Whether it is words one of which means a secret, spelled as people spell it, perhaps with a count behind it."""
    if not SHORTEST_SECRET <= len(value) <= LONGEST_FIXTURE:
        return False
    plain = _BEHIND.sub(b"", _ESCAPED.sub(b"-", value)).strip(b"-")
    number = _NUMBER.search(plain)
    if number is not None:
        if len(number[1]) >= FEWEST_DIFFERENT and [*equal_steps(number[1])] != [len(number[1])]:
            return False
        plain = plain[: number.start()]
    words = plain.lower().translate(_LEET)
    if _WORDS.fullmatch(words) is None:
        return False
    if holds_a_place(words) or _SAYS_OTHERWISE.match(words):
        return True
    said = _SAYS_SECRET.search(words)
    return said is not None and (not said.start() or has_grain(words))


@lru_cache(maxsize=1024)
def counts(value: bytes) -> bool:
    """Whether most of it counts up or down or stays the same: `abcd1234`, `ABC-123456-D`, `11111111-1111-…`; of a number
    all of it in one go, as a PIN that somebody drew may have a part that does.
    """
    letters = bytes(byte for byte in value.lower() if chr(byte).isascii() and chr(byte).isalnum())
    if len(letters) == len(value) and value[: len(value) // 2] * 2 == value:
        letters = letters[: len(letters) // 2]
        return [*equal_steps(letters)] == [len(letters)] and len(value) >= SHORTEST_SECRET
    if len(letters) < SHORTEST_SECRET or len(value) - len(letters) > len(letters):
        return False
    runs = [run for run in equal_steps(letters) if run >= FEWEST_DIFFERENT]
    if max(runs, default=0) < (len(letters) if letters.isdigit() else SHORTEST_SECRET):
        return False
    return sum(runs) >= LEAST_COUNTED * len(letters)


def equal_steps(letters: bytes) -> Iterator[int]:
    """How long each part is whose steps are one and the same: up, down or none. Behind the nine comes the zero."""
    run, step = 1, 0
    for before, byte in pairwise(letters):
        now = 1 if (before, byte) == (0x39, 0x30) else byte - before
        if now in (-1, 0, 1) and (run == 1 or now == step):
            run, step = run + 1, now
        else:
            yield run
            run, step = (2, now) if now in (-1, 0, 1) else (1, 0)
    yield run


def _is_ramp(value: bytes) -> bool:
    """Whether it is base64 of bytes each of which is one more than the one before."""
    try:
        plain = a2b_base64(value.rstrip(b"=") + b"=" * (-len(value.rstrip(b"=")) % 4))
    except ValueError:
        return False
    return len(plain) >= SHORTEST_LONG and all((after - one) % 256 == 1 for one, after in pairwise(plain))


def _holds_a_pair(value: bytes) -> bool:
    """Whether it is base64 of what counts, or of a user and a word that holds a place: `dXNlcjpwYXNzd29yZA==`."""
    if _CODED.fullmatch(value) is None:
        return False
    coded = value.rstrip(b"=").translate(_STANDARD)
    try:
        plain = a2b_base64(coded + b"=" * (-len(coded) % 4))
    except ValueError:
        return False
    if len(plain) >= SHORTEST_LONG and counts(plain):
        return True
    user, sign, held = plain.rpartition(b"\0" if b"\0" in plain else b":")
    made_up = holds_a_place(held) or says_what_it_is(held) or counts(held) or user.strip(b"\0") == held
    return bool(sign) and user.isascii() and made_up


def _is_user_too(data: bytes, start: int, end: int, value: bytes) -> bool:
    """Whether the same literal is who logs in, beside it: `login(username="ann", password="ann")`, `ann.login("ann")`."""
    quote = data[start - 1 : start]
    if quote not in (b'"', b"'", b"`") or data[end : end + 1] != quote:
        return False
    around = data[max(0, start - NEIGHBOURS_AROUND) : end + LABEL_AHEAD]
    literal = re.escape(value)
    if around.count(value) > 1 and re.search(_USER + literal + rb"[\"'@]", around):
        return True
    line = data[max(data.rfind(b"\n", max(0, start - PROGRAM_LINE), start) + 1, start - PROGRAM_LINE) : start]
    return value in line and (
        re.search(rb"(?:\A|[^\w.])" + literal + rb"(?:\.\w+)*\(|[\"']" + literal + rb"[\"'], ?[brf]?[\"']\Z", line)
        is not None
    )
