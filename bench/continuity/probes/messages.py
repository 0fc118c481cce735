"""The person's messages beyond their first 60 characters: every character (UW, UL, LW), and their end (UE)."""

from __future__ import annotations

from bench.continuity.dialogue import Dialogue
from bench.continuity.fact import Fact, once
from bench.continuity.folding import MESSAGE, bare, ending, whole

LONG = 240


def entire(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    return once(Fact(said.text, whole(said.text, secrets), said.index) for said in before.said)


def entire_long(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    return [fact for fact in entire(before, secrets) if len(bare(fact.text)) > LONG]


def entire_last(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    return [Fact(said.text, whole(said.text, secrets), said.index) for said in before.said[-1:]]


def ends(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    longer = [said for said in before.said if len(bare(said.text)) > MESSAGE]
    return once(Fact(said.text[-MESSAGE:], ending(said.text, MESSAGE, secrets), said.index) for said in longer)
