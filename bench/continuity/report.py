"""The figures of a run: as JSON for programs, as tables for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bench.continuity.arms import ARMS
from bench.continuity.chain import SOURCE, Session
from bench.continuity.metrics import Count, Doubts, Score
from bench.continuity.pooling import half_life, interval, median, pooled
from bench.continuity.truth import CLASSES, CORE

LIMIT = (
    "Presence is an upper bound on use: a fact that is not in the document cannot be used, one that is there may still "
    "be overlooked by a model."
)
NOTES = (
    "Messages and constraints are matched by their first 60 folded characters, so paraphrase counts as lost; "
    "UW, UE, UL and LW ask for every character and for the end.",
    "The handoff arm has no model: facts only, no narrative. Drift of the workspace is not measured here.",
)


def as_json(sessions: Sequence[Session], handoffs: int, seconds: float, failed: dict[str, str]) -> dict[str, Any]:
    return {
        "handoffs": handoffs,
        "sessions": len(sessions),
        "entries": sum(session.entries for session in sessions),
        "seconds": round(seconds, 1),
        "limit": LIMIT,
        "notes": list(NOTES),
        "classes": CLASSES,
        "core": list(CORE),
        "arms": {arm: _arm(sessions, arm, handoffs) for arm in ARMS},
        "real_cuts": _real(sessions),
        "failed": failed,
        "by_session": [_session(session) for session in sessions],
    }


def _arm(sessions: Sequence[Session], arm: str, handoffs: int) -> dict[str, Any]:
    steps = [[session.scores[arm][n] for session in sessions] for n in range(handoffs)]
    every = [score for step in steps for score in step]
    return {
        "recall": {name: _recall(steps, name) for name in CLASSES},
        "core": [_mean(score.core for score in step) for step in steps],
        "tokens": [_size([score.tokens for score in step]) for step in steps],
        "characters": [_size([score.characters for score in step]) for step in steps],
        "recall_per_1k_tokens": [_per_token(step) for step in steps],
        **_honesty(every),
        "same_bytes": all(session.same_bytes[arm] for session in sessions),
    }


def _recall(steps: Sequence[Sequence[Score]], name: str) -> dict[str, Any]:
    rows = [_share([score.recall[name] for score in step]) for step in steps]
    older = [_share([score.older[name] for score in step]) for step in steps]
    return {"by_n": rows, "older": older, "half_life": half_life([row["share"] for row in rows])}


def _share(counts: Sequence[Count]) -> dict[str, Any]:
    total, between = pooled(counts), interval(counts)
    low, high = between or (None, None)
    return {"hits": total.hits, "facts": total.facts, "share": total.share, "low": low, "high": high}


def _honesty(scores: Sequence[Score]) -> dict[str, Any]:
    finished, stale = sum(score.finished for score in scores), sum(len(score.stale) for score in scores)
    examples = list(dict.fromkeys(claim for score in scores for claim in score.unsupported))[:10]
    return {
        "claims": sum(score.claims for score in scores),
        "unsupported": sum(len(score.unsupported) for score in scores),
        "unsupported_examples": examples,
        "finished": finished,
        "stale": stale,
        "stale_share": stale / finished if finished else 0.0,
        "stale_examples": list(dict.fromkeys(item for score in scores for item in score.stale))[:10],
        "taken_back": sum(score.taken_back for score in scores),
        "standing": sum(len(score.standing) for score in scores),
        "standing_examples": list(dict.fromkeys(text for score in scores for text in score.standing))[:10],
        "demands": sum(score.held.facts for score in scores),
        "held": sum(score.held.hits for score in scores),
        "lost_examples": list(dict.fromkeys(text for score in scores for text in score.lost))[:20],
        "denied": sum(len(score.denied) for score in scores),
        "denied_examples": list(dict.fromkeys(text for score in scores for text in score.denied))[:10],
        "ghosts": sum(len(score.ghosts) for score in scores),
        "secrets": sum(score.secrets for score in scores),
        "leaks": sum(score.leaks for score in scores),
        **_truth_of_claims(scores),
    }


def _truth_of_claims(scores: Sequence[Score]) -> dict[str, Any]:
    return {
        "shown_passed": sum(score.shown.passed for score in scores),
        **_wrong("false_green", scores, lambda score: score.shown.false_green),
        "blockers": sum(score.shown.blockers for score in scores),
        **_wrong("stale_blockers", scores, lambda score: score.shown.stale),
        **_wrong("lookups", scores, lambda score: score.shown.lookups),
        "advice": _advice(scores),
        **_doubts("pointers", scores, lambda score: score.pointers),
        **_doubts("decisions", scores, lambda score: score.decisions),
        **_doubts("rules", scores, lambda score: score.rules),
    }


def _wrong(name: str, scores: Sequence[Score], find: Callable[[Score], Sequence[str]]) -> dict[str, Any]:
    found = [text for score in scores for text in find(score)]
    return {name: len(found), f"{name}_examples": list(dict.fromkeys(text[:160] for text in found))[:10]}


def _doubts(name: str, scores: Sequence[Score], find: Callable[[Score], Doubts]) -> dict[str, Any]:
    return {name: sum(find(score).count for score in scores)} | _wrong(
        f"{name}_wrong", scores, lambda score: find(score).wrong
    )


def _advice(scores: Sequence[Score]) -> dict[str, Any]:
    """What was recommended, by kind, beside what was done in the next 15 calls."""
    given = [score.advice for score in scores]
    return {
        "kinds": dict(sorted(Counter(each.kind for each in given).items())),
        "named": sum(bool(each.named) for each in given),
        "named_and_run": sum(each.run for each in given),
        "refused": sum(each.refused for each in given),
        "risky": sum(each.risky for each in given),
        "answered_already": sum(each.answered for each in given),
    }


def _size(values: Sequence[int]) -> dict[str, float]:
    ordered = sorted(values) or [0]
    return {"median": median(values), "p90": ordered[int(0.9 * (len(ordered) - 1))], "max": ordered[-1]}


def _per_token(scores: Sequence[Score]) -> float:
    return _mean(score.core / (score.tokens / 1000) for score in scores if score.core is not None and score.tokens)


def _mean(values: Iterable[float | None]) -> float:
    held = [value for value in values if value is not None]
    return sum(held) / len(held) if held else 0.0


def _real(sessions: Sequence[Session]) -> dict[str, Any]:
    """At the source's own cuts: the first, and later ones with what was older than the cut before."""
    found: dict[str, Any] = {}
    for arm in (SOURCE, *ARMS):
        with_cuts = [session.real[arm] for session in sessions if arm in session.real]
        first = [scores[0] for scores in with_cuts if scores]
        later = [score for scores in with_cuts for score in scores[1:]]
        if first:
            found[arm] = {"first": _at_cuts(first), "later": _at_cuts(later)}
    return found


def _at_cuts(scores: Sequence[Score]) -> dict[str, Any]:
    return {
        "cuts": len(scores),
        "characters": _size([score.characters for score in scores]),
        "tokens": _size([score.tokens for score in scores]),
        "recall": {name: _share([score.recall[name] for score in scores]) for name in CLASSES},
        "older": {name: _share([score.older[name] for score in scores]) for name in CLASSES},
        **_honesty(scores),
    }


def _session(session: Session) -> dict[str, Any]:
    last = {arm: scores[-1] for arm, scores in session.scores.items()}
    return {
        "name": session.name,
        "entries": session.entries,
        "skipped": session.skipped,
        "missed": {name: list(texts) for name, texts in last[ARMS[0]].missed.items() if texts},
        "last": {
            arm: {"tokens": score.tokens, "core": score.core, "leaks": score.leaks, "stale": list(score.stale)}
            for arm, score in last.items()
        },
    }
