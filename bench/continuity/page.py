"""Fills the tables and draws the plots of docs/continuity.md from the figures beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.continuity.plot import BEFORE_AFTER, PANELS, chart

LABELS = ("before", "after")
Figures = Mapping[str, Any]
Both = Mapping[str, Figures]
_MARK = "<!-- {name} -->\n{text}\n<!-- end -->"
OTHERS = ("compression, n = 10", "truncation, n = 10")
PROBES = ("R", "N", "S", "A", "Q", "Q1", "AP", "AS", "W", "H", "FU", "FE", "FR", "SY", "CM")
CARRIED = ("U", "UW", "UE", "UL", "LW", "K", "KS", "1", "L", "F", "E", "P", "V", "I", "D")


def fill(docs: Path) -> None:
    """Writes what is between the marks anew; a label without figures has dashes."""
    held = {label: _read(docs / "continuity" / f"{label}.json") for label in LABELS}
    target = docs / "continuity.md"
    text = target.read_text() if target.exists() else "\n".join(_MARK.format(name=name, text="") for name in TABLES)
    for name, table in TABLES.items():
        made = _MARK.format(name=name, text=table(held))
        text = re.sub(rf"<!-- {name} -->\n.*?<!-- end -->", lambda _, new=made: new, text, flags=re.DOTALL)
    target.write_text(text if text.endswith("\n") else f"{text}\n")
    for name, drawn in _plots(held).items():
        (docs / "continuity" / name).write_text(drawn + "\n")


def _read(path: Path) -> Figures:
    return json.loads(path.read_text()) if path.exists() else {}


def _rows(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}".removesuffix(".0")


def _recall(held: Both, names: tuple[str, ...]) -> str:
    rows: list[list[str]] = []
    for name in names:
        cells = [f"**{name}** {_meaning(held, name)}", str(_facts(held, name))]
        for label in LABELS:
            by_n = _get(held[label], "handoffs", "arms", "handoff", "recall", name) or [None]
            cells += [percent(by_n[0]), percent(_last(by_n))]
        for arm in ("compression", "truncation"):
            newest = held["after"] or held["before"]
            cells.append(percent(_last(_get(newest, "handoffs", "arms", arm, "recall", name) or [None])))
        rows.append(cells)
    head = [
        "class",
        "facts",
        "before, n = 1",
        "n = 10",
        "after, n = 1",
        "n = 10",
        "compression, n = 10",
        "truncation, n = 10",
    ]
    return _rows(head, rows)


def _last(by_n: Sequence[float | None]) -> float | None:
    """At the last cut; of classes that look ahead, at the last that has something ahead."""
    return next((share for share in reversed(by_n) if share is not None), None)


def _meaning(held: Both, name: str) -> str:
    return next((each["handoffs"]["classes"][name] for each in held.values() if each), "")


def _facts(held: Both, name: str) -> int | str:
    found = [_get(each, "handoffs", "arms", "handoff", "facts", name) for each in held.values() if each]
    return found[-1] if found else "–"


def _get(held: Any, *path: str) -> Any:
    for name in path:
        held = held.get(name) if isinstance(held, Mapping) else None
    return held


def _of(wrong: Any, count: Any) -> str:
    if wrong is None or count is None:
        return "–"
    return f"{wrong} of {count}" + (f" ({100 * wrong / count:.1f} %)" if count else "")


CLAIMS: dict[str, Callable[[Figures], str]] = {
    "false green: shown as passed, the output says failed": lambda arm: _of(
        arm.get("false_green"), arm.get("shown_passed")
    ),
    "stale blockers: shown as open, mended": lambda arm: _of(arm.get("stale_blockers"), arm.get("blockers")),
    "look-ups shown as blockers": lambda arm: _of(arm.get("lookups"), arm.get("blockers")),
    "unsupported claims": lambda arm: _of(arm.get("unsupported"), arm.get("claims")),
    "finished plan items and mended failures shown as open": lambda arm: _of(arm.get("stale"), arm.get("finished")),
    "pointers that name another entry": lambda arm: _of(arm.get("pointers_wrong"), arm.get("pointers")),
    "decisions cut": lambda arm: _of(arm.get("decisions_wrong"), arm.get("decisions")),
    "rules that are questions, logs or pasted": lambda arm: _of(arm.get("rules_wrong"), arm.get("rules")),
    "demands taken back that still stand": lambda arm: _of(arm.get("standing"), arm.get("taken_back")),
    "next action: a refused command": lambda arm: str(_get(arm, "advice", "refused")),
    "next action: a risky command": lambda arm: str(_get(arm, "advice", "risky")),
    "next action: answer what was answered": lambda arm: str(_get(arm, "advice", "answered_already")),
    "next action: names a command, and it was run next": lambda arm: _of(
        _get(arm, "advice", "named_and_run"), _get(arm, "advice", "named")
    ),
    "secrets": lambda arm: _of(arm.get("leaks"), arm.get("secrets")),
    "tokens, largest": lambda arm: f"{max(arm['tokens']):,}",
    "same bytes on a rerun": lambda arm: "yes" if arm.get("same_bytes") else "no",
}


def _claims(held: Both) -> str:
    arms = [_get(held[label], "handoffs", "arms", "handoff") for label in LABELS]
    rows = [[name, *(tell(arm) if arm else "–" for arm in arms)] for name, tell in CLAIMS.items()]
    return _rows(["claim", *LABELS], rows)


def _situations(held: Both) -> str:
    def cell(label: str, *path: str) -> list[str]:
        row = _get(held[label], "situations", *path)
        if not row:
            return ["–", "–"]
        return [percent(row[key] / row["situations"]) for key in ("next_right", "all_right")]

    families = next((list(each["situations"]["by_family"]) for each in held.values() if each), [])
    rows = [[name, *(part for label in LABELS for part in cell(label, "by_family", name))] for name in families]
    rows.append(["**all**", *(part for label in LABELS for part in cell(label))])
    return _rows(["situation", "before: next right", "all of it", "after: next right", "all of it"], rows)


def _labels(held: Both) -> str:
    def cell(label: str, lane: str, language: str) -> list[str]:
        row = _get(held[label], lane, language) or {}
        return [percent(row.get("recall")), percent(row.get("precision"))]

    languages = next((list(each["labels"]) for each in held.values() if each), [])
    head = [
        "language",
        "rules",
        "before: recall",
        "precision",
        "after: recall",
        "precision",
        "nominated: recall",
        "precision",
    ]
    rows: list[list[str]] = []
    for language in languages:
        counted = next((_get(each, "labels", language, "rules") for each in held.values() if each), 0)
        lanes = (("before", "labels"), ("after", "labels"), ("after", "labels_nominated"))
        rows.append([language, str(counted), *(part for label, lane in lanes for part in cell(label, lane, language))])
    return _rows(head, rows)


SESSION_CLASSES = ("U", "UW", "UE", "V", "L", "F", "E", "R", "S", "A", "Q", "W", "H")


def _sessions(held: Both) -> str:
    rows: list[list[str]] = []
    for label in LABELS:
        for n, step in (held[label].get("sessions") or {}).items():
            shares = [_pair(step, name) for name in SESSION_CLASSES]
            rows.append([f"{label}, {n}", f"{step['tokens']:,}", f"{step['automatic_mode']}/{step['chains']}", *shares])
    return _rows(["sessions", "tokens", "auto", *SESSION_CLASSES], rows)


def _pair(step: Figures, name: str) -> str:
    """Of all sessions, and of the last one."""
    whole, last = step["recall"].get(name), step["last_session"].get(name)
    return percent(whole) if last is None else f"{percent(whole)} / {percent(last)}"


TABLES: dict[str, Callable[[Both], str]] = {
    "probes": lambda held: _recall(held, PROBES),
    "carried": lambda held: _recall(held, CARRIED),
    "claims": _claims,
    "situations": _situations,
    "labels": _labels,
    "sessions": _sessions,
}


def _plots(held: Both) -> dict[str, str]:
    present = {label: figures for label, figures in held.items() if figures}
    if not present:
        return {}
    first = next(iter(present.values()))
    slices = {name: {label: _curve(each, name) for label, each in present.items()} for name in PANELS}
    count = first["handoffs"]["n"]
    made = f"{first['handoffs']['transcripts']} made-up transcripts cut into {count} equal parts"
    about = f"{made}; share of the facts so far."
    steps = [int(n) for n in first["sessions"]]
    chains = {name: {label: _chain(each, name) for label, each in present.items()} for name in PANELS}
    told = f"{CHAIN_TITLE} Made-up projects; share of the facts of all sessions so far."
    return {
        "handoffs.svg": chart("What is still known after n handoffs", about, BEFORE_AFTER, slices, range(1, count + 1)),
        "sessions.svg": chart("What is still known after n whole sessions", told, BEFORE_AFTER, chains, steps),
    }


CHAIN_TITLE = "Whole sessions of one workspace, one after the other."


def _curve(figures: Figures, name: str) -> list[float | None]:
    arm = figures["handoffs"]["arms"]["handoff"]
    return arm["core"] if name == "core" else arm["recall"][name]


def _chain(figures: Figures, name: str) -> list[float | None]:
    return [step["recall"].get(name) for step in figures["sessions"].values()]
