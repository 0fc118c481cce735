"""A client that cannot be had is said so: a skip for most, a failure where everything must have run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.real_user.acp import kit
from tests.support import obtain


@pytest.fixture
def without_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obtain, "CACHE", tmp_path)
    monkeypatch.setattr(obtain.shutil, "which", lambda name: None)
    monkeypatch.setattr(kit, "_node", kit._node.__wrapped__)


@pytest.mark.parametrize(("must", "raised"), [(False, pytest.skip.Exception), (True, pytest.fail.Exception)])
def test_no_npm(without_npm: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, must: bool, raised: Any) -> None:
    monkeypatch.setattr(obtain, "MUST", must)
    with pytest.raises(raised, match="npm is not installed"):
        kit.node()
    assert list(tmp_path.rglob("ready")) == []
