"""Commands as facts: the last run of each check, and what its output says of it.

A run is known by its tool and target, so that the same check by other words is the same check; a command made of parts
is several runs. What only looks around is none.
"""

from __future__ import annotations

from baton.core.handoff.ledger import commands
from baton.core.log.payloads import ToolResult

PASSED = "passed"
FAILED = "failed"
UNKNOWN = "unknown"


class Run:
    """The last run of a command: how it ended and what it said."""

    __slots__ = ("at", "check", "command", "exit", "line", "log", "probe", "runs", "tests", "verdict")

    def __init__(self, command: str) -> None:
        self.command = command
        self.verdict = UNKNOWN
        self.exit: int | None = None
        self.line = self.log = self.at = ""
        self.runs = 0
        self.check = self.probe = False
        self.tests: list[str] = []


class Runs:
    def __init__(self) -> None:
        self.by_key: dict[str, Run] = {}

    def add(self, command: str, result: ToolResult, at: str) -> None:
        run = self.by_key.setdefault(commands.normalize(command), Run(command))
        run.command, run.at, run.runs = command, at, run.runs + 1
        run.verdict = PASSED if result.ok else FAILED
        run.exit, run.log = result.details.get("exit"), str(result.details.get("log") or "")
        run.check, run.probe = commands.is_validating(command), commands.is_probe(command)
        output = "" if result.ok else result.text
        run.line, run.tests = commands.telling_line(output), commands.failed_tests(output)


def changes_something(command: str) -> bool:
    """Whether running a command may have changed something."""
    return not commands.is_probe(command)


def removed_paths(command: str) -> list[str]:
    return commands.removed_paths(command)
