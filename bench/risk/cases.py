"""The labelled cases: commands by subject, and next steps in words by language."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

RISKY, HARMLESS = "risky", "harmless"
COMMANDS, SENTENCES = "commands", "sentences"
TUNING, HELD_OUT = "", "held_out_"
_FOLDER = Path(__file__).parent
_NEWLINE = "⏎"


@dataclass(frozen=True, slots=True)
class Case:
    """`group` is the subject of a command or the language of a sentence."""

    risky: bool
    group: str
    text: str


def read(kind: str, part: str = TUNING) -> list[Case]:
    """Every case of a file. `ValueError` names the line that is not as described."""
    path = _FOLDER / f"{part}{kind}.tsv"
    cases: list[Case] = []
    for number, row in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        label, group, text = (*row.split("\t"), "", "")[:3]
        if label not in (RISKY, HARMLESS) or not group or not text or row.count("\t") != 2:
            raise ValueError(f"{path.name}, line {number}: not a label, a group and a text with tabs between them")
        cases.append(Case(label == RISKY, group, text.replace(_NEWLINE, "\n")))
    return cases
