"""Lines that no client should send: the right error, and the next good one is answered as if nothing had been."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.support.acp.client import Client, Refused
from tests.support.acp.schema import IN
from tests.surface.acp.conftest import OpenEditor

pytestmark = pytest.mark.anyio

DEEP = b"[" * 100_000 + b"]" * 100_000
HUGE = b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"initialize"}'
PARSE, INVALID, UNKNOWN, PARAMS = -32700, -32600, -32601, -32602

LINES: list[tuple[bytes, int | None]] = [
    (b"not json", PARSE),
    (b"{", PARSE),
    (b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":NaN}}', PARSE),
    (b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":-Infinity}}', PARSE),
    (b"\xff\xfe\x00", PARSE),
    (b"\x00\x00", PARSE),
    (b'{"a":"\x00"}', PARSE),
    (DEEP, PARSE),
    (HUGE, PARSE),
    (b"42", INVALID),
    (b'"text"', INVALID),
    (b"null", INVALID),
    (b"true", INVALID),
    (b"[]", INVALID),
    (b'[{"jsonrpc":"2.0","id":1,"method":"session/list"}]', INVALID),
    (b"{}", INVALID),
    (b'{"jsonrpc":"1.0","id":90,"method":"session/list"}', INVALID),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"session/list"}', INVALID),
    (b'{"jsonrpc":"2.0","id":true,"method":"session/list"}', INVALID),
    (b'{"jsonrpc":"2.0","id":{},"method":"session/list"}', INVALID),
    (b'{"jsonrpc":"2.0","id":91,"method":7}', INVALID),
    (b'{"jsonrpc":"2.0","id":92}', INVALID),
    (b'{"jsonrpc":"2.0","id":93,"method":"session/list","params":[]}', PARAMS),
    (b'{"jsonrpc":"2.0","id":93,"method":"session/list","params":null}', PARAMS),
    (b'{"jsonrpc":"2.0","id":94,"method":"session/nothing","params":{}}', UNKNOWN),
    (b'{"jsonrpc":"2.0","id":95,"method":"_x/y","params":{}}', UNKNOWN),
    (b'{"jsonrpc":"2.0","id":"\\ud800","method":"_x","params":{}}', UNKNOWN),
    (b"", None),
    (b"   ", None),
    (b'{"jsonrpc":"2.0","method":"_x/y","params":{}}', None),
    (b'{"jsonrpc":"2.0","method":"session/cancel","params":[]}', None),
    (b'{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"c_nothing"}}', None),
    (b'{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":12345}}', None),
    (b'{"jsonrpc":"2.0","method":"$/cancel_request"}', None),
    (b'{"jsonrpc":"2.0","id":12345,"result":{}}', None),
    (b'{"jsonrpc":"2.0","id":"baton-7","error":{"code":1,"message":"x"}}', None),
]


def errors(client: Client, since: int) -> list[int]:
    return [
        message["error"]["code"] for sender, message in client.frames[since:] if sender == IN and "error" in message
    ]


async def alive(client: Client) -> None:
    assert "sessions" in await client.call("session/list")


async def test_a_hostile_line_gets_the_right_error(editor: OpenEditor) -> None:
    async with editor() as client:
        for line, code in LINES:
            since = len(client.frames)
            client.raw(line + b"\n")
            await alive(client)
            assert errors(client, since) == ([] if code is None else [code]), line[:80]


async def test_a_mark_at_the_beginning_and_other_line_ends_are_taken(editor: OpenEditor) -> None:
    async with editor() as client:
        since = len(client.frames)
        client.raw(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":"bom","method":"session/list","params":{}}\r\n')
        await client.until(lambda: any(m.get("id") == "bom" for _, m in client.frames[since:]))
        assert errors(client, since) == []
        client.stray.clear()
        client.frames[:] = client.frames[:since]


async def test_ten_thousand_hostile_lines_wedge_nothing(editor: OpenEditor) -> None:
    """Each that deserves an error gets exactly one; spoilt ones may deserve any or none."""
    random.seed(7)
    short = [pair for pair in LINES if len(pair[0]) < 2_000]
    many = [random.choice(short) for _ in range(9_000)]
    spoilt = [_mutated(random.choice(short)[0]) for _ in range(1_000)]
    async with editor() as client:
        since = len(client.frames)
        await flood(client, [line for line, _ in many])
        assert len(errors(client, since)) == sum(code is not None for _, code in many)
        await flood(client, spoilt)
        client.frames[:] = client.frames[:since]


async def flood(client: Client, lines: list[bytes]) -> None:
    for start in range(0, len(lines), 500):
        client.raw(b"".join(line.replace(b"\n", b" ") + b"\n" for line in lines[start : start + 500]))
        await alive(client)


def _mutated(line: bytes) -> bytes:
    spoilt = bytearray(line or b"x")
    for _ in range(3):
        spoilt[random.randrange(len(spoilt))] = random.randrange(256)
    return bytes(spoilt)


async def test_a_line_that_is_too_long_is_refused_and_a_long_one_is_taken(editor: OpenEditor, isolated: Path) -> None:
    async with editor() as client:
        since = len(client.frames)
        client.raw(b'{"jsonrpc":"2.0","x":"' + b"a" * (65 * 1024 * 1024) + b'"}\n')
        await client.until(lambda: errors(client, since))
        assert errors(client, since) == [INVALID]
        session_id = await client.new(isolated)
        words = "long " * 1_200_000
        message = {"jsonrpc": "2.0", "id": "long", "method": "session/prompt"}
        message["params"] = {"sessionId": session_id, "prompt": [{"type": "text", "text": words}]}
        client.raw(json.dumps(message).encode() + b"\n")
        await client.until(lambda: any(m.get("id") == "long" for _, m in client.frames))
        client.stray.clear()
        client.frames[:] = client.frames[:since]


async def test_nothing_is_done_before_hello_and_an_unknown_version_gets_ours(
    editor: OpenEditor, isolated: Path
) -> None:
    async with editor(hello=False) as client:
        with pytest.raises(Refused) as refused:
            await client.new(isolated)
        assert refused.value.code == INVALID
        for version in (65535, 0, 1, 2):
            found = await client.call("initialize", protocolVersion=version)
            assert found["protocolVersion"] == 1
        assert found["agentInfo"]["name"] == "baton"
        assert found["agentCapabilities"]["_meta"]["hermes"] == {"sessionProvenance": True}
        with pytest.raises(Refused) as refused:
            await client.call("initialize", protocolVersion="1")
        assert refused.value.code == PARAMS


BAD: list[tuple[str, dict[str, Any]]] = [
    ("session/new", {"cwd": "relative", "mcpServers": []}),
    ("session/new", {"cwd": "/no/such/directory", "mcpServers": []}),
    ("session/new", {"cwd": "/\0", "mcpServers": []}),
    ("session/new", {"cwd": 7, "mcpServers": []}),
    ("session/new", {"cwd": "/"}),
    ("session/new", {"cwd": "/", "mcpServers": {}}),
    ("session/new", {"cwd": "/", "mcpServers": [7]}),
    ("session/new", {"cwd": "/", "mcpServers": [{"name": "x", "type": "sse", "url": "http://x", "headers": []}]}),
    ("session/new", {"cwd": "/", "mcpServers": [{"name": "x", "command": "y", "args": [1], "env": []}]}),
    ("session/prompt", {"sessionId": 7, "prompt": []}),
    ("session/list", {"cursor": "nonsense"}),
    ("session/list", {"cursor": "\u00e9"}),
    ("session/list", {"cwd": 7}),
    ("authenticate", {"methodId": "magic"}),
    ("session/set_config_option", {"sessionId": "?", "configId": "mode", "value": 7}),
]


async def test_wrong_parameters_are_named(editor: OpenEditor, isolated: Path) -> None:
    async with editor() as client:
        known = {"sessionId": await client.new(isolated)}
        for method, params in BAD:
            given = {**params, **(known if params.get("sessionId") == "?" else {})}
            with pytest.raises(Refused) as refused:
                await client.call(method, **given)
            assert refused.value.code == PARAMS, (method, params)


NO_PROMPTS: list[list[Any]] = [
    [],
    [7],
    [{"type": "audio", "data": "", "mimeType": "x"}],
    [{"type": "text"}],
    [{"type": []}],
    [{}],
    [{"type": "resource", "resource": {"uri": "x"}}],
    [{"type": "resource_link", "uri": "x"}],
]


async def test_a_prompt_that_is_none_is_refused(editor: OpenEditor, isolated: Path) -> None:
    async with editor() as client:
        session_id = await client.new(isolated)
        for blocks in NO_PROMPTS:
            with pytest.raises(Refused) as refused:
                await client.call("session/prompt", sessionId=session_id, prompt=blocks)
            assert refused.value.code == PARAMS, blocks
        assert await client.say(session_id, "hi") == "end_turn"


async def test_half_a_character_is_mended(editor: OpenEditor, isolated: Path) -> None:
    async with editor() as client:
        assert await client.say(await client.new(isolated), "half \ud800 of it") == "end_turn"
        assert client.model.prompts[0].messages[-1].text == "half \ufffd of it"


async def test_meta_overrides_nothing(editor: OpenEditor, isolated: Path, tmp_path: Path) -> None:
    async with editor() as client:
        meta = {"cwd": str(tmp_path), "sessionId": "c_other", "mcpServers": 7, "prompt": []}
        found = await client.call("session/new", cwd=str(isolated), mcpServers=[], _meta=meta)
        await client.say(found["sessionId"], "hello")
        rows = (await client.call("session/list"))["sessions"]
        assert [(row["sessionId"], row["cwd"]) for row in rows] == [(found["sessionId"], str(isolated))]
