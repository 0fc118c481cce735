"""Claims that checks pass or fail, held against how their last runs ended."""

from __future__ import annotations

import re

from baton.core.handoff.narration.claims import clauses, code_spans, is_hedged
from baton.core.handoff.narration.record import BUILD, LINT, TESTS, TYPES, Record, kinds_of
from baton.core.handoff.results import FAILED, PASSED, UNKNOWN
from baton.core.risk.line import words

_SUBJECTS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (TYPES, r"\btype[- ]?check\w*|\btypes\b"),
        (LINT, r"\blint\w*|\bstyle checks?\b"),
        (TESTS, r"\btest(?:s|y|suite)?\b|\bsuite\b|\bspecs\b|\bpruebas\b|\btesten\b|\bтест\w*|测试|テスト|테스트"),
        (BUILD, r"\bbuilds?\b|\bcompil(?:es|ed|ation)\b"),
        ("", r"\beverything\b|\bci\b|\bpipeline\b|\bchecks\b|\balles\b|\btout\b|\btodo\b|\btutto\b"),
    )
)
_PASSES = re.compile(
    r"\bpass(?:es|ed|ing)?\b|\bsucceed(?:s|ed)?\b|\bsuccessful(?:ly)?\b|\bgreen\b|\bclean\b|\bverified\b|"
    r"\b(?:without|no) (?:errors?|failures?|warnings?|issues|problems|findings)\b|"
    r"\blaufen\b.{0,20}\bdurch\b|\bgrün\b|\bbestanden\b|\bbestehen\b|\berfolgreich\b|\bpassent\b|\bréussi\w*|\bverts?\b|"
    r"\bpasan\b|\bpasaron\b|\bverdes?\b|\bpassano\b|\bsuperat\w+|\bpassam\b|\bpassaram\b|\bslagen\b|\bgeslaagd\b|"
    r"\bgroen\b|\bprzechodz\w+|\bprzeszły\b|\bпроход\w+|\bпрошли\b|通过|通りま|パスし|성공|통과",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"\b(?:still|keeps?) (?:fail\w*|red|broken)\b|\b(?:is|are|remains?) (?:still )?(?:failing|red|broken)\b",
    re.IGNORECASE,
)
_FAILS_PLAINLY = re.compile(r"^\s*(?:still )?fail(?:s|ing)\b", re.IGNORECASE)
_UNSURE = re.compile(r"\b(?:not (?:yet )?(?:been )?(?:verified|checked|tested)|unverified|in theory)\b", re.IGNORECASE)
_VERIFIED = re.compile(r"\b(?:is|was|are|were|been) verified\b|^\W*verified\W*$", re.IGNORECASE)
_WITHOUT = re.compile(r"\b(?:without|no) (?:errors?|failures?|warnings?|issues|problems|findings)\b", re.IGNORECASE)
_SOME = re.compile(
    r"\b(?!(?:all|the|unit|every|our|its|these|tests?|alle|die|der|les|tous|los|todos|tutti)\b)[\w.-]{3,40} tests?\b"
    r"|\btest\b|\btests (?:of|for|in|under|der|du|de|del|van)\b",
    re.IGNORECASE,
)
_TOOL = re.compile(r"[A-Za-z][\w-]{1,30}")
_NAMES = words(
    "pytest jest vitest mocha tox nox playwright cypress rspec phpunit mypy pyright basedpyright tsc eslint ruff "
    "flake8 pylint black isort prettier biome clippy rubocop golangci-lint shellcheck stylelint detekt ktlint"
)
_COUNT = re.compile(r"\b(?:all )?([0-9]{1,6}) (?:tests|checks|specs)\b[^.;]{0,30}\bpass", re.IGNORECASE)


def object_to_results(sentence: str, record: Record) -> str:
    """Why a claim about checks cannot stand; empty if it can, or if there is none."""
    if _UNSURE.search(sentence):
        return ""
    for clause in clauses(sentence):
        if is_hedged(_WITHOUT.sub("passing", clause)):
            continue
        if found := _object_to_clause(clause, record):
            return found
    return ""


def _object_to_clause(clause: str, record: Record) -> str:
    spans = [(span, end) for span, _, end in code_spans(clause)]
    commands = [(span, end) for span, end in spans if kinds_of(span) or record.verdict_of(span)] or _tools(clause)
    for command, end in commands:
        if found := _object_to_command(command, clause[end:], record):
            return found
    if commands:
        return ""
    if _FAILS.search(clause):
        return _object_to_failure(clause, record)
    if _VERIFIED.search(clause):
        return _object_to_success("", record, some=False)
    if not _PASSES.search(clause):
        return ""
    if (count := _COUNT.search(clause)) and not record.mentions(count[1]):
        return f"no result speaks of {count[1]} tests"
    for kind, subject in _SUBJECTS:
        if subject.search(clause):
            return _object_to_success(kind, record, some=bool(kind == TESTS and _SOME.search(clause)))
    return ""


def _tools(clause: str) -> list[tuple[str, int]]:
    """Tools that a clause begins with by their names: "mypy is clean"."""
    found = _TOOL.search(clause)
    name = found[0].lower() if found else ""
    return [(name, found.end())] if found and name in _NAMES else []


def _object_to_command(command: str, rest: str, record: Record) -> str:
    verdict = record.verdict_of(command)
    if _FAILS.search(rest) or _FAILS_PLAINLY.match(rest):
        return f"the last run of `{command}` passed" if verdict == PASSED else ""
    if not _PASSES.search(rest):
        return ""
    if verdict == FAILED:
        return f"the last run of `{command}` failed"
    if verdict == UNKNOWN:
        return f"the result of `{command}` is not known"
    return "" if verdict or record.has_run(command) else f"`{command}` was never run"


def _object_to_failure(clause: str, record: Record) -> str:
    for kind, subject in _SUBJECTS:
        if subject.search(clause):
            verdicts = record.verdicts(kind)
            return f"the last run of the {kind or 'checks'} passed" if verdicts == {PASSED} else ""
    return ""


def _object_to_success(kind: str, record: Record, *, some: bool) -> str:
    """`some` is a claim about a part of the tests: others may fail."""
    verdicts = record.verdicts(kind)
    if FAILED in verdicts and not (some and PASSED in verdicts):
        return f"the last run of `{record.failing(kind)}` failed"
    if PASSED in verdicts:
        return ""
    name = kind or "checks"
    if verdicts:
        return f"the result of the {name} is not known"
    return "" if record.has_tried(kind) else f"nothing shows that the {name} ran"
