"""Recall and precision of the rules that a document shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.continuity.document import Document
from bench.continuity.folding import bare
from bench.continuity.labels.sentences import NONE, REQUIREMENT, Message, Sentence
from bench.continuity.wholeness import rules

OVERLAP = 0.6
"""A line shows a sentence if it holds it, or is so much of it."""


@dataclass(slots=True)
class Found:
    """`shown` lines are right if one of their sentences is a rule; requirements count neither way."""

    rules: int = 0
    found: int = 0
    anywhere: int = 0
    shown: int = 0
    right: int = 0
    requirements: int = 0
    missed: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    by_label: dict[str, list[int]] = field(default_factory=dict)

    @property
    def recall(self) -> float | None:
        return self.found / self.rules if self.rules else None

    @property
    def precision(self) -> float | None:
        judged = self.shown - self.requirements
        return self.right / judged if judged else None


def judge(message: Message, markdown: str, into: Found) -> None:
    """Adds one message's document to the count."""
    document = Document(markdown)
    lines = [line for line in rules(document) if line]
    for sentence in message.sentences:
        hit = any(_shows(line, sentence) for line in lines)
        counts = into.by_label.setdefault(sentence.label, [0, 0])
        counts[0] += hit
        counts[1] += 1
        if sentence.is_rule:
            into.rules += 1
            into.found += hit
            into.anywhere += bare(sentence.text)[:60] in document.flat
            if not hit:
                into.missed.append(sentence.id)
    for line in lines:
        _judge_line(line, message.sentences, into)


def _judge_line(line: str, sentences: Sequence[Sentence], into: Found) -> None:
    labels = {sentence.label for sentence in sentences if _shows(line, sentence)}
    into.shown += 1
    if labels & {"standing", "task"}:
        into.right += 1
    elif REQUIREMENT in labels and NONE not in labels:
        into.requirements += 1
    else:
        into.taken.append(line[:120])


def _shows(line: str, sentence: Sentence) -> bool:
    text = bare(sentence.text)
    shown = line.strip("“”\"'«»").rstrip(" …")
    return text.strip(" .!。！") in shown or (shown in text and len(shown) >= OVERLAP * len(text))
