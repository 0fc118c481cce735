# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What stands in a program where a secret could and is none: its names, its expressions, words that hold a place.

In a program a secret is written in quotes or in a comment. What stands there bare is a name or an expression, whatever
it looks like. Asked only about spans that a rule wants to cut, so that ordinary text pays nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from baton.adapters.redaction.entropy import is_made_of_words, is_wordlike
from baton.adapters.redaction.lookalikes import is_hole
from baton.adapters.redaction.rules_file import common_words, ordinary_words
from baton.adapters.redaction.thresholds import (
    HEAD_ENDS,
    LONGEST_NAME,
    LONGEST_PLACE_HOLDER,
    PROGRAM_LINE,
    SAME_WORD_AROUND,
    SHORTEST_CALLED_SO,
    SHORTEST_TOKEN,
)
from baton.adapters.redaction.typed import in_code

_QUOTES = b"\"'`"
_QUOTE = re.compile(rb"[\"'`]")
_NAME = re.compile(rb"[A-Za-z_$][\w$]*+(?:(?:\.|::|->)[A-Za-z_$#][\w$]*+)*+")
_KEYWORD = re.compile(
    rb"(?:class|struct|enum|union|interface|trait|type|def|func|function|fn|new|extends|implements|import|typeof|sizeof|as"
    rb"|case|return|const|let|var|if|assert|await|goto|pub|use|impl|mod|macro|instanceof)[ \t]+[*&]?\Z"
)
_OPENS_CALL = re.compile(rb"[\w\])!>]\(\Z|\w\[\Z")
_SNAKE = re.compile(rb"_*+[A-Za-z]++[A-Za-z0-9]*+(?:_[A-Za-z0-9]++)++")
_CAPITALISED = re.compile(
    rb"(?:[a-z]{2,}+|[A-Z][a-z]+|[A-Z]{1,6}+(?![a-z]))(?:[A-Z][a-z]{2,}+|[A-Z]{1,6}+(?![a-z])|[0-9]{1,4}+)++"
)
"""`keysForFixed32Map`, `AwsSdkSigV4Signer`."""
_WORD = re.compile(rb"[A-Za-z0-9]{4,}+")
_JOINT = re.compile(
    rb"\w[(\[{]|[)\]}][;,.)\]}(:=+*/&|?-]|\|\||&&|[=!]=|=>|[\w$]\.[A-Za-z_$]|\w\?\.?\w|[;,](?:\w+[.=(:]|\.\.\.)|!!?[a-z]\w*\.|[+-]{2}|\w:\Z"
)
"""What joins the parts of an expression: a call, an index, a member, a comparison, the next statement."""
_COMMENT = re.compile(rb"[ \t]*+(?://|#|\*|/\*|--|;;|<!--)|.*(?:[ \t]//|[ \t]#[ \t])", re.S)
_PLACE_HOLDER = re.compile(
    rb"(?i)(?:(?:my|your|the|some|a|an|test|testing|bad|wrong|good|valid|invalid|correct|incorrect|dummy|fake|mock|not|real|notareal|example|sample|new|old|another|other|first|second|default)[-_. ]?)*+"
    rb"(?:pass(?:w(?:or)?d|wd|w|phrase|code)?|pwd?|secrets?|tokens?|(?:api|secret|private|access)?[-_. ]?key|credentials?|value|string)[0-9]?"
    rb"|(?:clear|plain)[-_ ]?text(?:[-_ ]?pass(?:word)?)?|(?:api|app|db|user|admin|root|client|server|login|basic)[-_](?:pass(?:word|wd)?|secret|token|key)"
    rb"|[0-9]-?pass|(?:band|low|high|all)pass|foo(?:bar)?|hello(?:[-_ ]?world)?|(?:bla){2,4}|whatever|something|anything|geheim|salty?|bar|baz|qux|quux|blah|abc|xyz|spam|eggs|asdf|qwer(?:ty)?|does-?not-?exist|not-?found"
)
"""What tests write where any word would do."""


def is_of_program(data: bytes, start: int, end: int) -> bool:
    """Whether it is a name, an expression or a word that holds a place, in a program."""
    value = data[start:end]
    bare = data[start - 1 : start] not in (b'"', b"'", b"`") or value.lstrip()[:1] in (
        *(b"+", b")", b",", b";", b":", b"?"),
    )
    if not (bare or len(value) <= LONGEST_PLACE_HOLDER) or not in_code(data, start):
        return False
    if holds_a_place(value):
        return True
    return bare and (
        _is_expression(value)
        or _goes_on_as_code(data, start, end)
        or is_name_in_program(data, start, end)
        or is_used_name(data, start, end)
    )


