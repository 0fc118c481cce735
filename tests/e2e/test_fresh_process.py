"""`fresh_process` over a real terminal: after a compression a new process goes on in the place of the old one."""

from __future__ import annotations

import asyncio
import os
from contextlib import closing
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from tests.e2e.chat import chat, said_last
from tests.support.handoffs import repository
from tests.support.model_servers import OpenAIServer, Reply, Request, Tokens, say
from tests.support.patience import PATIENCE
from tests.support.screen import CTRL_C, ENTER, Screen

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240), pytest.mark.usefixtures("warm_home")]
TALE = "## Completed work\nLooked at a.py.\n## Design decisions\nNone.\n## Next recommended action\nGo on reading."
CONFIG = """
agent:
  auto_handoff_on_compression:
    enabled: true
    after_compressions: 1
    mode: fresh_process
"""
LONG = "word " * 1200
READY = "% of"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def script(request: Request) -> Reply:
    """A model with a small window, and much to say in the first process."""
    system = str(request.body["messages"][0]["content"])
    if system.startswith("You are closing"):
        return say(TALE)
    if system.startswith("You summarise"):
        return say("Goal: fix the race. Done: looked around. Open: everything. " * 4)
    if "<<<packet-" in str(request.body["messages"]):
        return say("I go on by myself.")
    number = said_last(request).partition("step ")[2][:1] or "?"
    size = sum(len(str(message["content"])) for message in request.body["messages"]) // 4
    return say(f"{LONG} answer-{number}-ends", usage=Tokens(size + 2000, 1300))


def program(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


async def replaced(screen: Screen) -> list[str]:
    """The words of the new program, under the number of the old one."""
    async with asyncio.timeout(PATIENCE):
        while "--continue" not in program(screen.process.pid):
            await asyncio.sleep(0.02)
    return program(screen.process.pid)


@pytest.mark.timeout(180)
async def test_a_new_process_takes_the_terminal_and_goes_on_by_itself(isolated: Path) -> None:
    work = repository(isolated)
    home = work.parent / "home"
    (home / "config.yaml").write_text(CONFIG)
    async with OpenAIServer(script) as server, chat(server, work, BATON_MODEL="openai-chat:gpt-4") as screen:
        await screen.shows(READY)
        assert "--continue" not in program(screen.process.pid)
        for number in range(1, 7):
            screen.type(f"Never touch migrations. step {number}{ENTER}")
            moved = asyncio.create_task(replaced(screen))
            shown = asyncio.create_task(screen.shows(f"answer-{number}-ends"))
            done, waiting = await asyncio.wait([moved, shown], return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            if moved in done:
                break
        words = moved.result()
        assert words[words.index("resume") + 2] == "--continue"
        conversation_id = words[words.index("resume") + 1]
        await screen.shows("I go on by myself.")
        screen.type(f"and now?{ENTER}")
        await screen.shows(lambda text: text.count("I go on by myself.") == 2)
        screen.type(CTRL_C)
        await screen.shows("Press Ctrl+C again")
        screen.type(CTRL_C)
        assert await screen.ended() == 0
    with closing(open_sqlite(str(home / "baton.db"))) as store:
        sessions = store.sessions.of(conversation_id)
        assert [session.live for session in sessions] == [False, True]
        assert [session.end_reason for session in sessions] == ["compression_handoff", None]
        first = store.entries.load(sessions[1].id)[0]
        assert first.kind == "packet"
        assert "- Never touch migrations." in str(first.data["text"])
        assert store.packets.get(str(first.data["packet"])).intact()
    assert os.listdir(work / ".baton/handoffs")
