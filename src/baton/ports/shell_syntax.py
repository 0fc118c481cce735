"""Reading shell text without running it."""

from __future__ import annotations

from typing import Protocol

from baton.core.shell import Script


class ShellSyntax(Protocol):
    def parse(self, command: str) -> Script:
        """The simple commands in `command`. Any text has an answer; `ok` is false for what could not be understood."""
        ...
