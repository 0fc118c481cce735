"""Which commands are risky: they destroy or reach outside, and no automatic mode runs one without asking.

A heuristic that errs on the side of asking, not a security boundary: what a program does cannot be told from its words.
"""

from __future__ import annotations

from baton.core.risk.assess import assess, risk
from baton.core.risk.calls import assess_call
from baton.core.risk.line import KINDS, Risk
from baton.core.risk.text import assess_text

__all__ = ["KINDS", "Risk", "assess", "assess_call", "assess_text", "risk"]
