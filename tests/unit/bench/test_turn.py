from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench import turn
from bench.plan import QUICK


def test_each_kind_of_turn_is_measured_at_each_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "HISTORIES", (10, 101))
    work = tmp_path / "work"
    figures = turn.measure(work, replace(QUICK, turn_rounds=1))
    assert [(figure.name, figure.size and figure.size.entries) for figure in figures] == [
        ("turn", 10),
        ("turn", 101),
        ("turn_with_tool", 10),
        ("turn_with_tool", 101),
        ("turn_growth", 101),
        ("turn_with_tool_growth", 101),
    ]
    assert all(figure.ratio and figure.facts["first"] > 0 for figure in figures[:4])
    assert all(figure.facts["growth"] > 0 for figure in figures[4:])
    assert list(work.iterdir()) == []
