"""What is known of each part of a command that ran: passed, failed or unknown.

The output counts before the exit code. A summary that says FAIL is a failure whatever the exit code; the exit code
counts for those parts whose code it must be; and of a pipe whose codes were not recorded it is only the last one's.
Where a code says passed and the output hints at a failure, nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from baton.core.handoff.results.chain import Chain, Link, read_chain
from baton.core.handoff.results.evidence import collect_evidence, find_passed_before
from baton.core.handoff.results.part import CHECK, LOOK, Part
from baton.core.handoff.results.possible import EITHER, FAIL, PASS, Codes, Possible
from baton.core.handoff.results.reader import FAILED, LINE_LIMIT, PASSED, UNKNOWN, Evidence, split_output
from baton.core.handoff.results.script import THEN
from baton.core.risk.line import words
from baton.core.value import value

_SURE = words("cd pushd popd echo printf export set = true : pwd sleep date unset tail head cat tee sort wc nl tac")
"""What is taken to succeed, so that its neighbours can be judged."""

_TELLING = (
    *("error", "fail", "fatal", "exception", "denied", "refused", "not found", "cannot", "panic", "assert"),
    "undefined",
)
_FAILED_TEST = re.compile(
    r"^(?:FAILED|ERROR) (\S{3,200}::\S{1,200})|^(\S{3,200}::\S{1,200}) (?:FAILED|ERROR)\b|^FAILED (\S{3,200})"
    r"|^--- FAIL: (\S{2,200})|^test (\S{2,200}) \.\.\. FAILED"
    r"|^(?:FAIL|ERROR): (\S{3,200}(?: \(\S{1,200}\))?)|^rspec (\S{3,200}) # "
    r"|^[✕✗×✘] (?:\d+ )?([^\n]{3,160})|^● ([^\n]{3,160})|^not ok \d{1,6} - ([^\n]{3,160})"
    r"|^FAIL\s+(\S{3,160}(?: > [^\n]{1,160})?)$|^(\S[^\n]{2,120} > \S[^\n]{2,120}) FAILED$|^Failed (\S{3,200}) \["
)
_MOST_TESTS = 4
SIGPIPE = 141
"""The code of a part whose reader had seen enough: no failure."""


@value
class PartResult:
    """`line` is the evidence, `tests` the first that failed. A `suspect` may be what failed: of a command's
    suspects one did. It has a `line` if the output says so.
    """

    part: Part
    verdict: str
    line: str = ""
    tests: tuple[str, ...] = ()
    exit: int | None = None
    suspect: bool = False


def judge(
    command: str, output: str, exit_: int | None, ok: bool, *, pipe: Sequence[int] | None = None
) -> tuple[PartResult, ...]:
    """What each part of the command came to, in order; parts that certainly did not run are left out.

    `exit_` is None where it is not known; `ok` then counts only if it is false. `pipe` are the codes of the pipeline
    that ran last, where they were recorded.
    """
    chain = read_chain(command)
    if all(part.kind == LOOK for part in chain.parts):
        return _judge_looks(chain.parts, exit_, ok)
    return _Judgement(chain, output, exit_, ok, pipe or ()).results()


def _judge_looks(parts: Sequence[Part], exit_: int | None, ok: bool) -> tuple[PartResult, ...]:
    """What only looks proves nothing, so its output need not be read."""
    alone = len(parts) == 1 and exit_ is not None
    verdict = (PASSED if exit_ == 0 and ok else FAILED) if alone else UNKNOWN
    return tuple(PartResult(part, verdict, exit=exit_ if alone else None) for part in parts)


def judge_call(details: Mapping[str, Any], text: str, ok: bool, command: str = "") -> tuple[PartResult, ...]:
    """The same from what is recorded of a call of the shell. Empty for a call that did not run."""
    command = str(details.get("command") or command)
    if not command or details.get("refused") or details.get("cancelled"):
        return ()
    exit_ = details.get("exit")
    known = isinstance(exit_, int) and not details.get("timed_out") and not details.get("background")
    failed = not ok and not details.get("timed_out")
    return judge(command, text, exit_ if known else None, not failed, pipe=_codes(details.get("pipe")))


def _codes(held: object) -> list[int]:
    codes: list[object] = held if isinstance(held, list) else []  # pyright: ignore[reportUnknownVariableType]
    return [code for code in codes if isinstance(code, int)] if all(isinstance(code, int) for code in codes) else []


def telling_line(lines: Sequence[str]) -> str:
    """The line that says most of a failure: the last that speaks of an error, or the last at all."""
    telling = next(filter(is_telling, reversed(lines)), lines[-1] if lines else "")
    return " ".join(telling.split())[:LINE_LIMIT]


def is_telling(line: str) -> bool:
    small = line.lower()
    return any(word in small for word in _TELLING)


def failed_tests(lines: Sequence[str]) -> tuple[str, ...]:
    """The names of tests that a run says have failed, the first few."""
    found: dict[str, None] = {}
    for line in lines:
        if (match := _FAILED_TEST.match(line)) is not None:
            found[(match[match.lastindex or 0]).strip()[:LINE_LIMIT]] = None
            if len(found) == _MOST_TESTS:
                break
    return tuple(found)


class _Judgement:
    def __init__(self, chain: Chain, output: str, exit_: int | None, ok: bool, pipe: Sequence[int]) -> None:
        self._parts = chain.parts
        self._output = output
        self._final = PASS if exit_ == 0 and ok else FAIL if exit_ or (exit_ is None and not ok) else EITHER
        self._exit = exit_
        self._recorded = _place_codes(chain, pipe)
        facts = {at: FAIL if code else PASS for at, code in self._recorded.items() if code != SIGPIPE}
        self._evidence: Mapping[int, Evidence] = {}
        self._passed: Mapping[int, Codes] = {}
        self._checks = any(part.kind == CHECK for part in self._parts)
        if not self._checks:
            self._possible = self._solve(chain, facts)
        if self._checks or not self._is_clear():
            found = collect_evidence(chain, self._lines, sure=frozenset(facts))
            passed = find_passed_before(chain, found)
            hints = {at for at in passed if at in found and not found[at].firm}
            self._passed = dict.fromkeys(passed, PASS)
            self._evidence = {at: each for at, each in found.items() if at not in hints}
            self._possible = self._solve(chain, facts)

    @cached_property
    def _lines(self) -> list[str]:
        return split_output(self._output)

    def _is_clear(self) -> bool:
        """Whether the codes say that all went well, so that there is nothing to read."""
        return self._final == PASS and all(
            self._possible.codes.get(at) == PASS for at, part in enumerate(self._parts) if part.kind != LOOK
        )

    def results(self) -> tuple[PartResult, ...]:
        return tuple(self._result(at, part) for at, part in enumerate(self._parts) if self._possible.codes.get(at))

    def _solve(self, chain: Chain, facts: Mapping[int, Codes]) -> Possible:
        """With as much taken for granted as fits together."""
        lines = self._lines if self._final != PASS else ()
        trivial = {at: _trivial_codes(part, lines) for at, part in enumerate(self._parts)}
        told = {at: PASS if found.verdict == PASSED else FAIL for at, found in self._evidence.items() if found.firm}
        before = {**trivial, **self._passed, **told, **facts}
        for known in (before, {**trivial, **told, **facts}, {**trivial, **facts}, facts, {}):
            found = Possible(chain, known, self._final)
            if found.feasible:
                return found
        return Possible(chain, {}, EITHER)

    def _result(self, at: int, part: Part) -> PartResult:
        codes, evidence = self._possible.codes[at], self._evidence.get(at)
        sure = at not in self._possible.skipped
        exit_ = self._recorded.get(at, self._exit if codes == self._final and self._is_only(at) else None)
        verdict = self._verdict(part, codes, evidence, sure=sure)
        if verdict == FAILED:
            return PartResult(part, verdict, self._line(evidence, FAILED), self._tests(part), exit_)
        doubted = evidence is not None and evidence.verdict == UNKNOWN
        suspect = verdict == UNKNOWN and (doubted or (self._final == FAIL and 1 in codes))
        return PartResult(part, verdict, self._line(evidence, verdict), (), exit_, suspect)

    def _verdict(self, part: Part, codes: Codes, evidence: Evidence | None, *, sure: bool) -> str:
        if evidence is not None and evidence.firm and evidence.verdict == FAILED:
            return FAILED
        if sure and codes == FAIL:
            return FAILED
        if evidence is not None and evidence.verdict == PASSED:
            return PASSED
        if sure and codes == PASS:
            return PASSED if evidence is None or part.kind != CHECK else UNKNOWN
        if evidence is not None and evidence.verdict == FAILED and part.kind != LOOK:
            return FAILED
        return UNKNOWN

    def _line(self, evidence: Evidence | None, verdict: str) -> str:
        if evidence is not None and evidence.verdict == verdict:
            return " ".join(evidence.line.split())[:LINE_LIMIT]
        return telling_line(self._lines) if verdict == FAILED else ""

    def _tests(self, part: Part) -> tuple[str, ...]:
        return failed_tests(self._lines) if part.kind == CHECK else ()

    def _is_only(self, at: int) -> bool:
        """Whether the exit code can only be this part's."""
        others = (each for each, part in enumerate(self._parts) if each != at and part.tool not in _SURE)
        return at not in self._possible.skipped and not any(self._possible.codes.get(each) for each in others)