def _goes_on_as_code(data: bytes, start: int, end: int) -> bool:
    """Whether the bare value is the beginning of a member, the name of what is called, or a field of bytes."""
    return _POINTED.match(data, start, end + 2) is not None or any(
        form.match(data, start, end + 24) is not None for form in (_CALLED_BARE, _REMOTE_CALL, _BITS)
    )


_POINTED = re.compile(rb"[*&(!]*+[A-Za-z_][\w.>\[\]-]*?->[A-Za-z_]")
"""`data->set.proxy`, of which a sign like `>` cuts off the rest."""
_CALLED_BARE = re.compile(rb"[a-z_][A-Za-z_]*+[ \t]++[\"'][^\"'\n]")
"""`require "pwdb"`, as Lua and Ruby call."""
_REMOTE_CALL = re.compile(rb"[a-z]\w*+:[a-z]\w*+\(")
"""`mqtt_util:env(default_pass)`, in Erlang."""
_BITS = re.compile(rb"[a-z_]\w*+/(?:binary|integer|float|bits|bitstring|bytes|utf8)\b")
"""`<< Secret:?secretbytes/binary >>`."""


def is_expression_in_program(data: bytes, start: int, end: int) -> bool:
    return _is_expression(data[start:end]) and in_code(data, start)


def holds_a_place_in_program(data: bytes, start: int, end: int) -> bool:
    return holds_a_place(data[start:end]) and in_code(data, start)


@lru_cache(maxsize=1024)
def holds_a_place(value: bytes) -> bool:
    """Whether it is a word for a password or one that means nothing: `password`, `test-secret`, `foobar`."""
    if len(value) > LONGEST_PLACE_HOLDER:
        return False
    if _PLACE_HOLDER.fullmatch(value) is not None or is_hole(value):
        return True
    return value.lower().decode("latin-1") in common_words()


def is_name_in_program(data: bytes, start: int, end: int) -> bool:
    """Whether it is a bare name on a line of code that is called, a member, an argument of a call, or declared."""
    first, last = _whole_name(data, start, end)
    if not _is_bare_name(data, first, last) or not in_code(data, start):
        return False
    before, after = data[max(0, first - 24) : first], data[last : last + 2]
    if after[:1] == b"(" or before[-1:] == b"." or (after[:1] == b"." and (after[1:2].isalpha() or after[1:2] == b"_")):
        return True
    if _KEYWORD.search(before):
        return True
    return (_OPENS_CALL.search(before) is not None and after[:1] in (b")", b",", b"]")) or (
        before[-2:] == b", " and after[:1] in (b")", b"]")
    )


def is_used_name(data: bytes, start: int, end: int) -> bool:
    """Whether it is a bare name that consists of words, and is used again near by: no value is."""
    first, last = _whole_name(data, start, end)
    value = data[first:last]
    snake = _SNAKE.fullmatch(value)
    if not (snake or _CAPITALISED.fullmatch(value) or is_made_of_words(value) or is_wordlike(value)):
        return False
    near = max(0, first - SAME_WORD_AROUND), min(len(data), last + SAME_WORD_AROUND)
    again = data.count(value, *near) > 1 or (snake is not None and value.count(b"_") > 2)
    again = again or (len(value) >= SHORTEST_TOKEN and not value.isupper() and is_made_of_words(value))
    return again and _is_bare_name(data, first, last) and in_code(data, start)


def _is_bare_name(data: bytes, first: int, last: int) -> bool:
    return (
        last - first <= LONGEST_NAME and _NAME.fullmatch(data, first, last) is not None and not is_written(data, first)
    )


def _whole_name(data: bytes, start: int, end: int) -> tuple[int, int]:
    """A cut may have taken a part of a name."""
    while start > 0 and data[start - 1] in _IN_NAME:
        start -= 1
    while end < len(data) and data[end] in _IN_NAME:
        end += 1
    return start, end


_IN_NAME = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$")


def is_written(data: bytes, at: int) -> bool:
    """Whether the line up to there opens a string or a comment; a line that began too far away tells nothing."""
    first = data.rfind(b"\n", max(0, at - PROGRAM_LINE), at) + 1
    if not first and at > PROGRAM_LINE:
        return data[at - 1] in _QUOTES
    line = data[first:at]
    if _COMMENT.match(line):
        return True
    if _QUOTE.search(line) is None:
        return False
    inside = 0
    escaped = False
    for byte in line:
        if escaped:
            escaped = False
        elif byte == 0x5C:
            escaped = True
        elif inside:
            inside = 0 if byte == inside else inside
        elif byte in _QUOTES:
            inside = byte
    return inside != 0


