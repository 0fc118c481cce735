"""One scan for all layers: gives each hit to the layer that asked for it, and joins tokens across line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from baton.adapters.redaction.entropy import is_hex, is_mixed, is_wordlike
from baton.adapters.redaction.layer import Anchor, Hit, Layer
from baton.adapters.redaction.prefilter import Prefilter
from baton.adapters.redaction.public import is_public
from baton.adapters.redaction.span import LINE, TOKEN, Span, line_at
from baton.adapters.redaction.thresholds import (
    BYTES_A_HIT,
    MOST_BREAKS,
    MOST_HITS,
    SAME_HIT_AHEAD,
    SAME_HIT_BACK,
    UNREAD_BACK,
    WRAPPED_AHEAD,
    WRAPPED_BACK,
    WRAPPED_BREAK,
    WRAPPED_HEAD,
    WRAPPED_LINE,
    WRAPPED_WORD,
)
from baton.adapters.redaction.views import View, join_tokens

_WRAPPED = Anchor(r"[A-Za-z0-9_+/=$.-]{12}[ \t]?(?:\\?\r?\n|\\n)[ \t]{0,12}[A-Za-z0-9_+/=$-]{6}")
_INDENT = b" \t\r\n\\"
_BETWEEN_WORDS = re.compile(rb"[^A-Za-z0-9+/_-]")


class Scanner:
    """Rules are read and compiled when the first text comes."""

    def __init__(self, layers: Sequence[Layer], prefilter: Callable[[Sequence[Anchor]], Prefilter]) -> None:
        self._layers = layers
        self._make = prefilter

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for layer in self._layers for kind in layer.kinds())

    @cached_property
    def _owner(self) -> list[tuple[int, int]]:
        """For each anchor: the layer it belongs to, and its number there."""
        return [(number, local) for number, layer in enumerate(self._layers) for local in range(len(layer.anchors()))]

    @cached_property
    def _prefilter(self) -> Prefilter:
        return self._make([*(anchor for layer in self._layers for anchor in layer.anchors()), _WRAPPED])

    def spans(self, data: bytes) -> Iterator[Span]:
        """Everything any layer finds, in no order."""
        every = self._prefilter.hits(data)
        until = work_limit(data, every)
        if until < len(data):
            yield from unread_lines(data, every, until)
            every = [hit for hit in every if hit[1] <= until]
        hits, wrapped = self._sort_by_layer(every)
        found = [
            span
            for layer, own in zip(self._layers, hits, strict=True)
            if own
            for span in layer.spans(data, own)
            if not is_public(data, span.start, span.end)
        ]
        yield from found
        if wrapped:
            yield from self._across_lines(data, wrapped, found)

    def _sort_by_layer(self, hits: Iterable[Hit]) -> tuple[list[list[Hit]], list[int]]:
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
        for view in self._views_across_lines(data, ends):
            own = self._sort_by_layer(self._prefilter.hits(view.data))[0][0]
            for start, end, layer, kind in self._layers[0].spans(view.data, own) if own else ():
                first, last = view.origin(start, end)
                if first not in taken or _continues(data[first:last].splitlines()[-1].strip()):
                    yield Span(first, last, layer, kind)

    def _views_across_lines(self, data: bytes, ends: Sequence[int]) -> Iterator[View]:
        """A view around each break where a token may continue; of breaks in a row the first two, which reach far
        enough.
        """
        last = before_last = -2 * WRAPPED_LINE
        for end in sorted(ends)[:MOST_BREAKS]:
            in_a_row = end - before_last < 2 * WRAPPED_LINE
            before_last, last = last, end
            if not in_a_row and _may_continue(data, end):
                yield join_tokens(
                    data, max(0, end - WRAPPED_BACK), max(0, end - WRAPPED_BREAK), min(len(data), end + WRAPPED_AHEAD)
                )


def _may_continue(data: bytes, end: int) -> bool:
    """Whether the line before a break ends like a token: not with a commit, a word or a line of dashes."""
    last_word = data[max(0, end - WRAPPED_WORD) : end - WRAPPED_HEAD].rstrip(_INDENT).split()[-1:] or [b""]
    before = last_word[0]
    commit = is_hex(before) and before == before.lower()
    word = before.isalpha() and before[1:].islower()
    return not (commit or word or not before.strip(b"+-=_/."))


def _continues(rest: bytes) -> bool:
    """Whether what follows a token on the next line belongs to it."""
    return is_mixed(rest) and not is_wordlike(rest)


def work_limit(data: bytes, hits: Sequence[Hit]) -> int:
    """How far into the text every hit is looked at. A look takes time, and a text can be made of nothing but hits.

    Hits in one word count as one, and so do the same words again and again: ordinary text has a fifth of what is
    allowed.
    """
    most = max(MOST_HITS, len(data) // BYTES_A_HIT)
    if len(hits) <= most:
        return len(data)
    seen: set[bytes] = set()
    before = 0
    for end in sorted({end for _, end in hits}):
        new = not before or _BETWEEN_WORDS.search(data, before, end) is not None
        before = end
        if new:
            seen.add(data[max(0, end - SAME_HIT_BACK) : end + SAME_HIT_AHEAD])
        if len(seen) > most:
            return end
    return len(data)


def unread_lines(data: bytes, hits: Iterable[Hit], after: int) -> Iterator[Span]:
    """The lines with hits behind the work limit. They were not looked at, so they are cut whole; neighbours as one."""
    start, stop = -1, -1
    for end in sorted({end for _, end in hits if end > after}):
        if end <= stop:
            continue
        first, last = line_at(data, end - 1, end)
        first = max(first, after - UNREAD_BACK)
        if start < 0 or first > stop + 1:
            if start >= 0:
                yield Span(start, stop, TOKEN, LINE)
            start = first
        stop = last
    if start >= 0:
        yield Span(start, stop, TOKEN, LINE)
