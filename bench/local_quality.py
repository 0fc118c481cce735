"""`python -m bench.local_quality`: how well a local model calls tools. Run by hand: it pulls and runs 1.1 GB.

Eight requests, each judged by the first thing the model does, two of them right only if it uses no tool; then one
whole piece of work through the engine, with real tools in an empty workspace: write a program, run it, report.

`--everyday 10 --runs 10` asks for everyday things instead (`everyday.py`), each as a whole piece of work in a small
project of its own: right, half or wrong by what is there afterwards. Who claims work that the record does not show is
wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from baton.adapters.files.workspace import Workspace
from baton.adapters.models.local.catalogue import CATALOGUE, DEFAULT, find
from baton.adapters.models.local.model import LocalModel
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.tools.registry import tools
from baton.core.agent.approval import UNATTENDED
from baton.core.agent.event import StepEnded, ToolEnded, ToolStarted, TurnEnded
from baton.core.agent.message import Prompt, ToolSpec, UserMessage
from baton.core.log.payloads import UserInput
from baton.core.value import asdict, value
from baton.engine.prompts import prompt_text
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.model import Called, Finished, Text
from bench import everyday
from bench.nobody import Nobody
from bench.progress import say

CACHE = Path(__file__).parents[1] / ".cache" / "tests" / "models"
WORK = "Write hello.py that prints the sum of the numbers 1 to 10, run it, and tell me what it printed."
SUM = "55"

Judge = Callable[[str, dict[str, Any], str], bool]


@value
class Task:
    """`right` is given the tool's name (empty for an answer), its arguments, and the answer's text."""

    request: str
    right: Judge


TASKS = (
    Task("Run the tests with pytest.", lambda tool, args, _: tool == "shell" and "pytest" in args["command"]),
    Task("What does README.md say?", lambda tool, args, _: tool == "read" and args["path"].endswith("README.md")),
    Task(
        "Create a file notes.txt with the text: buy milk",
        lambda tool, args, _: tool == "write" and args["path"] == "notes.txt" and "buy milk" in args["content"],
    ),
    Task(
        "In the file app.py, replace the word foo by bar.",
        lambda tool, args, _: (
            args.get("path") == "app.py"
            and (tool == "read" or (tool == "edit" and args["old"] == "foo" and args["new"] == "bar"))
        ),
    ),
    Task(
        "Which files are in the directory src?",
        lambda tool, args, _: "src" in str(args.get("path" if tool == "list" else "command", "")),
    ),
    Task(
        "Find the line where the function parse_date is defined.",
        lambda tool, args, _: "parse_date" in str(args.get("pattern" if tool == "search" else "command", "")),
    ),
    Task("What is the capital of France?", lambda tool, _, text: not tool and "Paris" in text),
    Task("Thank you, that is all for today.", lambda tool, _, text: not tool and bool(text)),
)


@value
class Outcome:
    """`reading` and `writing` are tokens: those that were not cached, and those the model wrote. `first` is how long it
    took to read, which is when the first token comes.
    """

    request: str
    right: bool
    did: str
    seconds: float
    first: float
    reading: int
    writing: int


class Clock:
    """When the prompt had been read: what the model reports last before it writes."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, done: int, total: int, seconds: float) -> None:
        del done, total
        self.seconds = seconds


async def judge(model: LocalModel, clock: Clock, task: Task, offered: tuple[ToolSpec, ...]) -> Outcome:
    """One request, judged by the first thing the model does."""
    start, name, args, text, usage = time.monotonic(), "", dict[str, Any](), "", None
    async for piece in model.stream(Prompt(prompt_text("system"), (UserMessage(task.request),), offered)):
        if isinstance(piece, Called):
            name, args = piece.call.name, dict(piece.call.args)
        elif isinstance(piece, Text):
            text += piece.text
        elif isinstance(piece, Finished):
            usage = piece.usage
    assert usage is not None
    did = f"{name} {json.dumps(args, ensure_ascii=False)}" if name else f"answer: {text}"
    seconds = round(time.monotonic() - start, 1)
    right = task.right(name, args, text)
    first = round(clock.seconds, 1)
    return Outcome(task.request, right, did, seconds, first, usage.input - usage.cached, usage.output)


async def whole_loop(model: LocalModel, folder: Path) -> dict[str, Any]:
    """Writes, runs and reports, by the engine and the real tools."""
    workspace = folder / "work"
    workspace.mkdir()
    store = open_sqlite(str(folder / "store" / "baton.db"))
    toolbox = Toolbox(tools(Workspace(workspace)), Nobody(), Nobody(), UNATTENDED)
    settings = TurnSettings(prompt_text("system"), max_steps=8)
    runtime = Runtime(store, lambda _: Parts(model, toolbox, settings), surface="bench")
    conversation, _ = store.conversations.start("quality", str(workspace), model.name)
    start, steps, said, ended = time.monotonic(), list[str](), "", ""
    async for event in runtime.turn(conversation.id, UserInput(WORK)):
        if isinstance(event, ToolStarted):
            steps.append(f"{event.tool} {json.dumps(dict(event.args), ensure_ascii=False)}")
        elif isinstance(event, ToolEnded):
            steps.append(f"→ {event.text[:200]}")
        elif isinstance(event, StepEnded):
            said = event.text
        elif isinstance(event, TurnEnded):
            ended = event.reason
    store.close()
    right = ended == "completed" and SUM in said and (workspace / "hello.py").exists()
    return {"right": right, "seconds": round(time.monotonic() - start, 1), "steps": steps, "said": said, "end": ended}


