"""Passwords later in the sentence than their word: `it changed, its now X`, `it isn't X, it's Y`, `old one was X`.

Only a value that looks like a password goes here, and only right after a word that leads to one (`rules/clauses.txt`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from baton.adapters.redaction.expression import Expression, Match
from baton.adapters.redaction.layer import longest_first
from baton.adapters.redaction.lookalikes import is_expression
from baton.adapters.redaction.programs import is_expression_in_program
from baton.adapters.redaction.rules_file import CLAUSES, table
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import CLAUSE_AHEAD, CLAUSE_BACK
from baton.adapters.redaction.typed import in_code, is_typed
from baton.adapters.redaction.work import Work

KIND = "password"
_OPEN = r"""(?:["'\x60*_]{1,3}|\xc2\xab[ ]?|\xe2\x80[\x98-\x9f])?"""
_SHOWN = r"""([^\s"'\x60<>|(){}\[\],;=\\/\x80-\xff][^\s"'\x60<>|(){}\[\],;=\\/\x80-\xff]{5,63})"""
_LEAD, _VALUE = 1, 2
"""Groups of `_leads`."""
_MAY_HOLD = re.compile(rb"[0-9#$%*+@&^~!?]")
_IN_A_NAME = re.compile(rb"""[_=(/$\[<"'-]|\.\S""")
_IN_A_PATH = re.compile(rb"[/.\\][\w-]{1,23}\Z")
_TAIL = b".,;:*_"
_CLOSE = 160
_APART = tuple(bytes([byte]) for byte in b" \t\n\r\x0b\x0c(,.;:")
_LETTER, _DIGIT = re.compile(rb"[A-Za-z]"), re.compile(rb"[0-9]")
_SIGN_WITHIN = re.compile(rb"[A-Za-z0-9][#$%*+@&^~!?]+[A-Za-z0-9]")
_ORDINARY = re.compile(
    rb"""(?ix)
      [a-z]{1,12}[-_.:\#]?[0-9]{1,2}                  # sha1, utf-8, step-12
    | [a-z]{1,10}[-\#][0-9]+                          # ABC-1234, gh-8123
    | [a-z]{1,3}[0-9]{1,6}                            # srv2024
    | (?-i:INC|CHG|REQ|RITM|PRB|TASK|CS)[0-9]{5,10} # tickets
    | \#?[0-9]+(?:[.,:x-][0-9]+)*[a-z%]{0,10}[!?]*    # 12, 10:42, 2.4.1rc, 256bit, 8chars
    | (?:[a-z][\w+]*-)*v?[0-9]+(?:\.[0-9a-z]+)+(?:[-+~][\w.+~-]+)?  # versions, coreutils-7.5
    | [0-9]{1,4}-[a-z-]+                              # 12-character
    | [0-9a-f]{7,64}                                  # commits and sums
    | [a-z]+[0-9]{1,4}[a-z]{1,12}[!?]*                # argon2id, sha512crypt
    | (?:sha|md|aes|rsa|hmac|pbkdf|utf|base|ed|rfc|iso|oauth|ipv|argon|win|http|tls|ssl|blake|s?b?crypt)[-_]?[0-9].*
    | (?:wpa|wep)[-_]?[0-9].* | x(?:86|509|25519).* | p(?:256|384|521)
    | [a-z][\w-]*(?:\.[a-z][\w-]*)+(?::[0-9]+)?       # hosts and files
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)*                    # addresses, user@host
    | [a-z]+(?:_[a-z0-9]+)+                           # names of programs
    | (?:[a-z]+-)+[a-z]*[0-9]{0,3}                    # web-01
    | --?[a-z].* | @.* | \#.* | \$.* | %.* | &.*
    | [a-z'-]+[!?*+&]*                                # words
    | [a-z]+20[0-4][0-9][-_.].*                       # a file's date
    """
)
_LEET = re.compile(rb"[A-Za-z]+@[0-9]{3,}[!#$]?|(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{1,12}@[A-Za-z0-9]+[!#$]?")
"""`Mudar@123`, `Tr4nsf@r`: no user at a host, which has small letters or a dot."""
_WORD_AND_DIGITS = re.compile(rb"[A-Za-z]{4,}[0-9]{2,}[!?#$]?")


@lru_cache(maxsize=2048)
def looks_chosen(value: bytes) -> bool:
    """Whether it looks like a password by itself: letters with digits or signs, and nothing else that is written so."""
    if _LETTER.search(value) is None or not (_DIGIT.search(value) or _SIGN_WITHIN.search(value)):
        return False
    usual = _ORDINARY.fullmatch(value) is not None and _LEET.fullmatch(value) is None
    return not usual and not is_expression(value) and is_typed(value, plain=False)


def is_chosen(value: bytes) -> bool:
    """The same where the place tells more: also a word with two digits or more."""
    return looks_chosen(value) or (_WORD_AND_DIGITS.fullmatch(value) is not None and is_typed(value, plain=False))


def later_passwords(data: bytes, ends: Sequence[int], work: Work) -> Iterator[Span]:
    """What follows the words for a password that end at `ends`; each stretch of text is read once."""
    named = [
        end
        for end in ends
        if not _IN_A_NAME.match(data, end, end + 2) and not _IN_A_PATH.search(data, max(0, end - 24), end)
    ]
    for near in _near_each_other(named):
        if _MAY_HOLD.search(data, near[0], near[-1] + CLAUSE_AHEAD):
            yield from _passwords_after(data, near, work)


def _near_each_other(ends: Sequence[int]) -> Iterator[Sequence[int]]:
    """Runs of places whose stretches overlap."""
    begun = 0
    for at in range(1, len(ends) + 1):
        if at == len(ends) or ends[at] - ends[at - 1] > CLAUSE_AHEAD:
            yield ends[begun:at]
            begun = at


def _passwords_after(data: bytes, ends: Sequence[int], work: Work) -> Iterator[Span]:
    done = 0
    for start, found in _led(data, ends):
        value = found.group(_VALUE).rstrip(_TAIL)
        first = start + found.start(_VALUE)
        end = ends[bisect_right(ends, start + found.start()) - 1]
        if first < done or first - end > CLAUSE_AHEAD or not _MAY_HOLD.search(value) or b"\n\n" in data[end:first]:
            continue
        if not work.allows(first) or not looks_chosen(value):
            continue
        if not found.group(_LEAD) and not _changes(data, end, start + found.end()):
            continue
        done = first + len(value)
        if in_code(data, first) or is_expression_in_program(data, first, done):
            continue
        yield Span(first, done, CONTEXT, KIND)


def _led(data: bytes, ends: Sequence[int]) -> list[tuple[int, Match]]:
    """Words that lead to a value, in order: right after a word for a password, as languages without blanks write, or
    apart from it.
    """
    close = [(end, _leads().match(data[end : end + _CLOSE])) for end in ends if data[end : end + 1] not in _APART]
    window = data[ends[0] : ends[-1] + CLAUSE_AHEAD]
    found = [(start, match) for start, match in close if match] + [(ends[0], m) for m in _leads().finditer(window)]
    return sorted(found, key=lambda each: each[0] + each[1].start())


def _changes(data: bytes, end: int, last: int) -> bool:
    return _verbs().search(data, max(0, end - CLAUSE_BACK), last + CLAUSE_BACK) is not None


@cache
def _leads() -> Expression:
    lead, change = (_spelled(table(CLAUSES, what)) for what in ("lead", "change"))
    return Expression(rf"(?:^|[\s(,.;:])(?:({lead})|{change})[ \t]{{0,2}}[:=]?[ \t\n]{{1,3}}{_OPEN}{_SHOWN}")


def _spelled(words: Iterable[str]) -> str:
    """In any case, but for letters of other alphabets, which are bytes here."""
    return "|".join(
        "".join(
            f"(?i:{re.escape(each)})" if each.isascii() else _coded(each) for each in re.split(r"([^\0-\x7f]+)", word)
        )
        for word in sorted(set(words), key=longest_first)
    )


def _coded(letters: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in letters.encode())


@cache
def _verbs() -> re.Pattern[bytes]:
    return re.compile(rb"(?i)(?:^|[^A-Za-z\x80-\xff])(?:" + _either(table(CLAUSES, "verb")) + rb")")


def _either(words: Iterable[str]) -> bytes:
    return b"|".join(re.escape(word.encode()) for word in sorted(set(words), key=longest_first))
