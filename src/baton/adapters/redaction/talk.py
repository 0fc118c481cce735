"""Passwords where people talk: answers to a question, pairs for a login, values below their word (`talk_rules`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.carrier_rules import ALIKE, ANYTHING, TYPED
from baton.adapters.redaction.clauses import is_chosen
from baton.adapters.redaction.codes import KIND as PIN
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.programs import holds_a_place_in_program, is_expression_in_program
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.talk_rules import TALK
from baton.adapters.redaction.thresholds import CARRIER_BACK, FEWEST_DIFFERENT
from baton.adapters.redaction.typed import in_code, is_typed
from baton.adapters.redaction.work import Work

KIND = "password"
_LONGEST_PIN = 11
"""Eight digits and the bars of a combination."""


class TalkLayer:
    """Never in code: the same words name variables there."""

    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(each.anchor, caseless=True) for each in TALK]

    def kinds(self) -> Iterable[str]:
        return (KIND, PIN)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = [0] * len(TALK)
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            rule = TALK[number]
            if end <= done[number] or work.is_unread(end):
                continue
            if (rule.near and not rule.near.search(data, max(0, end - 80), end)) or not work.allows(
                end, lines=2 * rule.below
            ):
                continue
            start = max(done[number], end - CARRIER_BACK, 0)
            found = rule.taken.search(data, start, min(len(data), end + rule.ahead))
            if found is None:
                continue
            first, last = next((span for span in found.groups() if span[0] >= 0), (0, 0))
            done[number] = max(last, end)
            while last > first and data[last - 1] in b".,;:":
                last -= 1
            if _is_told(data[first:last], rule.verdict) and not _is_of_a_program(data, first, last):
                pin = rule.verdict in (ANYTHING, ALIKE) and last - first <= _LONGEST_PIN
                yield Span(first, last, CONTEXT, PIN if pin else KIND)


def _is_told(value: bytes, verdict: int) -> bool:
    """Digits only where a row asks for nothing else."""
    if verdict == ALIKE:
        return True
    if verdict == TYPED:
        return is_typed(value)
    if verdict == ANYTHING:
        return len(set(value)) >= min(FEWEST_DIFFERENT, 2)
    return is_chosen(value)


def _is_of_a_program(data: bytes, first: int, last: int) -> bool:
    return (
        in_code(data, first)
        or holds_a_place_in_program(data, first, last)
        or is_expression_in_program(data, first, last)
    )
