"""Questions to a model whose only context is the document: whether what is present is also found.

Questions are made from the probes; an answer is right if it holds the words that were expected. Presence is an upper
bound on use, and this lane measures the distance.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from baton.core.errors import BatonError
from baton.ports.model import Model
from bench.continuity.dialogue import Dialogue
from bench.continuity.folding import bare
from bench.continuity.models import ask
from bench.continuity.probes.answers import SHORT
from bench.continuity.probes.replies import last_sentence
from bench.continuity.truth import Truth

SYSTEM = (
    "You continue somebody's work. All you know of it is the document you are given. Answer the question from the "
    "document only, in one or two sentences, quoting its words. If the document does not say, answer: not in it."
)
SHARE = 0.6
"""So many of the expected words must be in an answer."""
_WORD = re.compile(r"[\w./:@#-]{3,}|[\u3040-\u9fff]{2}")


@dataclass(frozen=True, slots=True)
class Question:
    """`expected` is what a right answer holds; any of several."""

    name: str
    text: str
    expected: tuple[str, ...]

    def is_right(self, answer: str) -> bool:
        return any(holds(answer, each) for each in self.expected)


def holds(answer: str, expected: str) -> bool:
    wanted = [word.strip(".:-") for word in _WORD.findall(bare(expected).lower())]
    said = bare(answer).lower()
    return bool(wanted) and sum(word in said for word in wanted) >= SHARE * len(wanted)


def questions(truth: Truth) -> list[Question]:
    """At most one of each class: the newest fact of it."""
    return list(_questions(truth, truth.dialogue))


def _questions(truth: Truth, talk: Dialogue) -> Iterator[Question]:
    if truth.said:
        yield Question("L", "What did the person ask for last?", (truth.said[-1][:200],))
        yield Question("1", "What was the person's very first request?", (truth.said[0][:200],))
    refused = [call for call in talk.shell if call.refusal]
    if refused:
        asked = f"The person refused to let `{refused[-1].command[:120]}` run. What did they say?"
        yield Question("R", asked, (refused[-1].refusal or "",))
    answered = [pair for call in talk.calls for pair in call.answers]
    if answered:
        yield Question("S", f"The person was asked: {answered[-1][0]} What did they answer?", (answered[-1][1],))
    for said in reversed(talk.said):
        reply = talk.reply_before(said.index)
        if len(bare(said.text)) <= SHORT and reply is not None:
            asked = f"The person replied “{bare(said.text)}”. What was the question that this answers?"
            yield Question("Q", asked, (last_sentence(reply.text),))
            break
    yield from _about_work(truth)


def _about_work(truth: Truth) -> Iterator[Question]:
    facts = truth.facts
    if facts["A"]:
        yield Question("A", "What did the agent say last?", (last_sentence(facts["A"][0].text),))
    if facts["W"]:
        yield Question("W", "Give the link of a pull request or issue that was made.", _texts(facts["W"]))
    if facts["H"]:
        commits = [fact.text for fact in facts["H"]]
        yield Question("H", "Name a commit that was made.", (*commits, *(text.split()[0] for text in commits)))
    if facts["P"]:
        yield Question("P", "Name one item of the plan that is still open.", _texts(facts["P"]))
    if facts["E"]:
        yield Question("E", "Name one command that failed and has not been mended.", _texts(facts["E"]))
    if facts["F"]:
        yield Question("F", "Name one file that this work changed.", _texts(facts["F"]))


def _texts(facts: Sequence[Any]) -> tuple[str, ...]:
    return tuple(fact.text for fact in facts)


@dataclass(frozen=True, slots=True)
class Answer:
    question: Question
    present: bool
    """Whether the words are in the document: a model cannot find what is not there."""
    right: bool
    text: str


async def put(model: Model, document: str, asked: Sequence[Question]) -> list[Answer]:
    """One request a question, so that no answer helps another."""
    done: list[Answer] = []
    for question in asked:
        try:
            text = await ask(model, SYSTEM, f"{document}\n\n---\nQuestion: {question.text}")
        except BatonError as error:
            text = f"[{error}]"
        done.append(Answer(question, question.is_right(document), question.is_right(text), text))
    return done


def ask_all(model: Model, documents: Sequence[tuple[str, Truth]], most: int) -> list[Answer]:
    """Up to `most` questions over the documents, by turns, so that a small sample has something of each."""
    rows = [(document, question) for document, truth in documents for question in questions(truth)]
    order = sorted(range(len(rows)), key=lambda index: (_rank(rows, index), index))

    async def run() -> list[Answer]:
        found: list[Answer] = []
        for index in order[:most]:
            found += await put(model, rows[index][0], [rows[index][1]])
        await model.close()
        return found

    return asyncio.run(run())


def _rank(rows: Sequence[tuple[str, Question]], index: int) -> int:
    name = rows[index][1].name
    return sum(rows[other][1].name == name for other in range(index))


def as_json(model: str, answers: Sequence[Answer]) -> dict[str, Any]:
    names = dict.fromkeys(each.question.name for each in answers)
    return {
        "model": model,
        "questions": len(answers),
        "present": sum(each.present for each in answers),
        "right": sum(each.right for each in answers),
        "by_class": {
            name: {
                "questions": sum(each.question.name == name for each in answers),
                "present": sum(each.present for each in answers if each.question.name == name),
                "right": sum(each.right for each in answers if each.question.name == name),
            }
            for name in names
        },
        "answers": [
            {
                "class": each.question.name,
                "question": each.question.text,
                "right": each.right,
                "answer": each.text[:400],
            }
            for each in answers
        ],
    }


def as_text(result: dict[str, Any]) -> str:
    right, count, present = result["right"], result["questions"], result["present"]
    rows = [f"Asked {result['model']}, with the document as its only context: {right} of {count} answers are right."]
    rows.append(f"For {present} of them the words are in the document.")
    for name, each in result["by_class"].items():
        rows.append(f"  {name:3}{each['right']:4} of {each['questions']:3}   (in the document: {each['present']})")
    return "\n".join(rows)
