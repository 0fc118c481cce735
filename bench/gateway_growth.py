"""The gateway as it grows: the same process with few, many and very many bound conversations, beside a trivial bot.

Both are real processes, speak HTTP to the same server and keep what they hear on disk. Memory is what the system counts
for the process, CPU what it used; a clock on the wall has no part in it, so a busy machine changes little. All
conversations changed lately: that is the worst case for whatever looks after them.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from baton.adapters.stores.open import open_store
from baton.core.log.entry import NewEntry
from baton.core.transfer.place import Place
from bench.bed import SHARED_MEMORY
from bench.bot_service import OWNER, TOKEN, BotService
from bench.figure import SQLITE, Figure
from bench.plan import Plan, Size
from bench.progress import say

NAME = "gateway_growth"
FIRST_TOPIC = 100_000
NEW_TOPIC = 50_000
MODEL = "openai-chat:gpt-4o-mini"
GIVE_UP = 600.0
QUIET = 0.03
"""A core's share below which a process that has just started is taken to have settled."""
_TICKS = os.sysconf("SC_CLK_TCK")
_ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Watched:
    """A process under measurement, and the server it speaks to."""

    pid: int
    service: BotService

    def cpu(self) -> float:
        """Milliseconds that it used so far, in all its threads."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS * 1e3

    def memory(self) -> float:
        """Megabytes that it has in memory."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    async def cpu_of(self, act: Callable[[], Awaitable[None]], count: int) -> float:
        before = self.cpu()
        await act()
        return (self.cpu() - before) / count

    async def ask_each(self, topics: Sequence[int]) -> None:
        for topic in topics:
            await self.service.ask([topic], "When does the tide turn?", GIVE_UP)

    async def idle(self, seconds: float) -> float:
        """Percent of a core."""
        before = self.cpu()
        await asyncio.sleep(seconds)
        return (self.cpu() - before) / seconds / 10

    async def settle(self) -> float:
        """Waits until it does nothing more by itself; milliseconds of CPU since its start."""
        while await self.idle(2.0) > 100 * QUIET:
            pass
        return self.cpu()


def measure(work: Path, plan: Plan) -> list[Figure]:
    return asyncio.run(_measure(work, plan))


async def _measure(work: Path, plan: Plan) -> list[Figure]:
    figures: list[Figure] = []
    for count in plan.bound:
        say(f"a gateway with {count} conversations, and a trivial bot")
        async with _gateway(work, count) as watched:
            ours = await _figures(watched, plan, count)
        async with _trivial_bot(work) as watched:
            theirs = await _figures(watched, plan, count)
        facts = {**ours, **{f"bot_{name}": held for name, held in theirs.items()}}
        figures.append(Figure(NAME, SQLITE, Size(count, 2 * count, 2), facts=facts))
    return figures


async def _figures(watched: Watched, plan: Plan, count: int) -> dict[str, float]:
    started = await watched.settle()
    idle = await watched.idle(plan.idle_seconds)
    await watched.ask_each([FIRST_TOPIC])  # what is loaded with the first message is counted apart
    new = [NEW_TOPIC + number for number in range(plan.new_topics)]
    known = [FIRST_TOPIC + number for number in range(min(count, plan.new_topics))]
    costs = {"new_ms": await watched.cpu_of(lambda: watched.ask_each(new), len(new))}
    await watched.ask_each(known)
    costs["known_ms"] = await watched.cpu_of(lambda: watched.ask_each(known), len(known))
    before = watched.memory()
    burst = [FIRST_TOPIC + number for number in range(min(count, plan.burst))]
    ask = watched.service.ask
    costs["burst_ms"] = await watched.cpu_of(lambda: ask(burst, "All at once.", GIVE_UP), len(burst))
    peak = watched.memory()
    await asyncio.sleep(plan.rest_seconds)
    return {
        "started_ms": started,
        "idle_percent": idle,
        **costs,
        "before_mb": before,
        "burst_mb": peak,
        "after_mb": watched.memory(),
        "burst": float(len(burst)),
    }


@asynccontextmanager
async def _gateway(work: Path, count: int) -> AsyncIterator[Watched]:
    with tempfile.TemporaryDirectory(prefix="baton-bench-", dir=work) as directory:
        home = Path(directory, "home")
        workspace = Path(directory, "work")
        for each in (home, workspace):
            each.mkdir(mode=0o700)
        _fill(home, workspace, count)
        async with BotService() as service:
            (home / "config.yaml").write_text(yaml.safe_dump(config(service.url)))
            told = {"BATON_HOME": str(home), "BATON_MODEL": MODEL, "OPENAI_API_KEY": "sk-bench"}
            variables = {**os.environ, **told, "OPENAI_BASE_URL": f"{service.url}/v1"}
            command = [sys.executable, "-m", "baton", "gateway"]
            async with running(command, workspace, variables, "telegram: connected") as pid:
                yield Watched(pid, service)


@asynccontextmanager
async def _trivial_bot(work: Path) -> AsyncIterator[Watched]:
    with tempfile.TemporaryDirectory(prefix="baton-bench-", dir=work) as directory:
        async with BotService() as service:
            command = [sys.executable, "-m", "bench.trivial_bot", service.url, str(Path(directory, "bot.db"))]
            async with running(command, _ROOT, dict(os.environ), "ready") as pid:
                yield Watched(pid, service)


@asynccontextmanager
async def running(command: list[str], where: Path, variables: dict[str, str], word: str) -> AsyncIterator[int]:
    """A process that said this word; gone afterwards."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=where, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    output = process.stdout
    while word not in (line := (await output.readline()).decode(errors="replace")):
        assert line, f"{command[2]} ended at its start"
    reading = asyncio.create_task(output.read())
    try:
        yield process.pid
    finally:
        process.kill()
        await process.wait()
        await reading


def config(url: str) -> dict[str, Any]:
    telegram = {"token": TOKEN, "api": url}
    people = {"home": {"telegram": str(OWNER)}, "owners": [f"telegram:{OWNER}"]}
    return {"gateway": {"listen": "127.0.0.1:0", "telegram": telegram, **people}}


def _fill(home: Path, workspace: Path, count: int) -> None:
    """In memory where the system offers that, because a hundred thousand transactions need not wait for the disk."""
    quick = SHARED_MEMORY if os.path.isdir(SHARED_MEMORY) else None
    with tempfile.TemporaryDirectory(prefix="baton-bench-", dir=quick) as directory:
        with closing(open_store(f"{directory}/baton.db", busy_timeout=10, backup_dir=directory)) as store:
            for number in range(count):
                conversation, session = store.conversations.start(f"conversation {number}", str(workspace))
                proof = store.conversations.claim(conversation.id, "bench", 60)
                said = [NewEntry(kind, {"text": f"word {number}"}) for kind in ("user", "assistant")]
                store.entries.append(proof, session.id, said)
                store.conversations.release(proof)
                store.bindings.bind(Place("telegram", str(OWNER), str(FIRST_TOPIC + number)), conversation.id)
        shutil.copytree(directory, home, dirs_exist_ok=True)
