"""kill -9 in the middle of everything a chat does: the next start tells the truth."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log import entry as kinds
from baton.core.log.entry import NewEntry
from tests.e2e.chat import chat, said_last, shell
from tests.support.model_servers import Hang, OpenAIServer, Reply, Request, say
from tests.support.screen import ENTER

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]
READY = "% of"
ENDED = "The last turn was interrupted before it ended."


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def stored(work: Path) -> list[str]:
    """The kinds of all entries there are."""
    with closing(open_sqlite(str(work.parent / "home" / "baton.db"))) as store:
        (row,) = store.conversations.page().rows
        return [entry.kind for entry in store.entries.load(row.conversation.head_id)]


async def test_killed_in_the_middle_of_an_answer(isolated: Path) -> None:
    def script(request: Request) -> Reply:
        return say("Half an ans", Hang()) if said_last(request) == "tell me" else say("A whole answer.")

    async with OpenAIServer(script) as server:
        async with chat(server, isolated) as screen:
            await screen.shows(READY)
            screen.type(f"tell me{ENTER}")
            await screen.shows("Half an ans")
            screen.kill()
            await screen.ended()
        async with chat(server, isolated) as screen:
            await screen.shows("“tell me” has a turn that did not end")
        async with chat(server, isolated, "resume", "tell me") as screen:
            await screen.shows(f"{ENDED} What the model may have been saying then was not kept.")
            assert "Half an ans" not in screen.text
            assert len(server.requests) == 1, "nothing is asked again by itself"
            screen.type(f"again, please{ENTER}")
            await screen.shows("A whole answer.")
    told = [message["content"] for message in server.requests[-1].body["messages"] if message["role"] == "user"]
    assert ENDED in str(told)


async def test_killed_in_the_middle_of_a_tool(isolated: Path) -> None:
    def script(request: Request) -> Reply:
        command = "echo ran >> ran.txt; echo begun; until [ -e stop ]; do sleep 0.05; done"
        return shell(command) if said_last(request) == "deploy" else say("I looked before I did it again.")

    async with OpenAIServer(script) as server:
        async with chat(server, isolated) as screen:
            await screen.shows(READY)
            screen.type(f"deploy{ENTER}")
            await screen.shows("y once")
            screen.type("y")
            await screen.shows("\n   begun")
            screen.kill()
            await screen.ended()
        async with chat(server, isolated, "resume", "deploy") as screen:
            await screen.shows(f"{ENDED} Started, outcome unknown: Run echo ran >> ran.txt;")
            screen.type(f"go on{ENTER}")
            await screen.shows("I looked before I did it again.")
        (isolated / "stop").touch()
    assert (isolated / "ran.txt").read_text() == "ran\n"
    results = [message for message in server.requests[-1].body["messages"] if message["role"] == "tool"]
    assert "outcome unknown" in results[0]["content"]


def converse(work: Path, entries: int) -> None:
    """A conversation that nearly fills the window."""
    home = work.parent / "home"
    home.chmod(0o700)
    with closing(open_sqlite(str(home / "baton.db"))) as store:
        conversation, session = store.conversations.start("long work", os.path.realpath(work), "fake:model")
        proof = store.conversations.claim(conversation.id, "test", 1.0)
        new: list[NewEntry] = []
        for number in range(entries // 2):
            new.append(NewEntry(kinds.USER, {"text": f"Question {number}: {'why ' * 200}"}))
            new.append(NewEntry(kinds.ASSISTANT, {"text": f"Answer {number}: {'because ' * 200}"}))
        store.entries.append(proof, session.id, new)
        store.conversations.release(proof)


async def test_killed_in_the_middle_of_a_compression(isolated: Path) -> None:
    converse(isolated, 600)
    hanging = [True]

    def script(request: Request) -> Reply:
        if "tools" in request.body:
            return say("On we go.")
        return say("Summ", Hang()) if hanging[0] else say("They asked why, and were told. " * 20)

    async with OpenAIServer(script) as server:
        async with chat(server, isolated, "resume", "long work") as screen:
            await screen.shows("Answer 299")
            screen.type(f"and now?{ENTER}")
            await screen.shows("compressing · ")
            screen.kill()
            await screen.ended()
        assert stored(isolated)[600:] == [kinds.USER]
        hanging[0] = False
        async with chat(server, isolated, "resume", "long work") as screen:
            await screen.shows(ENDED)
            screen.type(f"go on{ENTER}")
            await screen.shows("On we go.")
            assert "Compressed: " in screen.text
    ends = (kinds.TURN_ENDED, kinds.TURN_INTERRUPTED)
    after = [kind for kind in stored(isolated)[600:] if kind not in ends]
    assert after == [kinds.USER, kinds.USER, kinds.COMPRESSION, kinds.ASSISTANT]
