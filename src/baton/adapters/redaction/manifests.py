"""Kubernetes secrets: in a manifest of that kind every value below `data` is one, whatever its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.anchor import Anchor, Hit
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.span import CONTEXT, Span

KIND = "kubernetes-secret"
_BACK, _AHEAD = 4096, 8192
_SEPARATOR = b"\n---"
_DATA = finder(r"""(?:^|[\n{,])([ \t]*)["']?(?:data|stringData)["']?[ \t]*:[ \t]*[{\n]""")
_HELD = finder(r"""[\n{,][ \t]*["']?[\w.-]+["']?[ \t]*:[ \t]*["']?([A-Za-z0-9+/=_.!@$-]{6,})""")
_KEYS = frozenset({b"kind", b"metadata", b"apiVersion", b"type"})


class ManifestLayer:
    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(r"""kind["']?\s{0,3}:\s{0,3}["']?secret\b""", caseless=True)]

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        done = 0
        for _, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done:
                continue
            start = max(done, data.rfind(_SEPARATOR, max(0, end - _BACK), end), end - _BACK, 0)
            stop = data.find(_SEPARATOR, end, end + _AHEAD)
            done = min(len(data), end + _AHEAD) if stop < 0 else stop
            yield from _values(data, start, done)


def _values(data: bytes, start: int, end: int) -> Iterator[Span]:
    """The values of the data block: those more indented than its name, or in its braces."""
    block = _DATA.search(data, start, end)
    if block is None:
        return
    indent = len(block.group(1))
    for found in _HELD.finditer(data, block.end() - 1, end):
        line = data[found.start() + 1 : found.start(1)]
        written = len(line) - len(line.lstrip(b" \t"))
        if data[found.start()] == 0x0A and written <= indent:
            return
        if line.strip(b" \t\"':") not in _KEYS:
            yield Span(*found.span(1), CONTEXT, KIND)
