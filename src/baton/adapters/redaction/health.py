"""Private health and bank data without a check digit: known by the words beside it, and never taken in code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.bank_rules import BANKING
from baton.adapters.redaction.expression import Match
from baton.adapters.redaction.health_rules import ROWS, HealthRule
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.rules_file import sentence_words
from baton.adapters.redaction.span import PERSONAL, Span
from baton.adapters.redaction.thresholds import HEALTH_AHEAD, HEALTH_BACK, HEALTH_NEAR
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.work import Work

RULES = (*ROWS, *BANKING)
_OF_WORDS = ("diagnosis", "medication")
_SUPPOSED = re.compile(
    rb"(?i)\b(?:if|when|whether|anyone|someone|somebody|people|every|each|wenn|falls|si|se)\b[^\n.;]{0,48}\Z"
)
"""What is said of nobody: `if your child has asthma`."""
_WRITTEN = re.compile(rb"""[=(,:\[+][ \t]*[bruf]?["'`]\Z|\breturn[ \t]+["'`]\Z""")
"""A text of a program."""
_JOINS = frozenset(b"and or but und oder et ou y o e since seit the is are was to for in of at on icd icd-10".split())


class HealthLayer:
    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(rule.anchor, caseless=True) for rule in RULES]

    def kinds(self) -> Iterable[str]:
        return sorted({rule.kind for rule in RULES})

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = [0] * len(RULES)
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[number] or not work.allows(end):
                continue
            rule = RULES[number]
            first = max(done[number], end - HEALTH_BACK, 0)
            found = rule.taken.search(data, first, min(len(data), end + HEALTH_AHEAD))
            if found is None:
                continue
            groups = [group for group in found.groups() if group[0] >= 0]
            done[number] = max(groups[-1][1], end)
            if _is_told(data, rule, found) and not in_code(data, groups[0][0]):
                yield from (Span(*_without_rest(data, *group), PERSONAL, rule.kind) for group in groups)


def _is_told(data: bytes, rule: HealthRule, found: Match) -> bool:
    """Whether it is said of somebody and not of anybody, of a program's text or of another number."""
    start, last = next(group for group in found.groups() if group[0] >= 0)
    value = data[start:last]
    if rule.kind == "routing-number":
        return _is_routing_number(value)
    if rule.near and not rule.near.search(data, max(0, start - HEALTH_NEAR), last + HEALTH_NEAR):
        return False
    if rule.unless and rule.unless.match(data, last, last + HEALTH_BACK):
        return False
    if rule.kind not in _OF_WORDS:
        return True
    if _WRITTEN.search(data, max(0, start - 12), start) or _SUPPOSED.search(data, max(0, found.start() - 24), start):
        return False
    words = value.lower().split()
    about = _JOINS if rule.kind == "diagnosis" else sentence_words()
    return bool(words) and not (words[0] in about or words[-1] in _JOINS)


def _without_rest(data: bytes, start: int, last: int) -> tuple[int, int]:
    """Up to the word that goes on with the sentence."""
    at = start
    for word in data[start:last].split(b" "):
        if word.lower() in _JOINS and at > start:
            last = at
            break
        at += len(word) + 1
    return start, start + len(data[start:last].rstrip())


def _is_routing_number(digits: bytes) -> bool:
    """By its check digit; and a district of the Federal Reserve."""
    weights = (3, 7, 1) * 3
    right = sum(weight * int(chr(digit)) for weight, digit in zip(weights, digits, strict=True)) % 10 == 0
    return right and int(digits[:2]) in (*range(1, 13), *range(21, 33), *range(61, 73), 80)
