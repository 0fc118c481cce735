"""Tokens without a name beside them: long, mixing upper case, lower case and digits as no word, path or commit does."""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.entropy import entropy, is_alphabet, is_made_of_words, is_wordlike
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.lookalikes import is_name, is_ours, is_random_mix
from baton.adapters.redaction.programs import is_of_program
from baton.adapters.redaction.public import is_public
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    BARE_TOKEN_BACK,
    HASH_NAME_BACK,
    LEAST_DIGITS_OF_BARE_TOKEN,
    LEAST_ENTROPY_OF_BARE_TOKEN,
    LEAST_HEX,
    LONGEST_BARE_TOKEN,
    LONGEST_OF_DATA,
    MOST_DASHES,
    MOST_SLASHES,
    SHORTEST_BARE_LOWER_CASE,
    SHORTEST_BARE_TOKEN,
    SHORTEST_OF_DATA,
    SHORTEST_SCRAMBLED,
)
from baton.adapters.redaction.work import Work

KIND = "token"
_MIXED = r"[a-z][0-9][A-Z]|[a-z][A-Z][0-9]|[A-Z][a-z][0-9]|[A-Z][0-9][a-z]|[0-9][a-z][A-Z]|[0-9][A-Z][a-z]"
_SMALL = r"(?:^|[^\w./-])[0-9a-f]{0,15}[g-z][0-9a-z]{27}"
_BREAKS = bytes(
    byte if chr(byte).isascii() and (chr(byte).isalnum() or byte in b"_+=-") else 0x20 for byte in range(256)
)
_AFTER = re.compile(rb"[A-Za-z0-9_+/=-]*+")
_RUN_ENDS = r"[A-Za-z0-9_+/=-]*(?:[^A-Za-z0-9_+/=-]|$)"
_FIRST = re.compile(_MIXED.encode())
_IN_RUN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=-")
_APART = bytes(byte if byte in _IN_RUN else 0x20 for byte in range(256))
_NAMED_HASH = Expression(
    r"(?i)(?:sha(?:1|224|256|384|512)|md5|integrity|checksum|digest(?:value)?|hash|resolved|etag|h1)[\"'\s:=>,-]{0,6}"
    r"(?:\[\][a-z]{1,12}\{|[(\[{])?[\"']?$"
    r"|(?:[a-z0-9]|[_ -])id(?:-2)?[\"']{0,2}[ \t]{0,12}[:=][ \t]{0,3}(?:[\w.]{1,16}\()?[\"']?$"
)
_IDENTIFIER = Expression(
    r"(?i)(?:msg|toolu|srvtoolu|tool|call|req|resp|response|run|thread|asst|file|batch|wrkspc|org|user|usr|proj|item|evt|event"
    r"|cus|sub|ses|sess|agent|mem|turn|pi|ch|in|prod|price|conv|rs|fc|ws|container|skill|vs|step|chatcmpl|cmpl|gen|trace|span|job|task|id|rlg|acct)[_-].*"
)
_SYMBOL = re.compile(rb"_R[A-Z]|_ZN|I?Nt[A-Z]|_T[0-9]")
_NUMBER = re.compile(rb"-?0[xX][0-9a-fA-F_]+(?:[iu](?:8|16|32|64|128))?")
_STANDARD = bytes.maketrans(b"-_", b"+/")
_TEXT = re.compile(rb"[\t\n\r -~]+")
_SENTENCE = re.compile(rb"""[A-Za-z,.] [A-Za-z<]|[{\[]["{]|</?[A-Za-z?]|":""")
_SEPARATE = rb"""["'`)]{0,2}[ \t]*(?P<sign>[+\\]?)[ \t]*\r?\n[ \t/#*>+!"'`|(]*(?:[bBrRuUfF]{1,2}["'`])?"""
_RUN = rb"(?P<run>[A-Za-z0-9+/=_-]{20,})"
_RUN_AFTER = re.compile(_SEPARATE + _RUN)
_RUN_BEFORE = re.compile(rb"(?<![A-Za-z0-9+/=_-])(?P<run>[A-Za-z0-9+/=_-]{20,}+)" + _SEPARATE + rb"\Z")
_LABELLED = re.compile(rb"(?i)(?:[a-z]++[-_])*(?:password|passwd|pwd|passphrase|secret)[-_=]")
"""In the name of a branch or a folder: `fix/password-jjTbvUWVggB1RR92Rb`."""
_ASSIGNED = re.compile(rb"[A-Za-z_][\w-]{0,63}+=(?=[^=])")
"""The name before a token: `FOO=…`. It stays."""
_NAME_OF_WORDS = re.compile(
    rb"(?:^[a-z]{2,}+|[A-Z][a-z]{2,}+|IPv[46]|(?:A[st]|By|I[ns]|No|O[fnr]|To|Up)(?![a-z])|[A-Z]{2,8}?(?=[A-Z][a-z]{2})"
    rb"|[A-Z]{2,6}+(?![a-z])|[A-Z]?[0-9]{1,4}+|_)++"
)
"""Capitalised words and short numbers: `SigRsaPkcs1V15WithSha256`. Of random values of 24 characters 0.2 % are."""
_BEGINS_WITH_WORDS = re.compile(rb"(?:[A-Z][a-z]{2,}+){3}")
"""`AzureSkuNameStandardDS14V24TBPS`: of random values 0.04 % do."""
_HASHES = (b"sha512-", b"sha384-", b"sha256-", b"sha1-", b"sha256:", b"sha512:", b"h1:")
_SHORTEST_RUN = min(SHORTEST_BARE_TOKEN, len(b"pwd-") + SHORTEST_SCRAMBLED)
_WITHIN = b"./\\@:%#~?&"
_SHORTEST = (SHORTEST_BARE_TOKEN, SHORTEST_BARE_LOWER_CASE)


