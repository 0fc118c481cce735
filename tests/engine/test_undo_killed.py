"""A process killed at any line of an undo leaves it undone or not, and the conversation whole."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ALL = [f"request {number}" for number in range(6)]
STANDS = {
    "in place": (["a summary", *ALL[4:]], ["root"], ["root"]),
    "handoff": (["the packet"], ["root", "handoff"], ["root", "handoff", "undo"]),
}


@pytest.mark.parametrize("kind", STANDS)
def test_it_is_undone_or_not(tmp_path: Path, kind: str) -> None:
    before, edges, edges_after = STANDS[kind]
    command = [sys.executable, "-m", "tests.support.killed_undo", str(tmp_path), kind, "30"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], check=True, capture_output=True, text=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    undone = [each["texts"] == ALL and each["edges"] == edges_after and each["live"] == 1 for each in found]
    not_undone = [each["texts"] == before and each["edges"] == edges and each["live"] == 1 for each in found]
    assert all(one != other for one, other in zip(undone, not_undone, strict=True)), found
    assert sum(not each["lived"] for each in found) > 20
    assert any(not_undone)
    assert undone == sorted(undone), "once undone, it stays so"
