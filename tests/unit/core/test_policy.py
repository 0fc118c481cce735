"""The one place that chooses, as a table."""

from __future__ import annotations

import pytest

from baton.core.handoff import policy as rules
from baton.core.handoff.policy import Ask, Compress, Decision, HandOff, Policy, Proceed, Situation, Stop, decide, doubts

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
    ("risky", ON, {"compressions": 2, "risk": "rm -rf build"}, Ask, rules.COMPRESSIONS),
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


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (([], "", ""), 0),
        ((["files: 50 %"], "", ""), 1),
        (([], "force push", ""), 1),
        (([], "", "no space"), 1),
        ((["a"], "b", "c"), 3),
    ],
)
def test_doubts(given: tuple[list[str], str, str], count: int) -> None:
    assert len(doubts(ON, *given)) == count
    if given[2]:
        assert len(doubts(Policy(require_clean_checkpoint=False), *given)) == count - 1