class BareTokenLayer:
    """Two forms: upper case, lower case and digits in turn, or a long run of lower case and digits."""

    def anchors(self) -> Sequence[Anchor]:
        """The first with the end of its run, so that a run is reported once, however mixed it is."""
        return [Anchor(f"(?:{_MIXED}){_RUN_ENDS}"), Anchor(_SMALL)]

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = 0
        for end, which in sorted((end if which else _first_end(data, end), which) for which, end in hits):
            if end <= done:
                continue
            last = _AFTER.match(data, end).end()  # type: ignore[union-attr]  (it matches nothing, too)
            before = data[max(0, end - BARE_TOKEN_BACK) : end].translate(_BREAKS)
            start = end - len(before) + before.rfind(b" ") + 1
            done = last
            if found := _LABELLED.match(data, start, last):
                value = data[found.end() : last].partition(b"/")[0]
                if len(value) >= SHORTEST_SCRAMBLED and is_random_mix(value):
                    yield Span(found.end(), found.end() + len(value), CONTEXT, KIND)
            elif _SHORTEST[which] <= last - start <= LONGEST_BARE_TOKEN and (
                _stands_alone(data, start, last)
                and not _says_something(data[start:last])
                and not is_made_of_words(data[start:last])
                and not is_in_data(data, start, last)
                and not work.gives_up(last)
                and not is_public(data, start, last)
                and work.allows(last)
                and (value := self._value(data, start, last, _SHORTEST[which])) is not None
                and not is_of_program(data, value, last)
            ):
                yield Span(value, last, CONTEXT, KIND)

    def _value(self, data: bytes, start: int, last: int, shortest: int) -> int | None:
        """Where the token begins, behind its name if it has one; None if neither the run nor the value is a token."""
        name = _ASSIGNED.match(data, start, last)
        value = name.end() if name else start
        if name and _is_code(data[value:last]):
            return None
        told = self._is_token(data, start, last) or (last - value >= shortest and self._is_token(data, value, last))
        return value if told else None

    def _is_token(self, data: bytes, start: int, last: int) -> bool:
        value = data[start:last]
        if (
            _is_id(value)
            or _IDENTIFIER.fullmatch(value)
            or is_name(value)
            or is_ours(value)
            or _NAMED_HASH.search(data[max(0, start - HASH_NAME_BACK) : start])
        ):
            return False
        digits = sum(byte in b"0123456789" for byte in value)
        if digits < len(value) * LEAST_DIGITS_OF_BARE_TOKEN:
            return False
        if entropy(value) < LEAST_ENTROPY_OF_BARE_TOKEN or is_wordlike(value):
            return False
        return not (is_alphabet(value) or _is_code(value) or _QUOTED_PRINTABLE.search(value))


