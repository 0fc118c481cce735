"""Context in Kubernetes secrets: every value below `data` and `stringData` is one, whatever its name.

Name, namespace, labels and annotations stay: they say which secret it is. Each text is read once, so that a thousand
manifests cost what their length does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.span import CONTEXT, UNLEARNT, Span
from baton.adapters.redaction.work import Work

KIND = "kubernetes-secret"
_LONGEST_LINE = 400
"""Before the kind, in YAML. In JSON it may stand anywhere."""
_HELD = (b"data", b"stringData")
_QUOTES = b"\"'"
_KEY = re.compile(rb"""([ \t]*+(?:-[ \t]++)*+)["']?([\w./-]++)["']?[ \t]*+:(?=[ \t\r\n]|\Z)[ \t]*+""")
_SCALAR = re.compile(rb"[|>][-+0-9]{0,2}[ \t]*+\r?\Z")
_JSON = re.compile(rb"""[{}]|"((?:[^"\\\n]|\\.)*+)"([ \t\r\n]*+:)?""")
_NAMES = re.compile(
    rb"(?i)(?:[\w.-]*[_.-])?(?:user(?:name)?|login|host(?:name)?|port|database|db_?name|email|path|region)"
)
_NOTHING = (b"", b"{}", b"null", b"~", b"|", b">")
_TEMPLATE = re.compile(rb"""(?:\{\{[^{}"'`]*+\}\}|\$\{\w++\}|\$\(\w++\))++""")
"""What is filled in elsewhere; one that holds a string holds a value."""


class ManifestLayer:
    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(r"""kind["']?\s{0,3}:\s{0,3}["']?secret\b""", caseless=True)]

    def kinds(self) -> Iterable[str]:
        return (KIND, UNLEARNT)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:  # noqa: ARG002 (a layer's form)
        """Without a look: nothing but the form is asked for, and it is read once."""
        done, in_json = 0, False
        for end in sorted(end for _, end in hits):
            if end <= done:
                continue
            found = _KEY.match(data, data.rfind(b"\n", max(0, end - _LONGEST_LINE), end) + 1)
            if found is None or found.group(2).lower() != b"kind" or data[found.start(2) - 1] in _QUOTES:
                in_json = True
                continue
            column = len(found.group(1))
            first, done = _mapping(data, found.start(), column)
            yield from _below_data(data, first, done, column)
        if in_json:
            yield from _in_objects(data)


def _mapping(data: bytes, line: int, column: int) -> tuple[int, int]:
    """Where the mapping begins and ends that has a key on this line, in this column."""
    first = line
    while first > 0 and not _begins(data, first, column):
        before = data.rfind(b"\n", 0, first - 1) + 1
        if not _is_within(data, before, column):
            break
        first = before
    stop = _next(data, line)
    while stop < len(data) and _is_within(data, stop, column) and not _begins(data, stop, column):
        stop = _next(data, stop)
    return first, stop


def _begins(data: bytes, line: int, column: int) -> bool:
    """Whether the line begins an item of a list: the dash stands where other lines have a blank."""
    return b"-" in data[line : line + column]


def _is_within(data: bytes, line: int, column: int) -> bool:
    """Whether the line belongs to a mapping in this column, or is empty."""
    head = data[line : line + column]
    return (not head.strip(b" \t-") or b"\n" in head[:1]) and not data.startswith((b"---", b"..."), line)


def _next(data: bytes, line: int) -> int:
    end = data.find(b"\n", line)
    return len(data) if end < 0 else end + 1


def _below_data(data: bytes, first: int, stop: int, column: int) -> Iterator[Span]:
    """The values of entries below `data`; of a block over several lines all of it."""
    inside, entry, scalar, line = False, -1, -1, first
    while line < stop:
        end = _next(data, line)
        key = _KEY.match(data, line, end)
        depth = len(data[line:end]) - len(data[line:end].lstrip(b" \t"))
        if scalar >= 0 and (depth > entry or not data[line:end].strip()):
            line = end
            continue
        if scalar >= 0:
            yield from _span(data, scalar, line)
            scalar = -1
        if key is not None and len(key.group(1)) == column:
            inside, entry = key.group(2) in _HELD, -1
        elif inside and key is not None and entry in (-1, len(key.group(1))):
            entry = len(key.group(1))
            if _SCALAR.fullmatch(data, key.end(), end - (data[end - 1 : end] == b"\n")):
                scalar = end
            else:
                yield from _span(data, key.end(), end, _kind_of(key.group(2)))
        line = end
    if scalar >= 0:
        yield from _span(data, scalar, stop)


def _kind_of(name: bytes) -> str:
    """Users, hosts and the like are no secrets elsewhere."""
    return UNLEARNT if _NAMES.fullmatch(name) else KIND


def _span(data: bytes, start: int, end: int, kind: str = KIND) -> Iterator[Span]:
    """The value without blanks and quotes around it."""
    while start < end and data[start] in b" \t\r\n":
        start += 1
    while end > start and data[end - 1] in b" \t\r\n":
        end -= 1
    if end - start > 1 and data[start] in _QUOTES and data[end - 1] == data[start]:
        start, end = start + 1, end - 1
    value = data[start:end]
    if value not in _NOTHING and value[:1] != b"[" and not _TEMPLATE.fullmatch(value):
        yield Span(start, end, CONTEXT, kind)


class _Object:
    """An object that is being read: the key that is open, and what `data` holds."""

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.key = b""
        self.is_secret = False
        self.values: list[tuple[int, int, bytes]] = []
        self.held: list[tuple[int, int, bytes]] = []


def _in_objects(data: bytes) -> Iterator[Span]:
    """The values of `data` in JSON objects of that kind, closed or cut off."""
    open_ones: list[_Object] = []
    for found in _JSON.finditer(data):
        sign = found.group()
        if sign == b"{":
            open_ones.append(_Object(open_ones[-1].key if open_ones else b""))
        elif sign == b"}" and open_ones:
            yield from _close(open_ones)
        elif open_ones and found.group(2) is not None:
            open_ones[-1].key = found.group(1)
        elif open_ones and sign != b"}":
            last = open_ones[-1]
            last.is_secret |= last.key == b"kind" and found.group(1) == b"Secret"
            last.values.append((*found.span(1), last.key))
    while open_ones:
        yield from _close(open_ones)


def _close(open_ones: list[_Object]) -> Iterator[Span]:
    shut = open_ones.pop()
    if shut.name in _HELD and open_ones:
        open_ones[-1].held += shut.values
    for start, end, name in shut.held if shut.is_secret else ():
        if end > start:
            yield Span(start, end, CONTEXT, _kind_of(name))
