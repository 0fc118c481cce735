"""Results: what the parts of a command came to, by their output first and their exit code second."""

from __future__ import annotations

from baton.core.handoff.results.chain import Chain, read_chain
from baton.core.handoff.results.judge import SIGPIPE, PartResult, judge, judge_call
from baton.core.handoff.results.part import CHANGE, CHECK, LOOK, OTHER, Part, covers
from baton.core.handoff.results.reader import FAILED, PASSED, UNKNOWN

__all__ = [
    "CHANGE",
    "CHECK",
    "FAILED",
    "LOOK",
    "OTHER",
    "PASSED",
    "SIGPIPE",
    "UNKNOWN",
    "Chain",
    "Part",
    "PartResult",
    "covers",
    "judge",
    "judge_call",
    "read_chain",
]
