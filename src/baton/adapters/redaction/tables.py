# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Columns that are called password: Markdown, CSV, psql and other tables, two columns by blanks, `INSERT INTO`."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence

from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.line_values import is_value_of_words
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import LONGEST_ROW
from baton.adapters.redaction.typed import in_code, is_phrase, is_typed
from baton.adapters.redaction.work import Work

KIND = "password"
_NOUN = (
    r"(?:passw(?:or)?d|passwd|passphrase|passcode|pwd|pw|psk|pass|secret|secret[ _]?key|api[ _]?key|access[ _]?key|private[ _]?key|token|auth[ _]?token|api[ _]?token|(?:signing|encryption|hmac|session|webhook|shared)[ _-]?key|pin(?:[ _]?code)?"
    r"|passwort|kennwort|mot de passe|contrase(?:\xc3\xb1|n)a|clave|senha|wachtwoord|has(?:\xc5\x82|l)o|heslo"
    r"|\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c|\xd0\x9f\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c|\xe5\xaf\x86\xe7\xa0\x81|\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89)"
)
_ALIGNED = _NOUN.replace("|pass|", "|")
"""A line of a program that says only `pass` is no heading."""
_HEAD = re.compile(rb"(?i)(?:[\w-]{1,24}[ _-])?" + _NOUN.encode("latin-1"))
_RULE = re.compile(rb"[-+|:= \t]*")
_SIMPLE = re.compile(rb"""(?:"[^"\n]{0,60}"|[\w .@#/-]{0,60}|[\w .@#/\x80-\xff-]{0,60})""")
_INSERT = re.compile(rb"(?i)insert\s+into\s+[\w.\"`\[\]]{1,80}\s*\(([^()\n]{1,400})\)\s*values\s*")
_TUPLE = re.compile(rb"""\s*,?\s*\(((?:'(?:[^'\n]|'')*'|"[^"\n]*"|[^()'"\n])*)\)""")
_ITEM = re.compile(rb"""\s*(?:N?'((?:[^'\n]|'')*)'|"([^"\n]*)"|([^,'"]*))\s*(?:,|$)""")
_COLUMNS = re.compile(rb"[ \t]*[\w .-]{0,40}\S[ \t]{2,}(\S(?:[^\n]*\S)?)[ \t]*$")


_BLANKS = re.compile(rb"[ ]{2,}|[ ]*\t[ \t]*")
_CELL = re.compile(rb"\S+(?: \S+)*")
_COLUMN = re.compile(rb"[A-Za-z\x80-\xff][\w ./#\x80-\xff-]{0,24}")
_FELLOW = re.compile(
    rb"(?i)user(?: ?name)?|login|name|host|role|server|e-?mail|url|account|id|benutzer|rolle|expires?|ttl|notes?"
)
"""A column that stands beside passwords, and its heading."""


class TableLayer:
    """Anchored at a cell with such a name; the rows below it are read until one has another form."""

    def anchors(self) -> Sequence[Anchor]:
        quoted = r"[\"'\x60*]{0,2}"
        return [
            Anchor(
                rf"(?:(?:^|[\n|!,;\t])[ ]{{0,12}}|\|[ ]{{13,48}}){quoted}(?:[\w-]{{1,24}}[ _-])?{_NOUN}{quoted}[ ]{{0,48}}(?:[|!,;\t\r\n]|$)",
                caseless=True,
            ),
            Anchor(r"\binsert\s{1,4}into\s", caseless=True),
            Anchor(rf"(?:^|\n)[ \t]{{0,8}}[\w.-]{{0,24}}{_NOUN}(?:[ ]{{2,24}}|[ ]{{0,3}}\t)[^\s|]", caseless=True),
            Anchor(rf"[ ]{{2}}{_ALIGNED}[ ]{{0,24}}(?:[ ]{{2}}[A-Za-z]|\r?\n)", caseless=True),
        ]

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = aligned = 0
        judge = _Judge(work)
        for end, number in sorted({(end, number) for number, end in hits}):
            if end <= (aligned if number else done):
                continue
            first = max(0, end - 1 - LONGEST_ROW)
            start = data.rfind(b"\n", first, max(0, end - 1)) + 1 or first
            if number == 1:
                yield from _inserted(data, end, judge)
            elif number == 0:
                done = yield from _below(data, start, judge)
            elif number == 2 and _is_beside(data, start):
                yield from _beside(data, start) if work.allows(end) else ()
            else:
                aligned = max(aligned, (yield from _aligned(data, start, judge)))


