"""The adapter against the real signal-cli: its errors are the daemon's own, and the emulator's are the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from baton.adapters.platforms.http_calls import new_client
from baton.adapters.platforms.signal.api import Failure, Rpc, explain
from baton.adapters.platforms.signal.platform import open_platform
from baton.config.platform_settings import SignalSettings
from baton.core.errors import BadCredentials, SendRefused
from baton.core.transfer.place import Place
from baton.ports.platform import File, Outgoing, Platform
from tests.support.platforms.signal.daemon import daemon
from tests.support.platforms.signal.stage import OWNER, SignalStage
from tests.support.platforms.state import MemoryState

pytestmark = pytest.mark.anyio
UNKNOWN = "+15559999999"
ROOM = Place("signal", OWNER)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with daemon() as found:
        yield found


@pytest.fixture
async def platform(address: str) -> AsyncIterator[Platform]:
    made = open_platform(SignalSettings(UNKNOWN, address), MemoryState(), Path())
    yield made
    await made.close()


async def test_an_account_the_daemon_does_not_have_is_bad_credentials(platform: Platform) -> None:
    async def nothing(_: object) -> None: ...

    with pytest.raises(BadCredentials, match="the daemon has no account"):
        await platform.connect(())
    for tried in (
        platform.run(nothing),
        platform.send(ROOM, Outgoing("x"), "k"),
        platform.edit(ROOM, "1700000000000", Outgoing("x")),
    ):
        with pytest.raises(BadCredentials):
            await tried
    await platform.show_typing(ROOM)
    with pytest.raises(SendRefused):
        await platform.fetch(File(f"{OWNER} 1.bin", "x"))


async def test_an_address_without_a_daemon_is_bad_credentials(address: str) -> None:
    platform = open_platform(SignalSettings(UNKNOWN, f"{address}/elsewhere"), MemoryState(), Path())
    with pytest.raises(BadCredentials, match="no signal-cli daemon"):
        await platform.connect(())
    await platform.close()


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("send", {"recipient": [OWNER], "message": "x"}),
    ("send", {"groupId": "AAAA", "message": "x", "textStyles": ["0:1:BOLD"], "attachments": ["data:a/b;base64,"]}),
    ("sendTyping", {"recipient": [OWNER]}),
    ("getAttachment", {"id": "x", "recipient": OWNER}),
]


@pytest.mark.parametrize(("method", "params"), CALLS)
async def test_the_emulator_answers_as_the_daemon_does(address: str, method: str, params: dict[str, Any]) -> None:
    async with SignalStage() as stage, new_client(reuse=False) as http:
        real = await Rpc(http, address, UNKNOWN).call(method, params)
        emulated = await Rpc(http, stage.server.url, UNKNOWN).call(method, params)
        assert isinstance(real, Failure)
        assert real == emulated
        assert isinstance(explain(real), BadCredentials)


async def test_the_daemon_speaks_as_we_read_it(address: str) -> None:
    async with new_client(reuse=False) as http:
        rpc = Rpc(http, address, UNKNOWN)
        assert await rpc.ask("version") == {"version": "0.13.19"}
        assert await rpc.ask("listAccounts") == []
        for missing in ("nope", "subscribeReceive"):
            failure = await rpc.ask(missing)
            assert isinstance(failure, Failure)
            assert (failure.code, failure.status) == (-32601, 200)
            assert isinstance(explain(failure), SendRefused)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{nope", -32700),
        (b"[]", -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "version"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "send", "params": 3}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "send", "params": {}}', -32602),
    ],
)
async def test_malformed_calls_have_json_rpc_codes(address: str, body: bytes, code: int) -> None:
    async with httpx2.AsyncClient() as http:
        headers = {"content-type": "application/json"}
        answer = await http.post(f"{address}/api/v1/rpc", content=body, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (200, code)


async def test_http_errors_are_read_as_failures(address: str) -> None:
    async with httpx2.AsyncClient() as http:
        assert (await http.post(f"{address}/api/v1/rpc", content=b"{}")).status_code == 415
        assert (await http.put(f"{address}/api/v1/rpc", content=b"{}")).status_code == 405
        assert (await http.get(f"{address}/api/v1/events", params={"account": UNKNOWN})).status_code == 400
