"""Who reads the output of which tool: one table, and two readers for what has none of its own.

A new reader is an entry in one of the three tables, and its name in `tools`.
"""

from __future__ import annotations

from functools import cache

from baton.core.handoff.results.reader import COUNT, CUTTERS, Reader, make_reader
from baton.core.handoff.results.readers_of_builds import builders, other_tools
from baton.core.handoff.results.readers_of_linters import linters
from baton.core.handoff.results.readers_of_tests import test_runners

_NUMBERED = r"(?:tests?|checks?|specs?|examples?|assertions?)"
_LOST = r"^(?:bash: |sh: |zsh: |/bin/sh: )?(?:line )?\d{0,4}:? ?\S{1,100}: "
_TROUBLE = (
    r"^(?:fatal|FATAL|[Ee]rror|ERROR)(?:\[\w{1,20}\])?: \S",
    rf"{_LOST}(?:command not found|not found|No such file or directory|Permission denied)$",
    r"^[A-Z]\w{2,60}(?:Error|Exception)(?::|$)",
)


@cache
def generic() -> Reader:
    """For what has no reader of its own: only counts and plain words at the start of a line."""
    return make_reader(
        (
            rf"^(?:=+ )?(?:all )?{COUNT} {_NUMBERED} (?:have )?(?:passed|succeeded|ok)\b(?!.*fail)",
            rf"^(?:[✓✔✅] )?[Aa]ll (?:\d+ )?{_NUMBERED} (?:have )?(?:passed|succeeded|green)",
            rf"^(?:\w+: ?)?{COUNT} passed\b(?!.*\b[1-9]\d* (?:failed|errors?)\b)",
            r"^(?:\w+: ?)?[Pp]assed: ?[1-9]\d*,? [Ff]ailed: ?0\b",
            r"^0 (?:errors?|failures?|problems?|issues?)(?:$|[.,;] (?:found|0 warnings?))",
            r"^[Nn]o (?:errors?|issues?|problems?|failures?) (?:were )?(?:found|detected|reported)",
            r"^(?:BUILD|Build|build) (?:SUCCEEDED|SUCCESSFUL|succeeded|successful)\b",
        ),
        (
            rf"(?:^|[\s(,|:]){COUNT} (?:{_NUMBERED} )?failed\b.{{1,60}}\d (?:{_NUMBERED} )?(?:passed|total|ok)\b",
            rf"(?:^|[\s(,|:])\d+ (?:{_NUMBERED} )?passed\b.{{0,20}}[\s,|:]{COUNT} (?:{_NUMBERED} )?failed\b",
            rf"^(?:\w+: ?)?{COUNT} (?:{_NUMBERED} )?failed[.!]?$",
            rf"^(?:\w+: ?)?[Pp]assed: ?\d+,? [Ff]ailed: ?{COUNT}\b",
            rf"^(?:Found )?{COUNT} (?:errors?|failures?|problems?)(?: found| detected)?(?:[.!:]?$|, \d+ w| in \d+ f)",
            r"^(?:TESTS?|CHECKS?|BUILD|Tests?|Checks?|Build) (?:FAILED|FAILURE|failed)[.!]?$",
            r"^(?:FAILED|FAILURE|FAIL)[.!]?$",
        ),
        (r"^(?:FAILED|FAIL|✗|✖|✘|❌)[: ] ?\S", r"^Traceback \(most recent call last\)", *_TROUBLE),
        hides=f"{CUTTERS} tail",
    )


@cache
def trouble() -> Reader:
    """For what is no check: lines that say that it did not work."""
    return make_reader(
        signs=(
            *_TROUBLE,
            r"^! \[(?:remote )?rejected\]",
            r"^npm (?:ERR!|error) (?:code|errno) ",
            r"^Error from server",
            r"hook (?:exited with code|failed)",
        )
    )


@cache
def _tables() -> dict[str, Reader]:
    return {**test_runners(), **linters(), **builders(), **other_tools()}


@cache
def find_readers(name: str) -> tuple[Reader, ...]:
    """Whom to ask about an output, the surest first; the generic one comes last."""
    tables = _tables()
    if name == "any":
        return (*(tables[each] for each in tables if each not in _AMBIGUOUS), generic())
    if name == "make":
        return (tables["make"], *find_readers("any"))
    return (tables[name], tables["npm"], generic()) if name in tables else (generic(),)


_AMBIGUOUS = frozenset(
    {"make", "compile", "go build", "lint", "flake8", "unittest", "docker", "bun", "ruff format", "terraform"}
)
"""Not asked about the output of an unknown script, because others print such lines too."""
