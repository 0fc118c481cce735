"""Start-up: whole processes, from exec to exit, beside an interpreter that does nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from bench.figure import PROCESS, Figure
from bench.plan import Plan, Size
from bench.timing import Timing

FLOOR_IS = "`python -c pass` by the same interpreter"
LEFT_OUT = ("BATON_", "PYTHONDONTWRITEBYTECODE", "PYTHONPROFILEIMPORTTIME", "PYTHONUNBUFFERED")


def measure(home: Path, size: Size, plan: Plan) -> list[Figure]:
    """By turns, after one run each that is not counted and leaves the compiled files behind."""
    commands = {
        "floor": [sys.executable, "-c", "pass"],
        "start_version": [*baton(), "--version"],
        "start_sessions_list": [*baton(), "sessions", "list"],
    }
    for command in commands.values():
        _run(command, home)
    rounds = [{name: _run(command, home) for name, command in commands.items()} for _ in range(plan.starts)]
    timings = {name: Timing.of([each[name] for each in rounds]) for name in commands}
    floor = timings.pop("floor")
    return [Figure(name, PROCESS, size, timing, floor, FLOOR_IS) for name, timing in timings.items()]


def baton() -> list[str]:
    """The console script of the running environment, or the module where there is none."""
    script = Path(sys.executable).with_name("baton")
    return [str(script)] if script.exists() else [sys.executable, "-m", "baton"]


def environment(home: Path) -> dict[str, str]:
    """This process's variables for a Baton at home in `home`, without those that change what is measured."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
    return variables | {"BATON_HOME": str(home), "HOME": str(home)}


def _run(command: list[str], home: Path) -> float:
    """Milliseconds until the process was gone. One that fails ends the benchmark, with what it said."""
    variables = environment(home)
    null = subprocess.DEVNULL
    started = time.perf_counter_ns()
    done = subprocess.run(command, env=variables, cwd=home, stdin=null, stdout=null, stderr=null, check=False)
    spent = (time.perf_counter_ns() - started) / 1e6
    if done.returncode:
        again = subprocess.run(
            command, env=variables, cwd=home, stdin=null, capture_output=True, text=True, check=False
        )
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {again.stderr.strip()}")
    return spent
