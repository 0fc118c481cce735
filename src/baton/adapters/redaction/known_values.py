"""Known values: exact matches of what the environment, `.env` files and the configuration hold, in any encoding."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, cast
from urllib.parse import quote, quote_plus

from baton.adapters.redaction.entropy import entropy, is_wordlike
from baton.adapters.redaction.rules_file import common_words
from baton.adapters.redaction.span import KNOWN, Span, placeholder
from baton.adapters.redaction.thresholds import (
    KNOWN_PREFIX,
    LEAST_ENTROPY_OF_PREFIX,
    SHORTEST_KNOWN,
    SHORTEST_KNOWN_BASE64,
    SHORTEST_KNOWN_OTHER_CASE,
)
from baton.adapters.redaction.views import join_lines, squeeze, unsqueeze

UNNAMED = "known-secret"
_LONGEST_KIND = 40
_SAFE = "!'()*~"


class KnownValues:
    """Secrets by name. The automaton is built when the first text comes."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    @property
    def values(self) -> Mapping[str, str]:
        return self._values

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset((UNNAMED, *self._kinds))

    def spans(self, data: bytes) -> Iterator[Span]:
        """Where values are, even across line breaks."""
        pressed = squeeze(data) if self._values else b""
        if not self._values or not (found := self._pressed.find_matches_as_indexes(pressed)):
            return
        yield from self._in_one_piece(data)
        if len(pressed) < len(data):
            yield from self._across_lines(data, found)

    def _in_one_piece(self, data: bytes) -> Iterator[Span]:
        for number, start, end in self._automaton.find_matches_as_indexes(data):
            yield Span(start, self._to_the_end(number, data, start, end), KNOWN, self._kind_of[number])

    def _across_lines(self, data: bytes, found: Sequence[tuple[int, int, int]]) -> Iterator[Span]:
        """Matches of the text without blanks; dropped unless they are whole once the line breaks are removed."""
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
    def _forms(self) -> dict[bytes, tuple[str, bytes | None]]:
        """Each form with its kind and, for a prefix, the whole it begins."""
        forms: dict[bytes, tuple[str, bytes | None]] = {}
        for secret, kind in zip(self._values.values(), self._kinds, strict=True):
            for form in sorted(encodings_of(secret)):
                forms.setdefault(form, (kind, None))
        for secret, kind in zip(self._values.values(), self._kinds, strict=True):
            raw = secret.encode("utf-8", "surrogatepass")
            beginning = raw[:KNOWN_PREFIX]
            random = not is_wordlike(beginning) and entropy(beginning) >= LEAST_ENTROPY_OF_PREFIX
            if len(raw) > KNOWN_PREFIX and random and b"://" not in raw[:16]:
                forms.setdefault(beginning, (kind, raw))
        common = {word.encode() for word in common_words()}
        return {form: held for form, held in forms.items() if form.lower() not in common}

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
    def _pressed(self) -> Any:
        return _automaton([squeeze(each) or each for each in self._patterns])


def _automaton(patterns: list[bytes]) -> Any:
    import ahocorasick_rs

    library = cast("Any", ahocorasick_rs)
    return library.BytesAhoCorasick(patterns, matchkind=library.MatchKind.LeftmostLongest)


def _kind(name: str, secrets: Any) -> str:
    """The name as a placeholder shows it, unless that would reveal a secret."""
    slug = "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in name.lower()).split())[:_LONGEST_KIND]
    shown = placeholder(slug).decode() if slug else ""
    told = not slug or any(secret.lower() in shown for secret in secrets)
    return UNNAMED if told else slug.strip("-")


def encodings_of(secret: str) -> set[bytes]:
    """The forms a value takes on its way through programs: encodings, escapes, other case. As bytes.

    Those too short to be told from ordinary text are left out.
    """
    raw = secret.encode("utf-8", "surrogatepass")
    found = {raw, *_escapes(secret), *_hexadecimal(raw), *_base64(raw)}
    if len(secret) >= SHORTEST_KNOWN_OTHER_CASE:
        found |= {each.encode("utf-8", "surrogatepass") for each in (secret.upper(), secret.lower())}
        found.add(raw[::-1])
    return {each for each in found if len(each) >= SHORTEST_KNOWN}


def _escapes(secret: str) -> Iterator[bytes]:
    if secret.isalnum() and secret.isascii():
        return
    quotable = secret.encode("utf-8", "surrogatepass")
    strict = "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02X}" for byte in quotable)
    once = json.dumps(secret)[1:-1]
    readable = json.dumps(secret, ensure_ascii=False)[1:-1]
    forms = {
        quote(quotable, safe=""),
        quote(quotable, safe=_SAFE),
        quote(quotable),
        quote_plus(quotable),
        strict,
        strict.lower(),
        once,
        json.dumps(once)[1:-1],
        readable,
        json.dumps(readable, ensure_ascii=False)[1:-1],
        once.replace("/", "\\/"),
        repr(secret)[1:-1],
        html.escape(secret),
        html.escape(secret).replace("&#x27;", "&#39;"),
        secret.replace("$", "\\$"),
        secret.replace("'", "'\\''"),
    }
    for form in forms:
        yield form.encode("utf-8", "surrogatepass")


def _hexadecimal(raw: bytes) -> Iterator[bytes]:
    yield raw.hex().encode()
    yield raw.hex().upper().encode()


def _base64(raw: bytes) -> Iterator[bytes]:
    """At each of the three offsets a value may have in what was encoded, without the characters neighbours change."""
    for offset in range(3):
        encoded = base64.b64encode(bytes(offset) + raw)
        skipped = (offset * 8 + 5) // 6
        kept = encoded[skipped : (offset + len(raw)) * 8 // 6]
        if len(kept) >= SHORTEST_KNOWN_BASE64:
            yield kept
            yield kept.translate(bytes.maketrans(b"+/", b"-_"))
