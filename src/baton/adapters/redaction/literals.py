# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Where a program writes text: between quotes or in comments, on one line or on several. Elsewhere it has no secrets.

Stricter than `typed.in_code`: shells and files of settings, in which a bare word is text, are no programs here.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.programs import is_written
from baton.adapters.redaction.thresholds import FEWEST_STATEMENTS, LITERAL_BACK, STATEMENTS_AROUND

_STATEMENT = Expression(
    r"(?m)^[ \t]*(?:(?:async[ \t]+)?(?:def|func|function|fn)[ \t]+[\w(*$]|class[ \t]+\w+[ \t]*[(:{]|import[ \t]+(?:[\"'{*(]|\w+[\w., ]*\r?$|\w+ from\b)|from[ \t]+[\w.]+[ \t]+import\b"
    r"|(?:pub(?:\(\w+\))?|export|declare|static|private|public|protected|readonly|abstract|default)[ \t]+\w+[ \t(:]|(?:let|const|var|static|type)[ \t]+(?:mut[ \t]+)?[{\[(\w][^\n]*[={(;]"
    r"|(?:struct|enum|impl|trait|mod|use|interface|namespace)[ \t]+[\w:<&]|package[ \t]+\w+\r?$|return\b|raise[ \t]+\w|throw[ \t]+new|(?:if|for|while|switch|match|with|elif)\b[^\n]*[:{]\r?$"
    r"|\}[ \t]*(?:else|catch|finally)\b|(?:self|this)\.\w+|@\w+[\w.]*(?:\(|\r?$)|#\[|case[ \t][^\n]*:\r?$|#include\b)"
    r"|\bfunction[ \t]*\w*\(|=>[ \t]*[{(\w]|\breturn[ \t]+[\w!(\[{]|\)[ \t]*\{\r?$|(?:^|[^=!])[=!]==(?:[^=]|$)|\w[ \t]:=[ \t]\w|\w\([^()\n]*\);?\r?$|^\w+ = \w+ \+ \(|^[ \t]+[A-Z]\w*:[ \t]+[^\n]*[,{(]\r?$|^[ \t]+[\"'][^\"'\n]*[\"']:[ \t]+(?:[A-SU-Za-eg-mo-su-z_][\w.]*|[Ttfn][\w.]{5,}),\r?$"
    r"|^[ \t]*[\w.]+ = (?:await )?[\w.]+\(\r?$|^[ \t]+\w+=[A-Za-z_][\w.]*,\r?$|^[ \t]+assert[ \t(]|^[ \t]*\w+ = 0x[0-9A-Fa-f]+ \|"
)
"""JSON is no program: what stands behind a quoted name there is neither `true`, `false` nor `null`."""
_OF_SHELL = Expression(
    r"[ \t]*(?:[$>%+-][ \t]+)?(?:export[ \t]+|ENV[ \t]+|ARG[ \t]+|set[ \t]+|-D)?[A-Za-z_][\w.-]*=[^\s,;()=\"'\x60]*|(?:[^\n]*[ \t])?--?\w[\w-]*(?:[ =][^ \n]*)?|[^\n]*<[\w:.-]+[^<>\n]*>"
)
"""`NAME=value` as the whole line, a flag, a tag: there a bare word is text, even in a program's neighbourhood."""
_FENCES = (b'"""', b"'''", b"`")


def is_bare_in_program(data: bytes, start: int, end: int) -> bool:
    """Whether it stands in a program outside of every string and comment: a name, a number or an expression."""
    first = data.rfind(b"\n", max(0, start - LITERAL_BACK), start) + 1
    line = data[max(first, start - LITERAL_BACK) : start]
    if _OF_SHELL.fullmatch(line) and data[end : end + 1] not in (b",", b";", b")", b"."):
        return False
    return not is_written(data, start) and not _is_within_lines(data, start) and _is_program(_around(data, start))


def is_in_program(data: bytes, start: int) -> bool:
    """Whether statements of a program stand around it, in a string or a comment of which it may be written."""
    return _is_program(_around(data, start))


def _is_within_lines(data: bytes, start: int) -> bool:
    """Whether a string or a comment of several lines is open, as far as one can see from here. Doubt counts as one."""
    before = data[max(0, start - LITERAL_BACK) : start]
    if before.rfind(b"/*") > before.rfind(b"*/"):
        return True
    return any(before.count(fence) % 2 for fence in _FENCES)


def _around(data: bytes, start: int) -> bytes:
    return data[max(0, start - STATEMENTS_AROUND) : start + STATEMENTS_AROUND]


@lru_cache(maxsize=256)
def _is_program(around: bytes) -> bool:
    return len([*islice(_STATEMENT.finditer(around), FEWEST_STATEMENTS)]) == FEWEST_STATEMENTS
