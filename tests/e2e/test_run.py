"""`baton run` as a script runs it."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from tests.e2e.chat import MODELS, said_last, shell
from tests.support.model_servers import Hang, ModelServer, OpenAIServer, Reply, Request, Use, Wait, fail, say
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240), pytest.mark.usefixtures("warm_home")]
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def start(server: ModelServer, *arguments: str, before: Sequence[str] = (), stdout: int = PIPE) -> Process:
    environ = {**os.environ, **server.environ, "BATON_MODEL": MODELS[server.variables[0]]}
    command = [sys.executable, "-m", "baton", *before, "run", *arguments]
    return await asyncio.create_subprocess_exec(*command, env=environ, stdin=PIPE, stdout=stdout, stderr=PIPE)


async def run(
    server: ModelServer, *arguments: str, before: Sequence[str] = (), piped: bytes = b""
) -> tuple[int, str, str]:
    process = await start(server, *arguments, before=before)
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate(piped)
    assert "Traceback" not in err.decode()
    return process.returncode or 0, out.decode(), err.decode()


def asked(server: ModelServer, number: int = -1) -> Any:
    return server.requests[number].body["messages"][-1]["content"]


async def test_standard_input_is_added_and_a_conversation_goes_on(isolated: Path) -> None:
    async with OpenAIServer([say("Fix the race.")]) as server:
        code, out, err = await run(server, "write", "a message", piped=b"diff --git\xff\n")
        assert (code, out) == (0, "Fix the race.\n")
        assert asked(server) == "write a message\n\ndiff --git\ufffd"
        conversation = err.split()[1]
        assert (await run(server, "-c", conversation, "again"))[0] == 0
        texts = [message["content"] for message in server.requests[-1].body["messages"][-3:]]
        assert texts == ["write a message\n\ndiff --git\ufffd", "Fix the race.", "again"]


async def test_an_empty_answer_is_told_on_standard_error(isolated: Path) -> None:
    async with OpenAIServer([say("")]) as server:
        code, out, err = await run(server, "hi")
    assert (code, out.strip()) == (0, "")
    assert "◆ The model had nothing to say." in err


async def test_a_file_that_is_shown_is_named_where_nothing_can_be_drawn(isolated: Path) -> None:
    (isolated / "plot.png").write_bytes(PNG)

    def show(request: Request) -> Reply:
        return (
            say(Use("call_1", "show", {"path": "plot.png", "caption": "Look"})) if said_last(request) else say("Done.")
        )

    async with OpenAIServer(show) as server:
        code, out, err = await run(server, "plot it")
    assert (code, out) == (0, "Done.\n")
    assert f"◆ Look: {isolated / 'plot.png'}" in err


async def test_json_is_one_event_a_line(isolated: Path) -> None:
    async with OpenAIServer([say("He", "llo")]) as server:
        code, out, _ = await run(server, "--json", "hi")
    events = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [event["type"] for event in events] == [
        "turn_started", "pressure", "step_started", "text_added", "text_added", "step_ended", "turn_ended"
    ]  # fmt: skip
    assert "".join(event["text"] for event in events if event["type"] == "text_added") == "Hello"


def wants_the_shell(request: Request) -> Reply:
    return shell("echo ran > ran.txt") if said_last(request) else say("Done.")


@pytest.mark.parametrize(("flags", "ran"), [([], False), (["--yes"], True), (["--mode", "read_only"], False)])
async def test_tools_run_only_where_that_was_allowed(isolated: Path, flags: list[str], ran: bool) -> None:
    async with OpenAIServer(wants_the_shell) as server:
        code, out, err = await run(server, *flags, "go")
    assert (code, out) == (0, "I will run it.\nDone.\n")
    assert (isolated / "ran.txt").exists() is ran
    assert ("refused" in err) is not ran


@pytest.mark.parametrize(
    ("flags", "ran"),
    [
        (["--mode", "read_only"], False),
        (["--mode=read_only"], False),
        (["--set", "agent.mode=read_only"], False),
        (["-s", "agent.mode=ask"], False),
        (["--color", "never", "--mode", "unattended"], True),
    ],
)
async def test_a_mode_holds_before_the_command_too(isolated: Path, flags: list[str], ran: bool) -> None:
    """Against a configuration that says the opposite."""
    otherwise = "ask" if ran else "unattended"
    (isolated.parent / "home" / "baton" / "config.yaml").write_text(f"agent: {{mode: {otherwise}}}\n")
    async with OpenAIServer(wants_the_shell) as server:
        code, _, err = await run(server, "go", before=flags)
    assert (code, (isolated / "ran.txt").exists()) == (0, ran), err


@pytest.mark.parametrize(("flags", "told"), [(["--yes"], True), (["--mode", "unattended"], True), ([], False)])
async def test_unattended_work_without_a_sandbox_is_told_on_standard_error(
    isolated: Path, flags: list[str], told: bool
) -> None:
    (isolated.parent / "home" / "baton" / "config.yaml").write_text("tools: {sandbox: off}\n")
    async with OpenAIServer([say("Hi.")]) as server:
        code, out, err = await run(server, *flags, "hi")
    assert (code, out) == (0, "Hi.\n")
    assert ("without a sandbox (it is switched off in the configuration)" in err) is told


async def test_failing_tests_behind_a_pipe_are_told_as_failed(isolated: Path) -> None:
    (isolated / "test_it.py").write_text("def test_right(): pass\ndef test_wrong(): assert False\n")
    command = f"{sys.executable} -m pytest -q -p no:cacheprovider test_it.py | tail -5"
    async with OpenAIServer(lambda request: shell(command) if said_last(request) else say("Two.")) as server:
        code, _, err = await run(server, "--yes", "--set", "tools.sandbox=off", "run the tests")
        told = str(server.requests[-1].body["messages"][-1]["content"])
    assert code == 0
    assert "✗ shell: 1 failed, 1 passed in " in err
    assert "[exit 0, but pytest in the pipe ended with 1" in told


async def test_a_failed_turn_says_why(isolated: Path) -> None:
    async with OpenAIServer([fail(401, "no such key")]) as server:
        code, out, err = await run(server, "hi")
        assert (code, out) == (1, "")
        assert "The provider refused the request" in err
        assert (await run(server, "-c", "nothing like it", "hi"))[0] == 1
        assert (await run(server))[0] == 1
        assert (await run(server, "--nonsense"))[0] == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_stops_the_turn_and_keeps_what_was_said(isolated: Path, number: signal.Signals) -> None:
    async with OpenAIServer([say("Half of", Hang()), say("The rest.")]) as server:
        process = await start(server, "tell", "me")
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        async with asyncio.timeout(PATIENCE):
            assert await process.stdout.readexactly(7) == b"Half of"
            process.send_signal(number)
            assert await process.wait() == 130
        assert await server.hung_up()
        assert (await run(server, "-c", "tell me", "go on"))[1] == "The rest.\n"
        assert [message["content"] for message in server.requests[-1].body["messages"][1:]] == [
            "tell me",
            "Half of",
            "go on",
        ]


async def test_a_reader_that_leaves_ends_it_quietly(isolated: Path) -> None:
    async with OpenAIServer([say("line\n" * 2000, Wait(0.2), *(["more\n" * 2000] * 20), Hang())]) as server:
        reading, writing = os.pipe()
        process = await start(server, "much", stdout=writing)
        os.close(writing)
        assert process.stdin is not None
        process.stdin.close()
        assert await asyncio.to_thread(os.read, reading, 4) == b"line"
        os.close(reading)
        async with asyncio.timeout(PATIENCE):
            _, err = await process.communicate()
        assert (process.returncode, err) == (1, b"")


async def test_a_picture_is_sent_and_what_is_none_is_refused(isolated: Path) -> None:
    (isolated / "shot.dat").write_bytes(PNG)
    (isolated / "text.png").write_text("no picture")
    async with OpenAIServer([say("A cat.")]) as server:
        code, out, _ = await run(server, "--image", "shot.dat", "what is this?")
        assert (code, out) == (0, "A cat.\n")
        url = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
        assert url in [part["image_url"]["url"] for part in asked(server) if part["type"] == "image_url"]
        code, _, err = await run(server, "--image", "text.png", "what is this?")
        assert code == 1
        assert "text.png cannot be attached: it is not an image" in err
        code, _, err = await run(server, "-m", "openai-chat:gpt-3.5-turbo", "--image", "shot.dat", "and this?")
        assert code == 1
        assert "does not take images" in err
        assert len(server.requests) == 1


async def test_a_file_that_was_named_goes_along_and_one_that_was_piped_does_not(isolated: Path) -> None:
    (isolated / "cart.py").write_text("total = 0\n")
    (isolated / "keys.txt").write_text("mine\n")
    async with OpenAIServer([say("Zero.")]) as server:
        code, _, _ = await run(server, "why", "@cart.py:1?", piped=b"see @keys.txt")
        assert code == 0
        assert "total = 0" in asked(server)
        assert "mine" not in asked(server)


async def test_a_run_that_is_refused_leaves_no_conversation_behind(isolated: Path) -> None:
    async with OpenAIServer([say("Hello.")]) as server:
        for arguments in (["-c", "", "hi"], ["-c", " ", "hi"], ["-m", "nowhere:x", "hi"], ["-m", "anthropic:x", "hi"]):
            code, _, err = await run(server, *arguments)
            assert (code, "Traceback" in err) == (1, False)
        assert server.requests == []
    with closing(open_sqlite(str(Path(os.environ["BATON_HOME"]) / "baton.db"))) as store:
        assert store.conversations.page(10).rows == ()
