"""Values as they are written after an operator: quoted, bare, in a tag, on the next line."""

from __future__ import annotations

import re
from typing import NamedTuple

from baton.adapters.redaction.thresholds import LONGEST_VALUE

_LEAD = re.compile(rb"[=:>~|?+]*+[ \t]{0,64}+")
_BLOCKS = (b"|", b">")
_BLANK = b" \t"
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_BEGINS_TYPE = _LETTERS + b"&*["
_QUOTES = b"\"'`"
_OPENS = b"\"'`\\&@$(" + b"[" + _LETTERS
_LITERAL = re.compile(
    rb"""(?:[bBrRuUfF@$L]{1,2}+|new [Ss]tring\(|\(|\[|\[\](?:byte|string|rune|char)[({]|(?:aws\.)?[Ss]tring\("""
    rb"""|(?:[A-Za-z_]\w{0,20}\.)?(?:\w{0,8}[Pp]tr|str|strdup|(?:from|un)?hex|unhexlify|\w{0,8}hex2bin|Secret(?:Str|String|Bytes)?|from|bytes)\([bBuU]?+)?"""
    rb"""[ \t]*+(\"\"\"|\'\'\'|\\*+["'`]|&quot;|&#39;)"""
)
"""In quotes, and what may stand before these: `b"…"`, `[]byte("…")`, `strPtr("…")`, `SecretStr("…")`."""
_BARE = re.compile(rb"""[^\s"'`<>]{1,4096}+""")
_BARE_ENDS = b",.;)}]|\\"
_GOES_ON = re.compile(rb"""(?:>[#!%^*_-][^\s"'`<>]{1,256}+)++""")
"""Where no tag is open, a value with many signs may have this one too."""
_TAG_BACK = 120
_TYPE = re.compile(
    rb"""(?:&(?:'[a-z]++[ \t]++)?(?:mut[ \t]++)?+|\[\]|\*)?+[A-Za-z][\w.<>\[\]?]{0,24}+"""
    rb"""(?:[ \t]++=[ \t]++|[ \t]*+=[ \t]*+(?=["'`]))"""
)
_BLOCK = re.compile(rb"""[|>][-+]?[ \t]*+\r?\n[ \t]*+""")
"""Only possessive runs of single classes: for these the standard library is linear, and three times as fast."""
SCHEMES = frozenset(
    b"apikey api-key aws4-hmac-sha256 basic bearer bot digest dsn geniekey hmac jwt key mac negotiate ntlm oauth"
    b" snyk splunk sso-key token".split()
)
_LONGEST_SCHEME = 16


class WrittenValue(NamedTuple):
    """A value's place. `quote` is empty for a bare one; `below` means it begins on a later line than its name."""

    start: int
    end: int
    quote: bytes
    below: bool = False


class ValueReader:
    """Reads the values of one text. It remembers how far it has searched, so that many reads cost one pass."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._run = (0, 0)
        self._next: dict[bytes, int] = {}

    def value(self, at: int) -> WrittenValue | None:
        """The value that an operator ending at `at` introduces."""
        data, limit = self.data, len(self.data)
        if (lead := _LEAD.match(data, at)) is not None:
            at = lead.end()
        if at < limit and data[at] in _BEGINS_TYPE and (typed := _TYPE.match(data, at, min(limit, at + 48))):
            at = typed.end()
        below = False
        if at < limit and data[at] in b"\r\n":
            below, at = True, self._next_line(at)
        elif (behind := data[at - 1 : at] in _BLOCKS) or data[at : at + 1] in _BLOCKS:
            block = _BLOCK.match(data, at - 1 if behind else at, min(limit, at + 64))
            below, at = (True, block.end()) if block else (False, at)
        if at < limit and data[at] in _OPENS:
            literal = _LITERAL.match(data, at, min(limit, at + 48))
            if literal is not None:
                return self._read_quoted(literal.end(), literal.group(1), below)
        return self.bare(at, below)

    def bare(self, at: int, below: bool = False) -> WrittenValue | None:
        """A run without blanks and quotes, and without the punctuation after it."""
        start, end = self._run
        if not start <= at < end:
            run = _BARE.match(self.data, at)
            if run is None:
                return None
            end = run.end()
            if self.data[end : end + 1] == b">" and b"<" not in self.data[max(0, at - _TAG_BACK) : at]:
                more = _GOES_ON.match(self.data, end)
                end = more.end() if more else end
            self._run = (at, end)
        while end > at and self.data[end - 1] in _BARE_ENDS:
            end -= 1
        return WrittenValue(at, end, b"", below) if end > at else None

    def without_scheme(self, found: WrittenValue) -> WrittenValue:
        """Past a word such as `Bearer`, which says what the value is."""
        data = self.data
        blank = data.find(b" ", found.start, found.start + _LONGEST_SCHEME + 1)
        if blank < 0 or data[found.start : blank].lower() not in SCHEMES:
            return found
        at = self._past_blanks(blank)
        if found.quote:
            return WrittenValue(at, found.end, found.quote, found.below) if at < found.end else found
        return self.bare(at, found.below) or found

    def _read_quoted(self, start: int, quote: bytes, below: bool) -> WrittenValue | None:
        """Reads up to the same quote. One that is not closed on its line counts as bare: secrets get pasted so."""
        end = self._find(quote, start)
        while end > start and len(quote) == 1 and self._is_escaped(end):
            end = self._find(quote, end + 1)
        line = self._find(b"\n", start)
        if end - start > LONGEST_VALUE or line < end:
            return self.bare(start, below)
        return WrittenValue(start, end, quote, below) if end > start else None

    def _is_escaped(self, at: int) -> bool:
        data = self.data
        return at < len(data) and data[at - 1] == 0x5C and data[at - 2] != 0x5C

    def _find(self, what: bytes, start: int) -> int:
        """Where `what` occurs next; the text's length if it does not."""
        known = self._next.get(what, -1)
        if known < start:
            known = self.data.find(what, start)
            known = len(self.data) if known < 0 else known
            self._next[what] = known
        return known

    def _past_blanks(self, at: int) -> int:
        data, limit = self.data, min(len(self.data), at + 64)
        while at < limit and data[at] in _BLANK:
            at += 1
        return at

    def _next_line(self, at: int) -> int:
        data = self.data
        at += 2 if data[at : at + 2] == b"\r\n" else 1
        return self._past_blanks(at)
