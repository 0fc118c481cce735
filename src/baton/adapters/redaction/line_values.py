# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords of several words where files and terminals keep one: the rest of a line, quotes, braces, a block below.

`DB_PASSWORD=tin roof 9` holds a value whatever it says; `password: ask Ann` may be a note. So a name that only machines
read lets words pass that hold a phrase together, and any other name does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.lookalikes import is_example
from baton.adapters.redaction.neighbours import has_user
from baton.adapters.redaction.notes import is_note
from baton.adapters.redaction.phrases import ABOUT, GOES_ON, is_quoted_phrase
from baton.adapters.redaction.prefixed_commands import runs_command
from baton.adapters.redaction.rules_file import sentence_words
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import LONGEST_TYPED_PHRASE, MOST_WORDS_OF_PHRASE, SETTING_BACK
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.work import Work

KIND = "password"
_NOUN = (
    r"(?:passw(?:or)?d|passwd|passphrase|passwort|kennwort|pass|pwd|pw|psk|secret|mot[ _]?de[ _]?passe|mdp"
    r"|contrase(?:\xc3\xb1|n)a|senha|wachtwoord|has(?:\xc5\x82|l)o|heslo)"
)
_AGAIN = r"(?:[ ]again|[ ]for[ ](?:key[ ])?[^\s:]{1,80}|[ ]\([^()\n]{1,30}\))?"
_NAME = re.compile(rb"((?:[Mm]ot de )?[\w.$:/\x80-\xff-]{1,80})[\"'\]]{0,2}[ \t]{0,16}\Z")
_STARTS = re.compile(rb"[ \t]*(?:[-*;>+][ \t]+)?(?:(?:export|set|setx|ENV|declare -x|env)[ \t]+)?[\"']?\Z", re.I)
_PROMPT = re.compile(
    rb"(?i)[ \t]*(?:please )?(?:enter|new|re-?type|re-?enter|repeat|confirm|current|old|verify|type)\b[\w ,'\"./@~-]{0,120}\Z"
)
_COUNTERS = re.compile(
    rb"(?i)(?:^|[_.-])(?:errors?|labels?|hints?|titles?|help|messages?|msg|text|placeholder|tooltip|desc(?:ription)?|subject|invalid|mismatch"
    rb"|policy|rules?|reset|forgot(?:ten)?|change|confirm|strength|forms?|i18n|lang|button|btn|ui|fields?|validation|prompt)(?:$|[_.-])"
)
"""Parts of names that texts on a screen have."""
_BLOCK = re.compile(rb"[|>][-+]?[ \t]*\r?\n")
_BRACED = re.compile(rb"\{([^{}\n]{3,128})\}(?=[;\"'\s]|\Z)")
_NO_TEXT = re.compile(
    rb"[(){}\[\]<>=|\\`\x00-\x1f]|://|%[sdvqr(]|\$[A-Za-z{(]|&\w+;|\w@\w+\.\w|\s-{1,2}[A-Za-z]|\s{3}|:\s"
)
_GLUE = frozenset(
    b"a an the on in of at to by for with under over and or no my our i one it its up down off out from into me you is im am"
    b" sur le la les de du des un une et en sous dans auf der die das den und mit von zum im am el los las con y da do di il lo e na v s z w".split()
)
_SHORT = 2


class LineLayer:
    def anchors(self) -> Sequence[Anchor]:
        return [
            Anchor(rf"{_NOUN}{_AGAIN}[\"'\]]{{0,2}}[ \t]{{0,16}}[=:][ \t]{{0,4}}[^\s]", caseless=True),
        ]

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = 0
        for end in sorted({end for _, end in hits}):
            if end <= done or work.is_unread(end):
                continue
            operator = max(data.rfind(b"=", max(0, end - 8), end), data.rfind(b":", max(0, end - 8), end))
            if operator < 0 or not _may_hold(data, end - 1) or not work.allows(end):
                continue
            found = _read(data, operator, end - 1)
            if found is not None:
                done = found[1]
                yield Span(*found, CONTEXT, KIND)


def _may_hold(data: bytes, at: int) -> bool:
    """Whether a blank, a brace or a block follows, without a look: one word is judged elsewhere, and so are the words
    of a long line.
    """
    if data[at] in b"{|>":
        return True
    if data[at] in b"\"'":
        close = data.find(data[at], at + 1, at + LONGEST_TYPED_PHRASE)
        return close > 0 and data.find(b" ", at, close) > 0
    if at > SETTING_BACK and data.rfind(b"\n", at - SETTING_BACK, at) < 0:
        return False
    stop = data.find(b"\n", at, at + LONGEST_TYPED_PHRASE)
    return data.find(b" ", at, stop if stop >= 0 else at + LONGEST_TYPED_PHRASE) > 0