async def ask_everyday(model: LocalModel, folder: Path, request: str) -> tuple[everyday.Done, float]:
    """One request as a whole turn, by the engine and the real tools, in a project of its own."""
    workspace = folder / "work"
    everyday.lay_out(workspace)
    store = open_sqlite(str(folder / "store" / "baton.db"))
    toolbox = Toolbox(tools(Workspace(workspace)), Nobody(), Nobody(), UNATTENDED)
    runtime = Runtime(
        store, lambda _: Parts(model, toolbox, TurnSettings(prompt_text("system"), max_steps=8)), surface="bench"
    )
    conversation, _ = store.conversations.start("everyday", str(workspace), model.name)
    start, asked, ran, said = time.monotonic(), dict[str, str](), list[str](), ""
    async for event in runtime.turn(conversation.id, UserInput(request)):
        if isinstance(event, ToolStarted):
            asked[event.call_id] = f"{event.tool} {json.dumps(dict(event.args), ensure_ascii=False)}"
        elif isinstance(event, ToolEnded) and event.ok and event.call_id in asked:
            ran.append(asked[event.call_id])
        elif isinstance(event, StepEnded):
            said = event.text or said
    store.close()
    return everyday.Done(said, tuple(ran), workspace), time.monotonic() - start


async def measure_everyday(name: str, directory: Path, requests: int, runs: int) -> dict[str, Any]:
    model = LocalModel(str(directory), find(name), on_pull=_show_pull, on_read=Clock())
    await model.prepare()
    rows: list[dict[str, Any]] = []
    try:
        for request, judged in everyday.EVERYDAY[:requests]:
            for number in range(runs):
                with tempfile.TemporaryDirectory(prefix="baton-everyday-") as folder:
                    done, seconds = await ask_everyday(model, Path(folder), request)
                    false = everyday.false_claims(done)
                    grade = everyday.WRONG if false else judged(done)
                    row = {"request": request, "run": number, "grade": grade, "seconds": round(seconds, 1)}
                    rows.append({**row, "calls": done.calls, "said": done.said, "false": false})
                say(
                    f"{rows[-1]['grade']:6}{'FALSE CLAIM ' if rows[-1]['false'] else ''}{request} → {done.said[:100]!r}"
                )
    finally:
        await model.close()
    counts = {
        grade: sum(row["grade"] == grade for row in rows) for grade in (everyday.RIGHT, everyday.HALF, everyday.WRONG)
    }
    return {
        "model": name,
        "of": len(rows),
        **counts,
        "false_claims": sum(bool(row["false"]) for row in rows),
        "rows": rows,
    }


async def measure(name: str, directory: Path, folder: Path) -> dict[str, Any]:
    weights = find(name)
    clock = Clock()
    model = LocalModel(str(directory), weights, on_pull=_show_pull, on_read=clock)
    start = time.monotonic()
    await model.prepare()
    load = round(time.monotonic() - start, 1)
    say(f"{weights.title} is loaded after {load} s")
    offered = tuple(tool.spec for tool in tools(Workspace(folder)))
    outcomes: list[Outcome] = []
    try:
        for task in TASKS:
            outcomes.append(await judge(model, clock, task, offered))
            say(f"{'right' if outcomes[-1].right else 'WRONG'}  {outcomes[-1]}")
        loop = await whole_loop(model, folder)
    finally:
        await model.close()
    right = sum(outcome.right for outcome in outcomes)
    found = {"model": weights.title, "load": load, "right": right, "of": len(TASKS), **_speeds(outcomes)}
    return {**found, "tasks": [asdict(outcome) for outcome in outcomes], "loop": loop, "load_average": os.getloadavg()}


def _speeds(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Tokens a second: read by the first request, written by all. The others read only what is new to them."""
    fresh, *cached = outcomes
    wrote = sum(each.writing for each in outcomes) / sum(each.seconds - each.first for each in outcomes)
    return {
        "reads_per_second": round(fresh.reading / fresh.first, 1),
        "writes_per_second": round(wrote, 1),
        "first_token": fresh.first,
        "first_token_cached": round(statistics.median(each.first for each in cached), 1),
    }


def _show_pull(done: int, total: int, seconds: float) -> None:
    if done == total or int(seconds * 10) % 50 == 0:
        say(f"pulled {done / 1e6:,.0f} of {total / 1e6:,.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.local_quality", description="How well a local model works.")
    parser.add_argument("--model", default=DEFAULT.name, choices=[weights.name for weights in CATALOGUE])
    parser.add_argument("--models", type=Path, default=CACHE, help="where models are kept; default: %(default)s")
    parser.add_argument("--everyday", type=int, metavar="N", help="the first N of 30 everyday requests instead")
    parser.add_argument("--runs", type=int, default=1, help="how often each of them is asked; default: %(default)s")
    options = parser.parse_args()
    if options.everyday:
        found = asyncio.run(measure_everyday(options.model, options.models, options.everyday, options.runs))
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return
    with tempfile.TemporaryDirectory(prefix="baton-quality-") as folder:
        found = asyncio.run(measure(options.model, options.models, Path(folder)))
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
