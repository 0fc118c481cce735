from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench import acp
from bench.figure import Figure
from bench.plan import QUICK
from bench.targets import judge

AGENT = """
import json, sys
ANSWERS = {"initialize": {}, "session/new": {"sessionId": "s"}, "session/prompt": {"stopReason": "%s"}}
for line in sys.stdin:
    asked = json.loads(line)
    if "method" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": "mine", "method": "fs/read_text_file", "params": {}}))
        print(json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {}}))
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": ANSWERS[asked["method"]]}), flush=True)
"""


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def measure(stop: str = "end_turn", peer: bool = False) -> list[Figure]:
        command = [sys.executable, "-S", "-c", AGENT % stop]
        monkeypatch.setattr(acp, "baton", lambda: command)
        monkeypatch.setattr(acp.first_prompt, "PROVIDERS", {"chat": acp.first_prompt.PROVIDERS["chat"]})
        for part in (acp.first_prompt, acp.after_kill):  # what has no peer is measured in the other test
            monkeypatch.setattr(part, "measure", _measure_once(part.measure) if not peer else lambda *_: [])
        monkeypatch.setattr(acp.hermes_acp, "agent", lambda home, url, log: (command, {}))
        return acp.measure(tmp_path, replace(QUICK, editors=2, peer="hermes" if peer else None))

    return measure


def _measure_once(measure: Any) -> Any:
    return lambda work, plan: measure(work, replace(plan, editors=1))


def test_each_step_stands_beside_its_floor(measured: Any) -> None:
    figures = [each for each in measured() if each.name in acp.NAMES]
    assert [figure.name for figure in figures] == list(acp.NAMES)
    assert all(figure.ratio and figure.baton.n == figure.floor.n == 2 for figure in figures)
    assert all(figure.facts["first_prompt"] > 0 and "share" not in figure.facts for figure in figures)
    assert {verdict.met for verdict in judge(figures) if verdict.name in acp.NAMES} == {None}


def test_a_peer_is_measured_in_the_same_rounds(measured: Any) -> None:
    figures = [each for each in measured(peer=True) if each.name in acp.NAMES]
    assert all(figure.facts["peer"]["median"] > 0 and figure.facts["share"] > 0 for figure in figures)
    found = {verdict.name: verdict.found for verdict in judge(figures) if verdict.name in acp.NAMES}
    assert found == {figure.name: figure.facts["share"] * 100 for figure in figures}


def test_a_turn_that_ended_otherwise_is_no_figure(measured: Any) -> None:
    with pytest.raises(AssertionError, match="refusal"):
        measured("refusal")
