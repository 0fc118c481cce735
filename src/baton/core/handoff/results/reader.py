"""How a tool's output is read: summary lines decide, other lines only hint, and a filter may have hidden some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
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
    a failure from being seen; where `silent`, no output at all is a pass. A line that passes none of the `gates`, all
    patterns in two, matters to none of them.
    """

    passed: tuple[Find, ...] = ()
    failed: tuple[Find, ...] = ()
    signs: tuple[Find, ...] = ()
    needs: Find | None = None
    ends: Find | None = None
    opens: bool = False
    hides: frozenset[str] = frozenset()
    silent: bool = False
    gates: tuple[Find, Find] = (_never, _never)

    def read(self, lines: Sequence[str], filters: frozenset[str] = frozenset()) -> list[Evidence]:
        """One evidence for each run that says something, in order. Behind a filter that hides failures, none passed."""
        begins, holds = self.gates
        lines = [line for line in lines if begins(line) or holds(line)]
        hidden = bool(self.hides & filters)
        return [found for part in self._split(lines) if (found := self._judge(part, hidden=hidden)) is not None]

    def _split(self, lines: Sequence[str]) -> Iterable[Sequence[str]]:
        if self.ends is None:
            return [lines]
        marks = [at for at, line in enumerate(lines) if self.ends(line)]
        if len(marks) < 2:
            return [lines]
        cuts = [0, *marks[1:], len(lines)] if self.opens else [0, *(at + 1 for at in marks[:-1]), len(lines)]
        return [lines[begin:end] for begin, end in pairwise(cuts)]

    def _judge(self, lines: Sequence[str], *, hidden: bool) -> Evidence | None:
        if line := find_line(self.failed, lines):
            return Evidence(FAILED, line)
        passed = "" if hidden else find_line(self.passed, lines)
        if passed and (self.needs is None or any(map(self.needs, lines))):
            return Evidence(PASSED, passed)
        if line := find_line(self.signs, lines):
            return Evidence(FAILED, line, firm=False)
        return None


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
    every = [*passed, *failed, *signs, *filter(None, (needs, ends))]
    bound = [each for each in every if each.startswith("^")]
    free = [each for each in every if not each.startswith("^")]
    return Reader(
        tuple(map(_compile, passed)),
        tuple(map(_compile, failed)),
        tuple(map(_compile, signs)),
        _compile(needs) if needs else None,
        _compile(ends) if ends else None,
        opens,
        frozenset(hides.split()),
        silent,
        (_compile("|".join(bound)) if bound else _never, _compile("|".join(free)) if free else _never),
    )
