"""The figures of a run as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.continuity.report import LIMIT, NOTES
from bench.continuity.truth import CLASSES

COSTS = (
    "tokens median/p90/max",
    "recall per 1k",
    "unsupported",
    "stale",
    "taken back",
    "demands held",
    "denied",
    "dead branches",
    "leaks",
    "same bytes",
)
CLAIMS = (
    "false green",
    "stale + look-ups",
    "pointers wrong",
    "decisions cut",
    "doubtful rules",
    "next: command was run",
    "next: refused / risky / answered",
    "next: kinds",
)


def as_text(result: dict[str, Any]) -> str:
    parts = [_headline(result), _table(result), _table(result, older=True), _costs(result), _claims(result)]
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
    rows = [["", *COSTS]]
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
                f"{held['held']:,} of {held['demands']:,}",
                f"{held['denied']}",
                f"{held['ghosts']}",
                f"{held['leaks']} of {held['secrets']:,}",
                "yes" if held["same_bytes"] else "NO",
            ]
        )
    return f"Size at the last handoff; honesty over all handoffs:\n{_aligned(rows)}"


def _claims(result: dict[str, Any]) -> str:
    """What is claimed about the work, against what its outputs say."""
    rows = [["", *CLAIMS]]
    for arm, held in result["arms"].items():
        advice = held["advice"]
        kinds = ", ".join(f"{kind} {count}" for kind, count in advice["kinds"].items())
        rows.append(
            [
                arm,
                f"{held['false_green']} of {held['shown_passed']:,}",
                f"{held['stale_blockers']} + {held['lookups']} of {held['blockers']:,}",
                f"{held['pointers_wrong']} of {held['pointers']:,}",
                f"{held['decisions_wrong']} of {held['decisions']:,}",
                f"{held['rules_wrong']} of {held['rules']:,}",
                f"{advice['named_and_run']} of {advice['named']}",
                f"{advice['refused']} / {advice['risky']} / {advice['answered_already']}",
                kinds,
            ]
        )
    return f"Truth of what is claimed, over all handoffs:\n{_aligned(rows)}"


def _real_table(result: dict[str, Any]) -> str:
    names = ("F", "E", "U", "K", "1", "L", "P", "R", "N", "S", "A", "Q", "W", "H", "FU", "SY", "CM", "UW")
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
