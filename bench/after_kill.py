"""The next answer after kill -9: an editor's agent dies in the middle of a turn, and another one is asked in its place.

From the prompt, sent as soon as the conversation is loaded again, to the first word of its answer. The floor is the
same after a turn that had come to its end: what lies between them is what a dead owner costs. Rounds take turns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path

from bench.editor import Editor
from bench.figure import PROCESS, Figure
from bench.peers import hermes_turn
from bench.plan import Plan
from bench.progress import say
from bench.startup import baton, environment
from bench.timing import Timing

NAME = "next_answer_after_kill"
FLOOR_IS = "the same after a turn that had ended"
MODEL = "openai:gpt-4o-mini"
STUCK, ASKED = "Think for ever.", "What is in the notes?"
BEGUN, ANSWER = "Well,", "Milk."


def measure(work: Path, plan: Plan) -> list[Figure]:
    home = work / "after-kill"
    home.mkdir(parents=True)
    killed, ended = list[float](), list[float]()
    with hermes_turn.serving(_serve) as leading:
        variables = environment(home) | leading | {"BATON_MODEL": MODEL}
        say(f"the next answer after kill -9, {plan.editors} rounds")
        for number in range(plan.editors + 1):
            took = _next_answer(variables, home, STUCK), _next_answer(variables, home, ASKED)
            if number:  # the first makes the store
                killed.append(took[0])
                ended.append(took[1])
    return [Figure(NAME, PROCESS, None, Timing.of(killed), Timing.of(ended), FLOOR_IS)]


def _next_answer(variables: Mapping[str, str], home: Path, before: str) -> float:
    """Milliseconds from the prompt to its answer's first word, in a process that follows one which was killed then."""
    where = {"cwd": str(home), "mcpServers": list[object]()}
    with Editor([*baton(), "acp"], variables, home) as first:
        first.ask("initialize", protocolVersion=1, clientCapabilities={})
        session = first.ask("session/new", **where)["sessionId"]
        if before == STUCK:
            first.await_words(BEGUN, "session/prompt", sessionId=session, prompt=_text(before))
        else:
            first.ask("session/prompt", sessionId=session, prompt=_text(before))
    with Editor([*baton(), "acp"], variables, home) as second:
        second.ask("initialize", protocolVersion=1, clientCapabilities={})
        second.ask("session/load", sessionId=session, **where)
        return second.await_words(ANSWER, "session/prompt", sessionId=session, prompt=_text(ASKED))


def _text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


def _serve(ready: Connection) -> None:
    """Tells the variables that lead to a model that begins to speak, and stops for ever if it is asked to."""
    asyncio.run(_answer(ready))


async def _answer(ready: Connection) -> None:
    from tests.support.model_servers import Hang, OpenAIServer, Reply, Request
    from tests.support.model_servers import say as reply

    def script(request: Request) -> Reply:
        is_next = ASKED in str(request.body["messages"][-1])
        return reply(ANSWER) if is_next else reply(BEGUN, Hang())

    async with OpenAIServer(script) as server:
        ready.send(server.environ)
        await asyncio.Event().wait()
