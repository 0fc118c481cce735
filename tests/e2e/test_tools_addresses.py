"""What a fetch must never reach, however it is spelled or resolved."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.output import Logs
from baton.adapters.tools.web.fetch import Fetch
from baton.core.errors import ToolError
from tests.unit.tools.hostile import NAMES, SPELLINGS
from tests.unit.tools.kit import silent

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def fetch(isolated: Path) -> Fetch:
    return Fetch(Logs(Workspace(isolated)), 2_000)


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names are as the test says, numbers as the system reads them. The list has who was connected to."""
    real, reached = socket.getaddrinfo, []

    def resolve(host: Any, port: Any, *more: Any, **named: Any) -> Any:
        if host in NAMES:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in NAMES[host]]
        return real(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)

    def connect(_: object, __: str, url: str, **___: Any) -> Any:
        reached.append(url)
        raise OSError("nobody is connected to in this test")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr("httpx2.AsyncClient.stream", connect)
    return reached


async def test_no_spelling_of_a_private_address_is_fetched(fetch: Fetch, resolver: list[str]) -> None:
    assert len(set(SPELLINGS)) >= 150
    for url in SPELLINGS:
        with pytest.raises(ToolError):
            await fetch.run({"url": url}, silent)
    assert resolver == []
    with pytest.raises(ToolError):
        await fetch.run({"url": "http://8.8.8.8/x"}, silent)
    assert resolver == ["http://8.8.8.8:80/x"], "a public address is refused too: this test would not notice"


async def test_a_name_is_looked_up_once_and_that_address_is_used(
    fetch: Fetch, resolver: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([["93.184.215.14"], ["127.0.0.1"]])
    monkeypatch.setitem(NAMES, "turning.test", [])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", (next(answers)[0], 80))])
    with pytest.raises(ToolError):
        await fetch.run({"url": "https://turning.test/"}, silent)
    assert resolver == ["https://93.184.215.14:443/"]
