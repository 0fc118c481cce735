"""Known values: exact matches of secrets that are known by name or were recognised before, in any encoding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, cast

from baton.adapters.redaction.encodings import codings_of, encodings_of, spellings_of
from baton.adapters.redaction.entropy import entropy, is_wordlike
from baton.adapters.redaction.reach import ANYWHERE, WORD, is_memorable, is_within_reach, quick_reach_of, reach_of
from baton.adapters.redaction.rules_file import common_words
from baton.adapters.redaction.span import KNOWN, Span, mask, merge, placeholder
from baton.adapters.redaction.thresholds import (
    KNOWN_PREFIX,
    LEAST_ENTROPY_OF_PREFIX,
    MOST_WITH_ENCODINGS,
)
from baton.adapters.redaction.views import crush, join_lines, joined_views, squeeze, unsqueeze
from baton.ports.redactor import Secret

UNNAMED = "known-secret"
_LONGEST_KIND = 40
_SHOWN = 8
"""By so many bytes of a form a text is judged. Measured: more find hardly less, and build and search slower."""


class KnownValues:
    """Secrets by name, which are looked for everywhere, and those that were recognised, as far as `reach_of` says.
    Automata are built when the first text comes.
    """

    def __init__(self, values: Mapping[str, str], recognised: Iterable[Secret] = ()) -> None:
        self._values = dict(values)
        self._recognised = {each.value: each for each in recognised if is_memorable(each.value)}

    @property
    def values(self) -> Mapping[str, str]:
        return self._values

    @property
    def recognised(self) -> tuple[Secret, ...]:
        return tuple(self._recognised.values())

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset((UNNAMED, *self._kinds, *(each.kind for each in self._recognised.values())))

    def __contains__(self, value: str) -> bool:
        return value in self._recognised

    def spans(self, data: bytes) -> Iterator[Span]:
        """Where values are, even across line breaks."""
        if self._guarded:
            yield from self._guarded_spans(data)
        if not self._forms or not self._may_occur(data):
            return
        pressed = squeeze(data)
        if self._pressed.find_matches_as_indexes(pressed):
            whole = [*self._in_one_piece(data)]
            yield from whole
            if len(pressed) < len(data):
                yield from self._across_lines(mask(data, [span[:2] for span in merge(whole)]))
        for view in joined_views(data):
            for number, start, end in self._automaton.find_matches_as_indexes(view.data):
                yield Span(*view.origin(start, end), KNOWN, self._kind_of[number])

    def _may_occur(self, data: bytes) -> bool:
        """Whether a form may be there in any way: one pass, and for most texts the only one."""
        return self._crushed is None or bool(self._crushed.find_matches_as_indexes(crush(data)))

    def _guarded_spans(self, data: bytes) -> Iterator[Span]:
        forms: list[tuple[str, int]] = [*self._guarded.values()]
        found: list[tuple[int, int, int]] = self._guarding.find_matches_as_indexes(data, overlapping=True)
        for number, start, end in found:
            kind, reach = forms[number]
            if is_within_reach(data, start, end, reach):
                yield Span(start, end, KNOWN, kind)

    def _in_one_piece(self, data: bytes) -> Iterator[Span]:
        for number, start, end in self._automaton.find_matches_as_indexes(data):
            yield Span(start, self._to_the_end(number, data, start, end), KNOWN, self._kind_of[number])

    def _across_lines(self, data: bytes) -> Iterator[Span]:
        """Matches of the text without blanks; dropped unless they are whole once the line breaks are removed."""
        found = self._pressed.find_matches_as_indexes(squeeze(data))
        ends = [position for _, start, end in found for position in (start, end - 1)]
        places = unsqueeze(data, ends)
        for index, (number, _, _) in enumerate(found):
            start, last = places[2 * index], places[2 * index + 1]
            view = join_lines(data, start, last + 1)
            if self._patterns[number] in view.data:
                yield Span(start, last + 1, KNOWN, self._kind_of[number])

    def _to_the_end(self, number: int, data: bytes, start: int, end: int) -> int:
        """The end of a match; after a prefix, as far as the text continues like the value."""
        whole = self._whole.get(number)
        if whole is None:
            return end
        at = end - start
        while at < len(whole) and start + at < len(data) and data[start + at] == whole[at]:
            at += 1
        return start + at

    @cached_property
    def _kinds(self) -> list[str]:
        return [_kind(name, self._values.values()) for name in self._values]

    @cached_property
    def _reached(self) -> list[tuple[Secret, int]]:
        """What was recognised, with its reach; of very many, the later ones are judged by a quick look."""
        held = [*self._recognised.values()]
        judged = [(each, reach_of(each.value)) for each in held[:MOST_WITH_ENCODINGS]]
        return [*judged, *((each, quick_reach_of(each.value)) for each in held[MOST_WITH_ENCODINGS:])]

    @cached_property
    def _forms(self) -> dict[bytes, tuple[str, bytes | None]]:
        """Each form that is the secret wherever it stands, with its kind and, for a prefix, the whole it begins."""
        forms: dict[bytes, tuple[str, bytes | None]] = {}
        far = [(each.value, each.kind) for each, reach in self._reached if reach == ANYWHERE]
        encoded = [*zip(self._values.values(), self._kinds, strict=True), *far[:MOST_WITH_ENCODINGS]]
        for secret, kind in encoded:
            forms.update((form, (kind, None)) for form in sorted(encodings_of(secret)) if form not in forms)
        for secret, kind in far[MOST_WITH_ENCODINGS:]:
            forms.setdefault(secret.encode("utf-8", "surrogatepass"), (kind, None))
        for each, reach in self._reached[:MOST_WITH_ENCODINGS]:
            if reach == WORD:
                forms.update((form, (each.kind, None)) for form in codings_of(each.value) if form not in forms)
        forms.update((form, whole) for form, whole in _beginnings(encoded) if form not in forms)
        common = {word.encode() for word in common_words()}
        return {form: held for form, held in forms.items() if form.lower() not in common}

    @cached_property
    def _guarded(self) -> dict[bytes, tuple[str, int]]:
        """Each form that is the secret only in some places, with its kind and its reach."""
        forms: dict[bytes, tuple[str, int]] = {}
        for each, reach in self._reached:
            if reach != ANYWHERE:
                spelled = spellings_of(each.value) if reach == WORD else {each.value.encode("utf-8", "surrogatepass")}
                forms |= dict.fromkeys(sorted(spelled), (each.kind, reach))
        return forms

    @cached_property
    def _patterns(self) -> list[bytes]:
        return list(self._forms)

    @cached_property
    def _kind_of(self) -> list[str]:
        return [kind for kind, _ in self._forms.values()]

    @cached_property
    def _whole(self) -> dict[int, bytes]:
        return {number: whole for number, (_, whole) in enumerate(self._forms.values()) if whole is not None}

    @cached_property
    def _automaton(self) -> Any:
        return _automaton(self._patterns)

    @cached_property
    def _crushed(self) -> Any | None:
        """How forms begin once they are crushed; None if nothing is left of one."""
        forms = {crush(each)[:_SHOWN] for each in self._patterns}
        return None if b"" in forms else _automaton(sorted(forms), small=True)

    @cached_property
    def _pressed(self) -> Any:
        return _automaton([squeeze(each) or each for each in self._patterns])

    @cached_property
    def _guarding(self) -> Any:
        return _automaton([*self._guarded], overlapping=True)


def _beginnings(secrets: Iterable[tuple[str, str]]) -> Iterator[tuple[bytes, tuple[str, bytes]]]:
    """By what a value is known that was cut short, and the whole of it."""
    for secret, kind in secrets:
        raw = secret.encode("utf-8", "surrogatepass")
        beginning = raw[:KNOWN_PREFIX]
        random = not is_wordlike(beginning) and entropy(beginning) >= LEAST_ENTROPY_OF_PREFIX
        if len(raw) > KNOWN_PREFIX and random and b"://" not in raw[:16]:
            yield beginning, (kind, raw)


def _automaton(patterns: list[bytes], *, overlapping: bool = False, small: bool = False) -> Any:
    """Of the kind that is built fastest, since most are used for one text; a small one of the kind that is searched
    fastest. The library's own choice takes seven times as long for one value.
    """
    import ahocorasick_rs

    library = cast("Any", ahocorasick_rs)
    found = library.MatchKind.Standard if overlapping else library.MatchKind.LeftmostLongest
    kind = library.Implementation.DFA if small else library.Implementation.ContiguousNFA
    return library.BytesAhoCorasick(patterns, matchkind=found, implementation=kind)


def _kind(name: str, secrets: Any) -> str:
    """The name as a placeholder shows it, unless that would reveal a secret."""
    slug = "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in name.lower()).split())[:_LONGEST_KIND]
    shown = placeholder(slug).decode() if slug else ""
    told = not slug or any(secret.lower() in shown for secret in secrets)
    return UNNAMED if told else slug.strip("-")
