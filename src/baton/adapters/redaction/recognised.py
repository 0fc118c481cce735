"""The values behind what was cut: what is worth knowing when the same text comes again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from baton.adapters.redaction.encodings import decodings_of
from baton.adapters.redaction.entropy import is_random
from baton.adapters.redaction.reach import is_memorable
from baton.adapters.redaction.repeated import is_also_a_name
from baton.adapters.redaction.span import CONTEXT, KNOWN, LINE, UNLEARNT, UNREAD, Span
from baton.adapters.redaction.thresholds import LONGEST_KNOWN, MOST_KNOWN_LINES, SHORTEST_LONG
from baton.adapters.redaction.views import readable_views
from baton.ports.redactor import Secret

_AROUND = " \t\r\n\"'`,;"


def recognised(data: bytes, spans: Iterable[Span]) -> Iterator[Secret]:
    """The secrets that rules found, each once. Lines that were cut unread, and what was known already, are none."""
    read: set[bytes] = set()
    seen: set[str] = set()
    for start, end, layer, kind in spans:
        if layer == KNOWN or kind in (LINE, UNREAD, UNLEARNT) or (written := data[start:end]) in read:
            continue
        read.add(written)
        if layer == CONTEXT and is_also_a_name(data, start, end):
            continue
        for value in _values(written):
            if value not in seen and is_memorable(value):
                seen.add(value)
                yield Secret(kind, value)


def _values(cut: bytes) -> Iterator[str]:
    written = _as_read(cut).decode("utf-8", "surrogatepass").strip(_AROUND)
    if "\n" in written or len(written) > LONGEST_KNOWN:
        yield from _lines_of_key(written)
        return
    yield written
    name, _, value = written.partition("=")
    if value.strip(_AROUND) and name.isidentifier():
        yield value.strip(_AROUND)
    for plain in decodings_of(written):
        if plain != written and "\n" not in plain:
            yield plain
    if len(grouped := written.replace(" ", "").replace("-", "")) < len(written) and grouped.isdigit():
        yield grouped


def _as_read(cut: bytes) -> bytes:
    """Without what is invisible in it."""
    views = readable_views(cut)
    return views[0].data if len(views) == 1 else cut


def _lines_of_key(block: str) -> Iterator[str]:
    """Of a key over several lines each that is random: whoever quotes one of them quotes no header."""
    for line in block.split()[:MOST_KNOWN_LINES]:
        if len(line) >= SHORTEST_LONG and is_random(line.encode("utf-8", "surrogatepass")):
            yield line
