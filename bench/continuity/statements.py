"""What a document states about runs: passed although the output says otherwise, open although it was mended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bench.continuity import commands, verdicts
from bench.continuity.document import Document, Line
from bench.continuity.folding import folded, pieces
from bench.continuity.truth import Run, Truth

_PASSED = re.compile(
    r"exit(?:ed)?(?: code| status)?:? *0\b|\bpass(?:es|ed)?\b|ended well|✓|\bok\b|succeeded|\bgreen\b", re.IGNORECASE
)
_FAILED = re.compile(
    r"exit(?:ed)?(?: code| status)?:? *[1-9]|\bfail(?:s|ed|ing|ures?)?\b|✗|\berrors?\b|\bunknown\b|not known",
    re.IGNORECASE,
)
_WISH = re.compile(r"^(?:- )?(?:Make|Get|Find out|Check|Run|Fix)\b", re.IGNORECASE)
_OPEN = re.compile(r"block|fail|error|open", re.IGNORECASE)
_CODE = re.compile(r"``+ ?.+? ?``+|`[^`]*`")


@dataclass(frozen=True, slots=True)
class Shown:
    """Commands a document shows with a result. `false_green` passed there and failed by their output."""

    passed: int = 0
    false_green: tuple[str, ...] = ()
    blockers: int = 0
    stale: tuple[str, ...] = ()
    lookups: tuple[str, ...] = ()


def shown_runs(document: Document, truth: Truth) -> Shown:
    passed = [run for line in document.lines for run in _runs(line, truth, passed=True)]
    blocked = [run for line in document.lines if _OPEN.search(line.heading) for run in _runs(line, truth, passed=False)]
    return Shown(
        passed=len(passed),
        false_green=tuple(run.command for run in passed if run.failed and verdicts.says(run.output) == verdicts.FAILED),
        blockers=len(blocked),
        stale=tuple(run.command for run in blocked if commands.normal(run.command) in truth.closed or run.ok),
        lookups=tuple(run.command for run in blocked if not run.ok and commands.looks_up(run.command)),
    )


def _runs(line: Line, truth: Truth, *, passed: bool) -> Iterator[Run]:
    """The last runs that a line's spans in code marks mean, where the line gives this result."""
    if line.quoted or _WISH.match(line.text):
        return
    good, bad = (form.search(_CODE.sub("``", line.text)) for form in (_PASSED, _FAILED))
    first = good if good and (bad is None or good.start() < bad.start()) else bad
    if first is None or (first is good) != passed:
        return
    for span in line.spans():
        if run := _last(span, truth):
            yield run


def _last(span: str, truth: Truth) -> Run | None:
    parts = pieces(span)
    if not parts or len(folded(span)) < 4:
        return None
    exact = [run for run in truth.runs.values() if folded(run.command) == folded(span)]
    if exact:
        return exact[-1]
    if " " not in span:
        return None
    found = [run for run in truth.runs.values() if all(part in folded(run.command) for part in parts)]
    if not found or _stopped_later(span, found[-1]):
        return None
    return found[-1]


_MYPY = re.compile(r"^Found \d+ errors? in \d+ files?", re.MULTILINE)


def _stopped_later(span: str, run: Run) -> bool:
    """Whether a command `A && B` stopped at B, and the span is A: then A passed, however the whole ended. Told by the
    words of a tool that only B names.
    """
    before, link, last = run.command.rpartition("&&")
    said = folded(last).startswith("mypy ") and "mypy" not in before and _MYPY.search(run.output)
    return bool(link and said) and folded(span) in {folded(part) for part in before.split("&&")}
