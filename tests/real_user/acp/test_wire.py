"""What the record of a run finds fault with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real_user.acp import kit
from tests.real_user.acp.wire import Wire

PROMPT = {"id": 3, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}}
ANSWER = {"id": 3, "result": {"stopReason": "end_turn"}}


def told(**update: Any) -> dict[str, Any]:
    return {"method": "session/update", "params": {"sessionId": "s", "update": update}}


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("BATON_TEST_ACP_SCHEMA", str(kit.node().schema))

    def find(*frames: tuple[str, dict[str, Any]], ended: int = 0) -> list[str]:
        notes: list[dict[str, Any]] = [{"began": True}]
        notes += [{"side": side, "text": json.dumps({"jsonrpc": "2.0", **message})} for side, message in frames]
        lines = [json.dumps({"run": 1, **note}) + "\n" for note in (*notes, {"ended": ended})]
        log = tmp_path / "tap.log"
        log.write_text("".join(lines))
        return Wire(log).faults()

    return find


def test_a_good_exchange(faults: Any) -> None:
    named = told(sessionUpdate="session_info_update", title="a", _meta={"hermes": {"x": 1}})
    assert faults(("client", PROMPT), ("agent", named), ("agent", ANSWER)) == []


def test_every_request_is_answered_once(faults: Any) -> None:
    assert faults(("client", PROMPT)) == ["session/prompt 3 got 0 answers"]
    assert "session/prompt 3 got 2 answers" in faults(("client", PROMPT), ("agent", ANSWER), ("agent", ANSWER))
    assert faults(("client", PROMPT), ended=-9) == []


def test_fields_of_ones_own_are_allowed_only_under_meta(faults: Any) -> None:
    assert faults(("agent", told(sessionUpdate="session_info_update", title="a", hermes={"x": 1})))
    assert faults(("client", PROMPT), ("agent", {"id": 3, "result": {"stopReason": "end_turn", "usage": {}}}))
    assert faults(("client", PROMPT), ("agent", {"id": 3, "result": {"stopReason": "compressed"}}))
