"""The figures of a run: as JSON for programs, as tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bench.continuity.arms import ARMS
from bench.continuity.chain import SOURCE, Session
from bench.continuity.metrics import Count, Score
from bench.continuity.pooling import half_life, interval, median, pooled
from bench.continuity.truth import CLASSES, CORE

LIMIT = (
    "Presence is an upper bound on use: a fact that is not in the document cannot be used, one that is there may still "
    "be overlooked by a model."
)
NOTES = (
    "Messages and constraints are matched by their first 60 folded characters, so paraphrase counts as lost.",
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
        "denied": sum(len(score.denied) for score in scores),
        "denied_examples": list(dict.fromkeys(text for score in scores for text in score.denied))[:10],
        "ghosts": sum(len(score.ghosts) for score in scores),
        "secrets": sum(score.secrets for score in scores),
        "leaks": sum(score.leaks for score in scores),
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


def as_text(result: dict[str, Any]) -> str:
    parts = [_headline(result), _table(result), _table(result, older=True), _costs(result)]
    if result["real_cuts"]:
        parts.append(_real_table(result))
    parts.append("\n".join([LIMIT, *NOTES]))
    return "\n\n".join(parts)


def _headline(result: dict[str, Any]) -> str:
    files = f"{result['sessions']} transcripts, {result['entries']:,} entries"
    return f"Continuity over {result['handoffs']} handoffs: {files}, {result['seconds']} s."


def _table(result: dict[str, Any], *, older: bool = False) -> str:
    """Recall by class: after the first, the second and the last handoff, per arm."""
    shown = sorted({1, 2, result["handoffs"]} & set(range(1, result["handoffs"] + 1)))
    if older:
        shown = shown[-1:]
        title = f"Of that, facts from before the handoff before (n = {shown[0]}):"
    else:
        title = "Recall, pooled over all transcripts, with 95 % intervals by transcript:"
    columns = [f"{arm if n == shown[0] else ''} n={n}".strip() for arm in result["arms"] for n in shown]
    rows = [["", "class", *columns, "half-life"]]
    for name, meaning in CLASSES.items():
        key = "older" if older else "by_n"
        held = {arm: result["arms"][arm]["recall"][name] for arm in result["arms"]}
        cells = [_cell(held[arm][key][n - 1], n == shown[-1]) for arm in held for n in shown]
        lives = " / ".join(str(each["half_life"] or "–") for each in held.values())
        rows.append([name, meaning, *cells, lives])
    return f"{title}\n{_aligned(rows)}"


def _cell(row: dict[str, Any], between: bool) -> str:
    if row["share"] is None:
        return "–"
    return f"{row['share']:.1%}" + (f" [{row['low']:.0%}–{row['high']:.0%}]" if between else "")


def _costs(result: dict[str, Any]) -> str:
    rows = [
        [
            "",
            "tokens median/p90/max",
            "recall per 1k",
            "unsupported",
            "stale",
            "taken back",
            "dead branches",
            "leaks",
            "same bytes",
        ]
    ]
    for arm, held in result["arms"].items():
        size = held["tokens"][-1]
        rows.append(
            [
                arm,
                f"{size['median']:,.0f} / {size['p90']:,} / {size['max']:,}",
                f"{held['recall_per_1k_tokens'][-1]:.3f}",
                f"{held['unsupported']} of {held['claims']:,}",
                f"{held['stale']} of {held['finished']:,} ({held['stale_share']:.1%})",
                f"{held['standing']} of {held['taken_back']:,}",
                f"{held['denied']}",
                f"{held['ghosts']}",
                f"{held['leaks']} of {held['secrets']:,}",
                "yes" if held["same_bytes"] else "NO",
            ]
        )
    return f"Size at the last handoff; honesty over all handoffs:\n{_aligned(rows)}"


def _real_table(result: dict[str, Any]) -> str:
    names = ("F", "X", "E", "U", "K", "1", "L", "P")
    rows = [["at the source's cuts", "cuts", "chars", *names, "older U", "older K"]]
    for arm, held in result["real_cuts"].items():
        for label in ("first", "later"):
            each = held[label]
            if each["cuts"]:
                shares = [_percent(each["recall"][name]["share"]) for name in names]
                older = [_percent(each["older"][name]["share"]) for name in ("U", "K")]
                size = f"{each['characters']['median']:,.0f}"
                rows.append([f"{arm}, {label}", str(each["cuts"]), size, *shares, *older])
    return _aligned(rows)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
