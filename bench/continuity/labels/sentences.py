"""The labelled sentences, and the messages they make."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("sentences.tsv")
STANDING, TASK, REQUIREMENT, NONE = "standing", "task", "requirement", "none"
LABELS = (STANDING, TASK, REQUIREMENT, NONE)
RULES = (STANDING, TASK)
_WITHOUT_SPACES = ("zh", "ja")


@dataclass(frozen=True, slots=True)
class Sentence:
    id: str
    language: str
    message: str
    label: str
    pasted: bool
    text: str

    @property
    def is_rule(self) -> bool:
        return self.label in RULES


@dataclass(frozen=True, slots=True)
class Message:
    """The sentences of one message, in order."""

    id: str
    language: str
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """Typed sentences follow each other; each pasted line stands on a line of its own."""
        space = "" if self.language in _WITHOUT_SPACES else " "
        made, behind_paste = "", False
        for sentence in self.sentences:
            if made:
                made += "\n" if sentence.pasted or behind_paste else space
            made += sentence.text
            behind_paste = sentence.pasted
        return made


def read(path: Path = FILE) -> list[Sentence]:
    """Every sentence. `ValueError` names the row that is not as described."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for number, row in enumerate(rows, 2):
        if row["label"] not in LABELS or row["pasted"] not in ("yes", "no") or not row["text"]:
            raise ValueError(
                f"{path.name}, line {number}: {row['id']} has a label, a mark or a text that is not allowed"
            )
    return [
        Sentence(row["id"], row["language"], row["message_id"], row["label"], row["pasted"] == "yes", row["text"])
        for row in rows
    ]


def messages(sentences: Sequence[Sentence]) -> list[Message]:
    held: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        held.setdefault(sentence.message, []).append(sentence)
    return [Message(name, each[0].language, tuple(each)) for name, each in held.items()]
