"""Whether a document is right for a situation, and what is wrong with it where it is not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bench.continuity.document import Document, Line
from bench.continuity.folding import bare
from bench.continuity.next_action import PLAN, advice_text, kind_of
from bench.continuity.probes.refusals import REFUSED
from bench.continuity.situations.script import Expected

BEGINNING = 40
_OPEN = re.compile(r"block|open|fail|error", re.IGNORECASE)
_VALIDATION = re.compile(r"validat|checks? run|tests? run", re.IGNORECASE)
_GREEN = re.compile(r"exit(?:ed)?(?: code| status)?:? *0\b|\bpass(?:es|ed)\b|ended well|✓|\bgreen\b", re.IGNORECASE)
_RED = re.compile(r"\bfail|\berror|exit(?:ed)? *[1-9]|✗|unknown", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Grade:
    """`wrong_advice` concerns the next action only; `wrong` the rest of what the situation asks."""

    kind: str
    advice: str
    wrong_advice: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def advice_right(self) -> bool:
        return not self.wrong_advice

    @property
    def right(self) -> bool:
        return not self.wrong_advice and not self.wrong


def grade(markdown: str, expected: Expected) -> Grade:
    document = Document(markdown)
    advice = advice_text(document)
    item = expected.advises[0] if expected.advises and PLAN in expected.kinds else ""
    kind = kind_of(advice, item)
    return Grade(kind, advice, tuple(_advice(advice, kind, expected)), tuple(_document(document, expected)))


def _advice(advice: str, kind: str, expected: Expected) -> list[str]:
    said = bare(advice)
    wrong = [] if kind in expected.kinds else [f"it is {kind}, not {' or '.join(sorted(expected.kinds))}"]
    wrong += [f"it does not name {text[:60]!r}" for text in expected.advises if _beginning(text) not in said]
    for text in expected.never_advises:
        place = said.find(_beginning(text))
        if place >= 0 and not re.search(REFUSED, said[max(0, place - 160) : place + len(text) + 160], re.IGNORECASE):
            wrong.append(f"it names {text[:60]!r}")
    return wrong


def _document(document: Document, expected: Expected) -> list[str]:
    wrong = [f"{text[:60]!r} is missing" for text in expected.tells if _beginning(text) not in document.flat]
    wrong += [f"{text[:60]!r} is there" for text in expected.never_tells if _beginning(text) in document.flat]
    for command in expected.open:
        lines = [line for line in document.lines if _names(line, command)]
        if not any(_RED.search(f"{line.heading} {line.text}") for line in lines):
            wrong.append(f"{command[:60]!r} is not shown as failing")
        if any(_shows_green(line) for line in lines):
            wrong.append(f"{command[:60]!r} is shown as passed")
    for command in expected.closed:
        lines = [line for line in document.lines if _names(line, command) and _OPEN.search(line.heading)]
        if any(_RED.search(_outside(line.text)) for line in lines):
            wrong.append(f"{command[:60]!r} is shown as open")
    for command in expected.not_validated:
        if any(
            _names(line, command) and _VALIDATION.search(line.heading) and "Also" not in line.text
            for line in document.lines
        ):
            wrong.append(f"{command[:60]!r} is shown as a validation")
    return wrong


def _names(line: Line, command: str) -> bool:
    return _beginning(command) in bare(line.text)


def _shows_green(line: Line) -> bool:
    text = _outside(line.text)
    green, red = _GREEN.search(text), _RED.search(text)
    return green is not None and (red is None or green.start() < red.start())


def _outside(text: str) -> str:
    return re.sub(r"``+ ?.+? ?``+|`[^`]*`", "``", text)


def _beginning(text: str) -> str:
    return bare(text)[:BEGINNING].rstrip()
