"""The chat in a terminal: what its first frame costs, and how long a key takes to appear while an answer streams.

The first frame is complete when the last of its parts is on the screen: the header, the input and the status line with
the workspace in it. Typing works from then on; the model's name follows as soon as the chat can send (`ready`).

Between a key and its echo stands whatever the chat is drawing. That work is measured in CPU time: by the clock it is
the same on a quiet machine, and any multiple of it on a busy one. The answer comes at three hundred tokens a second.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from baton import __version__
from bench.figure import PROCESS, Figure
from bench.plan import Plan
from bench.progress import say
from bench.startup import baton, environment
from bench.streaming import LAST
from bench.terminal import Terminal
from bench.timing import Timing

ROOT = Path(__file__).resolve().parents[1]
LINES = 2_000
SECONDS = 60
BANNER = f"Baton {__version__}".encode()
WORKSPACE = b"a-place-to-work"
EMBEDDED = "local:qwen2.5-coder-1.5b"
"""Chosen beforehand: a first start without a key would ask."""

SCRIPTED = "openai-chat:scripted"
UNTYPED = [chr(code) for code in range(0x0391, 0x0586) if chr(code).isalpha() and len(chr(code).encode()) == 2]
"""Letters that neither Baton nor the answer shows: one that is drawn was typed."""

PAUSE = (0.05, 0.25)
PER_LINE = 60
CLEAR = "\x15"
IDLE_IS = "the same keys while nothing streams, in the same chat"


def measure(work: Path, plan: Plan) -> list[Figure]:
    home, workspace = work / "chat", work / "chat" / WORKSPACE.decode()
    workspace.mkdir(parents=True)
    return [*_frames(home, workspace, plan.frames), *_typing(home, workspace, plan.keys)]


def _frames(home: Path, workspace: Path, count: int) -> list[Figure]:
    """CPU milliseconds from exec on, with compiled files: the first run, which makes them, is not counted."""
    say(f"opening the chat {count} times")
    runs = [_frame(home, workspace) for _ in range(count + 1)][1:]
    names = ("first_frame", "chat_ready")
    return [
        Figure(name, PROCESS, baton=Timing.of(cpu)) for name, cpu in zip(names, zip(*runs, strict=True), strict=True)
    ]


def _frame(home: Path, workspace: Path) -> tuple[float, float]:
    with Terminal(baton(), _variables(home) | {"BATON_MODEL": EMBEDDED}, workspace) as terminal:
        terminal.until(lambda drawn: BANNER in drawn and WORKSPACE in drawn)
        frame = terminal.cpu()
        if EMBEDDED.encode() not in terminal.drawn:
            terminal.until(_shows(EMBEDDED))
        return frame, terminal.cpu()


def _typing(home: Path, workspace: Path, keys: int) -> list[Figure]:
    say(f"typing {keys} keys, idle and while {LINES} lines stream in")
    with _server() as leading_there:
        variables = _variables(home) | leading_there | {"BATON_MODEL": SCRIPTED}
        with Terminal(baton(), variables, workspace) as terminal:
            terminal.until(_shows(SCRIPTED))
            terminal.settle()
            idle = _typed(terminal, keys)
            used = terminal.cpu()
            terminal.type("explain everything\r")
            terminal.until(_shows("Part 2"))
            busy = _typed(terminal, keys)
            assert LAST.encode() not in terminal.drawn, "the answer ended before the keys did"
            terminal.until(_shows(LAST))
            used = terminal.cpu() - used
    facts = {"wall": busy.wall, "wall_idle": idle.wall, "stream_cpu": used, "lines": LINES}
    return [Figure("typing", PROCESS, baton=busy.work, floor=idle.work, floor_is=IDLE_IS, facts=facts)]


class Keys:
    """Milliseconds from a key to the moment it is on the screen: of work in between, and by the clock."""

    def __init__(self, work: Sequence[float], wall: Sequence[float]) -> None:
        self.work = Timing.of(work)
        clock = Timing.of(wall)
        self.wall = {"p50": clock.median, "p99": clock.p99}


def _typed(terminal: Terminal, keys: int) -> Keys:
    dice, work, wall = random.Random(1), list[float](), list[float]()
    for number in range(keys):
        if number % PER_LINE == 0:
            terminal.type(CLEAR)
        _pause(terminal, dice.uniform(*PAUSE))
        letter = UNTYPED[number % len(UNTYPED)]
        before, pressed = terminal.work(), time.perf_counter_ns()
        terminal.type(letter)
        wall.append((terminal.until(_shows(letter)) - pressed) / 1e6)
        work.append(terminal.work() - before)
    terminal.type(CLEAR)
    _pause(terminal, PAUSE[1])
    return Keys(work, wall)


def _shows(text: str) -> Callable[[bytes], bool]:
    return lambda drawn: text.encode() in drawn


def _pause(terminal: Terminal, seconds: float) -> None:
    """Time passes, and what is drawn meanwhile is taken, as by any terminal."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        terminal.take(left)


@contextmanager
def _server() -> Iterator[dict[str, str]]:
    command = [sys.executable, "-m", "bench.streaming", f"--lines={LINES}", f"--seconds={SECONDS}"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.stdin.close()


def _variables(home: Path) -> dict[str, str]:
    """Without any provider's key or address: the embedded model, unless something else is added."""
    return {
        name: value
        for name, value in environment(home).items()
        if not name.endswith(("_API_KEY", "_AUTH_TOKEN", "_BASE_URL", "OLLAMA_HOST"))
    }
