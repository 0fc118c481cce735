"""Commands as facts: the last run of each check and change, and what its output says of it.

A run is known by its tool and target, so that the same check in other words is the same check; a command made of parts
is several runs. What only looks around is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from baton.core.handoff.results.chain import read_chain
from baton.core.handoff.results.judge import PartResult, is_telling, judge_call, telling_line
from baton.core.handoff.results.part import CHANGE, CHECK, LOOK, Part, covers
from baton.core.handoff.results.reader import FAILED, PASSED, UNKNOWN, split_output
from baton.core.log.payloads import ToolResult
from baton.core.text import fold_spaces

_MOST_FAILING = 100
"""Of so many failures it is looked whether a pass closes them; far fewer are ever shown."""
_END = 600
_LINES = 3
_WORD = re.compile(r"[^\w\s]{0,3}[^\W\d_]{2,40}(?:[\W\d]|$)")
_DENSE = re.compile(r"[\u3040-\u9fff]{4}")
_FIGURE = re.compile(r"\d")
_FEW = 10
_LONGEST_WORD = 48
_REMOVING = ("rm", "git rm")


class Run:
    """The last run of a part: how it ended and what it said. `whole` is the command it was a part of, if it was.
    A `suspect` ran in a command that failed, and may be what failed. `end` are the last lines of its output. `again` is
    where a part that failed ran again without a result, `timed_out` where it was stopped and has shown nothing since.
    """

    __slots__ = (
        *("again", "at", "end", "exit", "line", "log", "part", "runs", "suspect", "tests", "text", "timed_out"),
        *("verdict", "whole"),
    )

    def __init__(self, part: Part) -> None:
        self.part = part
        self.text = self.whole = ""
        self.verdict = UNKNOWN
        self.suspect = False
        self.exit: int | None = None
        self.line = self.log = self.at = self.end = self.again = self.timed_out = ""
        self.runs = 0
        self.tests: Sequence[str] = ()

    @property
    def fails(self) -> bool:
        return self.verdict == FAILED or self.suspect

    @property
    def is_check(self) -> bool:
        return self.part.kind == CHECK

    @property
    def is_change(self) -> bool:
        return self.part.kind == CHANGE


class Runs:
    def __init__(self) -> None:
        self.by_key: dict[str, Run] = {}
        self._failing: dict[str, Run] = {}

    def add(self, command: str, result: ToolResult, at: str) -> None:
        judged = [each for each in judge_call(result.details, result.text, result.ok, command) if _counts(each)]
        for each in judged:
            run = self.by_key.pop(each.part.key, None) or Run(each.part)
            self.by_key[each.part.key] = run
            run.runs += 1
            if each.verdict == UNKNOWN and run.verdict == FAILED:  # what shows nothing closes nothing
                run.again = at
                continue
            run.part, run.at, run.again = each.part, at, ""
            if each.verdict != UNKNOWN or result.details.get("timed_out"):
                run.timed_out = at if each.verdict == UNKNOWN else ""
            run.text = fold_spaces(command if len(judged) == 1 else each.part.text)
            run.whole = fold_spaces(command) if len(judged) > 1 else ""
            run.verdict, run.suspect = each.verdict, each.suspect
            run.exit, run.log = each.exit, str(result.details.get("log") or "")
            run.line, run.tests = each.line, each.tests
            run.end = "" if each.line or each is not judged[-1] else _whole_lines(result.text)
            self._failing.pop(each.part.key, None)
            if run.fails:
                self._failing[each.part.key] = run
                if len(self._failing) > _MOST_FAILING:
                    del self._failing[next(iter(self._failing))]
            elif each.verdict == PASSED:
                self._close(each.part, at)

    def _close(self, part: Part, at: str) -> None:
        """A pass of more closes the failures of less: the whole suite those of one file."""
        for key, run in [each for each in self._failing.items() if covers(part, each[1].part)]:
            run.verdict, run.suspect, run.tests, run.at = PASSED, False, (), at
            run.exit, run.line, run.log, run.end = None, "", "", ""  # they are of the run that failed
            run.again = run.timed_out = ""
            del self._failing[key]


def _whole_lines(output: str) -> str:
    """The end of an output from where a line begins: half a line may be half a secret."""
    return output if len(output) <= _END else output[-_END:].partition("\n")[2]


def closing_lines(end: str, limit: int) -> str:
    """How a run ended: the line that speaks of trouble, else the last one, and before it those with figures, as many as
    fit. Only lines made of words, and prose not at all: neither a bare value nor what a page tells its reader to do is
    repeated.
    """
    lines = split_output(end)
    said = [line for line in lines if _is_worded(line)]
    if is_telling(line := telling_line(said)):
        return line
    kept: list[str] = []
    for line in reversed([each for each in said[-_LINES:] if each is lines[-1] or _FIGURE.search(each)]):
        if sum(map(len, kept)) + len(line) > limit and kept:
            break
        kept.insert(0, line)
    return fold_spaces(" / ".join(kept))[:limit]


def _is_worded(line: str) -> bool:
    words = line.split()
    if len(words) < 2 or max(map(len, words)) > _LONGEST_WORD:
        return _DENSE.search(line) is not None
    return any(map(_WORD.match, words)) and (len(words) <= _FEW or _FIGURE.search(line) is not None)


def _counts(each: PartResult) -> bool:
    return each.part.kind != LOOK


def covers_text(later: Run, earlier: str) -> bool:
    """Whether a pass of a run closes the failure of a command from an earlier session."""
    return any(covers(later.part, part) for part in read_chain(earlier).parts if part.kind == later.part.kind)


@lru_cache(maxsize=2048)
def changes_something(command: str) -> bool:
    """Whether running a command may have changed something."""
    return any(part.kind not in (LOOK, CHECK) for part in read_chain(command).parts)


@lru_cache(maxsize=2048)
def removed_paths(command: str) -> tuple[str, ...]:
    """Paths that a plain `rm` or `git rm` names."""
    if any(mark in command for mark in "*?$`"):
        return ()
    words = [part.text.split() for part in read_chain(command).parts if part.kind == CHANGE]
    removing = [each[1:] if each[:1] == ["rm"] else each[2:] for each in words if " ".join(each).startswith(_REMOVING)]
    return tuple([word.strip("'\"") for each in removing for word in each if not word.startswith("-")])
