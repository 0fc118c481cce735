"""One scan for all layers: gives each hit to the layer that asked for it, and joins tokens across line breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from baton.adapters.redaction.carriers import LINK
from baton.adapters.redaction.ids import is_id
from baton.adapters.redaction.labels import is_label
from baton.adapters.redaction.layer import Anchor, Hit, Layer
from baton.adapters.redaction.phrases import whole_phrase
from baton.adapters.redaction.prefilter import Prefilter
from baton.adapters.redaction.public import blank_hashes, is_public
from baton.adapters.redaction.span import LINE, TOKEN, UNREAD, Span
from baton.adapters.redaction.thresholds import MOST_LOOKS
from baton.adapters.redaction.verdicts import is_verdict
from baton.adapters.redaction.work import Work, unread_values
from baton.adapters.redaction.wrapped import WRAPPED, continues, views_across_lines


class Scanner:
    """Rules are read and compiled when the first text comes."""

    def __init__(self, layers: Sequence[Layer], prefilter: Callable[[Sequence[Anchor]], Prefilter]) -> None:
        self._layers = layers
        self._make = prefilter

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for layer in self._layers for kind in layer.kinds())

    @cached_property
    def encoded_kinds(self) -> frozenset[bytes]:
        return frozenset(kind.encode("ascii") for kind in (*self.kinds, LINE, UNREAD))

    @cached_property
    def _anchors(self) -> list[Sequence[Anchor]]:
        """Each layer's, and behind them the one of line breaks."""
        return [*(layer.anchors() for layer in self._layers), [WRAPPED]]

    @cached_property
    def _owner(self) -> list[tuple[int, int]]:
        """For each anchor: the layer it belongs to, and its number there."""
        return [(number, local) for number, own in enumerate(self._anchors) for local in range(len(own))]

    @cached_property
    def _prefilter(self) -> Prefilter:
        return self._make([anchor for own in self._anchors for anchor in own])

    @cached_property
    def _token_prefilter(self) -> Prefilter:
        """The first layer's alone, for text across line breaks: a fifth of the work of all."""
        return self._make(self._anchors[0])

    def spans(self, data: bytes, looks: int = MOST_LOOKS) -> Iterator[Span]:
        """Everything any layer finds, in no order. Each layer has `looks`, or more in a long text."""
        written, data = data, blank_hashes(data)
        *hits, wrapped = self._sort_by_layer(self._prefilter.hits(data))
        unread: list[int] = []
        found = [
            span
            for layer, own in zip(self._layers, hits, strict=True)
            if own
            for first in layer.spans(data, own, Work(data, unread, looks))
            if (span := whole_phrase(written, first)) is not None
            and not (is_public(written, span.start, span.end) or is_label(written, span) or is_id(written, span))
            and not is_verdict(written, span)
        ]
        yield from _without_links(found)
        if wrapped:
            yield from self._across_lines(data, [end for _, end in wrapped], found)
        yield from unread_values(data, unread)

    def _sort_by_layer(self, hits: Iterable[Hit]) -> list[list[Hit]]:
        owner = self._owner
        by_layer: list[list[Hit]] = [[] for _ in self._anchors]
        for number, end in hits:
            layer, local = owner[number]
            by_layer[layer].append((local, end))
        return by_layer

    def _across_lines(self, data: bytes, ends: Sequence[int], found: Sequence[Span]) -> Iterator[Span]:
        """Tokens of the first layer that begin on one line and end on another."""
        taken = {span.start for span in found if span.layer == TOKEN}
        for view in views_across_lines(data, ends, self._token_prefilter.hits):
            hits = self._token_prefilter.hits(view.data)
            for start, end, layer, kind in self._layers[0].spans(view.data, hits, Work(view.data, [])):
                first, last = view.origin(start, end)
                if first not in taken or continues(data[first:last].splitlines()[-1].strip()):
                    yield Span(first, last, layer, kind)


def _without_links(found: Sequence[Span]) -> Iterable[Span]:
    """Where a link's password begins nothing longer does: a rule that does not read links took the host as well."""
    links = {span.start for span in found if span.kind == LINK}
    return [span for span in found if span.kind == LINK or span.start not in links] if links else found
