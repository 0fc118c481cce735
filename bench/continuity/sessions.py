"""`python -m bench.continuity.sessions`: whole sessions of one workspace chained, up to a hundred.

What a packet holds after n sessions, of all of them and of the last one; its size; and whether the product's own gate
would still let a handoff happen without asking.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from baton.adapters.importers import registry
from baton.core.log.entry import Entry, NewEntry
from bench.continuity.arms import HANDOFF, TRUNCATION, Arm, Clean, Handoff, Truncation
from bench.continuity.chain import Conversation
from bench.continuity.corpus.__main__ import WRITERS
from bench.continuity.corpus.series import series
from bench.continuity.metrics import NOTHING, Count, Score, score
from bench.continuity.pooling import pooled
from bench.continuity.redaction import product_clean
from bench.continuity.sources import transcripts
from bench.continuity.truth import truth
from bench.progress import say

STEPS = (1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)
SHOWN = ("U", "UW", "1", "L", "F", "E", "P", "R", "N", "S", "A", "Q", "Q1", "W", "H", "AP")
"""Classes shown in the table; all are in the JSON."""


@dataclass(slots=True)
class Step:
    """One chain after `n` sessions."""

    n: int
    entries: int
    scores: dict[str, Score]
    shortfalls: list[str]
    packet: str


class Chain:
    """Sessions through the arms, one generation each."""

    def __init__(self, clean: Clean) -> None:
        self._handoff = Handoff(clean)
        self._size = 0
        self._arms: list[Arm] = [self._handoff, Truncation(lambda: self._size, clean)]

    def run(
        self, sessions: Sequence[Conversation], steps: Sequence[int], secrets: Sequence[str] = ()
    ) -> Iterator[Step]:
        for arm in self._arms:
            arm.start(sessions[0].imported)
        entries: list[NewEntry] = []
        generations: list[Sequence[Entry]] = []
        for n, session in enumerate(sessions, 1):
            generation = session.generation(n, 0, len(session.entries))
            documents: dict[str, str] = {}
            for arm in self._arms:
                documents[arm.name] = arm.hand_off(generation)
                self._size = len(documents[HANDOFF])
            before = len(entries)
            entries += session.entries
            generations.append(generation)
            if n in steps or n == len(sessions):
                known = truth(entries, secrets)
                scores = {name: score(text, known, before, NOTHING) for name, text in documents.items()}
                scores[HANDOFF] = score(documents[HANDOFF], known, before, NOTHING, generations=generations)
                yield Step(n, len(entries), scores, self._handoff.shortfalls(), documents[HANDOFF])


def synthetic(count: int, seed: int, project: int) -> tuple[list[Conversation], list[str]]:
    """Sessions of a made-up project as Claude Code wrote them, and the secrets planted in them."""
    held: list[Conversation] = []
    secrets: list[str] = []
    with TemporaryDirectory(prefix="baton-sessions-") as folder:
        for number, story in enumerate(series(count, seed, project)):
            path = Path(folder) / f"{story.name}.jsonl"
            path.write_text("".join(f"{line}\n" for line in WRITERS["claude-code"](story, seed + number)))
            held.append(Conversation(registry.read(path, "claude-code")))
            secrets += story.canaries
    return held, secrets


def read_folder(folder: Path) -> list[Conversation]:
    """The sessions of one workspace, by name of file."""
    return [Conversation(registry.read(path)) for path in transcripts(folder)]


def as_json(chains: Sequence[Sequence[Step]]) -> dict[str, Any]:
    """By n, pooled over the chains that are so long."""
    found: dict[str, Any] = {}
    for n in sorted({step.n for chain in chains for step in chain}):
        steps = [step for chain in chains for step in chain if step.n == n]
        found[str(n)] = {
            "chains": len(steps),
            "entries": sum(step.entries for step in steps),
            "automatic_mode": sum(not step.shortfalls for step in steps),
            "shortfalls": sorted({text for step in steps for text in step.shortfalls})[:10],
            **{arm: _arm([step.scores[arm] for step in steps]) for arm in (HANDOFF, TRUNCATION)},
        }
    return {"limit": "Sessions are made up; real ones are longer and less even.", "by_n": found}


def _arm(scores: Sequence[Score]) -> dict[str, Any]:
    names = scores[0].recall
    return {
        "tokens": max(score.tokens for score in scores),
        "recall": {name: _share([score.recall[name] for score in scores]) for name in names},
        "last_session": {name: _share([_fresh(score, name) for score in scores]) for name in names},
        "false_green": sum(len(score.shown.false_green) for score in scores),
        "shown_passed": sum(score.shown.passed for score in scores),
        "stale_blockers": sum(len(score.shown.stale) for score in scores),
        "blockers": sum(score.shown.blockers for score in scores),
        "pointers": sum(score.pointers.count for score in scores),
        "pointers_wrong": sum(len(score.pointers.wrong) for score in scores),
        "rules": sum(score.rules.count for score in scores),
        "leaks": sum(score.leaks for score in scores),
    }


def _fresh(score: Score, name: str) -> Count:
    """What was born in the last session."""
    whole, older = score.recall[name], score.older[name]
    return Count(whole.hits - older.hits, whole.facts - older.facts)


def _share(counts: Sequence[Count]) -> dict[str, Any]:
    total = pooled(counts)
    return {"hits": total.hits, "facts": total.facts, "share": total.share}


def as_text(result: dict[str, Any]) -> str:
    rows = [f"{'n':>4}{'tokens':>8}{'auto':>6}" + "".join(f"{name:>7}" for name in SHOWN) + "   (all sessions)"]
    for key in ("recall", "last_session"):
        for n, each in result["by_n"].items():
            cells = "".join(f"{_percent(each[HANDOFF][key][name]['share']):>7}" for name in SHOWN)
            auto = f"{each['automatic_mode']}/{each['chains']}"
            rows.append(f"{n:>4}{each[HANDOFF]['tokens']:8,}{auto:>6}{cells}")
        if key == "recall":
            rows += ["", "Of that, what the last session brought:"]
    return "\n".join(rows)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def main(arguments: Sequence[str] | None = None) -> int:
    """0; 2 if DIR holds no transcript."""
    made = argparse.ArgumentParser(prog="python -m bench.continuity.sessions", description=__doc__)
    made.add_argument(
        "directory", nargs="?", type=Path, metavar="DIR", help="one workspace's sessions; default: made up"
    )
    made.add_argument("--most", type=int, default=100, metavar="N", help="sessions in a chain; default: 100")
    made.add_argument("--chains", type=int, default=2, metavar="N", help="made-up projects; default: 2")
    made.add_argument("--seed", type=int, default=1, metavar="N")
    made.add_argument("--json", type=Path, metavar="OUT")
    made.add_argument("--packets", type=Path, metavar="DIR", help="write the packet of each step there")
    options = made.parse_args(arguments)
    with product_clean() as clean:
        try:
            chains = [_run(clean, options, number) for number in range(1 if options.directory else options.chains)]
        except (ValueError, OSError) as error:
            say(str(error))
            return 2
    result = as_json(chains)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print(as_text(result))
    return 0


def _run(clean: Clean, options: argparse.Namespace, number: int) -> list[Step]:
    if options.directory:
        sessions, secrets = read_folder(options.directory)[: options.most], list[str]()
        if not sessions:
            raise ValueError(f"there is no transcript in {options.directory}")
    else:
        sessions, secrets = synthetic(options.most, options.seed, number + 1)
    done: list[Step] = []
    for step in Chain(clean).run(sessions, STEPS, secrets):
        say(f"chain {number + 1}: {step.n} sessions, {step.entries:,} entries, {step.scores[HANDOFF].tokens:,} tokens")
        if options.packets:
            options.packets.mkdir(parents=True, exist_ok=True)
            (options.packets / f"chain{number + 1}-{step.n:03}.md").write_text(step.packet)
        done.append(step)
    return done


if __name__ == "__main__":
    sys.exit(main())
