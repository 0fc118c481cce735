"""`python -m bench.continuity.situations`: how often the packet is right in situations made for the purpose."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from baton.adapters.importers import registry
from bench.continuity.arms import Clean, Handoff
from bench.continuity.chain import Conversation
from bench.continuity.corpus.__main__ import WRITERS
from bench.continuity.redaction import product_clean
from bench.continuity.situations import dialogue_cases, harder_cases, work_cases
from bench.continuity.situations.grade import Grade, grade
from bench.continuity.situations.script import Expected, Script, Situation
from bench.progress import say

LANGUAGES = ("en", "de", "en", "fr", "es", "en", "ru", "zh", "ja")
EACH = 12
CASES: dict[str, Callable[[Script], Expected]] = {**dialogue_cases.CASES, **work_cases.CASES, **harder_cases.CASES}


@dataclass(frozen=True, slots=True)
class Graded:
    situation: Situation
    grade: Grade
    document: str


def situations(each: int = EACH, seed: int = 1) -> Iterator[Situation]:
    """`each` of every family, over languages and formats; the same for the same seed."""
    formats = tuple(WRITERS)
    for place, (family, write) in enumerate(CASES.items()):
        for number in range(each):
            language = LANGUAGES[(number + place) % len(LANGUAGES)]
            script = Script(seed, place * 1000 + number, language)
            history = number % 4
            script.earlier(history)
            expected = write(script)
            format_ = formats[(number + place) % len(formats)]
            name = f"{family.replace(' ', '-').replace(',', '')}.{number}"
            yield Situation(name, family, format_, language, script.story, expected, 1 + number % 3, history)


def conversation(situation: Situation, folder: Path, seed: int = 1) -> Conversation:
    """The situation as its format tells it, read by the importer of that format."""
    path = folder / f"situation.{'json' if situation.format == 'opencode' else 'jsonl'}"
    path.write_text("".join(f"{line}\n" for line in WRITERS[situation.format](situation.story, seed)))
    return Conversation(registry.read(path, situation.format))


def document(situation: Situation, folder: Path, clean: Clean = str) -> str:
    """The packet at the end of a situation, after as many handoffs as it has."""
    held = conversation(situation, folder)
    arm = Handoff(clean)
    arm.start(held.imported)
    start, made = 0, ""
    for number, cut in enumerate(held.equal_cuts(situation.handoffs), 1):
        made = arm.hand_off(held.generation(number, start, cut))
        start = cut
    return made


def run(each: int = EACH, seed: int = 1) -> list[Graded]:
    done: list[Graded] = []
    with TemporaryDirectory(prefix="baton-situations-") as folder, product_clean() as clean:
        for situation in situations(each, seed):
            made = document(situation, Path(folder), clean)
            done.append(Graded(situation, grade(made, situation.expected), made))
    return done


def as_json(graded: Sequence[Graded]) -> dict[str, Any]:
    def row(held: Sequence[Graded]) -> dict[str, Any]:
        return {
            "situations": len(held),
            "next_right": sum(each.grade.advice_right for each in held),
            "all_right": sum(each.grade.right for each in held),
        }

    def by(find: Callable[[Situation], str]) -> dict[str, Any]:
        names = dict.fromkeys(find(each.situation) for each in graded)
        return {name: row([each for each in graded if find(each.situation) == name]) for name in names}

    return {
        **row(graded),
        "by_family": by(lambda situation: situation.family),
        "by_format": by(lambda situation: situation.format),
        "by_language": by(lambda situation: situation.language),
        "wrong": [
            {
                "name": each.situation.name,
                "format": each.situation.format,
                "language": each.situation.language,
                "advice": each.grade.advice[:300],
                "wrong_advice": list(each.grade.wrong_advice),
                "wrong": list(each.grade.wrong),
            }
            for each in graded
            if not each.grade.right
        ],
    }


def as_text(result: dict[str, Any]) -> str:
    def line(name: str, row: dict[str, Any]) -> str:
        count = row["situations"]
        return f"{name:32}{count:5}{row['next_right'] / count:12.1%}{row['all_right'] / count:14.1%}"

    rows = [f"{'situation':32}{'n':>5}{'next right':>12}{'all of it':>14}"]
    for title in ("by_family", "by_format", "by_language"):
        rows += [*(line(name, row) for name, row in result[title].items()), ""]
    return "\n".join([*rows, line("all", result)])


def main(arguments: Sequence[str] | None = None) -> int:
    """0; 1 if less than --floor of the next actions are right."""
    made = argparse.ArgumentParser(prog="python -m bench.continuity.situations", description=__doc__)
    made.add_argument("--each", type=int, default=EACH, metavar="N", help=f"of every family; default: {EACH}")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="default: 1")
    made.add_argument("--json", type=Path, metavar="OUT", help="write every figure there, with what was wrong")
    made.add_argument("--packets", type=Path, metavar="DIR", help="write each packet there")
    made.add_argument("--floor", type=float, default=0.0, metavar="SHARE", help="for example 0.9")
    options = made.parse_args(arguments)
    graded = run(options.each, options.seed)
    result = as_json(graded)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    if options.packets:
        options.packets.mkdir(parents=True, exist_ok=True)
        for each in graded:
            (options.packets / f"{each.situation.name}.md").write_text(each.document)
    print(as_text(result))
    say(f"{result['situations']} situations")
    return int(result["next_right"] < options.floor * result["situations"])


if __name__ == "__main__":
    sys.exit(main())