def _stands_alone(data: bytes, start: int, last: int) -> bool:
    """Whether it is no hash that says so, and no part of a path, an address or a longer name. Asked first: it is quick,
    and what is data by the thousand fails here.
    """
    if (start and data[start - 1] in _WITHIN) or (last < len(data) and data[last] in b"./\\@:("):
        return False
    value = data[start:last]
    if value.count(b"/") > MOST_SLASHES or value.count(b"-") + value.count(b"_") > MOST_DASHES:
        return False
    return not (value.startswith(_HASHES) or data[max(0, start - 7) : start].lower().endswith(_HASHES))


def _is_code(value: bytes) -> bool:
    """A symbol as compilers write them, a number, or a name that is made of capitalised words."""
    return any(form.fullmatch(value) for form in (_NUMBER, _NAME_OF_WORDS)) or any(
        form.match(value) for form in (_SYMBOL, _BEGINS_WITH_WORDS)
    )


def _is_id(value: bytes) -> bool:
    """Hexadecimal, perhaps in parts: a UUID or a trace, even one that a test spoiled, or behind a vendor's letters."""
    plain = _PARTS.sub(b"", value)
    return sum(byte in _HEX_DIGITS for byte in plain) >= LEAST_HEX * len(plain)


_PARTS = re.compile(rb"^0x|[-_]")
_HEX_DIGITS = frozenset(b"0123456789abcdefABCDEF")
_QUOTED_PRINTABLE = re.compile(rb"(?:=[0-9A-F]{2}.*){2}|=[0-9A-F]{2}[A-Za-z_].*")


def _says_something(value: bytes) -> bool:
    """Whether it is base64 of a text: what that says is judged by what it says (`decoded`)."""
    padded = value.rstrip(b"=")
    padded = padded[: len(padded) // 4 * 4].translate(_STANDARD)
    if b"=" in padded:
        return False
    try:
        plain = a2b_base64(padded)
    except ValueError:
        return False
    text = plain.rstrip(b"\0\1\2\3")
    if max(text, default=0) > 0x7F:
        return _is_foreign_text(text)
    return _TEXT.fullmatch(text) is not None and (_SENTENCE.search(text) is not None or is_alphabet(text))


def _is_foreign_text(text: bytes) -> bool:
    """Whether it is words of another script, of which random bytes are none."""
    try:
        said = text.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(text) - 3:
            return False
        said = text[: error.start].decode("utf-8")
    return " " in said.strip() and said.replace("\n", " ").replace("\r", " ").isprintable()


def is_in_data(data: bytes, start: int, last: int) -> bool:
    """Whether it is part of a run that is too long for a token, or the line before or after is another such run: data
    in lines, joined by a sign or as long as those are.
    """
    line = data.find(b"\n", start, last)
    last = line if line > start else last
    while start and data[start - 1] in _IN_RUN and last - start <= LONGEST_BARE_TOKEN:
        start -= 1
    while last < len(data) and data[last] in _IN_RUN and last - start <= LONGEST_BARE_TOKEN:
        last += 1
    if last - start > LONGEST_BARE_TOKEN:
        return True
    after = _RUN_AFTER.match(data, last, last + LONGEST_BARE_TOKEN)
    first = max(0, start - LONGEST_BARE_TOKEN)
    line = data.rfind(b"\n", first, start)
    before = _RUN_BEFORE.search(data[max(first, data.rfind(b"\n", first, line) + 1) : start]) if line >= 0 else None
    return any(
        found["sign"]
        or SHORTEST_OF_DATA <= max(last - start, len(found["run"])) <= LONGEST_OF_DATA
        or SHORTEST_OF_DATA <= len(found["run"]) == last - start
        for found in (after, before)
        if found
    )


def _first_end(data: bytes, end: int) -> int:
    """Where the first mix of a run ends, given where the anchor ended; 0 for a run that is too short."""
    last = end if data[end - 1] in _IN_RUN else end - 1
    size = BARE_TOKEN_BACK
    while (before := data[max(0, last - size) : last].translate(_APART).rfind(b" ")) < 0 and size < last:
        size *= 8
    first = max(0, last - size) + before + 1
    found = _FIRST.search(data, first, last) if last - first >= _SHORTEST_RUN else None
    return found.end() if found else 0
