"""Plans a person approved: every character (AP), and step by step (AS)."""

from __future__ import annotations

import re

from bench.continuity.dialogue import Dialogue
from bench.continuity.fact import Fact, once
from bench.continuity.folding import MESSAGE, probe, whole

_STEP = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*+•])\s+(?:\[[ x]\]\s*)?(\S.{5,})$", re.MULTILINE)


def approved(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    held = [(call.approved_plan, call.ended) for call in before.calls]
    return once(Fact(text, whole(text, secrets), born) for text, born in held if text)


def steps(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    held = [(call.approved_plan, call.ended) for call in before.calls]
    return once(Fact(step, probe(step, MESSAGE, secrets), born) for text, born in held for step in _STEP.findall(text))
