"""How a tool's output is read: summary lines decide, other lines only hint, and a filter may have hidden some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from itertools import pairwise

from baton.core.display import plain
from baton.core.value import value

PASSED, FAILED, UNKNOWN = "passed", "failed", "unknown"
LINE_LIMIT = 200
_HEAD = 6_000
_TAIL = 16_000
_WIDTH = 400
_MOST_LINES = 300
_NOTE = re.compile(
    r"(?:Error: )?Exit code:? -?\d+$|Process exited with code|Wall time: |Chunk ID: |Output:$|Original token count: |"
    r"\[(?:exit \d|timed out after|ended, the editor|only the workspace and /tmp|… [\d,]+ characters left)"
)
_HINTS = (
    *(
        "fail",
        "pass",
        "err",
        "ok",
        "succe",
        "problem",
        "issue",
        "warn",
        "finish",
        "offens",
        "broken",
        "format",
        "panic",
    ),
    *("✖", "✘", "✗", "✕", "×", "✓", "✔", "●", "❯", "⨯", "›", "***", "found", "no such", "non-zero", " tests", ".py:"),
    *(".go:", "# ", "fix", "exit", "done", "built", "compiled", "congrat", "denied", "style", "exception", "cannot"),
    *("oops", "changes", "plan", "would", "rated", "checked", "naming", "writing", "terminat", "no work", "nothing"),
    *("up to date", ".f", "f.", ".e", "e.", "rspec ", "hook id", " line ", "traceback", "not ok", "rejected", "ran "),
)
"""What a line that says how it went has in it, in small letters: a cheap test before the patterns."""

Find = Callable[[str], re.Match[str] | None]


def _never(_: str) -> None:
    return None


@value
class Evidence:
    """What one run of a tool says of itself. `firm` if a summary says it, not only a line that hints at it."""

    verdict: str
    line: str
    firm: bool = True


@value
class Reader:
    """Patterns for whole lines. A run failed if one of `failed` is found, and passed if one of `passed` is and none
    of those. `signs` hint at a failure where there is no summary. `needs` has to be seen for a pass as well.

    `ends` tells the last line of each of several runs, or the first one if `opens`. `hides` are filters that may keep
    a failure from being seen; where `silent`, no output at all is a pass.
    """

    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    needs: str = ""
    ends: str = ""
    opens: bool = False
    hides: frozenset[str] = frozenset()
    silent: bool = False

    def read(self, lines: Sequence[str], filters: frozenset[str] = frozenset()) -> list[Evidence]:
        """One evidence for each run that says something, in order. Behind a filter that hides failures, none passed."""
        patterns = _patterns(self)
        begins, holds = patterns.gates
        lines = [line for line in lines if begins(line) or holds(line)]
        if not lines:
            return []
        hidden = bool(self.hides & filters)
        return [found for part in patterns.split(lines) if (found := patterns.judge(part, hidden=hidden)) is not None]


class _Patterns:
    """What a reader looks for. Each group is compiled when a line first gets as far as that: most readers of the
    tables are never asked in a process, and all their patterns together take a third of a second.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    @cached_property
    def gates(self) -> tuple[Find, Find]:
        """All patterns in two; a line that passes neither matters to none of them."""
        of = self._reader
        every = [each for each in (*of.passed, *of.failed, *of.signs, of.needs, of.ends) if each]
        bound = "|".join(each for each in every if each.startswith("^"))
        free = "|".join(each for each in every if not each.startswith("^"))
        return _compile(bound) if bound else _never, _compile(free) if free else _never

    @cached_property
    def _passed(self) -> tuple[Find, ...]:
        return tuple(map(_compile, self._reader.passed))

    @cached_property
    def _failed(self) -> tuple[Find, ...]:
        return tuple(map(_compile, self._reader.failed))

    @cached_property
    def _signs(self) -> tuple[Find, ...]:
        return tuple(map(_compile, self._reader.signs))

    @cached_property
    def _ends(self) -> Find:
        return _compile(self._reader.ends)

    @cached_property
    def _needs(self) -> Find:
        return _compile(self._reader.needs)

    def split(self, lines: Sequence[str]) -> Iterable[Sequence[str]]:
        if not self._reader.ends:
            return [lines]
        marks = [at for at, line in enumerate(lines) if self._ends(line)]
        if len(marks) < 2:
            return [lines]
        opens = self._reader.opens
        cuts = [0, *marks[1:], len(lines)] if opens else [0, *(at + 1 for at in marks[:-1]), len(lines)]
        return [lines[begin:end] for begin, end in pairwise(cuts)]

    def judge(self, lines: Sequence[str], *, hidden: bool) -> Evidence | None:
        if line := find_line(self._failed, lines):
            return Evidence(FAILED, line)
        passed = "" if hidden else find_line(self._passed, lines)
        if passed and (not self._reader.needs or any(map(self._needs, lines))):
            return Evidence(PASSED, passed)
        if line := find_line(self._signs, lines):
            return Evidence(FAILED, line, firm=False)
        return None


@cache
def _patterns(reader: Reader) -> _Patterns:
    return _Patterns(reader)


def find_line(patterns: Iterable[Find], lines: Sequence[str]) -> str:
    """The last line that the first fitting pattern finds; patterns stand in the order of how much they say."""
    for pattern in patterns:
        for line in reversed(lines):
            if pattern(line):
                return line
    return ""


def split_output(output: str) -> list[str]:
    """The lines of an output without colours, Baton's own notes and what is too far from both ends to be a summary."""
    if len(output) > _HEAD + _TAIL:
        output = f"{output[:_HEAD]}\n{output[-_TAIL:]}"
    text = plain(output.replace("\r\n", "\n").replace("\r", "\n"))
    lines = [line.strip()[:_WIDTH] for line in text.split("\n")]
    return [line for line in lines if line and not _NOTE.match(line)]


def telling_lines(lines: Sequence[str]) -> list[str]:
    """Those that may say how it went, the first and the last of them."""
    whole = "\n".join(lines).lower()
    present = [hint for hint in _HINTS if hint in whole]
    small = whole.split("\n")
    if len(small) != len(lines):
        small = [line.lower() for line in lines]
    found = [line for line, low in zip(lines, small, strict=True) if any(map(low.__contains__, present))]
    return found if len(found) <= _MOST_LINES else [*found[: _MOST_LINES // 3], *found[-2 * _MOST_LINES // 3 :]]


CUTTERS = "head grep egrep rg sed awk cut"
SECONDS = r"in \d[\d.,]* ?s"
COUNT = r"[1-9]\d{0,8}"


def _compile(pattern: str) -> Find:
    """One that is bound to the start of the line is tried there only."""
    return re.compile(pattern).match if pattern.startswith("^") else re.compile(pattern).search


def make_reader(
    passed: tuple[str, ...] = (),
    failed: tuple[str, ...] = (),
    signs: tuple[str, ...] = (),
    *,
    needs: str = "",
    ends: str = "",
    opens: bool = False,
    hides: str = "",
    silent: bool = False,
) -> Reader:
    return Reader(passed, failed, signs, needs, ends, opens, frozenset(hides.split()), silent)
