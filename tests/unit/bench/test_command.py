from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
VERDICT = {"name", "promise", "limit", "found", "where", "met"}
TOP = {"baton", "mode", "machine", "seconds", "figures", "targets", "peers", "comparison"}
FIGURE = {
    "name",
    "store",
    "sessions",
    "entries",
    "baton",
    "floor",
    "floor_is",
    "ratio",
    "ratio_of_minima",
    "facts",
}


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.timeout(180)
def test_a_quick_run_prints_a_table_and_writes_the_documented_json(tmp_path: Path) -> None:
    out, chart = tmp_path / "out.json", tmp_path / "chart.svg"
    where = ["--postgres", "none", "--work", str(tmp_path), "--json", str(out), "--plot", str(chart)]
    done = bench("--quick", "--only", "append", *where)
    assert done.returncode == 0, done.stderr
    assert "append of one entry, × raw sqlite3" in done.stdout
    assert "append on sqlite at 1k/10k" in done.stderr
    result = json.loads(out.read_text())
    assert set(result) == TOP
    assert [(each["name"], each["store"], each["entries"]) for each in result["figures"]] == [
        ("append", "sqlite", 1_000),
        ("append", "sqlite", 10_000),
    ]
    for each in result["figures"]:
        assert set(each) == FIGURE
        assert set(each["baton"]) == set(each["floor"]) == {"n", "median", "min", "p99", "max"}
        assert each["ratio"] > 0
    assert {frozenset(each) for each in result["targets"]} == {frozenset(VERDICT)}
    assert chart.read_text().startswith("<svg")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("baton-bench")) == []


def test_help_gives_examples() -> None:
    done = bench("--help")
    assert done.returncode == 0
    assert "examples:" in done.stdout


def test_an_unknown_operation_is_refused() -> None:
    done = bench("--only", "everything")
    assert done.returncode == 2
    assert "invalid choice" in done.stderr
