"""The one place that chooses, as a table."""

from __future__ import annotations

import pytest

from baton.core.handoff import policy as rules
from baton.core.handoff.policy import (
    Ask,
    Compress,
    Decision,
    Findings,
    HandOff,
    Policy,
    Proceed,
    Situation,
    Stop,
    decide,
    objections,
    review,
)

ON = Policy(enabled=True)
CALM = Situation(tokens=1000, window=100_000, compress_above=80_000)


def situation(**changes: object) -> Situation:
    return Situation(**{name: changes.get(name, getattr(CALM, name)) for name in Situation.__match_args__})  # type: ignore[arg-type]


TABLE: list[tuple[str, Policy, dict[str, object], type[Decision], str]] = [
    ("calm", ON, {}, Proceed, ""),
    ("off, much compressed", Policy(), {"compressions": 9, "lossy": 3, "timed_out": 4}, Proceed, ""),
    ("full", ON, {"tokens": 80_001}, Compress, ""),
    ("full, off", Policy(), {"tokens": 80_001}, Compress, ""),
    ("full, cooling", ON, {"tokens": 80_001, "may_compress": False}, Proceed, ""),
    ("over, cooling", Policy(), {"tokens": 100_001, "may_compress": False}, Stop, ""),
    ("over, may compress", Policy(), {"tokens": 100_001}, Compress, ""),
    ("one compression", ON, {"compressions": 1}, Proceed, ""),
    ("two compressions", ON, {"compressions": 2}, HandOff, rules.COMPRESSIONS),
    ("after one", Policy(enabled=True, after_compressions=1), {"compressions": 1}, HandOff, rules.COMPRESSIONS),
    ("lossy", ON, {"compressions": 1, "lossy": 1}, HandOff, rules.FAILURE),
    ("failed", ON, {"failed": 1}, HandOff, rules.FAILURE),
    (
        "failed, not asked for",
        Policy(enabled=True, on_compression_failure=False),
        {"failed": 1, "lossy": 1},
        Proceed,
        "",
    ),
    ("one time-out", ON, {"timed_out": 1}, Proceed, ""),
    ("two time-outs", ON, {"timed_out": 2}, HandOff, rules.TIMEOUTS),
    ("tokens", Policy(enabled=True, max_prompt_tokens=5000), {"tokens": 5001}, HandOff, rules.TOKENS),
    ("tokens at the limit", Policy(enabled=True, max_prompt_tokens=5000), {"tokens": 5000}, Proceed, ""),
    ("crowded after a compression", ON, {"tokens": 90_001, "compressions": 1}, HandOff, rules.TOKENS),
    ("crowded before any", ON, {"tokens": 90_001}, Compress, ""),
    ("the model asks, on", ON, {"requested": "long task"}, HandOff, rules.MODEL),
    ("the model asks, off", Policy(), {"requested": "long task"}, Ask, rules.MODEL),
    ("chain at its end", ON, {"compressions": 2, "handoffs": 3}, Ask, rules.COMPRESSIONS),
    ("chain before its end", ON, {"compressions": 2, "handoffs": 2}, HandOff, rules.COMPRESSIONS),
    ("none allowed", Policy(enabled=True, max_auto_handoffs=0), {"compressions": 2}, Ask, rules.COMPRESSIONS),
    ("prompt_user", Policy(enabled=True, mode=rules.PROMPT_USER), {"compressions": 2}, Ask, rules.COMPRESSIONS),
    ("declined", ON, {"compressions": 2, "declined": True}, Proceed, ""),
    ("declined, full", ON, {"compressions": 2, "declined": True, "tokens": 80_001}, Compress, ""),
    ("declined request", Policy(), {"requested": "x", "declined": True}, Proceed, ""),
    ("no window known", ON, {"window": 0, "compress_above": 0, "tokens": 10**9}, Proceed, ""),
]


@pytest.mark.parametrize(
    ("policy", "changes", "wanted", "reason"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_decide(policy: Policy, changes: dict[str, object], wanted: type[Decision], reason: str) -> None:
    decision = decide(policy, situation(**changes))
    assert type(decision) is wanted
    assert getattr(decision, "reason", "") == reason


def test_a_handoff_says_what_happened() -> None:
    decision = decide(ON, situation(compressions=2))
    assert isinstance(decision, HandOff)
    assert decision.because == "Session compressed 2 times"


@pytest.mark.parametrize("reason", [rules.COMPRESSIONS, rules.TOKENS, rules.FAILURE, rules.TIMEOUTS, rules.MODEL])
def test_every_reason_is_reachable(reason: str) -> None:
    assert reason in {row[4] for row in TABLE}


DUE = HandOff(rules.COMPRESSIONS, "Session compressed 2 times")
NOT_KEPT = Findings(unsaved="no space")


@pytest.mark.parametrize(
    ("policy", "found", "doubt"),
    [
        (ON, Findings(), ""),
        (ON, Findings(shortfalls=("files: 50 %",)), "The packet is too poor: files: 50 %."),
        (ON, Findings(unapproved="shell make"), "The next step needs a person: shell make waits for approval."),
        (ON, Findings(risk="force push"), "The next step needs a person: force push."),
        (ON, NOT_KEPT, "The work tree has changes that could not be kept: no space"),
        (Policy(enabled=True, require_clean_checkpoint=False), NOT_KEPT, ""),
    ],
    ids=["nothing", "poor", "unapproved", "risky", "not kept", "not kept, allowed"],
)
def test_review(policy: Policy, found: Findings, doubt: str) -> None:
    assert review(policy, DUE, found) == (Ask(DUE.reason, DUE.because, doubt) if doubt else DUE)


def test_every_finding_is_an_objection_of_its_own() -> None:
    assert len(objections(ON, Findings(("a",), "", "b", "c"))) == 3
    assert objections(ON, Findings(unapproved="a", risk="b")) == objections(ON, Findings(unapproved="a"))


def test_a_new_process_is_the_modes_choice() -> None:
    decision = decide(Policy(enabled=True, mode=rules.FRESH_PROCESS), situation(compressions=2))
    assert isinstance(decision, HandOff)
    assert decision.new_process
