"""`python -m bench.risk`: risky commands and sentences that are caught, and harmless ones that are asked about."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from baton.adapters.bash_syntax import BashSyntax
from baton.core.risk import Risk, assess, assess_text
from bench.risk.cases import COMMANDS, HELD_OUT, SENTENCES, TUNING, Case, read

_PARSE = BashSyntax().parse
_ASSESS: dict[str, Callable[[str], Risk | None]] = {
    COMMANDS: lambda text: assess(text, _PARSE),
    SENTENCES: lambda text: assess_text(text, _PARSE),
}


@dataclass(frozen=True, slots=True)
class Score:
    """Of the risky cases how many were caught, of the harmless ones how many were asked about; and which went wrong."""

    risky: int
    caught: int
    harmless: int
    alarms: int
    wrong: tuple[Case, ...]

    @property
    def recall(self) -> float:
        return self.caught / self.risky if self.risky else 1.0

    @property
    def false_alarms(self) -> float:
        return self.alarms / self.harmless if self.harmless else 0.0


def score(kind: str, cases: Iterable[Case]) -> Score:
    judged = [(case, _ASSESS[kind](case.text) is not None) for case in cases]
    found = [said for case, said in judged if case.risky]
    alarms = [said for case, said in judged if not case.risky]
    wrong = tuple(case for case, said in judged if said != case.risky)
    return Score(len(found), sum(found), len(alarms), sum(alarms), wrong)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.risk", description=__doc__)
    parser.add_argument("--misses", action="store_true", help="list the cases of the tuning part that went wrong")
    given = parser.parse_args(argv)
    for kind in (COMMANDS, SENTENCES):
        for part, name in ((TUNING, "tuning part"), (HELD_OUT, "held out")):
            cases = read(kind, part)
            print(f"{kind}, {name}")
            for group in sorted({case.group for case in cases}):
                _show(group, score(kind, [case for case in cases if case.group == group]))
            whole = score(kind, cases)
            _show("all", whole)
            for case in whole.wrong if given.misses and part == TUNING else ():
                print(f"    {'missed' if case.risky else 'false '}  {case.group}: {case.text!r}")
            print()
    return 0


def _show(name: str, found: Score) -> None:
    caught = f"{found.caught:3} of {found.risky:3} caught {found.recall:7.1%}"
    print(f"  {name:15} {caught}   {found.alarms:2} of {found.harmless:3} false {found.false_alarms:6.1%}")


if __name__ == "__main__":
    raise SystemExit(main())
