from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from baton.adapters.models.local import download
from tests.support.package_index import PackageIndex


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[PackageIndex]:
    """An index and a hub that holds nothing, with little patience for both."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "PIP_PROXY", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(download, "_FIRST_WAIT", 0.01)
    with PackageIndex() as index:
        yield index


@pytest.fixture
def models(tmp_path: Path) -> str:
    """A directory for models that does not exist yet."""
    return str(tmp_path / "home" / "baton" / "models")
