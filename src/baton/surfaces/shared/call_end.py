"""How a tool call ended, in a mark and a few words: the same in the terminal, in an editor and in what scripts print.

A command is judged by what it printed before its exit code: `pytest | tail` with a failing test ends with 0 and failed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from baton.core.display import one_line
from baton.core.value import value
from baton.surfaces.words import work as words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from baton.core.handoff.results import PartResult

_WIDTH = 80
_SHELL = "shell"
_EXIT = re.compile(r"\n?\[exit \d+[^\]\n]*\]\s*\Z")


@value
class CallEnd:
    """`note` says how it ended, in at most a line; empty where there is nothing to add."""

    ok: bool
    note: str = ""


def describe_call_end(tool: str, text: str, details: Mapping[str, Any], *, ok: bool) -> CallEnd:
    """`ok` and the rest are what the call itself reported. A failure it reported stays one."""
    if details.get("refused"):
        return CallEnd(ok, _tell_refusal(details))
    told = _tell_exit(details)
    if tool != _SHELL or details.get("timed_out"):
        return CallEnd(ok, told)
    from baton.core.handoff.results import CHECK, FAILED, LOOK, PASSED, judge_call

    results = judge_call(details, text, ok)
    failed = [each for each in results if each.verdict == FAILED and each.part.kind != LOOK]
    failed = failed or [each for each in results if each.suspect and each.line]
    if failed:
        return CallEnd(ok=False, note=_word(failed, told))
    passed = [each for each in results if each.verdict == PASSED and each.part.kind == CHECK and each.line]
    return CallEnd(ok, _word(passed, told) if ok else told)


def describe_call_failure(tool: str, text: str, details: Mapping[str, Any], *, ok: bool) -> str:
    """What is said of a call that failed: the line that sums its output up, else its text. Empty if it did not fail."""
    end = describe_call_end(tool, text, details, ok=ok)
    if end.ok:
        return ""
    told = ("", _tell_refusal(details), _tell_exit(details))
    return end.note if tool == _SHELL and end.note not in told else text or end.note


def shown_output(text: str) -> str:
    """What a call printed, without the remark on its exit code that the model gets."""
    return _EXIT.sub("", text).strip("\n")


def _tell_refusal(details: Mapping[str, Any]) -> str:
    said = str(details.get("words") or "")
    return words.REFUSED_SAYING.format(said=one_line(said, _WIDTH)) if said and details.get("by") else words.REFUSED


def _tell_exit(details: Mapping[str, Any]) -> str:
    """A code of 0 says nothing that the mark does not."""
    if details.get("timed_out"):
        return words.TIMED_OUT
    code = details.get("exit")
    return words.EXIT.format(code=code) if code is not None and code != 0 else ""


def _word(results: Sequence[PartResult], told: str) -> str:
    """The first summary line, without the ornaments around it, or the code of the part that failed."""
    for each in results:
        if (each.part.reader and each.line) or (each.line and not told):
            return one_line(each.line.strip("= "), _WIDTH)
    for each in results:
        if each.exit and told != words.EXIT.format(code=each.exit):
            return one_line(words.ENDED_WITH.format(tool=each.part.tool, code=each.exit), _WIDTH)
    return told
