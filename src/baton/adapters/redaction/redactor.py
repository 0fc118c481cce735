"""The redactor: known values, vendors' tokens, context and checksums over every view of a text."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from baton.adapters.redaction.bare_tokens import KIND as BARE
from baton.adapters.redaction.decoded import decoded_views
from baton.adapters.redaction.environment import doubtful_of, secrets_of
from baton.adapters.redaction.known_values import KnownValues
from baton.adapters.redaction.layer import Layer
from baton.adapters.redaction.prefilter import Cache, open_prefilter
from baton.adapters.redaction.public import blank_hashes, embedded_files, is_public
from baton.adapters.redaction.recognised import recognised
from baton.adapters.redaction.repeated import not_names
from baton.adapters.redaction.runs import is_in_data
from baton.adapters.redaction.scanner import Scanner
from baton.adapters.redaction.span import (
    CONTEXT,
    KNOWN,
    LINE,
    UNREAD,
    UNSEEN,
    Span,
    cut,
    find_placeholders,
    grow_to_whole_characters,
    join_lines,
    line_at,
    mask,
    merge,
    new_span,
    stretches_unread,
    subtract,
    windows,
)
from baton.adapters.redaction.thresholds import MOST_PASSES, MOST_RECOGNISED
from baton.adapters.redaction.tokens import PRIVATE_KEY
from baton.adapters.redaction.unread import unread_again
from baton.adapters.redaction.views import View, readable_views
from baton.adapters.redaction.work import Budget
from baton.adapters.redaction.workspace_files import env_values, git_values
from baton.ports.redactor import Found, Leak, Redacted, Redactor, Secret


class ReadText:
    """A text without its placeholders, as it is and as a reader sees it. All of it is made once, when it is needed."""

    def __init__(self, data: bytes, kinds: Collection[bytes]) -> None:
        self._written = data
        self._kinds = kinds
        self._views: list[View] | None = None

    @cached_property
    def _kept(self) -> list[tuple[int, int]]:
        return find_placeholders(self._written, self._kinds)

    @cached_property
    def data(self) -> bytes:
        return mask(self._written, self._kept)

    def _views_beside(self, spans: Sequence[Span]) -> list[View]:
        """Made beside what was found first: what is cut without a look there hides nothing from a reader."""
        if self._views is None:
            data = mask(self.data, stretches_unread(self.data, spans))
            self._views = [*readable_views(data), *decoded_views(blank_hashes(data))]
        return self._views

    def spans(self, find: Callable[[bytes], Iterable[Span]], done: Sequence[tuple[int, int]] = ()) -> list[Span]:
        """What `find` finds; not where it is `done`."""
        data = self.data
        spans = [*find(mask(data, done))]
        for view in self._views_beside(spans):
            for start, end, layer, kind in find(view.data):
                place = view.origin(start, end)
                if layer in (KNOWN, UNSEEN) or not (
                    is_public(data, *place) or (layer == CONTEXT and self._is_embedded(*place, kind))
                ):
                    spans.append(new_span(Span, (*place, layer, kind)))
        if not spans:
            return []
        parts = grow_to_whole_characters(data, spans)
        if self._kept:
            parts = subtract(sorted(parts), self._kept)
        return merge([each for each in parts if data[each.start : each.end].strip()])

    def _is_embedded(self, start: int, end: int, kind: str) -> bool:
        """Whether context tells nothing there: in a file that a program carries in base64, or, of a token without a
        name, in a longer run of data that was decoded in part.
        """
        at = bisect(self._files, (start, len(self.data))) - 1
        if at >= 0 and start < self._files[at][1]:
            return True
        return kind == BARE and is_in_data(self.data, start, end)

    @cached_property
    def _files(self) -> list[tuple[int, int]]:
        return embedded_files(self.data)


class LayeredRedactor:
    """Deterministic: its answer depends on nothing but the text, the rules and the known values."""

    def __init__(self, scanner: Scanner, known: KnownValues, remembered: KnownValues | None = None) -> None:
        self._scanner = scanner
        self._known = known
        self._remembered = remembered or KnownValues({})

    def redact(self, text: str) -> Redacted:
        data = text.encode("utf-8", "surrogatepass")
        counted: Counter[str] = Counter()
        budget = Budget(len(data))
        passes = 0
        for _, spans, left in self._passes(data, budget):
            counted.update(each.kind for each in spans)
            data, passes = left, passes + 1
        if passes == MOST_PASSES:
            data = self._without_lines(data, counted, budget)
        if not counted:
            return Redacted(text)
        found = tuple(Found(kind, count) for kind, count in sorted(counted.items()))
        return Redacted(data.decode("utf-8", "surrogatepass"), found)

    def recognise(self, text: str) -> tuple[Secret, ...]:
        """In every pass: what a cut uncovers is as secret as what was cut first."""
        data = text.encode("utf-8", "surrogatepass")
        found: dict[str, Secret] = {}
        for read, spans, _ in self._passes(data, Budget(len(data), MOST_RECOGNISED), repeated=False):
            found.update((each.value, each) for each in recognised(read, spans) if each.value not in found)
        return tuple(each for each in found.values() if each.value not in self._remembered)

    def _passes(
        self, data: bytes, budget: Budget, *, repeated: bool = True
    ) -> Iterator[tuple[bytes, list[Span], bytes]]:
        """The text as it was read, what goes, and what is left, until nothing more comes to light. `repeated`: where
        the same values stand once more, too.
        """
        read = self._read(data)
        spans = self._spans(read, budget)
        for _ in range(MOST_PASSES):
            if not spans:
                return
            if repeated:
                spans = join_lines(read.data, self._with_repetitions(read, spans, budget), (PRIVATE_KEY,), (BARE,))
            before = read.data
            data, places = cut(data, spans)
            yield before, spans, data
            read = self._read(data)
            read_all = not budget.is_spent
            near = [at for at, span in zip(places, spans, strict=True) if read_all or span.kind != UNREAD]
            spans = self._spans_near(data, near, budget)

    def remember(self, secrets: Iterable[Secret]) -> LayeredRedactor:
        together = KnownValues({}, (*self._remembered.recognised, *secrets))
        return LayeredRedactor(self._scanner, self._known, together)

    def leaks(self, text: str) -> tuple[Leak, ...]:
        data = text.encode("utf-8", "surrogatepass")
        spans = self._spans(self._read(data), Budget(len(data)))
        return tuple(Leak(each.kind, data.count(b"\n", 0, each.start) + 1) for each in spans)

    def with_known(self, values: Mapping[str, str]) -> LayeredRedactor:
        together = {**self._known.values, **secrets_of(values, trusted=True)}
        return LayeredRedactor(self._scanner, KnownValues(together, self._known.recognised), self._remembered)

    def _with_repetitions(self, text: ReadText, spans: list[Span], budget: Budget) -> list[Span]:
        """The spans, and where else the same values stand."""
        if again := [*unread_again(text.data, spans)]:
            spans = merge([*spans, *again])
        found = recognised(text.data, spans)
        here = KnownValues({}, (each for each in found if each.value not in self._remembered))
        if not here.recognised:
            return spans
        more = text.spans(lambda data: not_names(data, here.spans(data), budget), [span[:2] for span in spans])
        return merge([*spans, *more]) if more else spans

    @cached_property
    def _kinds(self) -> frozenset[bytes]:
        known = (*self._known.kinds, *self._remembered.kinds)
        return self._scanner.encoded_kinds.union(kind.encode("ascii") for kind in known)

    def _read(self, data: bytes) -> ReadText:
        return ReadText(data, self._kinds)

    def _spans(self, text: ReadText, budget: Budget) -> list[Span]:
        """What to cut, in order and without overlap: in the text as it is, and as a reader sees it."""
        return text.spans(lambda data: self._scan(data, budget))

    def _spans_near(self, data: bytes, places: Sequence[int], budget: Budget) -> list[Span]:
        """What the cuts uncovered: nothing changes far from them."""
        found: list[Span] = []
        for start, end in windows(data, places):
            inside = self._spans(self._read(data[start:end]), budget)
            for each in inside:
                first, last = each.start + start, each.end + start
                whole = (first > start or start == 0) and (last < end or end == len(data))
                if whole and (each.layer == KNOWN or not is_public(data, first, last)):
                    found.append(Span(first, last, each.layer, each.kind))
        return found

    def _scan(self, data: bytes, budget: Budget) -> list[Span]:
        found = (each for each in self._scanner.spans(data, budget) if not self._is_kind(data, each))
        return [*self._known.spans(data), *self._remembered.spans(data), *found]

    def _is_kind(self, data: bytes, span: Span) -> bool:
        """Whether it says what kind of secret was cut, as a packet does: `card-code`."""
        return span.layer == CONTEXT and b"-" in (value := data[span.start : span.end]) and value in self._kinds

    def _without_lines(self, data: bytes, counted: Counter[str], budget: Budget) -> bytes:
        """The last resort if cutting uncovers ever new secrets: cuts whole lines."""
        while spans := self._spans(self._read(data), budget):
            lines = merge(Span(*line_at(data, each.start, each.end), each.layer, LINE) for each in spans)
            counted[LINE] += len(lines)
            data, _ = cut(data, lines)
        return data


def layers() -> Sequence[Layer]:
    """The layers in their order; the first one's hits are also searched across line breaks."""
    from baton.adapters.redaction.assignments import AssignmentLayer
    from baton.adapters.redaction.bare_tokens import BareTokenLayer
    from baton.adapters.redaction.carriers import CarrierLayer, LinkLayer
    from baton.adapters.redaction.codes import CodeLayer
    from baton.adapters.redaction.file_names import FileNameLayer
    from baton.adapters.redaction.health import HealthLayer
    from baton.adapters.redaction.line_values import LineLayer
    from baton.adapters.redaction.listed import ListLayer
    from baton.adapters.redaction.manifests import ManifestLayer
    from baton.adapters.redaction.personal import PersonalLayer
    from baton.adapters.redaction.prose import ProseLayer
    from baton.adapters.redaction.speech import SpeechLayer
    from baton.adapters.redaction.tables import TableLayer
    from baton.adapters.redaction.talk import TalkLayer
    from baton.adapters.redaction.tokens import PrivateKeyLayer, RecoveryPhraseLayer, TokenLayer
    from baton.adapters.redaction.vendors import VendorLayer

    named = (AssignmentLayer(), LineLayer(), VendorLayer(), SpeechLayer(), ListLayer(), CodeLayer(), ProseLayer())
    context = (
        *named,
        TableLayer(),
        LinkLayer(),
        CarrierLayer(),
        TalkLayer(),
        ManifestLayer(),
        BareTokenLayer(),
        FileNameLayer(),
    )
    return (TokenLayer(), PrivateKeyLayer(), RecoveryPhraseLayer(), *context, PersonalLayer(), HealthLayer())


def open_redactor(workspace: str, environ: Mapping[str, str], secrets: Iterable[str], cache_dir: str) -> Redactor:
    """Knows the secrets of the environment, of the workspace's `.env` files and git settings, and of the configuration.

    `secrets` are the configuration's, known to be secret whatever they look like. Compiled rules are kept below
    `cache_dir`; nothing is compiled before the first text comes.
    """
    configured = {f"configured secret {number}": secret for number, secret in enumerate(secrets, 1)}
    written, trusted = env_values(workspace), {**configured, **git_values(workspace)}
    values = {**secrets_of(environ), **secrets_of(written), **secrets_of(trusted, trusted=True)}
    told = {*doubtful_of(environ).values(), *doubtful_of(written).values()}.difference(values.values())
    doubtful = (Secret("password", value) for value in sorted(told))
    return LayeredRedactor(_open_scanner(cache_dir), KnownValues(values, doubtful))


@lru_cache(maxsize=4)
def _open_scanner(cache_dir: str) -> Scanner:
    """One for all redactors of a process: the rules are the same whatever is known, and reading them takes 10 ms."""
    cache = Cache(cache_dir)
    return Scanner(layers(), lambda anchors: open_prefilter(anchors, cache))
