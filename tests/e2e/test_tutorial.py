"""The tutorial, executed: each command of docs/tutorial.md in its order, and what the page says it prints."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from baton.core.value import value
from tests.e2e.chat import MODELS
from tests.support.model_servers import OpenAIServer, Reply, Request, say
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240), pytest.mark.usefixtures("warm_home")]
PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
RULE = "Refunds above 50 EUR need a manager."
_BLOCK = re.compile(r"```(sh|text)\n(.*?)```", re.DOTALL)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@value
class Step:
    """A block of commands, and the lines that the page shows below it."""

    commands: str
    shown: tuple[str, ...]


def read_steps(text: str) -> list[Step]:
    steps: list[Step] = []
    for kind, body in _BLOCK.findall(text):
        if kind == "sh":
            steps.append(Step(body, ()))
        else:
            steps[-1] = Step(steps[-1].commands, tuple(body.splitlines()))
    return steps


def answer(request: Request) -> Reply:
    """As a model would that reads what it is given: it knows the rule only if the request has it."""
    messages = request.body["messages"]
    if "80 EUR" in str(messages[-1]["content"]):
        return say("Only with a manager." if RULE in str(messages) else "Of course.")
    return say("It adds prices up.")


async def run(commands: str, directory: Path, environ: dict[str, str]) -> str:
    """What a person sees; each command must succeed."""
    script = f"set -e\n{commands}\npwd > .where"
    process = await asyncio.create_subprocess_exec(
        "sh", "-c", script, cwd=directory, env=environ, stdin=asyncio.subprocess.DEVNULL, stdout=PIPE, stderr=STDOUT
    )
    async with asyncio.timeout(PATIENCE):
        out, _ = await process.communicate()
    assert process.returncode == 0, f"{commands}\n{out.decode()}"
    return out.decode()


def is_shown(pattern: str, out: str) -> bool:
    """`…` stands for anything within a line."""
    parts = (re.escape(part) for part in pattern.split("…"))
    return re.search("^" + ".*".join(parts) + "$", out, re.MULTILINE) is not None


async def test_each_command_of_the_tutorial_does_what_the_page_shows(isolated: Path) -> None:
    steps = read_steps(PAGE.read_text())
    assert len(steps) >= 8
    directory = isolated
    async with OpenAIServer(answer) as server:
        programs = str(Path(sys.executable).parent)
        environ = {**os.environ, **server.environ, "BATON_MODEL": MODELS[server.variables[0]]}
        environ["PATH"] = f"{programs}:{os.environ['PATH']}"
        for step in steps:
            out = await run(step.commands, directory, environ)
            for pattern in step.shown:
                assert is_shown(pattern, out), f"{step.commands}\nshould show {pattern!r} and shows\n{out}"
            directory = Path((next(directory.rglob(".where"))).read_text().strip())
            (directory / ".where").unlink()
