"""The whole chat over a real terminal: what is on the screen, what is written to it, and what is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.chat import chat, said_last, shell
from tests.support.model_servers import (
    AnthropicServer,
    Hang,
    ModelServer,
    OpenAIServer,
    Reply,
    Request,
    say,
)
from tests.support.screen import CTRL_C, CTRL_O, CTRL_Y, ENTER, ESCAPE, UP

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]
HINT = "Ask, or:"
READY = "% of"
KEYS = "y once"
HOSTILE = (
    "before \x1b]52;c;T1dORUQ=\x07\x1b]0;OWNED\x07\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\ "
    "\x1b[2J\x1b[3J\x1b[31m\x1bPOWNED\x1b\\\x1b_OWNED\x1b\\\x1b[6n\x1b[?1049l\x9b31m\x9d52;c;T1dORUQ=\x9c after"
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def answers(request: Request) -> Reply:
    if "stream" in said_last(request):
        return say("Half of ", "an answer", Hang())
    return say("The lock is taken **twice**.")


async def test_a_question_an_interrupt_and_the_way_back(isolated: Path) -> None:
    async with OpenAIServer(answers) as server:
        async with chat(server, isolated) as screen:
            await screen.shows(HINT)
            await screen.shows(READY)
            screen.type(f"what is wrong?{ENTER}")
            await screen.shows("The lock is taken twice.")
            screen.type(f"now stream{ENTER}")
            await screen.shows("Half of an answer")
            screen.type(ESCAPE)
            await screen.shows("Stopped.")
            assert await server.hung_up()
            screen.type(CTRL_C)
            await screen.shows("Press Ctrl+C again")
            screen.type(CTRL_C)
            assert await screen.ended() == 0
            assert b"baton resume c_" in screen.raw
        async with chat(server, isolated, "resume", "what is wrong?") as screen:
            shown = await screen.shows("Resumed: what is wrong?")
            for text in (
                "› what is wrong?",
                "The lock is taken twice.",
                "› now stream",
                "Half of an answer",
                "Stopped.",
            ):
                assert text in shown
            screen.type(f"go on{ENTER}")
            await screen.shows(lambda shown: shown.count("The lock is taken twice.") == 2)
    texts = [message["content"] for message in server.requests[-1].body["messages"] if message["role"] == "assistant"]
    assert "Half of an answer" in str(texts[-1])


def asks_for_the_shell(request: Request) -> Reply:
    return (
        shell("echo ran >> ran.txt && seq 101 109 && echo 41 passed")
        if said_last(request)
        else say("All of them pass.")
    )


@pytest.mark.parametrize("provider", [OpenAIServer, AnthropicServer])
async def test_a_tool_call_is_approved_and_folds(provider: type[ModelServer], isolated: Path) -> None:
    async with provider(asks_for_the_shell) as server, chat(server, isolated) as screen:
        await screen.shows(READY)
        screen.type(f"run the tests{ENTER}")
        await screen.shows(KEYS)
        assert not (isolated / "ran.txt").exists()
        screen.type("y")
        shown = await screen.shows("All of them pass.")
        assert (isolated / "ran.txt").read_text() == "ran\n"
        assert "▸ ✓ Run echo ran" in shown
        assert "\n   109\n   41 passed" in shown
        assert "\n   101" not in shown
        screen.type(CTRL_O)
        await screen.shows("\n   101")


async def test_a_refusal_runs_nothing(isolated: Path) -> None:
    async with OpenAIServer(asks_for_the_shell) as server, chat(server, isolated) as screen:
        await screen.shows(READY)
        screen.type(f"run the tests{ENTER}")
        await screen.shows(KEYS)
        screen.type("n")
        await screen.shows("All of them pass.")
        assert not (isolated / "ran.txt").exists()
        assert "refused" in screen.text


async def test_who_is_typing_does_not_approve_by_accident(isolated: Path) -> None:
    async with OpenAIServer(asks_for_the_shell) as server, chat(server, isolated) as screen:
        await screen.shows(READY)
        screen.type(f"run the tests{ENTER}yay")
        await screen.shows("Tab, then y or n")
        screen.type("y")
        await screen.shows("yayy")
        assert "Tab, then y or n" in screen.text
        assert not (isolated / "ran.txt").exists()


async def test_nothing_a_model_or_a_tool_says_steers_the_terminal(isolated: Path) -> None:
    (isolated / "hostile.txt").write_text(HOSTILE)

    def script(request: Request) -> Reply:
        return shell("cat hostile.txt") if said_last(request) else say(HOSTILE.replace("before", "the model"))

    async with OpenAIServer(script) as server, chat(server, isolated) as screen:
        await screen.shows(READY)
        screen.type(f"show me{ENTER}")
        await screen.shows("the model")
        screen.type(CTRL_O)
        await screen.shows("before")
        assert b"OWNED" not in screen.raw
        assert b"T1dORUQ" not in screen.raw
        assert b"evil.example" not in screen.raw
        assert set(re.findall(rb"\x1b\]\d+", screen.raw)) <= {b"\x1b]22"}  # the shape of the mouse pointer
        for mine in (b"\x1b[2J", b"\x1b[3J", b"\x1b[6n", b"\x1bP", b"\x1b_", b"\x1b[?1049l"):
            assert mine not in screen.raw


async def test_copying_writes_the_clipboard_and_nothing_else_does(isolated: Path) -> None:
    async with OpenAIServer([say("Do this:\n\n```sh\nmake\n```\n")]) as server, chat(server, isolated) as screen:
        await screen.shows(READY)
        screen.type(f"how?{ENTER}")
        await screen.shows("  make")
        await screen.shows("$0.0")
        assert b"\x1b]52" not in screen.raw
        screen.type(CTRL_Y)
        await screen.shows("copied the last answer")
        screen.type(CTRL_Y)
        await screen.shows("copied code block")
        assert screen.raw.count(b"\x1b]52;c;") == 2
        assert b"\x1b]52;c;bWFrZQ==\x07" in screen.raw


async def test_resize_paste_and_history(isolated: Path) -> None:
    async with OpenAIServer([say("Read.")]) as server:
        async with chat(server, isolated) as screen:
            await screen.shows(READY)
            screen.paste("\n".join(f"line {number}" for number in range(300)))
            await screen.shows("[pasted text 1: 300 lines]")
            screen.type(ENTER)
            await screen.shows("Read.")
            assert "… 280 more lines" in screen.text
            screen.resize(60, 20)
            await screen.shows(lambda shown: shown.split("\n")[14].startswith(" Read."))
        async with chat(server, isolated) as screen:
            await screen.shows(READY)
            screen.type(UP)
            await screen.shows("line 299")
    assert server.requests[0].body["messages"][-1]["content"].endswith("line 299")


@pytest.mark.parametrize("term", ["dumb", ""])
async def test_a_terminal_that_cannot_draw_is_told_so(isolated: Path, term: str) -> None:
    async with OpenAIServer([say("-")]) as server, chat(server, isolated, TERM=term) as screen:
        assert await screen.ended() == 1
        assert b"cannot show the chat" in screen.raw
        assert b"\x1b[?1049h" not in screen.raw
