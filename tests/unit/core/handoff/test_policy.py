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
    warning,
)

ON = Policy(enabled=True)
ENDLESS = Policy(enabled=True, max_auto_handoffs=100_000)
REFUSED = frozenset({rules.COMPRESSIONS})
EVERYTHING = frozenset({rules.ALL_REASONS})
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
    ("all refused", ON, {"compressions": 2, "lossy": 1, "requested": "x", "refused": EVERYTHING}, Proceed, ""),
    ("refused", ON, {"compressions": 2, "refused": REFUSED}, Proceed, ""),
    ("refused, full", ON, {"compressions": 2, "refused": REFUSED, "tokens": 80_001}, Compress, ""),
    ("refused, now crowded", ON, {"compressions": 2, "refused": REFUSED, "tokens": 90_001}, HandOff, rules.TOKENS),
    ("refused, the model asks", ON, {"compressions": 2, "refused": REFUSED, "requested": "x"}, HandOff, rules.MODEL),
    ("refused request", Policy(), {"requested": "x", "refused": frozenset({rules.MODEL})}, Proceed, ""),
    ("refused request, on", ON, {"requested": "x", "refused": frozenset({rules.MODEL})}, Proceed, ""),
    ("other refused, the model asks, off", Policy(), {"requested": "x", "refused": REFUSED}, Ask, rules.MODEL),
    ("one cool-down", ON, {"put_off": 1}, Proceed, ""),
    ("two cool-downs", ON, {"put_off": 2}, HandOff, rules.COOL_DOWNS),
    ("two cool-downs, off", Policy(), {"put_off": 2}, Proceed, ""),
    ("just begun, over", Policy(enabled=True, max_prompt_tokens=1000), {"tokens": 3000, "fresh": True}, Proceed, ""),
    ("just begun, full", ON, {"tokens": 80_001, "compressions": 2, "fresh": True}, Proceed, ""),
    ("just begun, over the window", ON, {"tokens": 100_001, "fresh": True}, Compress, ""),
    ("a hundred in a row", ENDLESS, {"compressions": 2, "handoffs": 100}, Ask, rules.COMPRESSIONS),
    ("nearly a hundred", ENDLESS, {"compressions": 2, "handoffs": 99}, HandOff, rules.COMPRESSIONS),
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


@pytest.mark.parametrize("reason", [each for each in rules.REASONS if each != rules.USER])
def test_every_reason_is_reachable(reason: str) -> None:
    assert reason in {row[4] for row in TABLE}


@pytest.mark.parametrize(
    ("policy", "changes", "doubt"),
    [
        (ON, {"handoffs": 3}, "3 automatic handoffs in a row were made, and no more are allowed without asking."),
        (Policy(enabled=True, max_auto_handoffs=0), {}, "None is allowed without asking."),
        (Policy(enabled=True, mode=rules.PROMPT_USER), {}, ""),
    ],
    ids=["chain", "none", "prompt_user"],
)
def test_whoever_is_asked_reads_why_and_what(policy: Policy, changes: dict[str, object], doubt: str) -> None:
    decision = decide(policy, situation(compressions=2, **changes))
    assert isinstance(decision, Ask)
    assert decision.doubt == f"{doubt} Continue in a fresh session?".strip()


BY_TOKENS = Policy(enabled=True, max_prompt_tokens=50_000)


@pytest.mark.parametrize(
    ("policy", "changes", "told"),
    [
        (ON, {"tokens": 68_000}, ""),
        (
            ON,
            {"tokens": 70_000},
            "The context is 70% full (70,000 of 100,000 tokens). "
            "Above 80% it is compressed: a summary replaces its older part.",
        ),
        (ON, {"tokens": 80_001}, ""),
        (Policy(), {"tokens": 70_000, "compressions": 5}, "a summary replaces its older part."),
        (ON, {"tokens": 70_000, "compressions": 1}, ". After that the work continues in a fresh session."),
        (
            ON,
            {"tokens": 70_000, "compressions": 1, "handoffs": 3},
            ". After that you are asked about a fresh session.",
        ),
        (BY_TOKENS, {"tokens": 42_000}, ""),
        (BY_TOKENS, {"tokens": 45_000}, "Above 50,000 tokens the work continues in a fresh session."),
        (
            Policy(enabled=True, max_prompt_tokens=50_000, mode=rules.PROMPT_USER),
            {"tokens": 45_000},
            "Above 50,000 tokens you are asked about a fresh session.",
        ),
        (Policy(max_prompt_tokens=50_000), {"tokens": 45_000}, ""),
        (Policy(enabled=True, max_prompt_tokens=90_000), {"tokens": 70_000}, "Above 80% it is compressed"),
        (ON, {"tokens": 10**9, "window": 0, "compress_above": 0}, ""),
    ],
)
def test_a_warning_says_how_full_it_is_and_what_comes_next(
    policy: Policy, changes: dict[str, object], told: str
) -> None:
    found = warning(policy, situation(**changes))
    assert found.endswith(told) or told in found
    assert bool(found) == bool(told)


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
