"""Questions whose answer is in a document or is not, one file per family. Their truth is in outputs and dialogue.

A probe is a function of what happened before a cut and, for the families that look ahead, of what happened next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bench.continuity.dialogue import Dialogue
from bench.continuity.fact import Fact
from bench.continuity.probes import ahead, answers, made, messages, plans, refusals, replies


@dataclass(frozen=True, slots=True)
class Cut:
    """What is known at a cut: the dialogue before it, the one after it, and the secrets no document may hold."""

    before: Dialogue
    after: Dialogue
    secrets: tuple[str, ...] = ()


Find = Callable[[Dialogue, tuple[str, ...]], list[Fact]]
FIND: dict[str, tuple[str, Find]] = {
    "R": ("words of a refusal", refusals.words),
    "N": ("refused commands, as refused", refusals.commands),
    "S": ("answers to structured questions", answers.chosen),
    "A": ("last reply", replies.last),
    "Q": ("questions that short replies answer", answers.questions),
    "Q1": ("the newest of them", answers.newest_question),
    "AP": ("approved plans, whole", plans.approved),
    "AS": ("steps of approved plans", plans.steps),
    "W": ("PR and issue links made", made.links),
    "H": ("commits made", made.commits),
    "UW": ("messages, every character", messages.entire),
    "UE": ("messages, their end", messages.ends),
    "UL": ("messages over 240 characters, every character", messages.entire_long),
    "LW": ("last request, every character", messages.entire_last),
}
LOOK_AHEAD: dict[str, tuple[str, Callable[[Dialogue, Dialogue], list[Fact]]]] = {
    "FU": ("files of the next 20 calls, seen before", ahead.files),
    "FE": ("of them, edited before", ahead.edited_files),
    "FR": ("of them, only read before", ahead.read_files),
    "SY": ("code names in the next 10 edits, seen before", ahead.names),
    "CM": ("commands among the next 20 calls, run before", ahead.commands),
}
PROBES = {name: meaning for name, (meaning, _) in (FIND | LOOK_AHEAD).items()}


def facts(cut: Cut) -> dict[str, list[Fact]]:
    """Every probe's facts at a cut."""
    found = {name: find(cut.before, cut.secrets) for name, (_, find) in FIND.items()}
    return found | {name: find(cut.before, cut.after) for name, (_, find) in LOOK_AHEAD.items()}
