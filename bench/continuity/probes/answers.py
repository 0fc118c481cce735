"""What a person answered: in a form (S), and by a short reply whose question is needed to read it (Q)."""

from __future__ import annotations

import re

from bench.continuity.dialogue import Dialogue
from bench.continuity.fact import Fact, once
from bench.continuity.folding import MESSAGE, bare, probe
from bench.continuity.probes.replies import last_sentence

SHORT, WORDS = 32, 4
"""A message up to this long, or of so few words where nothing was asked, says nothing without what it replies to."""
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef\u3000-\u303f]")
LABEL = 12
"""A shorter answer is in almost any text by chance: its question must be there too."""


def chosen(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    found: list[Fact] = []
    for call in before.calls:
        for question, answer in call.answers:
            looked_for = probe(answer, MESSAGE, secrets)
            if len(bare(answer)) < LABEL and question:
                looked_for += probe(question, MESSAGE, secrets)
            found.append(Fact(f"{question} {answer}", looked_for, call.ended))
    return once(found)


def questions(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    found: list[Fact] = []
    for said in before.said:
        reply = before.reply_before(said.index)
        if len(bare(said.text)) > SHORT or reply is None:
            continue
        sentence = last_sentence(reply.text)
        if any(mark in sentence for mark in "?？") or _count_words(bare(said.text)) <= WORDS:
            found.append(Fact(f"{sentence} → {said.text}", probe(sentence, MESSAGE, secrets), said.index))
    return once(found)


def _count_words(text: str) -> int:
    """Chinese and Japanese put no spaces between words: two of their characters count as one."""
    unspaced = _UNSPACED.findall(text)
    return len(_UNSPACED.sub(" ", text).split()) + (len(unspaced) + 1) // 2


def newest_question(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    """Where the last message is a short reply: the question under it."""
    last = before.said[-1].index if before.said else -1
    return [fact for fact in questions(before, secrets) if fact.born == last]