def _is_expression(value: bytes) -> bool:
    """Whether a bare value is names, numbers and the signs that join them: `cur[0];offset++;if(type===`."""
    packed = _STATEMENT.search(value) is not None
    if not packed and _JOINT.search(value) is None:
        return False
    words: list[bytes] = _WORD.findall(_MEMBER.sub(b".", value) if packed else value)
    if not words and not packed:
        return _SHORT_MEMBER.fullmatch(value) is not None
    return all(map(_is_part_of_name, words))


def _is_part_of_name(word: bytes) -> bool:
    if word.isdigit() or word in _KEYWORDS or _CAPITALISED.fullmatch(word):
        return True
    return is_wordlike(word) or is_made_of_words(word) or word.lower().decode("ascii") in ordinary_words()


_KEYWORDS = frozenset(
    b"async await break case catch const else false finally function null return switch this throw true typeof void"
    b" while yield".split()
)


_STATEMENT = re.compile(
    rb"&&|\|\||[=!]==|;(?:if|var|let|const|return|break|case|for|switch|this|new|else)\b|\w\.\w+\.\w|\w\?\w+[.(:]|=>|\)\{|\+\+|--[a-z]"
)
"""Of programs that a tool shortened, whose names have a letter or two."""
_MEMBER = re.compile(rb"(?<=[\w)\]])\.[A-Za-z_$][\w$]{0,7}+(?![\w$])")
_SHORT_MEMBER = re.compile(
    rb"[!+-]*+[A-Za-z_$][\w$]{0,2}+(?:\??\.[A-Za-z_$][\w$]{0,2}+)++|[A-Za-z_$]\w{0,2}+\[[0-9]{1,2}\]?"
)


_SIGNATURE = re.compile(rb"\w\)[ \t]*(?:\)[ \t]*)?(?::|[ \t]>)\Z")
"""`def open(user, password):`, `if len(password) > 8`: what follows belongs to no name."""
_LINK = re.compile(rb"[a-z][a-z0-9+.-]{1,15}://")
"""Its password is found where links have one."""
_COUNTED = re.compile(rb"(?i)\b(?:first|second|third|each|every|single|one|two|per|final|next)[ \t]pass:\Z")
_DOCUMENTED = re.compile(rb"[:@](?:param|type|arg|keyword|ivar|cvar|var|raises|rtype|returns?)[ \t]+[\w. \t*]+:\Z")
"""`:param client_secret: the client's`: words about it."""
_ARM = re.compile(rb"(?:^|[\s:,{|])[A-Z][a-z]\w*[ \t]*=>?\Z")
"""`DerivedSecret => b"derived"`: an arm, whose name is a constant."""


def is_head_in_program(before: bytes, after: bytes) -> bool:
    """Whether the sign that ends `before` gives no value to a name: it ends a function's head, a comparison, a field of
    documentation, an arm, or the number of a pass.
    """
    if before.endswith(b":") and _is_head(before):
        return True
    if before.endswith(b">") and _SIGNATURE.search(before[-HEAD_ENDS:]):
        return True
    return b"=>" in before[-2:] + after and _ARM.search(before) is not None


def _is_head(before: bytes) -> bool:
    """Asked for every name in a file of JSON: the searches come behind what tells most of them apart."""
    if before[-HEAD_ENDS:].rfind(b")") >= 0 and _SIGNATURE.search(before[-HEAD_ENDS:]):
        return True
    if before[-5:-1] in (b"pass", b"Pass", b"PASS") and _COUNTED.search(before):
        return True
    return (b"@" in before or before.count(b":") > 1) and _DOCUMENTED.search(before) is not None


def is_link(value: bytes) -> bool:
    return _LINK.match(value) is not None


_LETTERS = re.compile(rb"[^A-Za-z0-9]+")
_NAMES = re.compile(rb"[A-Za-z_][\w.]*")


def is_called_so(before: bytes, value: bytes, quoted: bool) -> bool:
    """Whether a name on the line is, or ends, as the value is written, signs and capitals aside: `KEY_SPEC_ECC_P256 = "ecc.p256"`."""
    plain = _LETTERS.sub(b"", value).lower()
    if not quoted or not SHORTEST_CALLED_SO <= len(plain) <= len(before):
        return False
    names = _NAMES.findall(before[before.rfind(b"\n") + 1 :])
    return any(
        len(name) >= len(plain) and name.endswith(plain) for name in (_LETTERS.sub(b"", each).lower() for each in names)
    )
