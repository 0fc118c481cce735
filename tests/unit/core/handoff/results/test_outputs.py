"""What tools print, read as people read it: plain, in colours, with line ends of Windows, and with Baton's note."""

from __future__ import annotations

import pytest

from baton.core.handoff.results import CHECK, PartResult, judge
from tests.unit.core.handoff.results import outputs_of_linters, outputs_of_tests

Row = tuple[str, int | None, str, str, str]
TABLES: list[list[Row]] = [
    *(getattr(outputs_of_tests, name) for name in dir(outputs_of_tests) if name.isupper()),
    *(getattr(outputs_of_linters, name) for name in dir(outputs_of_linters) if name.isupper()),
]
ROWS = [row for table in TABLES for row in table]
DRESSES = {
    "plain": lambda text: text,
    "colours": lambda text: "\n".join(f"\x1b[1;31m{line}\x1b[0m\x1b[K" for line in text.split("\n")) if text else "",
    "windows": lambda text: text.replace("\n", "\r\n"),
    "note": lambda text: f"{text}\n[exit 0, not sandboxed]",
}


def check(command: str, output: str, exit_: int | None) -> PartResult:
    results = [each for each in judge(command, output, exit_, exit_ in (0, None)) if each.part.kind == CHECK]
    assert len(results) == 1
    return results[0]


def test_there_are_enough_of_them() -> None:
    assert len(ROWS) >= 150


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} → {row[3]}: {row[2][-40:]!r}")
def test_an_output_is_read_as_a_person_reads_it(row: Row) -> None:
    command, exit_, output, verdict, evidence = row
    for name, dress in DRESSES.items():
        found = check(command, dress(output), exit_)
        assert found.verdict in verdict.split(" or "), name
        assert evidence in found.line, name
