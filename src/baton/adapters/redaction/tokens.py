"""Token rules: what vendors' own formats give away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

from baton.adapters.redaction.anchor import Anchor, Hit
from baton.adapters.redaction.expression import Expression, compiled, finder
from baton.adapters.redaction.rules_file import TokenRule, token_rules
from baton.adapters.redaction.span import TOKEN, Span
from baton.adapters.redaction.worth import entropy, has_digit

_LEFT = r"(?:^|[^A-Za-z0-9]|\\[nrtfb]|%[0-9A-Fa-f]{2})"
_OPEN_END = re.compile(r"\{([0-9]+),[0-9]*\}$")
_MOST_BACK = 1300
_AHEAD = 8192
_CHECKSUM = finder(r"(?i)sha[0-9]{1,3}[-:=]$")
_REST = finder(r"[A-Za-z0-9_+/=%-]*")


class TokenLayer:
    """Each hit is confirmed by the rule's own expression around it."""

    def anchors(self) -> Sequence[Anchor]:
        """The rules with the shortest end that will do, so that a long token is reported once."""
        return [Anchor(_LEFT + _short(rule.pattern), rule.caseless) for rule in self._rules]

    def kinds(self) -> Iterable[str]:
        return (rule.kind for rule in self._rules)

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        for number, group in groupby(sorted(hits), key=lambda hit: hit[0]):
            rule = self._rules[number]
            yield from self._confirmed(rule, data, [end for _, end in group])

    def _confirmed(self, rule: TokenRule, data: bytes, ends: Sequence[int]) -> Iterator[Span]:
        expression = _expression(rule)
        secret = min(2, expression.groups)
        back, done = _MOST_BACK, 0
        for end in ends:
            if end <= done:
                continue
            limit = min(len(data), end + _AHEAD)
            found = expression.search(data, max(done - 1, end - back, 0), limit)
            if found is None:
                continue
            done = found.end()
            start, last = found.span(secret)
            if last == limit and (rest := _REST.match(data, last)):
                last = done = rest.end()
            if not rule.entropy or _is_random(rule, data, start, last):
                yield Span(start, last, TOKEN, rule.kind)

    @cached_property
    def _rules(self) -> tuple[TokenRule, ...]:
        return token_rules()


def _expression(rule: TokenRule) -> Expression:
    """Group 1 is the whole token; a rule's own group is the second."""
    flag = "(?i)" if rule.caseless else ""
    return compiled(f"{flag}{_LEFT}({rule.pattern})")


def _short(pattern: str) -> str:
    return _OPEN_END.sub(r"{\1}", pattern.removesuffix("={0,2}"))


def _is_random(rule: TokenRule, data: bytes, start: int, end: int) -> bool:
    """Enough for the rule, and not a checksum that says so."""
    held = data[start:end]
    return has_digit(held) and entropy(held) >= rule.entropy and not _CHECKSUM.search(data[max(0, start - 8) : start])
