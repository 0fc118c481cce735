"""`baton acp` as an editor starts it: a real process, real pipes, a scripted model server."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.e2e.chat import MODELS, shell
from tests.support.acp.client import EVERYTHING, Program, its
from tests.support.model_servers import Hang, ModelServer, OpenAIServer, say
from tests.support.patience import PATIENCE
from tests.support.ticks import Ticks

pytestmark = pytest.mark.anyio
CANARY = {"traceparent": "META-CANARY", "baton": {"x": "META-CANARY"}, "hermes": {"y": "META-CANARY"}}


def environ(server: ModelServer) -> dict[str, str]:
    return {**server.environ, "BATON_MODEL": MODELS[server.variables[0]], "BATON_STORE__LEASE": "1"}


async def test_nothing_of_meta_reaches_the_model(isolated: Path) -> None:
    """And nothing but frames reaches the client, whatever a child prints."""
    async with OpenAIServer([say("Hello."), shell("echo on stdout; echo on stderr >&2"), say("Done.")]) as server:
        program = Program(environ(server), "--mode", "unattended")
        async with program as client:
            await client.call("initialize", protocolVersion=1, clientCapabilities=EVERYTHING, _meta=CANARY)
            found = await client.call("session/new", cwd=str(isolated), mcpServers=[], _meta=CANARY)
            for words in ("hi", "run it"):
                block = {"type": "text", "text": words, "_meta": CANARY}
                reply = client.ask("session/prompt", sessionId=found["sessionId"], prompt=[block], _meta=CANARY)
                assert (await its(reply))["stopReason"] == "end_turn"
            assert "on stdout" in str(client.updates("tool_call_update")[-1])
            assert await program.end() == (0, "")
        sent = json.dumps([request.body for request in server.requests])
        head = found["_meta"]["agentSessionId"]
        for word in ("META-CANARY", "sessionProvenance", "compressionDepth", '"_meta"', head, found["sessionId"]):
            assert word not in sent


async def test_a_client_that_goes_leaves_a_recorded_end(isolated: Path) -> None:
    async with OpenAIServer([say("Half of", Hang())]) as server:
        program = Program(environ(server))
        async with program as client:
            await client.hello()
            session_id = await client.new(isolated)
            reply = client.prompt(session_id, "tell me")
            await client.until(lambda: client.text() == "Half of")
            async with Ticks() as ticks:
                code, said = await program.end()
            assert ticks.seconds < 2.5, "two seconds, and what it takes to see it"
            assert (code, said) == (0, "")
            assert (await its(reply))["stopReason"] == "cancelled"
        program = Program(environ(server))
        async with program as client:
            await client.hello()
            await client.call("session/load", sessionId=session_id, cwd=str(isolated), mcpServers=[])
            assert client.text() == "Half of"
            await program.end()


async def test_a_signal_ends_it_cleanly(isolated: Path) -> None:
    async with OpenAIServer([say("Half of", Hang())]) as server:
        program = Program(environ(server))
        async with program as client:
            await client.hello()
            reply = client.prompt(await client.new(isolated), "tell me")
            await client.until(lambda: client.text() == "Half of")
            program.process.send_signal(signal.SIGTERM)
            assert await program.gone() == (0, "")
            assert (await its(reply))["stopReason"] == "cancelled"


async def test_after_a_kill_another_process_goes_on(isolated: Path) -> None:
    async with OpenAIServer([say("One."), say("Half of", Hang()), say("Two.")]) as server:
        program = Program(environ(server))
        async with program as client:
            await client.hello()
            session_id = await client.new(isolated)
            assert await client.say(session_id, "first") == "end_turn"
            client.prompt(session_id, "second")
            await client.until(lambda: client.text() == "One.Half of")
            program.process.kill()
            await program.gone()
        program = Program(environ(server))
        async with program as client:
            await client.hello()
            await client.call("session/resume", sessionId=session_id, cwd=str(isolated), mcpServers=[])
            assert await client.say(session_id, "third") == "end_turn"
            assert "The last turn was interrupted before it ended." in client.text()
            assert client.text().endswith("Two.")
            await program.end()
        asked = [message["content"] for message in server.requests[-1].body["messages"] if message["role"] == "user"]
        assert asked[0] == "first"
        assert "third" in asked[-1]


async def test_a_bad_configuration_is_an_answer_not_an_end(isolated: Path) -> None:
    yours = isolated.parent / "home" / "baton" / "config.yaml"
    async with OpenAIServer([say("x")]) as server:
        program = Program(environ(server))
        async with program as client:
            await client.hello()
            yours.parent.mkdir(exist_ok=True)
            yours.write_text("agent: {compression: {mode: wild}}\n")
            reply = await client.ask("session/new", cwd=str(isolated), mcpServers=[])
            assert "agent.compression.mode" in reply["error"]["message"]
            yours.unlink()
            (isolated / ".baton").mkdir()
            for hostile in ("agent: {mode: wild}\n", "agent: {mode: unattended}\n", "[", "&a [*a, *a]"):
                (isolated / ".baton" / "config.yaml").write_text(hostile)
                reply = await client.ask("session/new", cwd=str(isolated), mcpServers=[])
                assert reply["result"]["modes"]["currentModeId"] == "ask", "a project may not set it, so it is ignored"
            await program.end()


async def test_the_self_test_prints_what_a_client_would_see(isolated: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "baton", "acp", "--check", stdout=-1, stderr=-1, env=dict(os.environ)
    )
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    assert (process.returncode, err) == (0, b"")
    lines = [line.split()[1] for line in out.decode().splitlines() if line.startswith("✓")]
    assert lines == ["initialize", "session/new", "session/list", "session/delete", "end"]