_HYPHENATED = re.compile(
    rb"(?!(?:no|not|non|see|read|auto|pre|self|opt|set|one|ask|per)-)[a-z]{3,}-(?!only|based|safe|less)[a-z]*(?<!ed)(?<!ble)"
)
"""`just-looking`, but no `read-only` and `auto-generated`."""


class _Judge:
    """Judges each value once. A table can be all different: when all is spent, the cells of its column go unread."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._verdicts: dict[bytes, bool] = {}

    def in_code(self, data: bytes, start: int) -> bool:
        return self._work.judges() and in_code(data, start)

    def span(self, value: bytes, start: int, *, beside: bool = False) -> Iterator[Span]:
        """`beside`: a column of users stands in the same table, where two words with a hyphen are a password too."""
        verdict = self._verdicts.get(value)
        if verdict is None:
            verdict = bool(value) and (
                not self._work.judges() or is_typed(value) or is_phrase(value) or is_value_of_words(value, sure=True)
            )
            self._verdicts[value] = verdict
        if verdict or (beside and _HYPHENATED.fullmatch(value) is not None):
            yield Span(start, start + len(value), CONTEXT, KIND)


def _below(data: bytes, start: int, judge: _Judge) -> Generator[Span, None, int]:
    """The cells below a heading; returns where the table ends."""
    stop = _line_end(data, start)
    head = data[start:stop].rstrip(b"\r")
    mark = next((each for each in (b"|", b"\t", b";", b",") if each in head), b"")
    if len(head) <= LONGEST_ROW and _WIKI_HEAD.match(head):
        return (yield from _below_in_wiki(data, stop, head, judge))
    if not mark or len(head) > LONGEST_ROW:
        return stop
    names = [cell.strip(b" \"'`*") for cell in head.split(mark)]
    columns = [number for number, name in enumerate(names) if _HEAD.fullmatch(name)]
    if not columns or len(names) < 2 or (mark != b"|" and (not _is_heading(names) or judge.in_code(data, start))):
        return stop
    if mark == b"|" and not _is_rule(data, stop + 1) and judge.in_code(data, start):
        return stop
    if mark == b"|" and ((len(names) == 2 and not names[0]) or _goes_on(data, start, len(names))):
        return stop
    beside = mark == b"|" and any(map(_FELLOW.fullmatch, names))
    while stop + 1 < len(data):
        start = stop + 1
        stop = _line_end(data, start)
        row = data[start:stop]
        if _RULE.fullmatch(row.rstrip(b"\r")) and row.strip():
            continue
        if len(row) > LONGEST_ROW or len(cells := _cells(row, mark)) != len(names):
            break
        for column in columns:
            at = start + len(mark.join(cells[:column])) + (column > 0)
            value = cells[column].lstrip(_AROUND_CELL)
            yield from judge.span(value.rstrip(_AROUND_CELL), at + len(cells[column]) - len(value), beside=beside)
    return stop


def _below_in_wiki(data: bytes, stop: int, head: bytes, judge: _Judge) -> Generator[Span, None, int]:
    """The cells below `! System !! PW`, which `||` parts, or below `|| System || PW ||`, which bars part."""
    mark, between = (b"!!", b"||") if head.startswith(b"!") else (b"||", b"|")
    names = [name.strip(_AROUND_CELL) for name in head.strip(b"!| ").split(mark)]
    columns = [number for number, name in enumerate(names) if _HEAD.fullmatch(name)]
    beside = any(map(_FELLOW.fullmatch, names))
    while columns and stop + 1 < len(data):
        start = stop + 1
        stop = _line_end(data, start)
        row = data[start:stop].rstrip(b"\r ")
        if row.startswith((b"|-", b"!")):
            continue
        cells = row[1:].split(between)
        if len(row) > LONGEST_ROW or not row.startswith(b"|") or len(cells) < len(names):
            break
        for column in columns:
            at = start + 1 + sum(len(cell) + len(between) for cell in cells[:column])
            value = cells[column].lstrip(_AROUND_CELL)
            yield from judge.span(value.rstrip(_AROUND_CELL), at + len(cells[column]) - len(value), beside=beside)
    return stop


_WIKI_HEAD = re.compile(rb"(?:!(?=[^\n]*!!)|\|(?=\|))")
_AROUND_CELL = b" \t\r\"'`*"


def _cells(row: bytes, mark: bytes) -> list[bytes]:
    """What stands between the marks; a cell may hold one within quotes."""
    if b'"' not in row:
        return row.split(mark)
    cells, at = list[bytes](), 0
    while at <= len(row):
        lead = len(row) - len(row[at:].lstrip(b" "))
        shut = row.find(b'"', lead + 1) if row[lead : lead + 1] == b'"' else -1
        end = row.find(mark, shut if shut > 0 else at)
        end = len(row) if end < 0 else end
        cells.append(row[at:end])
        at = end + 1
    return cells


def _is_rule(data: bytes, start: int) -> bool:
    """Whether the line that begins there parts headings from rows."""
    line = data[start : _line_end(data, start)].strip()
    return bool(line) and _RULE.fullmatch(line) is not None


def _goes_on(data: bytes, start: int, cells: int) -> bool:
    """Whether the line before is a row of the same table: then this one is no heading."""
    first = data.rfind(b"\n", max(0, start - 1 - LONGEST_ROW), max(0, start - 1)) + 1
    return data.count(b"|", first, max(first, start - 1)) == cells - 1


def _is_heading(names: Sequence[bytes]) -> bool:
    """Whether every cell of a line could name a column: a list of arguments in code has brackets around it."""
    return all(name and name[0] != 0x23 and _SIMPLE.fullmatch(name) for name in names)


def _inserted(data: bytes, end: int, judge: _Judge) -> Iterator[Span]:
    begin = max(0, end - 20)
    found = _INSERT.match(data, begin + data[begin:end].lower().rfind(b"insert"))
    if found is None:
        return
    names = [name.strip(b" \t\"'`[]") for name in found.group(1).split(b",")]
    columns = [number for number, name in enumerate(names) if _HEAD.fullmatch(name)]
    at = found.end()
    while columns:
        row = _TUPLE.match(data, at, min(len(data), at + LONGEST_ROW))
        if row is None:
            return
        items = list(_ITEM.finditer(row.group(1)))
        for column in columns:
            if column >= len(items) or items[column].lastindex is None:
                continue
            group = items[column].lastindex or 0
            value = items[column].group(group)
            if group < 3:
                yield from judge.span(value, row.start(1) + items[column].start(group))
        at = row.end()


def _is_beside(data: bytes, start: int) -> bool:
    """Whether the line has two columns, of which the second is no heading."""
    names = _BLANKS.split(data[start : _line_end(data, start)].strip())
    return len(names) == 2 and not (_COLUMN.fullmatch(names[1]) and _FELLOW.fullmatch(names[1]))


def _aligned(data: bytes, start: int, judge: _Judge) -> Generator[Span, None, int]:
    """Columns that blanks keep apart, below a line of headings: rows with as many cells, to the first that has not.
    Returns where they end; 0 if it is no heading.
    """
    stop = _line_end(data, start)
    names = _BLANKS.split(data[start:stop].strip())
    columns = [number for number, name in enumerate(names) if _HEAD.fullmatch(name)]
    if len(names) < 2 or not columns or not all(map(_COLUMN.fullmatch, names)) or judge.in_code(data, start):
        return 0
    while stop + 1 < len(data):
        start = stop + 1
        stop = _line_end(data, start)
        row = data[start:stop]
        if _RULE.fullmatch(row.rstrip(b"\r")) and row.strip():
            continue
        cells = list(_CELL.finditer(row)) if len(row) <= LONGEST_ROW else []
        if len(cells) != len(names):
            return start - 1
        for column in columns:
            yield from judge.span(cells[column].group(), start + cells[column].start())
    return stop


def _beside(data: bytes, start: int) -> Iterator[Span]:
    """Two columns: `password    sunflower`, as `vault kv get` prints them."""
    found = _COLUMNS.match(data[start : _line_end(data, start)].rstrip(b"\r"))
    if found is None:
        return
    value = found.group(1)
    listed = re.search(rb"(?:^|\n)[ \t]*(?:Key|Name|Field)[ \t]{2,}Value", data[max(0, start - LONGEST_ROW) : start])
    if listed is None and in_code(data, start):
        return
    if is_typed(value, plain=listed is not None) or (listed and (is_phrase(value) or _LONG_HEX.fullmatch(value))):
        yield Span(start + found.start(1), start + found.end(1), CONTEXT, KIND)


_LONG_HEX = re.compile(rb"(?:[0-9a-f]{16}){1,8}")
"""A key, among names and values of secrets; elsewhere a hash."""


def _line_end(data: bytes, start: int) -> int:
    end = data.find(b"\n", start)
    return len(data) if end < 0 else end