def _read(data: bytes, operator: int, at: int) -> tuple[int, int] | None:
    line = data.rfind(b"\n", max(0, operator - SETTING_BACK), operator) + 1 or max(0, operator - SETTING_BACK)
    head = data[line:operator]
    named = _NAME.search(head)
    if named is None or _COUNTERS.search(named[1]):
        return None
    name, before = named[1], head[: named.start()]
    if data[at] == 0x7B:
        braced = _BRACED.match(data, at) if before.endswith(b";") and data[operator] == 0x3D else None
        return braced.span(1) if braced and not is_example(braced[1]) else None
    prompt = _PROMPT.fullmatch(head) is not None
    sure = prompt or _is_machine_read(name, before, data[operator : operator + 2])
    if (block := _BLOCK.match(data, at)) is not None:
        return _block(data, block.end(), len(head) - len(head.lstrip()))
    quote = data[at : at + 1]
    if quote in (b'"', b"'"):
        close = data.find(quote, at + 1, at + LONGEST_TYPED_PHRASE)
        said = data[at + 1 : close] if close > 0 else b""
        keyed = head.rstrip()[-1:] == b'"' and is_value_of_words(said, sure=False) and said.count(b" ") >= _SHORT
        return (at + 1, close) if keyed or _is_value(data, at + 1, said, sure) else None
    opened = before[-1:]
    if opened in (b'"', b"'") and not prompt:
        close = data.find(opened, at, at + LONGEST_TYPED_PHRASE)
        said = data[at:close] if close > 0 else b""
        return (at, close) if _is_value(data, at, said, True) else None
    if not (prompt or _STARTS.fullmatch(before)):
        return None
    stop = data.find(b"\n", at, at + LONGEST_TYPED_PHRASE)
    said = data[at : stop if stop >= 0 else at + LONGEST_TYPED_PHRASE].rstrip()
    goes_on = b" " in said and (said.split(maxsplit=2)[1] in GOES_ON or (sure and runs_command(said)))
    return (at, at + len(said)) if not goes_on and _is_value(data, at, said, sure) else None


def _is_machine_read(name: bytes, before: bytes, operator: bytes) -> bool:
    """Whether only a program reads the name: a variable of the environment, or a key with dots and `=`."""
    if before.strip().lower() in (b"export", b"set", b"setx", b"env") or name.lower().startswith(b"$env:"):
        return True
    return operator[:1] == b"=" and operator != b"= " and (b"_" in name or b"." in name or name.isupper())


def _block(data: bytes, at: int, depth: int) -> tuple[int, int] | None:
    """The lines below that are further in, as one value."""
    first, last, said = 0, 0, list[bytes]()
    while len(said) <= _SHORT:
        stop = data.find(b"\n", at, at + LONGEST_TYPED_PHRASE)
        line = data[at : stop if stop >= 0 else at + LONGEST_TYPED_PHRASE]
        words = line.strip()
        if not words or len(line) - len(line.lstrip()) <= depth:
            break
        first = first or at + len(line) - len(line.lstrip())
        last = at + len(line.rstrip())
        said.append(words)
        if stop < 0:
            break
        at = stop + 1
    return (first, last) if said and _is_value(data, first, b" ".join(said), sure=len(said) == 1) else None


def _is_value(data: bytes, at: int, said: bytes, sure: bool) -> bool:
    """Whether some words are a pass phrase and not a text on a screen, a note or code."""
    return is_value_of_words(said, sure) and (
        sure or (not in_code(data, at) and (said.count(b" ") >= _SHORT or has_user(data, at)))
    )


@lru_cache(maxsize=4096)
def is_value_of_words(said: bytes, sure: bool) -> bool:
    """By the words alone."""
    words = said.split()
    if not 1 < len(words) <= MOST_WORDS_OF_PHRASE or len(said) >= LONGEST_TYPED_PHRASE or said != said.strip():
        return False
    if _NO_TEXT.search(said) or ABOUT.search(said) or is_note(said) or is_example(said):
        return False
    if is_quoted_phrase(said):
        return True
    small = [word.strip(b".,;:!?\"'").lower() for word in words]
    told = sum(word in sentence_words() and word not in _GLUE for word in small)
    if told > (len(words) // 3 if sure else 0) or small[0] in _OPENERS or said[-1:] in b".?:,":
        return False
    if not sure:
        return said.islower()
    numbered = any(0x30 <= byte <= 0x39 for byte in said)
    sentence = said[:1].isupper() and said[1:].islower() and len(words) > 3
    return numbered or not sentence


_OPENERS = frozenset(b"is are was the no not none a an and or for to in on at with by from of if".split())
