"""`python -m bench.continuity.labels`: rules shown by packets against hand-labelled sentences in twelve languages."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.continuity.labels.nominating import nobody, scripted
from bench.continuity.labels.packets import Nominate, packets
from bench.continuity.labels.score import Found, judge
from bench.continuity.labels.sentences import FILE, Message, messages, read
from bench.continuity.models import NotConfigured, open_model
from bench.progress import say

WITHOUT, SCRIPTED = "none", "scripted"


def measure(held: Sequence[Message], nominate: Nominate) -> dict[str, Found]:
    """By language, and all of them together."""
    found: dict[str, Found] = {}
    for message, markdown in zip(held, packets(held, nominate), strict=True):
        for name in (message.language, "all"):
            judge(message, markdown, found.setdefault(name, Found()))
    found["all"] = found.pop("all", Found())
    return found


def as_json(found: dict[str, Found]) -> dict[str, Any]:
    return {
        name: {
            "rules": each.rules,
            "found": each.found,
            "recall": each.recall,
            "anywhere": each.anywhere,
            "shown": each.shown,
            "right": each.right,
            "requirements": each.requirements,
            "precision": each.precision,
            "by_label": each.by_label,
            **({"missed": each.missed, "taken": each.taken} if name != "all" else {}),
        }
        for name, each in found.items()
    }


def as_text(result: dict[str, Any]) -> str:
    def share(value: float | None) -> str:
        return "–" if value is None else f"{value:.1%}"

    rows = [
        f"{'language':10}{'rules':>6}{'recall':>9}{'anywhere':>10}{'shown':>7}{'precision':>11}{'requirements':>14}"
    ]
    for name, each in result.items():
        anywhere = share(each["anywhere"] / each["rules"] if each["rules"] else None)
        rows.append(
            f"{name:10}{each['rules']:6}{share(each['recall']):>9}{anywhere:>10}{each['shown']:7}"
            f"{share(each['precision']):>11}{each['requirements']:14}"
        )
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """0; 2 if the model that was asked for cannot be used."""
    made = argparse.ArgumentParser(
        prog="python -m bench.continuity.labels",
        description=f"{__doc__} Recall: of what was labelled standing or task. Precision: of the lines shown as "
        "rules; a requirement counts neither way. `anywhere`: the rule is in the packet, under whatever heading.",
    )
    made.add_argument("--nominations", default=WITHOUT, metavar="MODEL", help="none, scripted, or provider:name")
    made.add_argument("--sentences", type=Path, default=FILE, metavar="FILE")
    made.add_argument("--language", nargs="+", metavar="CODE", help="only these")
    made.add_argument("--most", type=int, default=0, metavar="N", help="messages; default: all")
    made.add_argument("--json", type=Path, metavar="OUT")
    options = made.parse_args(arguments)
    chosen = set(options.language or ())
    held = [each for each in messages(read(options.sentences)) if not chosen or each.language in chosen]
    try:
        nominate = _nominate(options.nominations)
    except NotConfigured as error:
        say(str(error))
        return 2
    result = as_json(measure(held[: options.most or None], nominate))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print(as_text(result))
    return 0


def _nominate(name: str) -> Nominate:
    if name == WITHOUT:
        return nobody
    if name == SCRIPTED:
        return scripted
    model = open_model(name)
    return lambda _: model


if __name__ == "__main__":
    sys.exit(main())
