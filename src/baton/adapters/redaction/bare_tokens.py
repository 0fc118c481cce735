"""Tokens without a name beside them: long, mixing upper case, lower case and digits as no word, path or commit does."""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.entropy import entropy, is_alphabet, is_made_of_words, is_wordlike
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.grain import has_grain, surprise
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.lookalikes import is_name, is_ours, is_random_mix
from baton.adapters.redaction.names import last_word
from baton.adapters.redaction.programs import is_of_program
from baton.adapters.redaction.public import is_public
from baton.adapters.redaction.runs import IN_RUN, is_in_data
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    BARE_TOKEN_BACK,
    HASH_NAME_BACK,
    LEAST_DIGITS_OF_BARE_TOKEN,
    LEAST_ENTROPY_OF_BARE_TOKEN,
    LEAST_HEX,
    LEAST_SURPRISE_OF_BARE_TOKEN,
    LEAST_TEXT,
    LONGEST_BARE_TOKEN,
    MOST_DASHES,
    MOST_SLASHES,
    SHORTEST_BARE_LOWER_CASE,
    SHORTEST_BARE_TOKEN,
    SHORTEST_SCRAMBLED,
)
from baton.adapters.redaction.typed import in_code
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
_RUN_BYTES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=-"
_APART = bytes(byte if byte in IN_RUN else 0x20 for byte in range(256))
_NAMED_HASH = Expression(
    r"(?i)(?:sha(?:1|224|256|384|512)|md5|integrity|checksum|digest(?:value)?|hash|resolved|etag|h1)[\"'\s:=>,-]{0,6}"
    r"(?:\[\][a-z]{1,12}\{|[(\[{])?[\"']?$"
    r"|\bH\([\w.* -]{1,40}\)[ \t]{0,12}=[ \t]{0,3}$"
    r"|(?:[a-z0-9]|[_ -])id(?:-2)?[\"']{0,2}[ \t]{0,12}[:=][ \t]{0,3}(?:[\w.]{1,16}\()?[\"']?$"
)
_CALLED = re.compile(
    rb"([A-Za-z_][\w.]*)[\"'\])]{0,2}[ \t]*(?::[ \t]*[&\w<>'\[\]]+[ \t]*=|:=|[:=])"
    rb"[ \t]*(?:[\w.]{1,24}\()?[brfu]?[\"'`]\Z"
)
_OTHER_NOUN = re.compile(
    rb"(?i)b(?:ase)?64|input|output|expected|wants?|encoded|decoded|(?:pem|der)_?text|\w*(?:hash|digest|checksum)|sum|pem|der"
    rb"|cert(?:ificate)?|addr(?:ess)?|pub_?key|vector|etag|fingerprint|thumbprint|integrity|icon|svg|image|cid"
)
"""What is no secret, as a program calls it."""
_MAP_OF_HASHES = re.compile(rb"(?i)(?:hash|checksum|digest|sha(?:1|256|512)|integrity)\w*[.\[(][^\n]*\Z")
_SPEAKS_OF_SECRET = re.compile(rb"(?i)pass|secret|token|key|auth|cred|sign")
_IDENTIFIER = Expression(
    r"(?i)(?:msg|toolu|srvtoolu|tool|call|req|resp|response|run|thread|asst|file|batch|wrkspc|org|user|usr|proj|item|evt|event"
    r"|cus|pm|seti|txn|sub|ses|sess|agent|mem|turn|pi|ch|in|prod|price|conv|rs|fc|ws|container|skill|vs|step|chatcmpl|cmpl|gen|trace|span|job|task|id|rlg|acct)[_-].*"
)
_OBJECT = re.compile(
    rb"(?![a-z]*(?:key|tok|sec|sk|pk|pat|pw|pass|api|auth|cred|live|test|sess))[a-z]{2,12}[_-][A-Za-z0-9]{16,}+"
)
"""An object by its kind: `invoice_01H8XK…`. Keys say that they are keys."""
_CALLED_ID = re.compile(rb"[\s{(,][\"']?id[\"']?[ \t]*[:=][ \t]*[\"']\Z")
_DRAWING = re.compile(
    rb"(?:[MmLlHhVvCcSsQqTtAaZz]?-?[0-9]{1,4}+|[Zz](?=[MmLlHhVvCcSsQqTtAa]|\Z))++[MmLlHhVvCcSsQqTtAaZz]?"
)
"""The path of a picture in SVG: `19h10V4H7v15zm-5-2h4V6`."""
_SYMBOL = re.compile(rb"_R[A-Z]|_ZN|I?Nt[A-Z]|_T[0-9]")
_NUMBER = re.compile(rb"-?0[xX][0-9a-fA-F_]+(?:[iu](?:8|16|32|64|128))?")
_STANDARD = bytes.maketrans(b"-_", b"+/")
_TEXT = re.compile(rb"[\t\n\r -~]+")
_SENTENCE = re.compile(rb"""[A-Za-z,.] [A-Za-z<]|[{\[]["{]|</?[A-Za-z?]|":""")
_LABELLED = re.compile(rb"(?i)(?:[a-z]++[-_])*(?:password|passwd|pwd|passphrase|secret)[-_=]")
"""In the name of a branch or a folder: `fix/password-jjTbvUWVggB1RR92Rb`."""
_ASSIGNED = re.compile(rb"-{0,2}+[A-Za-z_][\w-]{0,63}+=(?=[^=])")
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
_ESCAPED_END = re.compile(rb"""\\(?:["'`]|[nrt](?![a-z]))""")
"""The end of a line or of a string, written as an escape."""
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
                if (
                    len(value) >= SHORTEST_SCRAMBLED
                    and not work.has_found(found.end(), found.end() + len(value))
                    and not work.gives_up(last)
                    and is_random_mix(value)
                ):
                    yield Span(found.end(), found.end() + len(value), CONTEXT, KIND)
            elif _SHORTEST[which] <= last - start <= LONGEST_BARE_TOKEN and (
                not work.has_found(start, last)
                and _stands_alone(data, start, last)
                and not work.gives_up(last)
                and not is_in_data(data, start, last)
                and not _says_something(data[start:last])
                and not is_public(data, start, last)
                and not is_made_of_words(data[start:last])
                and work.allows(last)
                and (value := self._value(data, start, last, _SHORTEST[which])) is not None
                and not is_of_program(data, value, last)
                and not (self._is_object(data, value, last) and in_code(data, value))
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

    def _is_object(self, data: bytes, start: int, last: int) -> bool:
        """Whether a program calls it an id, or it begins with what it is."""
        before = data[max(0, start - HASH_NAME_BACK) : start]
        return _OBJECT.fullmatch(data, start, last) is not None or _CALLED_ID.search(before) is not None

    def _is_token(self, data: bytes, start: int, last: int) -> bool:
        value = data[start:last]
        if (
            _is_id(value)
            or _IDENTIFIER.fullmatch(value)
            or _DRAWING.fullmatch(value)
            or is_name(value)
            or is_ours(value)
            or _NAMED_HASH.search(data[max(0, start - HASH_NAME_BACK) : start])
            or _is_called_otherwise(data, start)
        ):
            return False
        digits = sum(byte in b"0123456789" for byte in value)
        if digits < len(value) * LEAST_DIGITS_OF_BARE_TOKEN:
            return False
        if entropy(value) < LEAST_ENTROPY_OF_BARE_TOKEN or is_wordlike(value):
            return False
        if surprise(value) < LEAST_SURPRISE_OF_BARE_TOKEN:
            return False
        return not (is_alphabet(value) or _is_code(value) or _QUOTED_PRINTABLE.search(value))


def _is_called_otherwise(data: bytes, start: int) -> bool:
    """Whether the program says on this line that it is a hash, an address, a certificate or what a test works on."""
    line = data[max(data.rfind(b"\n", 0, start) + 1, start - BARE_TOKEN_BACK) : start]
    if not line and _MAKES_PUBLIC.search(data, max(0, start - BARE_TOKEN_BACK), start):
        return True
    called = _CALLED.search(line)
    if called is not None and _OTHER_NOUN.fullmatch(last_word(called[1])):
        return in_code(data, start)
    return _MAP_OF_HASHES.search(line) is not None and _SPEAKS_OF_SECRET.search(line) is None and in_code(data, start)


_MAKES_PUBLIC = re.compile(
    rb"(?:\bwg (?:pubkey|show [\w.-]{1,20} peers)\b[^\n]{0,60}|: [a-z]+ public key [0-9A-F]{16})\r?\n\Z"
)


def _stands_alone(data: bytes, start: int, last: int) -> bool:
    """Whether it is no hash that says so, and no part of a path, an address or a longer name. Asked first: it is quick,
    and what is data by the thousand fails here.
    """
    if start and data[start - 1] in _WITHIN:
        return False
    if last < len(data) and data[last] in b"./\\@:(" and not _ESCAPED_END.match(data, last):
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
    if _is_mostly_text(text):
        return True
    if max(text, default=0) > 0x7F:
        return _is_foreign_text(text)
    if _TEXT.fullmatch(text) is None:
        return False
    return _SENTENCE.search(text) is not None or is_alphabet(text) or has_grain(text)


def _is_mostly_text(text: bytes) -> bool:
    """Whether it begins with two words, or several or a link stand in it with signs among them that nobody types: of
    random bytes a third can be read, and those make no words.
    """
    if _BEGINS_WITH_TEXT.match(text):
        return True
    letters = sum(0x20 <= byte < 0x7F for byte in text)
    return letters >= LEAST_TEXT * len(text) and _HOLDS_TEXT.search(text) is not None


_HOLDS_TEXT = re.compile(rb"(?:\b[a-z]{2,12} (?=[a-z]{2}).*?){2}|[a-z]://[a-z]{3}", re.S)
_BEGINS_WITH_TEXT = re.compile(rb"[A-Za-z][a-z]{2,} [a-z]{3}")


def _is_foreign_text(text: bytes) -> bool:
    """Whether it is words of another script, of which random bytes are none."""
    try:
        said = text.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(text) - 3:
            return False
        said = text[: error.start].decode("utf-8")
    return " " in said.strip() and said.replace("\n", " ").replace("\r", " ").isprintable()


def _first_end(data: bytes, end: int) -> int:
    """Where the first mix of a run ends, given where the anchor ended; 0 for a run that is too short."""
    last = end if data[end - 1] in IN_RUN else end - 1
    if last < _SHORTEST_RUN or data[last - _SHORTEST_RUN : last].translate(None, _RUN_BYTES):
        return 0
    size = BARE_TOKEN_BACK
    while (before := data[max(0, last - size) : last].translate(_APART).rfind(b" ")) < 0 and size < last:
        size *= 8
    first = max(0, last - size) + before + 1
    found = _FIRST.search(data, first, last)
    return found.end() if found else 0
