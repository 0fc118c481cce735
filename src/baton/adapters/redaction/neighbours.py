"""A password's neighbours: a user or a server named beside it, or a line that can only hold a literal."""

from __future__ import annotations

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.thresholds import NEIGHBOUR_LINES, NEIGHBOURS_AROUND, SAME_WORD_AROUND, SETTING_BACK

_USER = Expression(
    r"(?i)(?:user(?:[ _-]?(?:name|id))?|uid|login|usr)[\"'\])]{0,2}[ \t]{0,12}(?:=>|:=|[=:,>])[ \t]{0,12}[bru@]?\\?"
    r"(?:[\"'>]([\w.@+\\-]{2,64})[\"'<\\]|([\w.@+\\-]{2,64})(?:[ \t\r\n,;&)]|$))"
)
_SERVER = Expression(
    r"(?i)(?:^|[^A-Za-z0-9])(?:host(?:name)?|server|port|data source|database|dbname)[\"']?"
    r"[ \t]{0,3}[=:][ \t]{0,3}[\"']?[\w.(\[*-]"
)
_FIELD = Expression(r"(?i)user(?:[ _-]?(?:name|id))?|uid|login|email|str(?:ing)?|none|null|undefined")
_SETTING = Expression(
    r"(?:[#;$>%][ \t]{0,4})?(?:export[ \t]+|ENV[ \t]+|[Ss][Ee][Tt][Xx]?[ \t]+)?"
    r"[\"']?([A-Za-z_][\w.-]{1,80})[\"']?=[\"']?"
)
_INDENTED = Expression(r"[ \t]*(?:#[ \t]*)?(?:-[ \t]+)?(?:export[ \t]+)?([A-Z][A-Z0-9_]{3,80})=[\"']?")
_VARIABLE = Expression(r"(?i)pass|pwd|secret|user|token|key|get|input|args|[^\w-]")
_LINE_REST = Expression(r"[\"']?[ \t]*(?:[#;].*)?\r?")


def has_user(data: bytes, at: int) -> bool:
    """Whether a user is named, with a value, close to `at`: on its line or on one of the four before."""
    end = data.find(b"\n", at, at + NEIGHBOURS_AROUND)
    around = data[_lines_before(data, at) : at + NEIGHBOURS_AROUND if end < 0 else end]
    small = around.lower()
    if not (b"user" in small or b"login" in small or b"usr" in small or b"uid" in small):
        return False
    return any(_FIELD.fullmatch(found.group(1) or found.group(2)) is None for found in _USER.finditer(around))


def has_server(data: bytes, at: int) -> bool:
    """Whether the same line says where to connect."""
    start = data.rfind(b"\n", max(0, at - NEIGHBOURS_AROUND), at) + 1 or max(0, at - NEIGHBOURS_AROUND)
    end = data.find(b"\n", at, at + NEIGHBOURS_AROUND)
    line = data[start : at + NEIGHBOURS_AROUND if end < 0 else end]
    small = line.lower()
    if not (b"host" in small or b"server" in small or b"port" in small or b"data" in small or b"db" in small):
        return False
    return _SERVER.search(line) is not None


def is_setting(data: bytes, start: int, end: int) -> bool:
    """Whether the value is all that follows `NAME=` on a line, as in a shell, `.env` or `.ini` file."""
    if b"=" not in data[max(0, start - 2) : start]:
        return False
    line = data.rfind(b"\n", max(0, start - SETTING_BACK), start) + 1
    if start - line > SETTING_BACK:
        return False
    head = data[line:start]
    if _SETTING.fullmatch(head) is None and _INDENTED.fullmatch(head) is None:
        return False
    stop = data.find(b"\n", end, end + NEIGHBOURS_AROUND)
    return _LINE_REST.fullmatch(data[end : end + NEIGHBOURS_AROUND if stop < 0 else stop]) is not None


def is_said_once(data: bytes, start: int, end: int) -> bool:
    """Whether a bare word that ends its line occurs once: a variable would occur twice."""
    stop = data.find(b"\n", end, end + NEIGHBOURS_AROUND)
    rest = data[end : end + NEIGHBOURS_AROUND if stop < 0 else stop]
    value = data[start:end]
    if _LINE_REST.fullmatch(rest) is None or _VARIABLE.search(value):
        return False
    return data.count(value, max(0, start - SAME_WORD_AROUND), min(len(data), end + SAME_WORD_AROUND)) == 1


def _lines_before(data: bytes, at: int) -> int:
    """Where the fourth line before begins, or the furthest place that is looked at."""
    start, first = at, max(0, at - NEIGHBOURS_AROUND)
    for _ in range(NEIGHBOUR_LINES + 1):
        start = data.rfind(b"\n", first, start)
        if start < 0:
            return first
    return start
