# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Whether what people type beside a word for a password is one: words, digits and phrases too, outside code."""

from __future__ import annotations

import re
from functools import lru_cache

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.lookalikes import is_example, is_left_alone, is_name, is_ours
from baton.adapters.redaction.prefixed_commands import runs_command
from baton.adapters.redaction.rules_file import common_words, sentence_words
from baton.adapters.redaction.thresholds import (
    CODE_AROUND,
    FEWEST_DIFFERENT,
    LONGEST_TYPED,
    LONGEST_TYPED_PHRASE,
    MOST_WORDS_OF_PHRASE,
    SHORTEST_PIN,
    SHORTEST_SECRET,
)

_DIGITS = re.compile(rb"[0-9]{%d,16}+" % SHORTEST_PIN)
_NUMBER = re.compile(rb"[0-9][0-9_.,]*+[A-Za-z%]{0,2}")
_PLAIN = re.compile(rb"[A-Za-z\x80-\xff'-]++")
_SPEAKS_ABOUT = re.compile(
    rb"(?i:.*(?:passw|passphr|passwd|kennwort|contrase|wachtwoord|secret|token|credential))|(?:[Mm]y|MY|[Yy]our|YOUR|[Tt]he|THE|[Ee]nter|[Ss]ome)[_-].*"
)
_PREDICATE = re.compile(rb"[a-z-]+(?:ed|[a-z]{3}ing|able|ible|ly|tion|ment)")
_ADJECTIVE = re.compile(
    rb"(?i)[a-z0-9]+-(?:encoded|encrypted|protected|hashed|based|bit|byte|character|digit|only|safe)s?"
)
_FORM = re.compile(rb"[A-Za-z_]+(?::[A-Za-z_]+)+")
"""`password:GID:user_list`: parts of a line, by their names."""
_PLACE = re.compile(
    rb"(?:~|\.{1,2})?/[^\s]*|[A-Za-z]:\\.*|[\w.-]+://.*|[\w.+-]+@[\w-]+\.[\w.-]+|(?:[\w-]+\.)+(?:com|net|org|io|dev|local|internal|lan|corp|example|test|invalid)(?::[0-9]{2,5})?|[a-z][a-z0-9.-]+:[0-9]{4,5}|.*\.(?:md|txt|py|js|ts|yml|yaml|json|env|conf|pem|key)"
)
_CALL = re.compile(
    rb"[A-Za-z_][\w.:]*[(\[].*|[\w.]+\(\)?|[a-z]\w*\.(?:[A-Z][a-z]+){2,}|.*[(){}<>].*|-.*|.*(?:->|=>|==|&&|\|\|).*|[*_#=~.:|/\\^-]+"
)
_TYPE = re.compile(
    rb"(?i)\*?(?:str|string|text|char|varchar|u?int(?:8|16|32|64|ptr)?|float(?:32|64)?|usize|integer|number|bool|boolean|bytes?|object|any|void|null|nil|none|undefined|optional|list|array|map"
    rb"|dict|uuid|buffer|secretstr|securestring|required|true|false|yes|no|on|off)(?:[\[(<?!|,].*)?"
)
_WORD = re.compile(rb"[a-z0-9\x80-\xff][a-z0-9\x80-\xff'-]*+")


@lru_cache(maxsize=4096)
def is_typed(value: bytes, *, plain: bool = True) -> bool:
    """Whether a word, a number or a mix beside a word for a password is one. `plain`: a plain word may be one."""
    if not SHORTEST_SECRET <= len(value) <= LONGEST_TYPED:
        return False
    if _DIGITS.fullmatch(value):
        return plain and len(set(value)) > 1
    if b" " in value or _NUMBER.fullmatch(value) or is_example(value):
        return False
    if len(set(value)) < FEWEST_DIFFERENT or is_ours(value) or is_name(value) or is_left_alone(value):
        return False
    if _PLACE.fullmatch(value) or _CALL.fullmatch(value) or _SPEAKS_ABOUT.match(value):
        return False
    if _TYPE.fullmatch(value.strip(b"_*")):
        return False
    if _ADJECTIVE.fullmatch(value) or _FORM.fullmatch(value) or _is_either(value):
        return False
    small = value.lower().rstrip(b"?!")
    if small in sentence_words() or small.decode("latin-1") in common_words():
        return False
    if _PLAIN.fullmatch(small):
        return plain and not _PREDICATE.fullmatch(small)
    return True


def _is_either(value: bytes) -> bool:
    """Whether it is words of a sentence between strokes: `used/set`, `changed/reset`."""
    return b"/" in value and all(
        part in sentence_words() or part.decode("latin-1") in common_words() or _PREDICATE.fullmatch(part)
        for part in value.lower().split(b"/")
    )


def phrase_end(data: bytes, start: int, end: int) -> int:
    """Where a pass phrase ends that begins with the word at `start`; `end` if the line goes on as a sentence does."""
    line = data.find(b"\n", end, end + LONGEST_TYPED_PHRASE)
    rest = data[start : line if line >= 0 else end + LONGEST_TYPED_PHRASE]
    if line < 0 and len(rest) >= LONGEST_TYPED_PHRASE:
        return end
    said = re.split(rb"[.,;:!?)\"'`|<]|\\n|\s-|\r|\s{2}", rest, maxsplit=1)[0].rstrip()
    if not is_phrase(said) or (data[start - 1 : start] == b"=" and runs_command(rest)):
        return end
    return start + len(said)