def _trivial_codes(part: Part, lines: Sequence[str]) -> Codes:
    if part.tool == "false":
        return FAIL
    if part.kind == LOOK and any(
        line.startswith(f"{part.tool}: ") or f": {part.tool}: " in line[:60] for line in lines
    ):
        return FAIL
    return PASS if part.tool in _SURE else EITHER


def _place_codes(chain: Chain, codes: Sequence[int]) -> dict[int, int]:
    """The parts that the codes of the last pipeline belong to; empty where that is in doubt."""
    if len(codes) < 2 or not chain.ok:
        return {}
    link = _find_last(chain.links, len(codes))
    if link is None:
        return {}
    position = sum(len(Chain((each,)).parts) for each in chain.links[:link])
    found: dict[int, int] = {}
    for element, code in zip(chain.links[link].elements, codes, strict=True):
        if isinstance(element, Part):
            found[position] = code
        position += 1 if isinstance(element, Part) else len(element.parts)
    return found


def _find_last(links: Sequence[Link], size: int) -> int | None:
    """The pipeline of this size that ran last; None if it may have been another one."""
    for at in range(len(links) - 1, -1, -1):
        if len(links[at].elements) == size:
            skipped = links[at].joined != THEN and at > 0 and len(links[at - 1].elements) == size
            return None if skipped else at
        if links[at].joined == THEN and not _only_ends(links[at]):
            return None
    return None


def _only_ends(link: Link) -> bool:
    return all(isinstance(each, Part) and each.tool == "exit" for each in link.elements)
