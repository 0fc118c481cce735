"""Where a value stands again that a rule cut once: not as a name of a program, nor as a plain word in another sense."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from baton.adapters.redaction.entropy import is_wordlike
from baton.adapters.redaction.names import strength_of
from baton.adapters.redaction.programs import holds_a_place_in_program, is_name_in_program
from baton.adapters.redaction.public import is_public
from baton.adapters.redaction.published import is_published
from baton.adapters.redaction.reach import speaks_of_secrets
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import ABOUT_AROUND, MOST_NAMES_WITH_WORD, NAMES_AROUND
from baton.adapters.redaction.tokens import PRIVATE_KEY
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.work import Budget


def not_names(data: bytes, spans: Iterable[Span], budget: Budget) -> Iterator[Span]:
    """Without names and words of a program: a rule may have taken one for a secret elsewhere. A plain word is one only
    where the line speaks of a secret. A certificate shows the public half of its key.
    """
    said: dict[bytes, int] = {}
    for span in spans:
        if not budget.takes(1):
            yield span
            continue
        if is_name_in_program(data, span.start, span.end) or holds_a_place_in_program(data, span.start, span.end):
            continue
        if is_published(data, span._replace(layer=CONTEXT)):
            continue
        if span.kind == PRIVATE_KEY and is_public(data, span.start, span.end):
            continue
        if not (_is_named_so(data, span.start, span.end) or _is_used_otherwise(data, span, said)):
            yield span


_NAME_OF_IT = re.compile(
    rb"(?i)(?:user(?:name)?|login|owner|role|database|db|schema|image|host(?:name)?|service|project|container_name|name)"
    rb"[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?\Z"
)
_KEY_OF_IT = re.compile(rb"(?:\A|\n)[ \t]{0,8}\Z")
_BELOW_IT = re.compile(rb":[ \t]*\r?\n")
_PLAIN = re.compile(rb"[a-z][a-z0-9_-]{2,23}")


def is_also_a_name(data: bytes, start: int, end: int) -> bool:
    """Whether the lines around call a user, a store or a service so, too: what is a name all over a file of settings
    is a password at its own place only.
    """
    value = data[start:end]
    if _PLAIN.fullmatch(value) is None:
        return False
    at, last = max(0, start - NAMES_AROUND), end + NAMES_AROUND
    while (at := data.find(value, at, last)) >= 0:
        before, behind = data[max(0, at - _NAME_BACK) : at], at + len(value)
        if at != start and not data[behind : behind + 1].isalnum():
            if _NAME_OF_IT.search(before) and data[behind : behind + 1] not in (b"-", b"_"):
                return True
            if _KEY_OF_IT.search(before) and _BELOW_IT.match(data, behind, behind + 8):
                return True
        at = behind
    return False


_NAME_BACK = 32


_GETS_VALUE = re.compile(rb"[ \t]*:?=[ \t]*[A-Za-z_][\w.]*[(.]")
_SETTING = re.compile(rb"(?:\A|[\s;])(?:export[ \t]+)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=[\"']?\Z")
_ENDS_SETTING = re.compile(rb"[\"']?[ \t]*(?:[;#]|\r?\n|\Z)")
_ESCAPE = re.compile(rb"%[0-9A-Fa-f]{2}")
_IN_PATH = re.compile(rb"(?:[/?#]|[/?#][^\s\"'@]*%[0-9A-Fa-f]{2})\Z")


def _is_named_so(data: bytes, start: int, end: int) -> bool:
    """Whether a program's variable is called like it, a setting has it whose name says nothing of a secret, or it is
    mostly escapes and stands in the path of a link: what a test or an example gives as password, it gives elsewhere.
    """
    word, first = data[start:end], data.rfind(b"\n", 0, start) + 1
    if not data[first:start].strip() and word.isalnum() and _GETS_VALUE.match(data, end):
        return True
    if b"%" in word and _is_escaped(word) and data[end : end + 1] != b"@":
        return _IN_PATH.search(data, max(first, start - ABOUT_AROUND), start) is not None
    given = _SETTING.search(data, max(0, first - 1, start - ABOUT_AROUND), start) if _is_word(word) else None
    return given is not None and strength_of(given[1]) is None and _ENDS_SETTING.match(data, end) is not None


def _is_escaped(word: bytes) -> bool:
    """Whether more than half of it is escapes."""
    return 2 * len(_ESCAPE.sub(b"", word)) < len(word)


def _is_used_otherwise(data: bytes, span: Span, said: dict[bytes, int]) -> bool:
    """Whether a word is part of a name, or stands among names that hold it, a plain one in a program, and the line
    speaks of no secret. `said` keeps how many names hold a word.
    """
    word = data[span.start : span.end]
    plain = _is_word(word)
    if not (plain or word.isalpha()):
        return False
    if b"_" in (data[span.start - 1 : span.start], data[span.end : span.end + 1]):
        return True
    if word not in said:
        said[word] = _names_with(
            data[max(0, span.start - ABOUT_AROUND) : span.end + ABOUT_AROUND].lower(), word.lower()
        )
    about = said[word] > MOST_NAMES_WITH_WORD or (plain and in_code(data, span.start))
    return about and not speaks_of_secrets(data, span.start, span.end)


def _names_with(around: bytes, word: bytes) -> int:
    return (
        around.count(word + b"_") + around.count(b"_" + word) + around.count(b"/" + word) + around.count(b"\\" + word)
    )


def _is_word(value: bytes) -> bool:
    """One or several with hyphens between them."""
    return value.replace(b"-", b"").isalpha() and is_wordlike(value)