@lru_cache(maxsize=4096)
def is_phrase(said: bytes) -> bool:
    """Several small words none of which holds a sentence together or talks about a password."""
    words = said.split(b" ")
    if not 2 < len(words) <= MOST_WORDS_OF_PHRASE:
        return False
    if len(words) >= _OF_FOUR and words[0] in _OPENS_PHRASE:
        words = words[1:]
    return all(
        _WORD.fullmatch(word) and word not in sentence_words() and not _SPEAKS_ABOUT.match(word) for word in words
    ) and not all(word.isdigit() for word in words)


_OF_FOUR = 4
_OPENS_PHRASE = frozenset(
    b"correct good fresh clean dirty open big large small tiny high low easy hard free full dead stale happy".split()
)
"""What is said of a password, and of a horse: `correct horse battery staple`."""


_SOFT = (
    "let|if|for|while|import|public|private|static|using|use|async|await|else|try|catch|except|export|interface|type|module"
    "|require|override|abstract|final|switch|case|throw|raise|yield|template"
)
"""Words that begin a line of code, and of a chat: `use the blue one`."""
_HARD = (
    r"def|class|func|fn|const|var|val|return|from \w+ import|protected|package|namespace|#include|#define|elif|struct|enum|impl|pub"
    r"|lambda|typedef|extern"
)
_TAG = r"<[/!?]|<[A-Za-z][\w:.-]*(?:[ \t]+[^<>\n]*=|/?>[ \t]*(?:<|\r?$)|[^\n]*</|\r?$)"
"""Of a document, and not who speaks in a chat: `<ann> the password is …`."""
_CODE_LINE = Expression(
    rf"(?m)^[ \t]*(?:(?:{_HARD})\b|(?:{_SOFT})(?:\b[^\n]*(?:\w[(\[.]\w|\w\(|[({{;:,=]\r?$|[=<>!]=| = |->|=>|::|\.{{3}}|\w<\w|[\"'][^\s\"']*[\"'])"
    rf"| [\w.*]+(?: as \w+)?\r?$)|@[A-Za-z]+|(?:self|this)\.\w+|[}})\]]|//|/\*|\*/|{_TAG})"
    r"|[;{(]\r?$|\w\([^)\n]*\)[ \t]*[;{:,]?\r?$|(?:^|[^=])[=!]==?[ \t\w('.$!-]|[ )\]'][=!]==?\"|=>|[^-]->|&&|\|\||[\w>]::[\w~<*]|:=|[)\]]\{|;(?:var|let|const|return|break|if|for|case)\b|\bfunction ?[\w$]*\("
    r"|^[ \t]*from [\w.]+ import\b|^[ \t]+\w+ as \w+,?\r?$|\blambda\b[^:\n]{0,40}:|^[ \t]+[A-Za-z_]\w*:[ \t]+(?:[\"'\x60{\[(&][^\n]*|[A-Z]{2,}(?:_[A-Z]+)+|[iu](?:8|16|32|64|size)),\r?$"
    r"|^[ \t]+[A-Za-z_]\w*[ \t]+(?:\[[0-9]*\]|\*)*(?:u?int(?:8|16|32|64)|uintptr|float(?:32|64)|bool|byte|rune|string)(?:[ \t]+//[^\n]*)?\r?$"
    r"|\bdo(?: \|[\w, *&]+\|)?\r?$|^[ \t]*[\w.]+!?[ \t]+:[a-z_]+(?:,|\r?$)|^[ \t]+[A-Z][A-Z0-9_]+ = [0-9][0-9a-fx]*,\r?$|^[ \t]+[A-Z]\w*[ \t]+[\w.*\[\]]+[ \t]+\x60\w+:\""
)
_EXPORTED = re.compile(rb"[ \t]+\w+=")
"""Behind `export`: a shell's setting, and no line of code."""
_TRACED = re.compile(rb"\([\w$-]+\.(?:java|kt|scala|groovy|js|ts|py|rb|cs|php):[0-9]+(?::[0-9]+)?\)\s*\Z")
"""A line of a trace in a log, which names a line of code and is none."""
_SIGNS_OF_CODE = (
    b"(",
    b"{",
    b"}",
    b";",
    b"<",
    b"//",
    b"==",
    b"->",
    b":=",
    b"=>",
    b"::",
    b"&&",
    b"||",
    b"@",
    b"import ",
    b"self.",
    b"this.",
    b",\n",
    *(b"int8", b"int16", b"int32", b"int64", b"uintptr", b"float32", b"float64", b" bool\n", b" byte\n", b" string\n"),
)
_MANY = 2


def in_code(data: bytes, start: int) -> bool:
    """Whether the lines around say that a bare word may be a variable or a type."""
    first, last = max(0, start - CODE_AROUND), min(len(data), start + CODE_AROUND)
    return is_code(data[first:last])


@lru_cache(maxsize=512)
def is_code(around: bytes) -> bool:
    return any(sign in around for sign in _SIGNS_OF_CODE) and _has_lines_of_code(around)


def _has_lines_of_code(around: bytes) -> bool:
    found, at = 0, 0
    while found < _MANY and (line := _CODE_LINE.search(around, at)):
        at = max(line.end(), at + 1)
        exported = around[: line.end()].endswith(b"export") and _EXPORTED.match(around, line.end())
        found += not (exported or _TRACED.search(around, line.start(), line.end()))
    return found >= _MANY
