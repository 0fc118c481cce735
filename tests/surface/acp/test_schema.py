"""The schema that frames are judged by: where it cannot be had that is said, and a failure where it must be there."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support import obtain
from tests.support.acp import schema


@pytest.mark.parametrize(("must", "raised"), [(False, pytest.skip.Exception), (True, pytest.fail.Exception)])
def test_no_npm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, must: bool, raised: Any) -> None:
    monkeypatch.setenv("BATON_TEST_ACP_SCHEMA", str(tmp_path / "none"))
    monkeypatch.setattr(obtain, "MUST", must)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(raised, match="npm is not installed"):
        schema.folder()


def test_the_judge_is_strict() -> None:
    """A field of one's own is wrong at the root and right under `_meta`; so it is inside a list."""

    def faults(**update: Any) -> list[str]:
        params = {"sessionId": "s", "update": update}
        return schema.judge().errors([(schema.IN, {"jsonrpc": "2.0", "method": "session/update", "params": params})])

    named = {"sessionUpdate": "session_info_update", "title": "a"}
    assert faults(**named, _meta={"hermes": {"x": 1}}) == []
    assert faults(**named, hermes={"x": 1})
    entry = {"content": "look", "priority": "medium", "status": "pending"}
    assert faults(sessionUpdate="plan", entries=[entry]) == []
    assert faults(sessionUpdate="plan", entries=[{**entry, "mine": 1}])
    assert faults(sessionUpdate="no such kind")
