"""One scan for all layers: hits handed to the layer that asked, and tokens put together again across line breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from baton.adapters.redaction.anchor import Anchor, Hit, Layer
from baton.adapters.redaction.prefilter import Prefilter
from baton.adapters.redaction.span import TOKEN, Span
from baton.adapters.redaction.views import View, joined
from baton.adapters.redaction.worth import is_hex

_WRAPPED = Anchor(r"[A-Za-z0-9_+/=-]{12}[ \t]?(?:\\?\r?\n|\\n)[ \t]{0,12}[A-Za-z0-9_+/=-]{6}")
_INDENT = b" \t\r\n\\"
_BEFORE, _AFTER = 200, 600
_MOST = 2000
"""Line breaks looked at more closely: a text with more is not a text with a wrapped token in it."""


class Scanner:
    def __init__(self, layers: Sequence[Layer], prefilter: Callable[[Sequence[Anchor]], Prefilter]) -> None:
        self._layers = layers
        self._owner: list[tuple[int, int]] = []
        anchors: list[Anchor] = []
        for number, layer in enumerate(layers):
            own = layer.anchors()
            anchors += own
            self._owner += [(number, local) for local in range(len(own))]
        self._prefilter = prefilter([*anchors, _WRAPPED])
        self.kinds: Iterable[str] = tuple(sorted({kind for layer in layers for kind in layer.kinds()}))

    def spans(self, data: bytes) -> Iterator[Span]:
        """Everything any layer finds, in no order."""
        hits, wrapped = self._sorted(self._prefilter.hits(data))
        found = [span for layer, own in zip(self._layers, hits, strict=True) if own for span in layer.spans(data, own)]
        yield from found
        if wrapped:
            yield from self._across_lines(data, wrapped, found)

    def _sorted(self, hits: Iterable[Hit]) -> tuple[list[list[Hit]], list[int]]:
        by_layer: list[list[Hit]] = [[] for _ in self._layers]
        wrapped: list[int] = []
        count = len(self._owner)
        for number, end in hits:
            if number < count:
                layer, local = self._owner[number]
                by_layer[layer].append((local, end))
            else:
                wrapped.append(end)
        return by_layer, wrapped

    def _across_lines(self, data: bytes, ends: Sequence[int], found: Sequence[Span]) -> Iterator[Span]:
        """Tokens of the first layer that begin on one line and end on another."""
        taken = {span.start for span in found if span.layer == TOKEN}
        for view in self._joined(data, ends):
            own = self._sorted(self._prefilter.hits(view.data))[0][0]
            for start, end, layer, kind in self._layers[0].spans(view.data, own) if own else ():
                first, last = view.origin(start, end)
                if first not in taken and b"\n" in data[first:last] or b"\\n" in data[first:last]:
                    yield Span(first, last, layer, kind)

    def _joined(self, data: bytes, ends: Sequence[int]) -> Iterator[View]:
        done = 0
        for end in sorted(ends)[:_MOST]:
            if end <= done or not _may_go_on(data, end):
                continue
            done = end + _AFTER
            yield joined(data, max(0, end - _BEFORE), min(len(data), done))


def _may_go_on(data: bytes, end: int) -> bool:
    """Whether the line before a break ends like a token: not with a commit, a word or a ruler."""
    before = data[max(0, end - 48) : end - 6].rstrip(_INDENT)[-12:]
    return not (is_hex(before) or (before.isalpha() and before[1:].islower()) or not before.strip(b"+-=_/"))
