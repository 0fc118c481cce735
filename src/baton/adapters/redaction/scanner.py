"""One scan for all layers: gives each hit to the layer that asked for it, and joins tokens across line breaks."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from baton.adapters.redaction.bystanders import is_bystander, without_cookie_name
from baton.adapters.redaction.carried import is_carried
from baton.adapters.redaction.carriers import LINK
from baton.adapters.redaction.continued import is_of_public_value
from baton.adapters.redaction.escaped_ends import without_next_line
from baton.adapters.redaction.fixtures import is_fixture
from baton.adapters.redaction.headers import is_of_header
from baton.adapters.redaction.ids import is_id
from baton.adapters.redaction.labels import is_label
from baton.adapters.redaction.layer import Anchor, Hit, Layer
from baton.adapters.redaction.notes import without_note
from baton.adapters.redaction.phrases import whole_phrase
from baton.adapters.redaction.placeholders import is_placeholder
from baton.adapters.redaction.prefilter import Prefilter, hits
from baton.adapters.redaction.public import blank_hashes, is_public
from baton.adapters.redaction.published import is_published
from baton.adapters.redaction.sample_tokens import is_sample
from baton.adapters.redaction.span import CONTEXT, LINE, TOKEN, UNREAD, Span, unseen
from baton.adapters.redaction.surroundings import is_of_surroundings
from baton.adapters.redaction.tested import is_tested
from baton.adapters.redaction.thresholds import LINES_BELOW, LOOK, PRICES
from baton.adapters.redaction.translations import is_translation
from baton.adapters.redaction.unread import UnreadPlaces
from baton.adapters.redaction.verdicts import is_of_file, is_verdict
from baton.adapters.redaction.work import Budget, Work
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

    def spans(self, data: bytes, budget: Budget) -> Iterator[Span]:
        """Everything any layer finds, in no order. What is found when the budget is spent goes without a judge."""
        written, data = data, blank_hashes(data)
        *by_layer, wrapped = self._sort_by_layer(self._prefilter.ends(data))
        unread = UnreadPlaces(data)
        found: list[Span] = []
        begun: set[int] = set()
        for layer, own_hits in zip(self._layers, by_layer, strict=True):
            own: Sequence[Hit] = own_hits
            if budget.is_spent and (below := LINES_BELOW.get(_name_of(layer))) is not None:
                own = unread.without_covered(own, below)
            if own:
                work = Work(data, unread, budget, _price(layer), found)
                found += [
                    span
                    for first in _noting(layer.spans(data, own, work), begun)
                    if (span := _judged(written, first) if budget.judges() else unseen(first)) is not None
                ]
        yield from _without_links(data, found)
        if wrapped:
            yield from self._across_lines(data, [end for _, end in wrapped], begun, unread, budget)
        yield from unread.values()

    def _sort_by_layer(self, ends: Mapping[int, Sequence[int]]) -> list[list[Hit]]:
        by_layer: list[list[Hit]] = [[] for _ in self._anchors]
        for number, places in ends.items():
            layer, local = self._owner[number]
            by_layer[layer] += [(local, end) for end in places]
        return by_layer

    def _across_lines(
        self, data: bytes, ends: Sequence[int], taken: set[int], unread: UnreadPlaces, budget: Budget
    ) -> Iterator[Span]:
        """Tokens of the first layer that begin on one line and end on another. `taken`: where one was found, even if
        it is no secret after all.
        """
        find = partial(hits, self._token_prefilter)
        for view in views_across_lines(data, ends, find):
            left = UnreadPlaces(view.data)
            work = Work(view.data, left, budget, _price(self._layers[0]), ())
            for start, end, layer, kind in self._layers[0].spans(view.data, find(view.data), work):
                first, last = view.origin(start, end)
                if first not in taken or continues(data[first:last].splitlines()[-1].strip()):
                    yield Span(first, last, layer, kind)
            for end, stop in left.places:
                unread.add(*view.origin(end - 1, max(end, stop)))


def _noting(spans: Iterable[Span], begun: set[int]) -> Iterator[Span]:
    """The same, with the places where tokens begin."""
    for each in spans:
        if each.layer == TOKEN:
            begun.add(each.start)
        yield each


def _price(layer: Layer) -> int:
    return PRICES.get(_name_of(layer), LOOK)


def _name_of(layer: Layer) -> str:
    return type(layer).__module__.rpartition(".")[2]


def _judged(data: bytes, first: Span) -> Span | None:
    """What a layer found, as a whole; None if it is something that everybody may see, or no secret after all."""
    whole = whole_phrase(data, without_next_line(data, first))
    noted = without_note(data, whole) if whole is not None else None
    span = without_cookie_name(data, noted) if noted is not None else None
    if span is None or is_public(data, span.start, span.end):
        return None
    return None if any(ask(data, span) for ask in _ASKED) else span


_ASKED = (
    *(is_label, is_id, is_verdict, is_of_file, is_bystander, is_published, is_carried, is_fixture),
    *(is_of_public_value, is_tested, is_sample, is_of_surroundings, is_of_header, is_placeholder, is_translation),
)


def _without_links(data: bytes, found: Sequence[Span]) -> Iterable[Span]:
    """Where a link's password begins nothing longer does, and no whole link goes for it: a rule that does not read
    links took the host as well.
    """
    links = sorted(span.start for span in found if span.kind == LINK)
    if not links:
        return found
    begun = {*links}
    return [
        span
        for span in found
        if span.kind == LINK or not (span.start in begun or (span.layer == CONTEXT and _is_link(data, span, links)))
    ]


def _is_link(data: bytes, span: Span, links: Sequence[int]) -> bool:
    at = bisect(links, span.start)
    return at < len(links) and links[at] < span.end and _LINK_BEGINS.match(data, span.start, span.end) is not None


_LINK_BEGINS = re.compile(rb"(?:jdbc:)?[a-z][a-z0-9+.-]{1,15}://")
